"""Reading emitted HTML for the guards of a site: elements as written, with attributes, places, text and visibility.

The tokens are those of the HTML guard. The tree follows the tags as written; end tags that may be left out are
supplied, so that other people's pages read as they mean.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path

from checks.html.elements import CLOSES_P, VOID, names
from checks.html.files import html_files, read_html
from checks.html.fragment import is_fragment
from checks.html.messages import Positions
from checks.html.tokens import RAW_TEXT, TOKEN, irregular, raw_end, read_attributes, read_tag
from checks.problems import Problem

__all__ = ["VOID", "Element", "Page", "read_folder", "read_page", "read_site"]

_ROW_ENDS = names("tr tbody thead tfoot")
_ENDED_BY = {
    "p": CLOSES_P,
    "li": names("li"),
    "dt": names("dt dd"),
    "dd": names("dt dd"),
    "option": names("option optgroup"),
    "td": _ROW_ENDS | names("td th"),
    "th": _ROW_ENDS | names("td th"),
    "tr": _ROW_ENDS,
    "thead": names("tbody tfoot"),
    "tbody": names("tbody tfoot"),
    "head": names("body"),
}
_UNSEEN = names("template script style")
_FOREIGN = names("svg math")
_HTML_POINTS = names("foreignobject desc title annotation-xml")


@dataclass(slots=True, eq=False)
class Element:
    """An element as it stands in the file, from ``offset`` to ``end``; its ``content`` is text and elements.

    ``unseen``: inside something hidden, a template, a script or a style. ``unspoken``: that, or hidden from
    assistive technology, as what is inert is as well.
    """

    tag: str
    attributes: dict[str, str]
    page: Page = field(repr=False)
    offset: int
    parent: Element | None = field(repr=False)
    content: list[Element | str] = field(default_factory=list, repr=False)
    end: int = -1
    unseen: bool = False
    unspoken: bool = False

    @property
    def line(self) -> int:
        """The line of the start tag, from 1."""
        return self.place[0]

    @property
    def column(self) -> int:
        """The column of the start tag, from 1."""
        return self.place[1]

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the start tag, from 1."""
        return self.page.positions.at(self.offset)

    @property
    def text(self) -> str:
        """The element's own text, without that of its children."""
        return "".join(part for part in self.content if isinstance(part, str))

    @property
    def role(self) -> str:
        """The first word of ``role`` in lower case, as a browser compares it; empty without one."""
        return next(iter(self.attributes.get("role", "").lower().split()), "")

    def children(self) -> Iterator[Element]:
        """The elements directly inside."""
        return (part for part in self.content if isinstance(part, Element))

    def ancestors(self) -> Iterator[Element]:
        """The elements around this one, from the inside out."""
        found = self.parent
        while found is not None:
            yield found
            found = found.parent

    def closest(self, *tags: str) -> Element | None:
        """The nearest element around this one with one of the tags, itself included."""
        if self.tag in tags:
            return self
        return next((element for element in self.ancestors() if element.tag in tags), None)

    def has_class(self, name: str) -> bool:
        """Whether ``name`` is among the element's classes."""
        return name in self.attributes.get("class", "").split()


@dataclass(eq=False)
class Page:
    """A file of a site: its path relative to the root, its text and its elements in document order."""

    path: str
    source: str = field(default="", repr=False)
    elements: list[Element] = field(default_factory=list, repr=False)

    @cached_property
    def positions(self) -> Positions:
        """Lines and columns of offsets into the text."""
        return Positions(self.source)

    @cached_property
    def by_tag(self) -> dict[str, list[Element]]:
        """The elements of each tag, in document order."""
        found: dict[str, list[Element]] = {}
        for element in self.elements:
            found.setdefault(element.tag, []).append(element)
        return found

    @cached_property
    def by_attribute(self) -> dict[str, list[Element]]:
        """The elements with each attribute, in document order."""
        found: dict[str, list[Element]] = {}
        for element in self.elements:
            for name in element.attributes:
                found.setdefault(name, []).append(element)
        return found

    @cached_property
    def by_id(self) -> dict[str, Element]:
        """The first element of each id."""
        found: dict[str, Element] = {}
        for element in self.by_attribute.get("id", ()):
            found.setdefault(element.attributes["id"], element)
        return found

    @cached_property
    def is_fragment(self) -> bool:
        """Whether this is a piece of a page, without document tags."""
        return is_fragment(self.source)

    def tagged(self, *tags: str) -> list[Element]:
        """The elements with one of the tags; of one tag in document order, tag by tag."""
        return [element for tag in tags for element in self.by_tag.get(tag, ())]

    def having(self, *attributes: str, tags: Collection[str] = ()) -> list[Element]:
        """The elements with one of the attributes or one of the tags, in document order."""
        lists = [found for name in attributes if (found := self.by_attribute.get(name))]
        lists += [found for tag in tags if (found := self.by_tag.get(tag))]
        if len(lists) < 2:
            return lists[0] if lists else []
        return sorted({one for found in lists for one in found}, key=attrgetter("offset"))

    def ids(self) -> set[str]:
        """Every id of the page."""
        return set(self.by_id)


