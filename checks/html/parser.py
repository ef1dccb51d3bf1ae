"""What a browser's parser does at a start tag other than open the element where it stands.

``judge`` is a pure function of the state; None means that the tree will be as written. It assumes that all before
was stable, so the parser's stack is the written one.
"""

from __future__ import annotations

from dataclasses import dataclass

from .elements import (
    BREAKOUT,
    CELLS,
    CLOSES_P,
    DOCUMENT_TAGS,
    HEAD_CONTENT,
    HEADINGS,
    IMPLIED_END,
    NOSCRIPT_HEAD_CONTENT,
    RUBY_PARTS,
    SECTIONS,
    TABLE_CONTEXT,
    TABLE_PARTS,
    VOID,
)
from .states import (
    BUTTON,
    DT_DD,
    FORM,
    LI,
    LINK_SCOPE,
    NOBR,
    RUBY,
    SELECT,
    P,
    State,
    html_rules,
)
from .tokens import FONT, HIDDEN_INPUT, Tag


@dataclass(frozen=True, slots=True)
class Verdict:
    """Rule broken, the names of the ancestor to look for, and start tags the browser would add."""

    rule: str
    ancestors: frozenset[str] = frozenset()
    implies: tuple[str, ...] = ()
    detail: str = ""


def _at(*names: str) -> frozenset[str]:
    return frozenset(names)


_TABLE_MODES = frozenset(("table", "section", "row"))
_TABLE_HEADLIKE = frozenset(("script", "style", "template"))


def judge(state: State, tag: Tag, quirks: bool) -> Verdict | None:
    """Why opening ``tag`` in ``state`` gives another tree than written, or None."""
    name = tag.name
    if not html_rules(state, tag):
        if name in BREAKOUT or tag.flags & FONT:
            return Verdict("foreign-breakout", _at("svg", "math"))
        return None
    if tag.slash and name not in VOID and name not in ("svg", "math"):
        return Verdict("self-closing-tag")
    mode = state.mode
    if mode == "body" or mode == "html-point":
        return _in_body(state, tag, quirks)
    if mode in _TABLE_MODES:
        return _in_table(state, tag, quirks)
    if mode == "template":
        return None if name in TABLE_PARTS else _in_body(state, tag, quirks)
    if mode == "colgroup":
        return _in_colgroup(state, tag)
    return _in_document(state, tag)


def _in_body(state: State, tag: Tag, quirks: bool) -> Verdict | None:
    name, bits = tag.name, state.bits
    if name in TABLE_PARTS:
        return Verdict("table-part-misplaced", CELLS | _at("caption"))
    if name in DOCUMENT_TAGS:
        return Verdict("repeated-document-tag", _at("body"))
    if name == "image":
        return Verdict("renamed-element")
    if name == "plaintext":
        return Verdict("plaintext")
    if name == "form" and bits & FORM:
        return Verdict("nested-form", _at("form"))
    if bits & LI and name == "li":
        return Verdict("nested-item", _at("li"))
    if bits & DT_DD and name in ("dt", "dd"):
        return Verdict("nested-item", _at("dt", "dd"))
    if bits & P and name in CLOSES_P and not (quirks and name == "table"):
        return Verdict("flow-in-p", _at("p"))
    if name in HEADINGS and state.name in HEADINGS:
        return Verdict("heading-in-heading", HEADINGS)
    return _inline(state, name) or _in_select(state, name)


def _inline(state: State, name: str) -> Verdict | None:
    bits = state.bits
    if name == "a" and bits & LINK_SCOPE:
        return Verdict("nested-link", _at("a"))
    if name == "button" and bits & BUTTON:
        return Verdict("nested-button", _at("button"))
    if name == "nobr" and bits & NOBR:
        return Verdict("nested-nobr", _at("nobr"))
    if bits & RUBY and name in RUBY_PARTS and state.name in IMPLIED_END:
        if state.name == "rtc" and name in ("rp", "rt"):
            return None
        return Verdict("ruby-part", _at(state.name))
    return None


