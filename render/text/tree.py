"""The site's own HTML as a tree, for what is made from it again: the Markdown twin and the search index.

It reads what ``render`` writes and nothing wilder: end tags written out, attributes in quotation marks, no scripts.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from checks.pages import VOID

_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*)([^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>""")
_ATTRIBUTE = re.compile(r"""([^\s=/"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'/]+))?""")


class Node:
    """An element: its tag, attributes, classes and children in order. The first two are shared: never to be changed."""

    __slots__ = ("attributes", "children", "classes", "tag")

    def __init__(self, tag: str, attributes: Mapping[str, str] | None = None) -> None:
        self.tag = tag
        self.attributes: Mapping[str, str] = attributes or {}
        self.classes = _classes(self.attributes.get("class", ""))
        self.children: list[Node | str] = []

    def elements(self) -> Iterator[Node]:
        """The child elements."""
        return (child for child in self.children if isinstance(child, Node))

    def find(self, *tags: str) -> Iterator[Node]:
        """The elements below this one with one of the tags, in document order."""
        for child in self.elements():
            if child.tag in tags:
                yield child
            yield from child.find(*tags)


def read_tree(source: str) -> Node:
    """The root of a piece of HTML; its children are the elements and the text at the top."""
    root = Node("")
    stack, place = [root], 0
    for match in _TAG.finditer(source):
        start = match.start()
        if start > place:
            stack[-1].children.append(_text(source[place:start]))
        place = match.end()
        if match[1]:
            tag = match[2].lower()
            if any(node.tag == tag for node in reversed(stack)):
                while stack.pop().tag != tag:
                    pass
            continue
        tag, attributes, closed = _start(match[2], match[3])
        node = Node(tag, attributes)
        stack[-1].children.append(node)
        if not closed:
            stack.append(node)
    if place < len(source):
        stack[-1].children.append(_text(source[place:]))
    return root


@lru_cache(maxsize=20_000)
def _start(tag: str, rest: str) -> tuple[str, Mapping[str, str], bool]:
    """The name, the attributes and whether nothing can be inside."""
    name = tag.lower()
    attributes = {key.lower(): html.unescape(_unquoted(value)) for key, value in _ATTRIBUTE.findall(rest)}
    return name, attributes, name in VOID or rest.endswith("/")


def _unquoted(value: str) -> str:
    return value[1:-1] if value[:1] in ("'", '"') else value


def _text(text: str) -> str:
    return html.unescape(text) if "&" in text else text


@lru_cache(maxsize=10_000)
def _classes(value: str) -> frozenset[str]:
    return frozenset(value.split())
