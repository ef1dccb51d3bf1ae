"""The sentences of a passage as slices of it, so that whatever is quoted is there word for word.

Cuts fall after a full stop, question mark or exclamation mark before a capital letter, a digit or a quotation mark, at
blank lines, and before list items. Abbreviations ("e.g. The") are cut wrongly now and then; a slice is verbatim all the
same. A passage that begins or ends inside a sentence gives that part of it, like any reader of the passage would see.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SHORTEST = 4
"""Slices of fewer words are headings, table cells and debris, and are left out."""

_CUT = re.compile(
    r"""(?<=[.?!])["”)]?\s+(?=["“(A-Z0-9*])     # the end of a sentence
    |\n[ \t]*\n\s*                               # a blank line
    |\n\s+(?=(?:[o*-]|\d+[.)])\s)                # a list item
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Sentence:
    """The slice ``[start, end)`` of a passage's text; ``text`` is that slice with white space folded."""

    start: int
    end: int
    text: str


def folded(text: str) -> str:
    """Every run of white space as one space, none at the ends."""
    return re.sub(r"\s+", " ", text).strip()


def sentences(text: str) -> list[Sentence]:
    """The sentences of ``text`` in order, those of fewer than :data:`SHORTEST` words left out."""
    found, start = [], 0
    for cut in [*_CUT.finditer(text), None]:
        end = len(text) if cut is None else cut.start()
        piece = text[start:end]
        if len(piece.split()) >= SHORTEST:
            left = len(piece) - len(piece.lstrip())
            found.append(Sentence(start + left, start + len(piece.rstrip()), folded(piece)))
        start = end if cut is None else cut.end()
    return found
