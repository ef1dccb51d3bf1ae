"""An annual report (SEC Form 10-K, HTML) to clean text with pages, parts, items and tables.

The pages are those of the printed report: the file sets a CSS page break between two of them. The number that the
page prints at its foot (or head) is its label; running heads and feet are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from harness.corpus.items import find_items
from harness.corpus.markup import Block, blocks
from harness.corpus.parsed import Parsed
from harness.corpus.table_text import paragraphs, table_text

NUMBER = re.compile(r"^[\W_]*(?:page\s+)?((?:[A-Z]{1,3}-)?\d{1,3}|[ivxl]{1,6})[\W_]*$", re.IGNORECASE)
EMBEDDED = re.compile(r"(?:^|[|\s])((?:[A-Z]-)?\d{1,3})$|^((?:[A-Z]-)?\d{1,3})(?=\s)")
EDGE = 3
"""Blocks at the top and at the bottom of a page that can be a running head or foot."""
RUNNING_CHARACTERS = 160
SENTENCE_END = tuple('.:;!?)"”]|')


@dataclass(frozen=True)
class Piece:
    """A paragraph or a table of a page. ``header`` counts the characters of a table's header; None: no table."""

    text: str
    bold: bool
    header: int | None = None
    foot: bool = False


def parse(raw: bytes) -> Parsed:
    """Parse the bytes of one report. Page starts are empty for a file without page breaks."""
    pages = [pieces(page) for page in split_pages(blocks(raw))]
    labels = drop_running(pages) if len(pages) > 1 else [None] * len(pages)
    text = ""
    starts: list[tuple[int, int, str | None]] = []
    tables: list[tuple[int, int, int]] = []
    heads: list[tuple[int, str, bool]] = []
    for number, (page, label) in enumerate(zip(pages, labels, strict=True), start=1):
        for index, piece in enumerate(page):
            joined = index == 0 and piece.header is None and _continues(text, piece.text)
            text += (" " if joined else "\n\n") if text else ""
            start = len(text)
            if index == 0:
                starts.append((start, number, label))
            text += piece.text
            if piece.header is not None:
                tables.append((start, start + piece.header, len(text)))
            elif not joined:
                heads.append((start, piece.text, piece.bold))
    text += "\n"
    return Parsed(text, tuple(starts) if len(pages) > 1 else (), find_items(heads, len(text)), tuple(tables))


def split_pages(found: Sequence[Block]) -> list[list[Block]]:
    """The blocks of each page. Two breaks in a row (the end of one style and the start of the next) make no page."""
    pages: list[list[Block]] = [[]]
    for block in found:
        if not block.page_break:
            pages[-1].append(block)
        elif pages[-1]:
            pages.append([])
    return [page for page in pages if page]


def pieces(page: Sequence[Block]) -> list[Piece]:
    """The page's paragraphs and tables as text."""
    made: list[Piece] = []
    for block in page:
        if block.rows is None:
            made.append(Piece(block.text, block.bold, foot=block.foot))
        elif block.rows:
            plain = paragraphs(block.rows)
            if plain is not None:
                bold = all(cell.bold for row in block.rows for cell in row)
                made += [Piece(text, bold, foot=block.foot) for text in plain]
                continue
            table = table_text(block.rows)
            header = sum(len(line) + 1 for line in table.lines[: table.header])
            made.append(Piece("\n".join(table.lines), False, header, block.foot))
    return made


def drop_running(pages: Sequence[list[Piece]]) -> list[str | None]:
    """Take running heads and feet out of ``pages`` and return the number each page prints, None where it prints none.

    Running text is what is in the foot box of the page's style, a number alone, and a short text near the page's
    edge that, figures aside, one page in eight (three at least) shares.
    """
    shapes: Counter[str] = Counter()
    for page in pages:
        shapes.update({_shape(page[index].text) for index in _edges(page)})
    needed = max(3, len(pages) // 8)
    labels: list[str | None] = []
    for page in pages:
        label = None
        out: set[int] = set()
        for indices in (range(len(page) - 1, -1, -1), range(len(page))):
            for index in list(indices)[:EDGE]:
                text = page[index].text
                alone = NUMBER.match(text)
                running = len(text) <= RUNNING_CHARACTERS and shapes[_shape(text)] >= needed
                if not (page[index].foot or alone or running) or len(text) > 2 * RUNNING_CHARACTERS:
                    break
                out.add(index)
                embedded = None if alone else EMBEDDED.search(text)
                printed = alone[1] if alone else (embedded[1] or embedded[2]) if embedded else None
                label = label or printed
        page[:] = [piece for index, piece in enumerate(page) if index not in out]
        labels.append(label)
    return labels


def _edges(page: Sequence[Piece]) -> set[int]:
    near = {*range(min(EDGE, len(page))), *range(max(0, len(page) - EDGE), len(page))}
    return {index for index in near if len(page[index].text) <= RUNNING_CHARACTERS}


def _shape(text: str) -> str:
    return re.sub(r"\d+", "#", text).casefold().replace(" ", "")


def _continues(text: str, piece: str) -> bool:
    """Does the paragraph that ends ``text`` go on in ``piece``? (No sentence end before, a lower-case letter after.)"""
    last = text.rsplit("\n", 1)[-1]
    return bool(last) and " | " not in last and not last.endswith(SENTENCE_END) and piece[:1].islower()
