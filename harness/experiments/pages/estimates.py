"""Page numbers without page breaks: four ways to guess the page that holds a character.

None of them may be shown as a page. They are here to be held against documents whose pages are known.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.corpus.model import Document

Estimate = Callable[[int], int]
"""Character offset → page from 1."""


@dataclass(frozen=True)
class Measures:
    """Characters, lines and pages of one document with real pages."""

    characters: int
    lines: int
    pages: int


def measures(document: Document) -> Measures:
    """``pages`` is the physical number of the last page. ValueError for a document without pages."""
    if not document.page_starts:
        raise ValueError(f"{document.id} has no pages to measure")
    return Measures(len(document.text), document.text.count("\n"), document.page_starts[-1][1])


def by_characters(per_page: float) -> Estimate:
    """Every page takes ``per_page`` characters."""
    return lambda offset: 1 + int(offset / per_page)


def by_lines(text: str, per_page: float) -> Estimate:
    """Every page takes ``per_page`` lines of ``text``."""
    ends = [at for at, character in enumerate(text) if character == "\n"]
    return lambda offset: 1 + int(bisect.bisect_left(ends, offset) / per_page)


def by_count(characters: int, pages: int) -> Estimate:
    """``pages`` pages share ``characters`` characters evenly: what can be had when only their number is known."""
    return lambda offset: min(pages, 1 + offset * pages // max(characters, 1))


def of_others(every: Sequence[Measures], own: Measures) -> tuple[float, float]:
    """(characters, lines) a page over the other documents, the one estimated left out; over itself when alone."""
    rest = [one for one in every if one is not own] or [own]
    pages = sum(one.pages for one in rest)
    return sum(one.characters for one in rest) / pages, sum(one.lines for one in rest) / pages


def distance(page: int, first: int, last: int) -> int:
    """Pages between an estimate and the nearest page that the passage lies on: 0 on one of them.

    >>> distance(4, 3, 4), distance(6, 3, 4), distance(1, 3, 4)
    (0, 2, 2)
    """
    return max(first - page, page - last, 0)
