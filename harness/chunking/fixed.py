"""Fixed windows, counted in the embedder's own tokens and cut only between words.

A window holds at most ``size`` tokens of text; the next one starts about ``size - overlap`` tokens later. With
the packaged embedder ``size`` is what it reads (256) less the two special tokens it adds, so nothing a chunk
holds goes unread. A cut inside a word would change the word's pieces: the end moves back to the last word start.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.corpus.model import Chunk, Document
from harness.embedding.model import READS
from harness.errors import HarnessError

SPECIAL_TOKENS = 2


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


def spans(offsets: Sequence[tuple[int, int]], words: Sequence[int | None], window: Window) -> list[tuple[int, int]]:
    """Token ranges ``[first, last)`` of the windows over one document.

    ``offsets`` are character ranges of the tokens, ``words`` the index of the word each token belongs to.
    """
    total = len(offsets)
    found: list[tuple[int, int]] = []
    first = 0
    while first < total:
        last = _word_start(words, min(first + window.size, total), floor=first + 1)
        found.append((first, last))
        if last >= total:
            break
        first = _word_start(words, max(last - window.overlap, first + 1), floor=first + 1)
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
    ranges = spans(encoding.offsets, encoding.word_ids, window)
    return [make_chunk(document, encoding.offsets, ordinal, *found) for ordinal, found in enumerate(ranges)]


def make_chunk(document: Document, offsets: Sequence[tuple[int, int]], ordinal: int, first: int, last: int) -> Chunk:
    """The chunk that holds the document's tokens ``[first, last)``."""
    start, end = offsets[first][0], offsets[last - 1][1]
    return Chunk(
        id=f"{document.id}:{ordinal:04d}",
        doc=document.id,
        tenant=document.tenant,
        ordinal=ordinal,
        start=start,
        end=end,
        text=document.text[start:end],
        tokens=last - first,
        page_first=document.page_at(start),
        page_last=document.page_at(end - 1),
        section=document.section_at(start),
    )