def _in_select(state: State, name: str) -> Verdict | None:
    bits = state.bits
    if bits & SELECT:
        if name in ("select", "input"):
            return Verdict("select-content", _at("select"))
        if name in ("option", "optgroup", "hr") and state.name in IMPLIED_END:
            if state.name == "optgroup" and name == "option":
                return None
            return Verdict("select-content", _at(state.name))
    elif name in ("option", "optgroup") and state.name == "option":
        return Verdict("select-content")
    return None


def _in_table(state: State, tag: Tag, quirks: bool) -> Verdict | None:
    name, mode = tag.name, state.mode
    inside = state.name in TABLE_CONTEXT or state.name == "template"
    if inside and name in _PARTS_BY_MODE[mode]:
        return None
    if name in TABLE_PARTS:
        return _wrong_part(state, name)
    if name == "table":
        return Verdict("table-in-table", _at("table"))
    if name in _TABLE_HEADLIKE:
        return None
    if name == "form" or (state.name in TABLE_CONTEXT and not tag.flags & HIDDEN_INPUT):
        return Verdict("foster-parenting", _at(state.name))
    return _in_body(state, tag, quirks)


_PARTS_BY_MODE: dict[str, frozenset[str]] = {
    "table": SECTIONS | _at("caption", "colgroup"),
    "section": _at("tr"),
    "row": CELLS,
}


def _wrong_part(state: State, name: str) -> Verdict:
    if state.name == "table":
        if name == "tr":
            return Verdict("implied-tbody", _at("table"), ("tbody",))
        if name == "col":
            return Verdict("implied-colgroup", _at("table"), ("colgroup",))
        return Verdict("table-part-misplaced", _at("table"), ("tbody", "tr"))
    if state.name in SECTIONS and name in CELLS:
        return Verdict("table-part-misplaced", _at(state.name), ("tr",))
    return Verdict("table-part-misplaced", _at(state.name))


def _in_colgroup(state: State, tag: Tag) -> Verdict | None:
    if tag.name in ("col", "template"):
        return None
    return Verdict("colgroup-content", _at(state.name))


def _in_document(state: State, tag: Tag) -> Verdict | None:
    name, mode = tag.name, state.mode
    if mode == "document":
        return None if name == "html" else Verdict("implied-document-tag", implies=("html",))
    if mode == "html":
        if name == "head":
            return None
        return Verdict("implied-document-tag", _at("html"), ("head",))
    if mode == "head":
        if name in HEAD_CONTENT:
            return None
        return Verdict("head-content" if name not in DOCUMENT_TAGS else "repeated-document-tag", _at("head"))
    if mode == "head-noscript":
        return None if name in NOSCRIPT_HEAD_CONTENT else Verdict("head-content", _at("noscript"))
    if mode == "after-head":
        if name in ("body", "frameset"):
            return None
        if name in HEAD_CONTENT or name in ("head", "html"):
            return Verdict("outside-body", _at("html"))
        return Verdict("implied-document-tag", _at("html"), ("body",))
    if mode == "frameset":
        return None if name in ("frameset", "frame", "noframes") else Verdict("frameset-content", _at("frameset"))
    return Verdict("outside-body", _at("html"))


def judge_text(state: State) -> Verdict | None:
    """Why text other than white space in ``state`` ends up elsewhere, or None."""
    mode = state.mode
    if state.ns == "html" and state.name in TABLE_CONTEXT:
        return Verdict("foster-parenting", _at(state.name))
    if mode == "colgroup" and state.name in ("colgroup", "template"):
        return Verdict("colgroup-content", _at(state.name))
    if mode in ("document", "html", "after-head"):
        implied = {"document": ("html", "head", "body"), "html": ("head", "body"), "after-head": ("body",)}[mode]
        return Verdict("implied-document-tag", _at("html"), implied)
    if mode in ("head", "head-noscript"):
        return Verdict("head-content", _at(state.name))
    if mode == "frameset":
        return Verdict("frameset-content", _at("frameset"))
    if mode in ("after-body", "after-document", "after-frameset"):
        return Verdict("outside-body", _at("html"))
    return None
