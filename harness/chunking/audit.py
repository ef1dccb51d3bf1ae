"""What a set of chunks does to a document: boundaries crossed, sentences and drawn boxes cut, tokens repeated."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.corpus.model import Chunk, Document

SENTENCE_END = tuple(".!?:;")
BOX_LINE = re.compile(r"^\s*[|+]")
BOX_RULE = re.compile(r"^\s*\+[-+=]{3,}")


def crosses_section(chunk: Chunk, document: Document) -> bool:
    """Whether a heading is inside the chunk, after its first character."""
    return any(chunk.start < start < chunk.end for start, _, _ in document.sections)


def starts_mid_sentence(chunk: Chunk, document: Document) -> bool:
    """Whether the text before the chunk breaks off inside a sentence, with no blank line in between."""
    return _mid(document.text, chunk.start)


def ends_mid_sentence(chunk: Chunk, document: Document) -> bool:
    """Whether the chunk itself breaks off inside a sentence, with no blank line after it."""
    return _mid(document.text, chunk.end)


def _mid(text: str, at: int) -> bool:
    gap_start = at
    while gap_start > 0 and text[gap_start - 1].isspace():
        gap_start -= 1
    gap_end = at
    while gap_end < len(text) and text[gap_end].isspace():
        gap_end += 1
    if gap_start == 0 or gap_end == len(text):
        return False
    paragraph = text[gap_start:gap_end].count("\n") >= 2
    closed = text[:gap_start].rstrip("\"')]”’").endswith(SENTENCE_END)
    return not (paragraph or closed)


def boxes(document: Document) -> list[tuple[int, int]]:
    """Character ranges of tables and packet diagrams drawn with ``|`` and ``+---``: at least three such lines."""
    found: list[tuple[int, int]] = []
    offset, start, lines, ruled = 0, 0, 0, False
    for line in [*document.text.split("\n"), ""]:
        if BOX_LINE.match(line):
            start = start if lines else offset
            lines += 1
            ruled = ruled or bool(BOX_RULE.match(line))
        else:
            if lines >= 3 and ruled:
                found.append((start, offset - 1))
            lines, ruled = 0, False
        offset += len(line) + 1
    return found


def boxes_cut(document: Document, chunks: Sequence[Chunk]) -> int:
    """How many drawn boxes of the document no chunk contains whole."""
    return sum(
        not any(chunk.start <= start and end <= chunk.end for chunk in chunks)
        for start, end in ((_first_ink(document.text, a), b) for a, b in boxes(document))
    )


def _first_ink(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def repeated_tokens(chunks: Sequence[Chunk], document_tokens: int) -> int:
    """Tokens that are in more than one chunk, counted once for every repetition."""
    return sum(chunk.tokens for chunk in chunks) - document_tokens
