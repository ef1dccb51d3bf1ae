"""Reading emitted HTML for the guards of links and numbers: elements with attributes, places and text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

READ = frozenset({"data"})
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])


@dataclass
class Element:
    """An element as it stands in the file; ``text`` is its own text, kept for the tags of READ only."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    parent: Element | None
    text: str = ""

    def closest(self, tag: str) -> Element | None:
        """The nearest element around this one with the tag, itself included."""
        found: Element | None = self
        while found is not None and found.tag != tag:
            found = found.parent
        return found

    def has_class(self, name: str) -> bool:
        """Whether ``name`` is among the element's classes."""
        return name in self.attributes.get("class", "").split()


@dataclass
class Page:
    """A file of a site: its path relative to the root and its elements in document order."""

    path: str
    elements: list[Element] = field(default_factory=list)

    def ids(self) -> set[str]:
        """Every id of the page."""
        return {element.attributes["id"] for element in self.elements if "id" in element.attributes}


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=True)
        self.page = page
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line, column = self.getpos()
        parent = self.open[-1] if self.open else None
        values = {name: value or "" for name, value in attrs}
        element = Element(tag, values, line, column + 1, parent)
        self.page.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while any(element.tag == tag for element in self.open) and self.open.pop().tag != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1].tag in READ:
            self.open[-1].text += data


def read_page(text: str, path: str) -> Page:
    """The elements of one HTML file."""
    page = Page(path)
    reader = _Reader(page)
    reader.feed(text)
    reader.close()
    return page


def read_site(folder: Path) -> list[Page]:
    """Every HTML file below ``folder``, by path."""
    return [
        read_page(file.read_text(encoding="utf-8"), file.relative_to(folder).as_posix())
        for file in sorted(folder.rglob("*.html"))
    ]
