"""html5lib as an independent oracle: its tree in the form of ``checks.html.written_tree``."""

from __future__ import annotations

import functools
from typing import Any

import html5lib

from checks.html import Tree

SPACE = " \t\n\f\r"
TEXT: Tree = ("#text", ())


@functools.cache
def _teach_html5lib() -> None:
    """``<dialog>`` and ``<search>`` close a paragraph; html5lib 1.1 does not know them."""
    phase = html5lib.HTMLParser().phases["inBody"]
    for name in ("dialog", "search"):
        phase.startTagHandler.dispatcher[name] = type(phase).startTagCloseP
        phase.endTagHandler.dispatcher[name] = type(phase).endTagBlock


def html5lib_tree(text: str) -> Tree:
    """What html5lib builds of a whole page."""
    _teach_html5lib()
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
