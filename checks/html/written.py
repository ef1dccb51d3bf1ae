"""The tree as the tags say: what a reader of the source believes, with no knowledge of any parser's repairs.

Independent of the guard's stack on purpose: ``is_stable(text)`` has to agree with "this tree exists and a
browser's parser builds the same", and that is how the guard is tested.
"""

from __future__ import annotations

import html

from .elements import MATH_TEXT_POINTS, SVG_HTML_POINTS, VOID
from .tokens import HTML_POINT, RAW_TEXT, TOKEN, irregular, raw_end, read_tag

Tree = tuple[str, tuple["Tree", ...]]
"""Element name in lower case and its child elements. ``#text`` nodes represent text that is not white space."""

_TEXT: Tree = ("#text", ())


def written_tree(text: str) -> Tree | None:
    """The tree under a root named ``#document``, or None when the tags do not nest at all.

    Comments, doctypes and attributes are left out. Text counts as one ``#text`` node wherever something other
    than white space is between two tags.
    """
    stack: list[tuple[str, str, list[Tree]]] = [("#document", "html", [])]
    position = 0
    while match := TOKEN.search(text, position):
        children, ns = stack[-1][2], stack[-1][1]
        start = match.start()
        _text(children, text[position:start])
        position, source = match.end(), match[0]
        if source == "<":
            found = irregular(text, start, ns != "html")
            position, source = found.end, text[start : found.end]
            if found.kind == "eof":
                return None
            if found.kind == "text":
                _text(children, source)
            elif found.kind == "cdata":
                _text(children, source[9:-3])
            if found.kind != "tag":
                continue
        if source[1] != "!":
            moved = _tag(stack, source, text, position)
            if moved is None:
                return None
            position = moved
    _text(stack[-1][2], text[position:])
    return ("#document", tuple(stack[0][2])) if len(stack) == 1 else None


def _text(children: list[Tree], text: str) -> None:
    if html.unescape(text).strip(" \t\n\f\r") and (not children or children[-1] is not _TEXT):
        children.append(_TEXT)


def _tag(stack: list[tuple[str, str, list[Tree]]], source: str, text: str, position: int) -> int | None:
    tag = read_tag(source).tag
    name, ns, children = stack[-1]
    if tag.closing:
        if name != tag.name:
            return None
        stack.pop()
        stack[-1][2].append((name, tuple(children)))
        return position
    inner = _namespace(name, ns, tag.name)
    if tag.name in VOID if inner == "html" else tag.slash:
        children.append((tag.name, ()))
        return position
    if tag.slash:
        return None
    point = inner == "math" and tag.flags & HTML_POINT
    stack.append((tag.name, "point" if point else inner, []))
    if inner == "html" and tag.name in RAW_TEXT:
        close = raw_end(text, tag.name, position)
        _text(stack[-1][2], text[position:close])
        return close
    return None if inner == "html" and tag.name == "plaintext" else position


def _namespace(parent: str, ns: str, name: str) -> str:
    if ns == "svg" and parent not in SVG_HTML_POINTS:
        return "svg"
    if ns == "math" and parent not in MATH_TEXT_POINTS and not (parent == "annotation-xml" and name == "svg"):
        return "math"
    if ns == "math" and name in ("mglyph", "malignmark"):
        return "math"
    return name if name in ("svg", "math") else "html"
