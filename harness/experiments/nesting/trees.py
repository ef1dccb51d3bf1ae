"""Four readings of one document as trees of one shape: the tags as written, and three parsers.

A tree lists the children of ``<body>``: elements by name in lower case, text with white space collapsed (text that is
nothing but white space is left out). A template's content counts as its children, whatever object holds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

import html5lib
import turbohtml

Node = tuple[str, "Nodes | str"]
"""``("p", children)`` for an element, ``("#text", "words")`` for text."""
Nodes = tuple[Node, ...]

TEXT = "#text"
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class _Written(HTMLParser):
    """A stack that believes every tag; ``broken`` once an end tag does not match the element open last."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, list[Node]]] = [("body", [])]
        self.broken = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self.open[-1][1].append((tag, ()))
        else:
            self.open.append((tag, []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1][1].append((tag, ()))  # the author takes it for closed

    def handle_endtag(self, tag: str) -> None:
        if self.broken or self.open[-1][0] != tag or len(self.open) == 1:
            self.broken = True
            return
        name, children = self.open.pop()
        self.open[-1][1].append((name, tuple(children)))

    def handle_data(self, data: str) -> None:
        self.open[-1][1].append((TEXT, data))


def written(body: str) -> Nodes | None:
    """The tree that the tags of a body describe, or None where they do not pair up."""
    reader = _Written()
    reader.feed(body)
    reader.close()
    if reader.broken or len(reader.open) > 1:
        return None
    return tidy(reader.open[0][1])


def by_turbohtml(page: str) -> Nodes:
    """The body that turbohtml builds of a whole page."""
    return _body(_turbohtml(turbohtml.parse(page, positions=False)))


def _turbohtml(node: Any) -> list[Node]:
    found: list[Node] = []
    for child in node.children:
        if isinstance(child, turbohtml.Element):
            found.append((child.tag, tuple(_turbohtml(child))))
        elif isinstance(child, turbohtml.DocumentFragment):
            found.extend(_turbohtml(child))
        elif isinstance(child, turbohtml.Text):
            found.append((TEXT, child.data))
    return found


def by_html5lib(page: str) -> Nodes:
    """The body that html5lib builds of a whole page."""
    return _body(_dom(html5lib.parse(page, treebuilder="dom", namespaceHTMLElements=False)))


def _dom(node: Any) -> list[Node]:
    found: list[Node] = []
    for child in node.childNodes:
        if child.nodeType == child.ELEMENT_NODE:
            found.append((child.nodeName, tuple(_dom(child))))
        elif child.nodeType == child.TEXT_NODE:
            found.append((TEXT, child.data))
    return found


def from_json(value: Iterable[Any]) -> Nodes:
    """A tree out of the nested lists ``[name, children or text]`` of a JSON file."""
    return tuple((name, inner if isinstance(inner, str) else from_json(inner)) for name, inner in value)


def tidy(nodes: Iterable[Node]) -> Nodes:
    """Names in lower case, neighbouring texts joined, white space collapsed, empty texts left out."""
    kept: list[Node] = []
    for name, inner in nodes:
        if not isinstance(inner, str):
            kept.append((name.lower(), tidy(inner)))
        elif kept and kept[-1][0] == TEXT:
            kept[-1] = (TEXT, f"{kept[-1][1]}{inner}")
        else:
            kept.append((TEXT, inner))
    plain = [(name, " ".join(inner.split()) if isinstance(inner, str) else inner) for name, inner in kept]
    return tuple(node for node in plain if node[1] != "")


def _body(document: Iterable[Node]) -> Nodes:
    """The children of the one ``<body>`` of a parsed page."""
    for name, inner in document:
        if name == "body" and not isinstance(inner, str):
            return tidy(inner)
        if name == "html" and not isinstance(inner, str):
            return _body(inner)
    raise ValueError("the parsed page has no <body>")


def outline(nodes: Nodes, depth: int = 0) -> list[dict[str, Any]]:
    """A tree as lines for people: ``{"depth": 1, "node": "<b>"}``; text stands in quotation marks."""
    lines: list[dict[str, Any]] = []
    for name, inner in nodes:
        if isinstance(inner, str):
            lines.append({"depth": depth, "node": f"“{inner}”"})
        else:
            lines.append({"depth": depth, "node": f"<{name}>"})
            lines.extend(outline(inner, depth + 1))
    return lines


def line(nodes: Nodes) -> str:
    """A tree on one line: ``p[Before] div[Block] after p[]``."""
    return " ".join(inner if isinstance(inner, str) else f"{name}[{line(inner)}]" for name, inner in nodes)
