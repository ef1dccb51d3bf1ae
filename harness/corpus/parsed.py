"""What every parser of the corpus hands over: clean text, and offsets into it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Parsed:
    """Clean text with its page starts (offset, physical page, printed label), section headings and tables.

    Page starts are empty when the source has no real page breaks. A section is (offset, number, heading). A table
    is (start, end of its header rows, end) in characters; the header ends where it starts when there is none.
    """

    text: str
    page_starts: tuple[tuple[int, int, str | None], ...]
    sections: tuple[tuple[int, str, str], ...]
    tables: tuple[tuple[int, int, int], ...] = ()
