"""Reading a finished page back as text: its headings with fragments, and under each the paragraphs that follow."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

HEADINGS = frozenset(["h2", "h3", "h4"])
LISTS = frozenset(["dd", "dt", "li", "ol", "ul"])
BLOCKS = (
    HEADINGS
    | LISTS
    | frozenset(["article", "blockquote", "details", "div", "figcaption", "figure", "p", "pre", "section", "summary"])
)
VOID = frozenset(["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
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
    reader = _Reader(tag, name)
    reader.feed(html)
    reader.close()
    return reader.regions


class _Reader(HTMLParser):
    """Follows open elements; text counts inside a region and outside what is left out."""

    def __init__(self, tag: str, name: str) -> None:
        super().__init__(convert_charrefs=True)
        self.region = (tag, name)
        self.regions: dict[str, list[Passage]] = {}
        self.open: list[tuple[str, bool]] = []
        self.inside = 0
        self.found: list[Passage] = []
        self.anchor = ""
        self.heading = ""
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enters a region, a heading, a paragraph or something left out."""
        values = {name: value or "" for name, value in attrs}
        classes = set(values.get("class", "").split())
        if not self.inside and tag == self.region[0] and self.region[1] in classes:
            self.inside = len(self.open) + 1
            self.found = self.regions.setdefault(values.get("id", ""), [Passage("", "")])
        if tag in VOID:
            self.text.append(" ")
            return
        hidden = tag in LEFT_OUT or bool(classes & LEFT_OUT_CLASSES)
        if tag in BLOCKS:
            self._flush()
        if tag == "li" and "id" in values:
            self.anchor = values["id"]
        if tag in HEADINGS:
            self.heading = values.get("id") or self.anchor
        self.open.append((tag, hidden))

    def handle_endtag(self, tag: str) -> None:
        """Leaves the nearest open element of that name, and what stands open inside it."""
        if not any(name == tag for name, _ in self.open):
            return
        if tag in HEADINGS:
            self._begin()
        elif tag in BLOCKS:
            self._flush()
        while self.open.pop()[0] != tag:
            pass
        if len(self.open) < self.inside:
            self.inside = 0

    def handle_data(self, data: str) -> None:
        """Text of the current paragraph or heading."""
        if self.inside and not any(hidden for _, hidden in self.open):
            self.text.append(data)

    def _take(self) -> str:
        text = re.sub(r"\s+", " ", "".join(self.text)).strip()
        self.text = []
        return re.sub(r" ([.,;:!?])(?=\s|$)", r"\1", text)

    def _flush(self) -> None:
        text = self._take()
        if text and self.inside:
            self.found[-1].paragraphs.append(text)

    def _begin(self) -> None:
        heading = self._take()
        if heading and self.inside:
            self.found.append(Passage(self.heading, heading))
