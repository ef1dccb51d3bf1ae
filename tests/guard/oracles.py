"""html5lib as an independent oracle: its tree in the form of ``checks.html.written_tree``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import html5lib

from checks.html import Tree

SPACE = " \t\n\f\r"
TEXT: Tree = ("#text", ())
NEWER = ("dialog", "search")


@contextlib.contextmanager
def _taught() -> Iterator[None]:
    """``<dialog>`` and ``<search>`` close a paragraph; html5lib 1.1 does not know them, and shall not after this."""
    phase = html5lib.HTMLParser().phases["inBody"]
    tables = ((phase.startTagHandler, type(phase).startTagCloseP), (phase.endTagHandler, type(phase).endTagBlock))
    for handler, method in tables:
        handler.dispatcher.update(dict.fromkeys(NEWER, method))
    try:
        yield
    finally:
        for handler, _ in tables:
            for name in NEWER:
                del handler.dispatcher[name]


def html5lib_tree(text: str) -> Tree:
    """What html5lib builds of a whole page."""
    with _taught():
        parser = html5lib.HTMLParser(html5lib.getTreeBuilder("dom"), namespaceHTMLElements=False)
        return "#document", _children(parser.parse(text))


def _children(node: Any) -> tuple[Tree, ...]:
    children: list[Tree] = []
    for child in node.childNodes:
        if child.nodeType == child.ELEMENT_NODE:
            children.append((child.nodeName.lower(), _children(child)))
        elif child.nodeType == child.TEXT_NODE and child.data.strip(SPACE) and children[-1:] != [TEXT]:
            children.append(TEXT)
    return tuple(children)
