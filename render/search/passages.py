"""Reading a finished page back as text: its headings with fragments, and under each the paragraphs that follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from checks.pages import VOID
from render.text.tree import Node, read_tree

HEADINGS = frozenset(["h2", "h3", "h4"])
LISTS = frozenset(["dd", "dt", "li", "ol", "ul"])
BLOCKS = (
    HEADINGS
    | LISTS
    | frozenset(["article", "blockquote", "details", "div", "figcaption", "figure", "p", "pre", "section", "summary"])
)
# What is no sentence of the page: drawings, tables, formulas on their own line, references, controls.
LEFT_OUT = frozenset(["annotation", "button", "footer", "nav", "script", "style", "svg", "table", "template"])
LEFT_OUT_CLASSES = frozenset(["cite", "formula", "question-tag", "verdict", "wt-body", "wt-index", "wt-kicker"])


@dataclass
class Passage:
    """A heading with its fragment ("" for what stands above the first) and the paragraphs below it."""

    fragment: str
    heading: str
    paragraphs: list[str] = field(default_factory=list)


def passages(html: str, tag: str, name: str) -> dict[str, list[Passage]]:
    """The passages of every element ``<tag class="name">`` of a page, by the id of the element ("" without one)."""
    regions: dict[str, list[Passage]] = {}
    for region in _regions(read_tree(html), tag, name):
        regions[region.attributes.get("id", "")] = tree_passages(region)
    return regions


def tree_passages(node: Node) -> list[Passage]:
    """The passages of one element, or of a piece of a page."""
    reader = _Reader()
    reader.inside(node)
    reader.end_paragraph()
    return reader.found


def _regions(node: Node, tag: str, name: str) -> Iterator[Node]:
    for child in node.elements():
        if child.tag == tag and name in child.classes:
            yield child
        else:
            yield from _regions(child, tag, name)


class _Reader:
    """Gathers text until a block begins or ends; headings begin passages."""

    def __init__(self) -> None:
        self.found = [Passage("", "")]
        self.anchor = ""
        self.text: list[str] = []

    def inside(self, node: Node) -> None:
        """Reads what stands in an element, in order."""
        for child in node.children:
            if isinstance(child, str):
                self.text.append(child)
            elif child.tag in VOID:
                self.text.append(" ")
            else:
                self.element(child)

    def element(self, node: Node) -> None:
        """Reads an element; one that is left out still ends the paragraph before it where it is a block."""
        if node.tag in BLOCKS:
            self.end_paragraph()
        if node.tag == "li" and "id" in node.attributes:
            self.anchor = node.attributes["id"]
        if node.tag not in LEFT_OUT and not node.classes & LEFT_OUT_CLASSES:
            self.inside(node)
        if node.tag in HEADINGS:
            self.begin(node.attributes.get("id") or self.anchor)
        elif node.tag in BLOCKS:
            self.end_paragraph()

    def take(self) -> str:
        """The text gathered so far on one line, without the spaces that left-out parts leave before a stop."""
        text = re.sub(r"\s+", " ", "".join(self.text)).strip()
        self.text = []
        return re.sub(r" ([.,;:!?])(?=\s|$)", r"\1", text)

    def end_paragraph(self) -> None:
        """Adds what was gathered to the passage."""
        if text := self.take():
            self.found[-1].paragraphs.append(text)

    def begin(self, fragment: str) -> None:
        """Begins a passage with what was gathered as its heading."""
        if heading := self.take():
            self.found.append(Passage(fragment, heading))