_Read = tuple[str, bool, bool, dict[str, str]]


@lru_cache(maxsize=50_000)
def _tag(source: str) -> _Read:
    """Name, whether it closes, whether it ends with a slash, and attributes (shared: never to be changed)."""
    tag = read_tag(source).tag
    values = read_attributes(source, len(tag.name) + 1 + tag.closing)[0]
    return tag.name, tag.closing, tag.slash, {name: html.unescape(value) for name, value in values.items()}


class _Reader:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.open: list[Element] = []
        self.foreign = [False]
        """Whether a tag stands in a drawing: outside of all elements, then inside each open one."""

    def read(self) -> None:
        text, position = self.page.source, 0
        while match := TOKEN.search(text, position):
            start = match.start()
            if start > position:
                self._text(text[position:start])
            position, source = match.end(), match[0]
            if source == "<":
                found = irregular(text, start, self.foreign[-1])
                position = found.end
                if found.kind in ("text", "eof"):
                    self._text(text[start:position])
                if found.kind != "tag":
                    continue
                source = text[start:position]
            if source[1] != "!":
                position = self._element(source, start, position)
        self._text(text[position:])
        for element in self.open:
            element.end = len(text)

    def _element(self, source: str, start: int, position: int) -> int:
        name, closing, slash, attributes = _tag(source)
        if closing:
            self._close(name, position)
            return position
        while self.open and name in _ENDED_BY.get(self.open[-1].tag, ()):
            self._pop(start)
        element = self._add(name, attributes, start)
        foreign = name in _FOREIGN or self.foreign[-1]
        if name in VOID if not foreign else slash:
            element.end = position
            return position
        self.open.append(element)
        self.foreign.append(foreign and name not in _HTML_POINTS)
        if foreign or name not in RAW_TEXT:
            return position
        close = raw_end(self.page.source, name, position)
        raw = self.page.source[position:close]
        element.content.append(html.unescape(raw) if name in ("title", "textarea") else raw)
        return close

    def _add(self, name: str, attributes: dict[str, str], start: int) -> Element:
        parent = self.open[-1] if self.open else None
        element = Element(name, attributes, self.page, start, parent)
        element.unseen = name in _UNSEEN or "hidden" in attributes or (parent is not None and parent.unseen)
        muted = "inert" in attributes or attributes.get("aria-hidden") == "true"
        element.unspoken = element.unseen or muted or (parent is not None and parent.unspoken)
        self.page.elements.append(element)
        if parent is not None:
            parent.content.append(element)
        return element

    def _close(self, name: str, position: int) -> None:
        if self.open and self.open[-1].tag == name:
            self._pop(position)
        elif any(element.tag == name for element in self.open):
            while self._pop(position).tag != name:
                pass

    def _pop(self, position: int) -> Element:
        self.foreign.pop()
        element = self.open.pop()
        element.end = position
        return element

    def _text(self, text: str) -> None:
        if self.open:
            self.open[-1].content.append(html.unescape(text) if "&" in text else text)


def read_page(text: str, path: str) -> Page:
    """The elements of one HTML file."""
    page = Page(path, text)
    _Reader(page).read()
    return page


def read_folder(folder: Path) -> tuple[list[Page], list[Problem]]:
    """Every HTML file below ``folder``, by path relative to it, and the problems of files that cannot be read."""
    pages, unreadable = [], []
    for file in html_files([folder]):
        read, path = read_html(file), file.relative_to(folder).as_posix()
        if isinstance(read, Problem):
            unreadable.append(replace(read, path=path))
        else:
            pages.append(read_page(read.text, path))
    return pages, unreadable


def read_site(folder: Path) -> list[Page]:
    """Every HTML file below ``folder`` that can be read, by path."""
    return read_folder(folder)[0]
