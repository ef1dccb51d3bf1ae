"""The safety net: parse with a browser-grade parser and compare with the tree as the tags say.

Needs no tables of ours and so catches what they forgot; it cannot say why. turbohtml is wanted only here and is not
needed by anything else in the guard.
"""

from __future__ import annotations

from typing import Any

from .findings import Finding
from .fragment import is_fragment
from .tokens import SPACE
from .written import Tree, written_tree

_ROOT, _TEXT = "#document", "#text"
_HIDDEN = frozenset(("selectedcontent",))  # the parser copies the chosen option into it
_RAW_WITH_SCRIPTS = _HIDDEN | {"noscript"}

Outline = list[tuple[int, str]]
"""A tree as the depth and the name of each node in document order."""


def available() -> bool:
    """Whether turbohtml is installed."""
    try:
        import turbohtml  # noqa: F401
    except ImportError:
        return False
    return True


def outline(tree: Tree, hidden: frozenset[str] = _HIDDEN) -> Outline:
    """The outline of a tree without what is inside elements named in ``hidden``."""
    lines: Outline = []
    ahead = [(0, tree)]
    while ahead:
        depth, (name, children) = ahead.pop()
        lines.append((depth, name))
        if name not in hidden:
            ahead.extend((depth + 1, child) for child in reversed(children))
    return lines


def parsed_outline(text: str, scripting: bool, hidden: frozenset[str]) -> Outline:
    """The outline of the tree that turbohtml builds of a whole page."""
    import turbohtml

    lines: Outline = []
    document = turbohtml.parse(text, positions=False, scripting=scripting, allow_declarative_shadow_roots=False)
    ahead: list[tuple[int, Any]] = [(0, document)]
    while ahead:
        depth, node = ahead.pop()
        name = _name(node, turbohtml)
        if name and (name != _TEXT or lines[-1] != (depth, _TEXT)):
            lines.append((depth, name))
        if name not in hidden:
            inside = depth + bool(name)  # the content of a template is directly in it
            ahead.extend((inside, child) for child in reversed(node.children))
    return lines


def _name(node: Any, module: Any) -> str:
    """What a node is called in an outline; "" for comments, doctypes and white space."""
    if isinstance(node, module.Element):
        return str(node.tag).lower()
    if isinstance(node, module.Document):
        return _ROOT
    if isinstance(node, (module.Text, module.CData)) and node.data.strip(SPACE):
        return _TEXT
    return ""


def survives(text: str, fragment: bool | None = None) -> bool:
    """Whether the parser builds the written tree, with scripting off and on; ``fragment`` as in ``Guard``."""
    if is_fragment(text) if fragment is None else fragment:
        text = f"<!DOCTYPE html><html><head></head><body>{text}</body></html>"
    written = written_tree(text)
    return written is not None and all(
        outline(written, hidden) == parsed_outline(text, scripting, hidden)
        for scripting, hidden in ((False, _HIDDEN), (True, _RAW_WITH_SCRIPTS))
    )


def round_trip(text: str, fragment: bool | None = None) -> list[Finding]:
    """The one finding that the parsed tree differs, or none."""
    return [] if survives(text, fragment) else [Finding(0, "round-trip", "the document")]
