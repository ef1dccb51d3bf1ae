"""A window that starts inside a table carries the table's header rows."""

import itertools

import pytest

from harness.chunking.fixed import Window, chunk_document
from harness.chunking.sectioned import chunk_document_by_section
from harness.corpus.model import Document
from harness.embedding.model import load_embedder

HEADER = "Line | 2024 | 2023\n"
ROWS = "".join(f"Item number {number} | {number}00 | {number}50\n" for number in range(1, 30)).rstrip("\n")
BEFORE, AFTER = "Words before the table.\n\n", "\n\nWords after the table stand here alone.\n"
WINDOW = Window(size=48, overlap=8)
CHUNKERS = (chunk_document, chunk_document_by_section)


@pytest.fixture(scope="module")
def tokenizer():
    return load_embedder().tokenizer


def made(header: str = HEADER, rows: str = ROWS, table: bool = True) -> Document:
    start = len(BEFORE)
    text = f"{BEFORE}{header}{rows}{AFTER}"
    tables = ((start, start + len(header), start + len(header) + len(rows)),) if table else ()
    return Document("d", "D", "https://example.org/d", "0" * 64, "t", "T", "test", None, text, (), (), tables)


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_every_window_that_starts_in_the_rows_starts_with_the_header(chunker, tokenizer) -> None:
    document = made()
    _, body, end = document.tables[0]
    chunks = chunker(document, tokenizer, WINDOW)
    inside = [chunk for chunk in chunks if body <= chunk.start < end]
    assert len(inside) > 3
    for chunk in chunks:
        piece = document.text[chunk.start : chunk.end]
        if chunk in inside:
            assert chunk.header == HEADER.rstrip("\n")
            assert chunk.text == f"{chunk.header}\n{piece}"
            assert document.text[chunk.start - 1] == "\n", "it starts with a row"
        else:
            assert chunk.header == "" and chunk.text == piece


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_the_header_counts_against_the_windows_size(chunker, tokenizer) -> None:
    for chunk in chunker(made(), tokenizer, WINDOW):
        assert len(tokenizer.encode(chunk.text, add_special_tokens=False).ids) == chunk.tokens <= WINDOW.size


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_nothing_of_the_table_is_lost(chunker, tokenizer) -> None:
    document = made()
    chunks = chunker(document, tokenizer, WINDOW)
    covered = {at for chunk in chunks for at in range(chunk.start, chunk.end)}
    assert all(at in covered for at, character in enumerate(document.text) if not character.isspace())


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_a_header_that_would_fill_half_the_window_is_not_carried(chunker, tokenizer) -> None:
    chunks = chunker(made(header="A very long heading of columns | " * 8 + "end\n"), tokenizer, WINDOW)
    assert len(chunks) > 3 and not any(chunk.header for chunk in chunks)


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_a_table_without_header_rows_is_cut_at_rows_and_carries_nothing(chunker, tokenizer) -> None:
    chunks = chunker(made(header=""), tokenizer, WINDOW)
    assert len(chunks) > 3 and not any(chunk.header for chunk in chunks)


def test_a_row_longer_than_a_window_is_cut_rather_than_looping(tokenizer) -> None:
    chunks = chunk_document(made(rows="word " * 300 + "| 5"), tokenizer, WINDOW)
    assert len(chunks) > 5 and all(left.start < right.start for left, right in itertools.pairwise(chunks))


def test_a_document_without_tables_is_cut_as_before(tokenizer) -> None:
    document = made(table=False)
    for chunk in chunk_document(document, tokenizer, WINDOW):
        assert chunk.text == document.text[chunk.start : chunk.end] and chunk.header == ""
