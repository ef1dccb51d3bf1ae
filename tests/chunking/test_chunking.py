"""Both chunkers and the audit of their boundaries, with the embedder's own tokenizer."""

import itertools

import pytest

from harness.capture.canary_corpus import canary_corpus
from harness.chunking import audit
from harness.chunking.fixed import Window, chunk_document, expected_windows, spans
from harness.chunking.sectioned import chunk_document_by_section
from harness.corpus.model import Document
from harness.embedding.model import load_embedder
from harness.errors import HarnessError

WINDOW = Window(size=48, overlap=8)


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return list(canary_corpus().documents.values())


@pytest.fixture(scope="module")
def tokenizer():
    return load_embedder().tokenizer


def made(text: str, sections: tuple[tuple[int, str, str], ...] = ()) -> Document:
    return Document("d", "D", "https://example.org/d", "0" * 64, "t", "T", "test", None, text, (), sections)


def test_a_chunk_read_alone_has_as_many_tokens_as_it_claims(documents, tokenizer) -> None:
    for document in documents:
        for chunker in (chunk_document, chunk_document_by_section):
            for chunk in chunker(document, tokenizer, WINDOW):
                assert len(tokenizer.encode(chunk.text, add_special_tokens=False).ids) == chunk.tokens <= WINDOW.size
                assert document.text[chunk.start : chunk.end] == chunk.text


def test_fixed_windows_leave_no_token_out_and_neighbours_overlap(documents, tokenizer) -> None:
    for document in documents:
        chunks = chunk_document(document, tokenizer, WINDOW)
        assert not document.text[: chunks[0].start].strip()
        assert not document.text[chunks[-1].end :].strip()
        for left, right in itertools.pairwise(chunks):
            assert left.start < right.start < left.end < right.end


def test_section_aware_chunks_never_cross_a_heading_and_lose_nothing(documents, tokenizer) -> None:
    for document in documents:
        chunks = chunk_document_by_section(document, tokenizer, WINDOW)
        assert not any(audit.crosses_section(chunk, document) for chunk in chunks)
        kept = "".join(document.text[chunk.start : chunk.end] for chunk in chunks)
        assert "".join(kept.split()) == "".join(document.text.split())


def test_fixed_windows_do_cross_headings(documents, tokenizer) -> None:
    assert any(
        audit.crosses_section(chunk, document)
        for document in documents
        for chunk in chunk_document(document, tokenizer, WINDOW)
    )


def test_pages_of_a_chunk_are_those_of_its_ends(documents, tokenizer) -> None:
    paged = [document for document in documents if document.page_starts]
    assert paged and len(paged) < len(documents)
    for document in documents:
        for chunk in chunk_document(document, tokenizer, WINDOW):
            assert chunk.page_first == document.page_at(chunk.start)
            assert chunk.page_last == document.page_at(chunk.end - 1)
            assert (chunk.page_first is None) == (not document.page_starts)


@pytest.mark.parametrize(("tokens", "windows"), [(0, 0), (1, 1), (10, 1), (11, 2), (18, 2), (19, 3), (100, 13)])
def test_the_number_of_windows_follows_the_formula_when_every_word_is_one_token(tokens: int, windows: int) -> None:
    window = Window(size=10, overlap=2)
    assert expected_windows(tokens, window) == windows
    assert len(spans([(i, i + 1) for i in range(tokens)], list(range(tokens)), window)) == windows


def test_a_word_longer_than_a_window_is_cut_rather_than_looping() -> None:
    found = spans([(i, i + 1) for i in range(30)], [0] * 30, Window(size=10, overlap=2))
    assert found[0] == (0, 10) and found[-1][1] == 30


@pytest.mark.parametrize("overlap", [-1, 10, 11])
def test_an_overlap_that_cannot_advance_is_refused(overlap: int) -> None:
    with pytest.raises(HarnessError, match="overlap"):
        Window(size=10, overlap=overlap)


def test_a_document_without_text_has_no_chunks(tokenizer) -> None:
    assert chunk_document(made("\n"), tokenizer, WINDOW) == []
    assert chunk_document_by_section(made("\n"), tokenizer, WINDOW) == []


def test_mid_sentence_means_no_stop_and_no_blank_line_before(tokenizer) -> None:
    text = "One sentence ends. Another goes on\nover a line.\n\nA paragraph without a stop\n\nNext one."
    document = made(text)

    def starts(word: str) -> bool:
        at = text.index(word)
        return audit._mid(text, at)

    assert not starts("Another")
    assert starts("goes")
    assert starts("over")
    assert not starts("A paragraph")
    assert not starts("Next")
    assert document.section_at(0) == ""


def test_a_drawn_table_counts_as_cut_when_no_chunk_holds_it_whole(tokenizer) -> None:
    table = "   +------+-----+\n   | name | age |\n   +------+-----+\n   | anna | 41  |\n   +------+-----+"
    document = made(f"Before the table stand some words.\n\n{table}\n\nAfter it stand others.")
    assert len(audit.boxes(document)) == 1
    whole = chunk_document(document, tokenizer, Window(size=200, overlap=0))
    assert audit.boxes_cut(document, whole) == 0
    cut = chunk_document(document, tokenizer, Window(size=12, overlap=0))
    assert audit.boxes_cut(document, cut) == 1
