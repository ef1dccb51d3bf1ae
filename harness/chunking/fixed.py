"""Fixed windows, counted in the embedder's own tokens and cut only between words.

A window holds at most ``size`` tokens of text; the next one starts about ``size - overlap`` tokens later. With
the packaged embedder ``size`` is what it reads (256) less the two special tokens it adds, so nothing a chunk
holds goes unread. A cut inside a word would change the word's pieces: the end moves back to the last word start.

A window that starts inside a table starts with a row, and carries the table's header rows in front of it; they
count against the window's size.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.corpus.model import Chunk, Document
from harness.embedding.model import READS
from harness.errors import HarnessError

SPECIAL_TOKENS = 2
HEADER_SHARE = 2
"""A table's header is carried when it takes at most one part in this many of a window."""


@dataclass(frozen=True)
class Window:
    """Settings in tokens: the window's size, and how many tokens two neighbours share."""

    size: int = READS - SPECIAL_TOKENS
    overlap: int = 32

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            raise HarnessError(f"chunking: overlap {self.overlap} must be from 0 to below the size {self.size}")


def expected_windows(tokens: int, window: Window) -> int:
    """How many windows cover ``tokens`` tokens when cuts may fall anywhere: ceil((N - O) / (S - O)), at least 1."""
    if tokens <= 0:
        return 0
    return max(1, math.ceil((tokens - window.overlap) / (window.size - window.overlap)))


class Tables:
    """The tables of a document, asked by character offset: which header belongs before a window that starts there."""

    def __init__(self, document: Document, tokenizer: Any, window: Window) -> None:
        self._text = document.text
        self._starts = [start for start, _, _ in document.tables]
        self._tables = document.tables
        self._tokens: dict[int, int] = {}
        for start, header_end, _ in document.tables:
            header = document.text[start:header_end].rstrip("\n")
            tokens = len(tokenizer.encode(header, add_special_tokens=False).ids)
            self._tokens[start] = tokens if tokens <= window.size // HEADER_SHARE else 0

    def _around(self, offset: int) -> tuple[int, int, int] | None:
        place = bisect.bisect_right(self._starts, offset) - 1
        if place < 0 or not self._tables[place][0] < offset < self._tables[place][2]:
            return None
        return self._tables[place]

    def header(self, offset: int) -> tuple[str, int]:
        """The header rows for a window that starts at ``offset``, and their tokens; ("", 0) outside a table's body."""
        found = self._around(offset)
        if found is None or offset < found[1] or not self._tokens[found[0]]:
            return "", 0
        return self._text[found[0] : found[1]].rstrip("\n"), self._tokens[found[0]]

    def row(self, offset: int) -> int:
        """The start of the table row that holds ``offset``; of the table for its header, ``offset`` itself outside."""
        found = self._around(offset)
        if found is None:
            return offset
        return found[0] if offset < found[1] else self._text.rfind("\n", 0, offset) + 1


def spans(
    offsets: Sequence[tuple[int, int]], words: Sequence[int | None], window: Window, tables: Tables | None = None
) -> list[tuple[int, int]]:
    """Token ranges ``[first, last)`` of the windows over one document.

    ``offsets`` are character ranges of the tokens, ``words`` the index of the word each token belongs to. A window
    in a table of ``tables`` leaves room for the header and starts at a row, where a row is shorter than a window.
    """
    total = len(offsets)
    found: list[tuple[int, int]] = []
    first = 0
    while first < total:
        size = window.size - (tables.header(offsets[first][0])[1] if tables else 0)
        last = _word_start(words, min(first + size, total), floor=first + 1)
        found.append((first, last))
        if last >= total:
            break
        floor = first + 1
        first = _word_start(words, max(last - window.overlap, floor), floor=floor)
        start = offsets[first][0]
        if tables and (row_start := tables.row(start)) < start:
            row = bisect.bisect_left(offsets, (row_start, 0))
            first = row if row >= floor else first
    return found


def _word_start(words: Sequence[int | None], index: int, floor: int) -> int:
    """The nearest token at or before ``index`` that begins a word; ``index`` itself for a word longer than a window."""
    if index >= len(words):
        return index
    start = index
    while start > floor and words[start] == words[start - 1]:
        start -= 1
    return start if words[start] != words[start - 1] else index


def chunk_document(document: Document, tokenizer: Any, window: Window) -> list[Chunk]:
    """The document's windows as chunks with page and section provenance; [] for a document without text."""
    encoding = tokenizer.encode(document.text, add_special_tokens=False)
    offsets, tables = encoding.offsets, Tables(document, tokenizer, window)  # offsets: a new list at every access
    ranges = spans(offsets, encoding.word_ids, window, tables)
    return [make_chunk(document, offsets, ordinal, *found, tables) for ordinal, found in enumerate(ranges)]


def make_chunk(
    document: Document, offsets: Sequence[tuple[int, int]], ordinal: int, first: int, last: int, tables: Tables
) -> Chunk:
    """The chunk that holds the document's tokens ``[first, last)``, with the header of the table it starts in."""
    start, end = offsets[first][0], offsets[last - 1][1]
    header, header_tokens = tables.header(start)
    body = document.text[start:end]
    return Chunk(
        id=f"{document.id}:{ordinal:04d}",
        doc=document.id,
        tenant=document.tenant,
        ordinal=ordinal,
        start=start,
        end=end,
        text=f"{header}\n{body}" if header else body,
        tokens=last - first + header_tokens,
        page_first=document.page_at(start),
        page_last=document.page_at(end - 1),
        section=document.section_at(start),
        header=header,
    )
