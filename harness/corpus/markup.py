"""Filing HTML to a flat list of blocks: paragraphs, tables as cells, page breaks. What a browser hides is left out.

Filings are inline XBRL: XHTML in which ``ix:`` elements wrap the text of a page (kept) and one ``ix:header`` holds
facts and contexts for machines (left out, as is everything styled ``display:none``).
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, field

BLOCKS = re.compile(
    r"(?:address|article|blockquote|body|center|div|dd|dl|dt|footer|form|h[1-6]|header|hr|li|main|ol|p|pre"
    r"|section|table|tbody|td|tfoot|th|thead|tr|ul)$"
)
UNSEEN = frozenset(("head", "script", "style", "title", "noscript", "template"))
BOLD_TAGS = frozenset(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"))
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
BREAK = re.compile(r"(?:page-)?break-(after|before)\s*:\s*(?:always|page|left|right)", re.IGNORECASE)
WEIGHT = re.compile(r"font-weight\s*:\s*(\w+)", re.IGNORECASE)
FOOT = re.compile(
    r"bottom\s*:\s*0[^;]*;.*position\s*:\s*absolute|position\s*:\s*absolute.*bottom\s*:\s*0", re.IGNORECASE
)
BULLET = re.compile(r"^([•◦▪●■○–·])(?=[^\s•◦▪●■○–·])")


@dataclass
class Cell:
    """A table cell: its first column, how many columns it spans, its text, and whether all of it is bold."""

    column: int
    span: int
    text: str
    bold: bool


@dataclass
class Block:
    """A paragraph (``rows`` None), a table, or a page break (``page_break``)."""

    text: str = ""
    bold: bool = False
    rows: list[list[Cell]] | None = None
    page_break: bool = False
    foot: bool = False
    """Whether it is in a box that the page's style puts at its bottom."""


@dataclass
class _Line:
    """Text gathered for the paragraph being read: pieces, and how many of its letters are bold."""

    pieces: list[str] = field(default_factory=list)
    letters: int = 0
    bold_letters: int = 0

    def add(self, text: str, bold: bool) -> None:
        self.pieces.append(text)
        letters = sum(not character.isspace() for character in text)
        self.letters += letters
        self.bold_letters += letters if bold else 0

    @property
    def bold(self) -> bool:
        return self.letters > 0 and self.bold_letters >= 0.9 * self.letters

    def text(self) -> str:
        folded = " ".join("".join(self.pieces).split())
        return BULLET.sub(r"\1 ", folded)


def tree(raw: bytes | str) -> ElementTree.Element:
    """The element tree: as XML where the file is well formed, else as a browser would read it (html5lib)."""
    try:
        return ElementTree.fromstring(raw)
    except ElementTree.ParseError:
        import html5lib

        found: ElementTree.Element = html5lib.parse(raw, treebuilder="etree")
        return found


def name(element: ElementTree.Element) -> str:
    """The tag without namespace or prefix, lower case; "ix:header" keeps its prefix."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    space, _, local = tag.rpartition("}")
    if "inlineXBRL" in space or local.lower().startswith("ix:"):
        return "ix:" + local.rpartition(":")[2].lower()
    return local.lower()


def blocks(raw: bytes | str) -> list[Block]:
    """The blocks of the file's body in order of the page; empty paragraphs left out."""
    reader = _Reader()
    reader.visit(tree(raw), bold=False, foot=False)
    reader.end()
    return reader.found


class _Reader:
    def __init__(self) -> None:
        self.found: list[Block] = []
        self._line = _Line()
        self._foot = False

    def end(self) -> None:
        """Close the open paragraph."""
        text = self._line.text()
        if text:
            self.found.append(Block(text, self._line.bold, foot=self._foot))
        self._line = _Line()

    def visit(self, element: ElementTree.Element, bold: bool, foot: bool) -> None:
        """Read an element and what follows inside it (not its tail)."""
        tag = name(element)
        style = element.get("style") or ""
        if tag in UNSEEN or tag == "ix:header" or HIDDEN.search(style):
            return
        turns = BREAK.search(style)
        side = turns[1].lower() if turns else ""
        block = BLOCKS.match(tag) is not None
        if block:
            self.end()
        if side == "before":
            self._page()
        if tag == "table":
            self.found.append(Block(rows=table_rows(element), foot=foot))
        else:
            inner_foot = foot or bool(FOOT.search(style))
            self._foot = inner_foot
            self._inside(element, _bold(tag, style, bold), inner_foot)
            if block:
                self.end()
            self._foot = foot
        if side == "after":
            self._page()

    def _inside(self, element: ElementTree.Element, bold: bool, foot: bool) -> None:
        if name(element) == "br":
            self._line.add("\n", False)
        if element.text:
            self._line.add(element.text, bold)
        for child in element:
            self.visit(child, bold, foot)
            if child.tail:
                self._line.add(child.tail, bold)

    def _page(self) -> None:
        self.end()
        self.found.append(Block(page_break=True))


def _bold(tag: str, style: str, inherited: bool) -> bool:
    weight = WEIGHT.search(style)
    if weight:
        return weight[1].lower() in ("bold", "bolder") or (weight[1].isdigit() and int(weight[1]) >= 600)
    return inherited or tag in BOLD_TAGS


def table_rows(table: ElementTree.Element) -> list[list[Cell]]:
    """The rows of a table with their cells that hold text, each at its column; tables inside cells become text."""
    rows: list[list[Cell]] = []
    pending: dict[int, int] = {}
    for row in _rows(table):
        cells: list[Cell] = []
        column = 0
        spans: dict[int, int] = {}
        for cell in row:
            if name(cell) not in ("td", "th") or HIDDEN.search(cell.get("style") or ""):
                continue
            while pending.get(column, 0) > 0:
                column += 1
            span = _count(cell.get("colspan"))
            down = _count(cell.get("rowspan"))
            if down > 1:
                spans.update(dict.fromkeys(range(column, column + span), down))
            reader = _Reader()
            reader.visit(cell, bold=False, foot=False)
            reader.end()
            parts = [block for block in reader.found if not block.page_break]
            text = " ".join(part.text or " ".join(_flat(part)) for part in parts)
            if text:
                cells.append(Cell(column, span, text, all(part.bold for part in parts)))
            column += span
        pending = {place: left - 1 for place, left in pending.items() if left > 1} | {
            place: down - 1 for place, down in spans.items()
        }
        if cells:
            rows.append(cells)
    return rows


def _rows(element: ElementTree.Element) -> Iterator[ElementTree.Element]:
    for child in element:
        tag = name(child)
        if HIDDEN.search(child.get("style") or ""):
            continue
        if tag == "tr":
            yield child
        elif tag != "table":
            yield from _rows(child)


def _flat(block: Block) -> list[str]:
    return [cell.text for row in block.rows or [] for cell in row]


def _count(value: str | None) -> int:
    return max(1, min(int(value), 200)) if value and value.strip().isdigit() else 1
