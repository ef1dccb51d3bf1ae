"""The content models of the standard: what may stand where, for trees that are built as written.

``judge_content`` looks at one start tag in one state (siblings are ``siblings.py``'s). It never speaks about the
content of an inert ``<template>`` or of foreign elements other than their HTML integration points.
"""

from __future__ import annotations

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
from .rule import Breach
from .states import FORBID_BITS, FORBIDDEN_BY, INTERACTIVE_BIT, LABEL, MAP, State
from .tokens import BODY_OK, CONTROLS, HIDDEN_INPUT, HREF, TABINDEX, USEMAP, Tag


def judge_content(state: State, tag: Tag) -> list[Breach]:
    """The content rules that ``tag`` breaks as an HTML element in ``state``, most telling first."""
    found = []
    name = tag.name
    if not is_custom(name):
        if name in OBSOLETE:
            found.append(Breach("obsolete-element"))
        elif name not in KNOWN:
            found.append(Breach("unknown-element"))
    if breach := _descendant(state, tag) or _place(state, tag):
        found.append(breach)
    return found


def in_label(state: State, tag: Tag) -> bool:
    """Whether this element counts as a control of an open ``<label>``."""
    return bool(state.bits & LABEL) and tag.name in LABELABLE and not tag.flags & HIDDEN_INPUT


def _is_interactive(tag: Tag) -> bool:
    """Whether the element is interactive content (section 3.2.5.2.7); the flags belong to one element each."""
    if tag.name == "input":
        return not tag.flags & HIDDEN_INPUT
    return tag.name in INTERACTIVE or bool(tag.flags & (HREF | USEMAP | CONTROLS))


def _descendant(state: State, tag: Tag) -> Breach | None:
    bits, name = state.bits, tag.name
    if bits & INTERACTIVE_BIT and (_is_interactive(tag) or tag.flags & TABINDEX):
        detail = "is interactive content" if _is_interactive(tag) else "has a tabindex attribute"
        return Breach("interactive-in-interactive", INTERACTIVE_LIMITS, detail=detail)
    hit = bits & FORBIDDEN_BY.get(name, 0)
    if hit:
        return Breach("forbidden-descendant", frozenset(a for a, bit in FORBID_BITS.items() if hit & bit))
    if bits & FORBID_BITS["option"] and (_is_interactive(tag) or tag.flags & TABINDEX):
        return Breach("interactive-in-option", frozenset({"option"}))
    return None


def _place(state: State, tag: Tag) -> Breach | None:
    name, model = tag.name, state.model
    if model.base == "any" or name in model.extra:
        return None
    if model.base == "nothing":
        return Breach("child-not-allowed", frozenset({state.name}))
    if name in METADATA:
        return Breach("metadata-in-body", frozenset({"body"}))
    if name in ("link", "meta"):
        return None if tag.flags & BODY_OK else Breach("metadata-in-body", frozenset({"body"}))
    if name == "area" and not state.bits & MAP:
        return Breach("misplaced-element", detail="<map>")
    if name in PARENTS and name not in TABLE_PARTS | {"html", "head", "body"}:
        return Breach("misplaced-element", frozenset({state.name}), detail=_listed(PARENTS[name]))
    if model.base == "phrasing" and name in FLOW_ONLY:
        return Breach("flow-in-phrasing")
    return None


def _listed(names: tuple[str, ...]) -> str:
    return " or ".join(f"<{name}>" for name in names)
