"""What a browser's parser does at a start tag other than open the element where it is written.

``judge`` is a pure function of the state; None means that the tree will be as written. It assumes that all before
was stable, so the parser's stack is the written one.
"""

from __future__ import annotations

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
from .rule import Breach
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


def _at(*names: str) -> frozenset[str]:
    return frozenset(names)


_TABLE_MODES = frozenset(("table", "section", "row"))
_TABLE_HEADLIKE = frozenset(("script", "style", "template"))
_PARTS_BY_MODE: dict[str, frozenset[str]] = {
    "table": SECTIONS | _at("caption", "colgroup"),
    "section": _at("tr"),
    "row": CELLS,
}
_OPEN_ONCE: dict[str, tuple[int, Breach]] = {
    "form": (FORM, Breach("nested-form", _at("form"))),
    "li": (LI, Breach("nested-item", _at("li"))),
    **dict.fromkeys(("dt", "dd"), (DT_DD, Breach("nested-item", _at("dt", "dd")))),
    "a": (LINK_SCOPE, Breach("nested-link", _at("a"))),
    "button": (BUTTON, Breach("nested-button", _at("button"))),
    "nobr": (NOBR, Breach("nested-nobr", _at("nobr"))),
}
"""What a start tag closes, or is dropped for, while the bit is set."""
_NEVER_OPENS = {"image": Breach("renamed-element"), "plaintext": Breach("plaintext")}
_AROUND_BODY: dict[str, tuple[frozenset[str], Breach]] = {
    "document": (_at("html"), Breach("implied-document-tag", implies=("html",))),
    "html": (_at("head"), Breach("implied-document-tag", _at("html"), ("head",))),
    "head": (HEAD_CONTENT, Breach("head-content", _at("head"))),
    "head-noscript": (NOSCRIPT_HEAD_CONTENT, Breach("head-content", _at("noscript"))),
    "after-head": (_at("body", "frameset"), Breach("implied-document-tag", _at("html"), ("body",))),
    "frameset": (_at("frameset", "frame", "noframes"), Breach("frameset-content", _at("frameset"))),
    **dict.fromkeys(
        ("after-body", "after-document", "after-frameset"), (frozenset(), Breach("outside-body", _at("html")))
    ),
}
"""What may come in the modes around the body, and the breach that anything else is."""
_TEXT_IMPLIES = {"document": ("html", "head", "body"), "html": ("head", "body"), "after-head": ("body",)}


def judge(state: State, tag: Tag, quirks: bool) -> Breach | None:
    """Why opening ``tag`` in ``state`` gives another tree than written, or None."""
    name = tag.name
    if not html_rules(state, tag):
        return Breach("foreign-breakout", _at("svg", "math")) if name in BREAKOUT or tag.flags & FONT else None
    if tag.slash and name not in VOID and name not in ("svg", "math"):
        return Breach("self-closing-tag")
    mode = state.mode
    if mode == "body" or mode == "html-point":
        return _in_body(state, tag, quirks)
    if mode in _TABLE_MODES:
        return _in_table(state, tag, quirks)
    if mode == "template":
        return None if name in TABLE_PARTS else _in_body(state, tag, quirks)
    if mode == "colgroup":
        return None if name in ("col", "template") else Breach("colgroup-content", _at(state.name))
    return _around_body(mode, name)


def judge_text(state: State) -> Breach | None:
    """Why text other than white space in ``state`` ends up elsewhere, or None."""
    mode = state.mode
    if state.ns == "html" and state.name in TABLE_CONTEXT:
        return Breach("foster-parenting", _at(state.name))
    if mode == "colgroup" and state.name in ("colgroup", "template"):
        return Breach("colgroup-content", _at(state.name))
    if mode in _TEXT_IMPLIES:
        return Breach("implied-document-tag", _at("html"), _TEXT_IMPLIES[mode])
    return _AROUND_BODY[mode][1] if mode in _AROUND_BODY else None


def _in_body(state: State, tag: Tag, quirks: bool) -> Breach | None:
    name, bits = tag.name, state.bits
    if name in TABLE_PARTS:
        return Breach("table-part-misplaced", CELLS | _at("caption"))
    if name in DOCUMENT_TAGS:
        return Breach("repeated-document-tag", _at("body"))
    if name in _NEVER_OPENS:
        return _NEVER_OPENS[name]
    if name in _OPEN_ONCE and bits & _OPEN_ONCE[name][0]:
        return _OPEN_ONCE[name][1]
    if bits & P and name in CLOSES_P and not (quirks and name == "table"):
        return Breach("flow-in-p", _at("p"))
    if name in HEADINGS and state.name in HEADINGS:
        return Breach("heading-in-heading", HEADINGS)
    if bits & RUBY and name in RUBY_PARTS and state.name in IMPLIED_END:
        return None if state.name == "rtc" and name in ("rp", "rt") else Breach("ruby-part", _at(state.name))
    return _in_select(state, name)


def _in_select(state: State, name: str) -> Breach | None:
    if state.bits & SELECT:
        if name in ("select", "input"):
            return Breach("select-content", _at("select"))
        if name in ("option", "optgroup", "hr") and state.name in IMPLIED_END:
            in_group = state.name == "optgroup" and name == "option"
            return None if in_group else Breach("select-content", _at(state.name))
    elif name in ("option", "optgroup") and state.name == "option":
        return Breach("select-content")
    return None


def _in_table(state: State, tag: Tag, quirks: bool) -> Breach | None:
    name, mode = tag.name, state.mode
    inside = state.name in TABLE_CONTEXT or state.name == "template"
    if inside and name in _PARTS_BY_MODE[mode]:
        return None
    if name in TABLE_PARTS:
        return _wrong_part(state, name)
    if name == "table":
        return Breach("table-in-table", _at("table"))
    if name in _TABLE_HEADLIKE:
        return None
    if name == "form" or (state.name in TABLE_CONTEXT and not tag.flags & HIDDEN_INPUT):
        return Breach("foster-parenting", _at(state.name))
    return _in_body(state, tag, quirks)


def _wrong_part(state: State, name: str) -> Breach:
    if state.name == "table":
        if name == "tr":
            return Breach("implied-tbody", _at("table"), ("tbody",))
        if name == "col":
            return Breach("implied-colgroup", _at("table"), ("colgroup",))
        return Breach("table-part-misplaced", _at("table"), ("tbody", "tr"))
    if state.name in SECTIONS and name in CELLS:
        return Breach("table-part-misplaced", _at(state.name), ("tr",))
    return Breach("table-part-misplaced", _at(state.name))


def _around_body(mode: str, name: str) -> Breach | None:
    allowed, breach = _AROUND_BODY[mode]
    if name in allowed:
        return None
    if mode == "head" and name in DOCUMENT_TAGS:
        return Breach("repeated-document-tag", _at("head"))
    if mode == "after-head" and (name in HEAD_CONTENT or name in ("head", "html")):
        return Breach("outside-body", _at("html"))
    return breach
