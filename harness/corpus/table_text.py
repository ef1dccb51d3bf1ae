"""A table's cells to text: one line per row, cells joined by " | ", header rows first.

Financial tables put "$", the figure and ")" into cells of their own and leave spacer cells between: these are put
together, and columns are found again from the places that figures share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.corpus.markup import Cell

PREFIX = re.compile(r"^[$€£¥(]{1,3}$|^\($|^(?:US|C|A)\$$")
SUFFIX = re.compile(r"^[)%]{1,2}$|^\)?\s?(?:%|x|pts\.?|bps)$|^\*+$|^\([a-z]\)$")
VALUE = re.compile(
    r"^[(\s$€£¥+\-–—]*(?:[\d,]*\.?\d+)[)%\sxX]*(?:\([a-z]\))?$|^[$\s]*[—–-]+[\s%)]*$|^N/?[AM]$", re.IGNORECASE
)
YEAR = re.compile(r"^(?:19|20)\d\d(?:\s*\(\w\))?$")
BULLET = re.compile(r"^(?:[•◦▪●■○–·*]|\(?\w{1,3}[.)])$")
JOIN = " | "
HEADER_ROWS = 6
HEADER_CHARACTERS = 700
"""A header longer than this is none: the table is prose set in columns."""


@dataclass(frozen=True)
class TableText:
    """The lines of a table and how many of them are its header."""

    lines: tuple[str, ...]
    header: int


def paragraphs(rows: Sequence[Sequence[Cell]]) -> list[str] | None:
    """The rows as paragraphs when the table only lays out text, one cell a row or a bullet and its text; else None."""
    merged = [merge(row) for row in rows]
    if all(len(row) == 1 for row in merged):
        return [row[0].text for row in merged]
    if all(len(row) == 1 or (len(row) == 2 and BULLET.match(row[0].text)) for row in merged):
        return [" ".join(cell.text for cell in row) for row in merged]
    if len(merged) == 1 and not any(VALUE.match(cell.text) for cell in merged[0]):
        return [" ".join(cell.text for cell in merged[0])]
    return None


def merge(row: Sequence[Cell]) -> list[Cell]:
    """The row with "$" and "(" put before the figure they belong to, ")" and "%" after it."""
    made: list[Cell] = []
    before: Cell | None = None
    for cell in row:
        if before is not None:
            text = before.text + ("" if before.text.endswith("(") else " ") + cell.text
            cell = Cell(before.column, cell.column + cell.span - before.column, text.replace("$ ", "$"), cell.bold)
            before = None
        if PREFIX.match(cell.text):
            before = cell
        elif made and SUFFIX.match(cell.text) and VALUE.match(made[-1].text):
            last = made[-1]
            glue = "" if cell.text[0] in ")%*" else " "
            made[-1] = Cell(last.column, cell.column + cell.span - last.column, last.text + glue + cell.text, last.bold)
        else:
            made.append(cell)
    return [*made, before] if before is not None else made


def table_text(rows: Sequence[Sequence[Cell]]) -> TableText:
    """The table's lines. Empty cells keep their place between others, so that a figure stands under its heading."""
    merged = [merge(row) for row in rows]
    group = _columns(merged)
    header = header_rows(merged, group)
    return TableText(tuple(_line(row, group) for row in merged), header)


def _columns(rows: Sequence[Sequence[Cell]]) -> list[int]:
    """The logical column of each physical one: columns that one figure covers are the same."""
    width = max(cell.column + cell.span for row in rows for cell in row)
    joined = [False] * (width + 1)
    used = [False] * width
    for row in rows:
        for cell in row if len(row) > 1 else []:
            used[cell.column] = True
            if cell.span <= max(4, width // 3):
                for place in range(cell.column + 1, cell.column + cell.span):
                    joined[place] = True
    group: list[int] = []
    number = -1
    seen = True
    for place in range(width):
        if place == 0 or (not joined[place] and seen):
            number += 1
            seen = False
        seen = seen or used[place]
        group.append(number)
    return group


def _line(row: Sequence[Cell], group: Sequence[int]) -> str:
    parts: list[str] = []
    for cell in row:
        place = group[cell.column]
        while len(parts) < place:
            parts.append("")
        parts.append(cell.text)
    return re.sub(r" +", " ", JOIN.join(parts)).strip()


def header_rows(rows: Sequence[Sequence[Cell]], group: Sequence[int]) -> int:
    """How many rows at the top are the header: no figures but years, no label at the left or all bold; 0 for none."""
    count = 0
    columned = False
    for row in rows[:HEADER_ROWS]:
        others = [cell for cell in row if group[cell.column] > 0]
        if any(VALUE.match(cell.text) and not YEAR.match(cell.text) for cell in row):
            break
        labelled = len(others) < len(row)
        bold = all(cell.bold for cell in row)
        if labelled and not bold and not (others and all(YEAR.match(cell.text) for cell in others)):
            units = row[0].text.startswith("(") or re.match(
                r"(?i)(?:as of|years? ended|dollars|in millions)", row[0].text
            )
            if columned or not units:
                break
        if not others and columned:
            break
        columned = columned or bool(others)
        count += 1
    if not columned or count == len(rows):
        return 0
    size = sum(len(cell.text) for row in rows[:count] for cell in row)
    return count if size <= HEADER_CHARACTERS else 0
