"""The content models of the standard: what may stand where, for trees that are built as written.

``judge_content`` looks at one start tag in one state (siblings are ``siblings.py``'s). It never speaks about the
content of an inert ``<template>`` or of foreign elements other than their HTML integration points.
"""

from __future__ import annotations

from dataclasses import dataclass

from .elements import (
    FLOW_ONLY,
    INTERACTIVE,
    INTERACTIVE_LIMITS,
    KNOWN,
    LABELABLE,
    METADATA,
    OBSOLETE,
    PARENTS,
    TABLE_PARTS,
    is_custom,
)
from .states import FORBID_BITS, FORBIDDEN_BY, INTERACTIVE_BIT, LABEL, MAP, State
from .tokens import BODY_OK, CONTROLS, HIDDEN_INPUT, HREF, TABINDEX, USEMAP, Tag


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken content rule and the names of the ancestor that sets the limit."""

    rule: str
    ancestors: frozenset[str] = frozenset()
    detail: str = ""


_OPTION = frozenset({"option"})


def judge_content(state: State, tag: Tag) -> list[Broken]:
    """The content rules that ``tag`` breaks as an HTML element in ``state``, most telling first."""
    found = []
    name = tag.name
    if not is_custom(name):
        if name in OBSOLETE:
            found.append(Broken("obsolete-element"))
        elif name not in KNOWN:
            found.append(Broken("unknown-element"))
    descendant = _descendant(state, tag)
    if descendant:
        found.append(descendant)
    elif place := _place(state, tag):
        found.append(place)
    return found


def is_interactive(tag: Tag) -> bool:
    """Whether the element is interactive content (section 3.2.5.2.7)."""
    name = tag.name
    if name in INTERACTIVE:
        return True
    if name == "a":
        return bool(tag.flags & HREF)
    if name == "input":
        return not tag.flags & HIDDEN_INPUT
    if name == "img":
        return bool(tag.flags & USEMAP)
    return bool(tag.flags & CONTROLS)


def is_labelable(tag: Tag) -> bool:
    """Whether a label can name this element."""
    return tag.name in LABELABLE and not tag.flags & HIDDEN_INPUT


def _descendant(state: State, tag: Tag) -> Broken | None:
    bits, name = state.bits, tag.name
    if bits & INTERACTIVE_BIT and (is_interactive(tag) or tag.flags & TABINDEX):
        detail = "is interactive content" if is_interactive(tag) else "has a tabindex attribute"
        return Broken("interactive-in-interactive", INTERACTIVE_LIMITS, detail)
    hit = bits & FORBIDDEN_BY.get(name, 0)
    if hit:
        return Broken("forbidden-descendant", frozenset(a for a, bit in FORBID_BITS.items() if hit & bit))
    if bits & FORBID_BITS["option"] and (is_interactive(tag) or tag.flags & TABINDEX):
        return Broken("interactive-in-option", _OPTION)
    return None


def _place(state: State, tag: Tag) -> Broken | None:
    name, model = tag.name, state.model
    if model.base == "any" or name in model.extra:
        return None
    if model.base == "nothing":
        return Broken("child-not-allowed", frozenset({state.name}))
    if name in METADATA:
        return Broken("metadata-in-body", frozenset({"body"}))
    if name in ("link", "meta"):
        return None if tag.flags & BODY_OK else Broken("metadata-in-body", frozenset({"body"}))
    if name == "area" and not state.bits & MAP:
        return Broken("misplaced-element", detail="<map>")
    if name in PARENTS and name not in TABLE_PARTS | {"html", "head", "body"}:
        return Broken("misplaced-element", frozenset({state.name}), _listed(PARENTS[name]))
    if model.base == "phrasing" and name in FLOW_ONLY:
        return Broken("flow-in-phrasing")
    return None


def _listed(names: tuple[str, ...]) -> str:
    return " or ".join(f"<{name}>" for name in names)


def in_label(state: State, tag: Tag) -> bool:
    """Whether this element counts as a control of an open ``<label>``."""
    return bool(state.bits & LABEL) and is_labelable(tag)
