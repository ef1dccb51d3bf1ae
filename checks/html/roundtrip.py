"""The safety net: parse with a browser-grade parser and compare with the tree as the tags say.

Needs no tables of ours and so catches what they forgot; it cannot say why. turbohtml is wanted only here and is not
needed by anything else in the guard.
"""

from __future__ import annotations

from typing import Any

from .guard import Finding, is_fragment
from .written import Tree, written_tree

_SPACE = " \t\n\f\r"
_TEXT: Tree = ("#text", ())
_HIDDEN = frozenset(("selectedcontent",))  # the parser copies the chosen option into it
_RAW_WITH_SCRIPTS = _HIDDEN | {"noscript"}


def available() -> bool:
    """Whether turbohtml is installed."""
    try:
        import turbohtml  # noqa: F401
    except ImportError:
        return False
    return True


def parsed_tree(text: str, scripting: bool = False) -> Tree:
    """The tree that turbohtml builds of a whole page, in the form of ``written_tree``."""
    import turbohtml

    document = turbohtml.parse(text, positions=False, scripting=scripting, allow_declarative_shadow_roots=False)
    return "#document", _children(document, turbohtml)


def _children(node: Any, module: Any) -> tuple[Tree, ...]:
    children: list[Tree] = []
    for child in node.children:
        if isinstance(child, module.Element):
            children.append((child.tag.lower(), _children(child, module)))
        elif isinstance(child, module.DocumentFragment):
            children.extend(_children(child, module))  # a template's content
        elif (
            isinstance(child, (module.Text, module.CData))
            and child.data.strip(_SPACE)
            and (not children or children[-1] is not _TEXT)
        ):
            children.append(_TEXT)
    return tuple(children)


def pruned(tree: Tree, hidden: frozenset[str] = _HIDDEN) -> Tree:
    """The tree without what is inside elements named in ``hidden``."""
    name, children = tree
    return name, () if name in hidden else tuple(pruned(child, hidden) for child in children)


def survives(text: str) -> bool:
    """Whether the parser builds the written tree, with scripting off and on."""
    if is_fragment(text):
        text = f"<!DOCTYPE html><html><head></head><body>{text}</body></html>"
    written = written_tree(text)
    if written is None or pruned(written) != pruned(parsed_tree(text)):
        return False
    return pruned(written, _RAW_WITH_SCRIPTS) == pruned(parsed_tree(text, True), _RAW_WITH_SCRIPTS)


def round_trip(text: str) -> list[Finding]:
    """The one finding that the parsed tree differs, or none."""
    return [] if survives(text) else [Finding(0, "round-trip", "the document")]
