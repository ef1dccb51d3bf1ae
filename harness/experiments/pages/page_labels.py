"""What a page prints about itself, held against where it lies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from harness.corpus.model import Document

Kind = Literal["same", "shifted", "roman", "prefixed", "none"]
KINDS: dict[Kind, str] = {
    "same": "prints its own index",
    "shifted": "prints another number",
    "roman": "prints a roman numeral",
    "prefixed": "prints a letter and a number",
    "none": "prints nothing",
}
ROMAN = re.compile(r"[ivxlc]+$", re.IGNORECASE)


def kind(physical: int, label: str | None) -> Kind:
    """How a label relates to the physical index of its page (from 1).

    >>> kind(3, "3"), kind(3, "1"), kind(3, "iii"), kind(90, "F-12"), kind(1, None)
    ('same', 'shifted', 'roman', 'prefixed', 'none')
    """
    if not label:
        return "none"
    if label.isdigit():
        return "same" if int(label) == physical else "shifted"
    return "roman" if ROMAN.match(label) else "prefixed"


def ambiguous(document: Document) -> int:
    """Pages whose label another page of the document prints too."""
    printed = Counter(label for _, _, label in document.page_starts if label)
    return sum(count for count in printed.values() if count > 1)


def label_at(document: Document, offset: int) -> str | None:
    """The label printed on the page that holds ``offset``; None without pages or without a label."""
    found = None
    for start, _, label in document.page_starts:
        if start > offset:
            break
        found = label
    return found


def spread(pages: Sequence[tuple[int | None, int | None]]) -> dict[str, int]:
    """Chunks by the number of pages they lie on; (first page, last page) a chunk, None without pages."""
    counts = {"none": 0, "one": 0, "two": 0, "more": 0}
    for first, last in pages:
        if first is None or last is None:
            counts["none"] += 1
        else:
            counts[("one", "two", "more")[min(last - first, 2)]] += 1
    return counts
