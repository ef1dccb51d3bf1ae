"""Section-aware packing: paragraphs of one section together, up to the window's size; never across a heading.

A section runs from its heading to the next one, whatever their levels, so a short section makes a short chunk.
A paragraph longer than a window is cut like fixed windows are, without overlap; a piece of a table that was cut
carries the table's header rows.
"""

from __future__ import annotations

import bisect
import re
from typing import Any

from harness.chunking.fixed import Tables, Window, make_chunk, spans
from harness.corpus.model import Chunk, Document

PARAGRAPH_GAP = re.compile(r"\n[ \t]*\n\s*")


def section_bounds(document: Document) -> list[tuple[int, int]]:
    """Character ranges ``[start, end)`` that cover the text: before the first heading, then one per heading."""
    starts = sorted({0, *(start for start, _, _ in document.sections)})
    return list(zip(starts, [*starts[1:], len(document.text)], strict=True))


def paragraphs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Character ranges of the paragraphs (blocks between blank lines) in ``text[start:end]``, empty ones left out."""
    cuts = [start]
    for gap in PARAGRAPH_GAP.finditer(text, start, end):
        cuts.append(gap.end())
    return [(a, b) for a, b in zip(cuts, [*cuts[1:], end], strict=True) if text[a:b].strip()]


def chunk_document_by_section(document: Document, tokenizer: Any, window: Window) -> list[Chunk]:
    """The document's chunks, each inside one section and of at most ``window.size`` tokens."""
    encoding = tokenizer.encode(document.text, add_special_tokens=False)
    offsets, words = encoding.offsets, encoding.word_ids
    starts = [offset[0] for offset in offsets]
    tables = Tables(document, tokenizer, window)
    ranges: list[tuple[int, int]] = []
    for section_start, section_end in section_bounds(document):
        open_range: tuple[int, int] | None = None
        for start, end in paragraphs(document.text, section_start, section_end):
            first, last = bisect.bisect_left(starts, start), bisect.bisect_left(starts, end)
            if last == first:
                continue
            if open_range and last - open_range[0] + tables.header(starts[open_range[0]])[1] <= window.size:
                open_range = (open_range[0], last)
                continue
            if open_range:
                ranges.append(open_range)
            pieces = spans(offsets[first:last], words[first:last], Window(window.size, 0), tables)
            ranges += [(first + a, first + b) for a, b in pieces[:-1]]
            open_range = (first + pieces[-1][0], first + pieces[-1][1])
        if open_range:
            ranges.append(open_range)
    return [make_chunk(document, offsets, ordinal, *found, tables) for ordinal, found in enumerate(ranges)]
