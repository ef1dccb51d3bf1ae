"""The state of one open element: all that decides what may come inside it, as one interned value.

A state holds no offset and no parent, so the number of distinct states stays small and the outcome of opening a
tag in a state can be remembered in ``State.after`` (a lazily built automaton). What depends on siblings or on this
very occurrence is not in the state; such states are ``ordered`` and remember nothing.
"""

from __future__ import annotations

from functools import cache

from .elements import (
    ANY,
    FLOW,
    FORBIDS,
    INTERACTIVE_LIMITS,
    MARKERS,
    MATH_TEXT_POINTS,
    MODELS,
    SCOPE_BOUNDS,
    SECTIONS,
    SPECIAL,
    SVG_HTML_POINTS,
    TABLE_CONTEXT,
    TRANSPARENT,
    TRANSPARENT_EXTRA,
    Model,
    is_custom,
    names,
)
from .tokens import HTML_POINT, SHADOW, Tag

# The parser's scopes: a set bit means that such an element is open and in reach.
P, LI, DT_DD, LINK, LINK_SCOPE, NOBR, BUTTON, FORM, RUBY, SELECT = (1 << bit for bit in range(10))
_SCOPED = P | LINK_SCOPE | NOBR | BUTTON | RUBY | SELECT
_OPENS = {
    "p": P,
    "li": LI,
    "dt": DT_DD,
    "dd": DT_DD,
    "a": LINK | LINK_SCOPE,
    "nobr": NOBR,
    "button": BUTTON,
    "form": FORM,
    "ruby": RUBY,
    "select": SELECT,
}

# Content bits: an ancestor that forbids some descendants.
INTERACTIVE_BIT = 1 << 12
MAP = 1 << 13
LABEL = 1 << 14
IN_TEMPLATE = 1 << 15
FORBID_BITS = {name: 1 << (16 + number) for number, name in enumerate(FORBIDS)}
FORBIDDEN_BY: dict[str, int] = {}
for _ancestor, _descendants in FORBIDS.items():
    for _name in _descendants:
        FORBIDDEN_BY[_name] = FORBIDDEN_BY.get(_name, 0) | FORBID_BITS[_ancestor]
OPEN_BITS = (1 << 12) - 1
"""All of the parser's bits."""

# In a table the outcome depends on quirks mode as well.
ORDERED = names("table figure details fieldset dl hgroup picture video audio select head html optgroup")
_DL_GROUP = Model("nothing", frozenset(("dt", "dd", "script", "template")), text=False)
_POINT_MODELS = {**dict.fromkeys(MATH_TEXT_POINTS, MODELS["math text"]), "title": MODELS["svg title"]}
"""What the integration points hold that do not hold flow content."""
_MODES = {
    "table": "table",
    "tr": "row",
    "colgroup": "colgroup",
    "template": "template",
    "td": "body",
    "th": "body",
    "caption": "body",
    "head": "head",
    "html": "html",
    "frameset": "frameset",
    **dict.fromkeys(SECTIONS, "section"),
}
_TABLE_MODES = frozenset(("table", "section", "row", "colgroup"))


class Skip:
    """What a remembered transition can be besides a state to push."""


POP = Skip()
STAY = Skip()


class State:
    """An open element as its content sees it; compare by identity (``state_of`` interns)."""

    __slots__ = ("after", "bits", "detached", "inert", "mode", "model", "name", "ns", "ordered", "texty")

    def __init__(self, name: str, ns: str, mode: str, bits: int, model: Model, inert: bool, detached: bool) -> None:
        self.name = name
        self.ns = ns
        self.mode = mode
        self.bits = bits
        self.model = model
        self.inert = inert
        self.detached = detached
        self.ordered = detached or (ns == "html" and (name in ORDERED or model is _DL_GROUP))
        self.texty = self.ordered or mode != "body" or not model.text
        self.after: dict[Tag, State | Skip] = {}

    def changed(self, mode: str = "", detached: bool = False, bits: int | None = None) -> State:
        """The same state in another insertion mode, with other bits, or with its link off the parser's stack."""
        bits = self.bits if bits is None else bits
        return state_of(self.name, self.ns, mode or self.mode, bits, self.model, self.inert, detached)


@cache
def state_of(
    name: str, ns: str, mode: str, bits: int, model: Model, inert: bool = False, detached: bool = False
) -> State:
    """The one state with these properties."""
    return State(name, ns, mode, bits, model, inert, detached)


DOCUMENT = state_of("document", "html", "document", 0, Model("nothing", frozenset({"html"}), text=False))
"""Before ``<html>``."""

FRAGMENT = state_of("fragment", "html", "body", 0, FLOW)
"""The place of a piece of HTML without doctype, ``<html>``, ``<head>`` or ``<body>``: inside some body."""


def html_rules(state: State, tag: Tag) -> bool:
    """Whether a browser treats this start tag by HTML's rules here, not by those of foreign content."""
    if state.ns == "html":
        return True
    if state.ns == "svg":
        return state.name in SVG_HTML_POINTS
    if state.name in MATH_TEXT_POINTS:
        return tag.name not in ("mglyph", "malignmark")
    if state.name == "annotation-xml":
        return state.mode == "html-point" or tag.name == "svg"
    return False


def namespace(state: State, tag: Tag) -> str:
    """The namespace ("html", "svg", "math") the element gets."""
    if not html_rules(state, tag):
        return state.ns
    return tag.name if tag.name in ("svg", "math") else "html"


def child_state(state: State, tag: Tag) -> State:
    """The state inside ``tag`` opened in ``state``; void elements have none, the caller knows them."""
    ns = namespace(state, tag)
    if ns != "html":
        return _foreign_child(state, tag, ns)
    name = tag.name
    bits, inert = state.bits, state.inert
    if name in SCOPE_BOUNDS:
        bits &= ~_SCOPED
    if name in MARKERS:
        bits &= ~LINK
    if name in SPECIAL:
        bits &= ~(LI | DT_DD)
    if name == "button":
        bits &= ~P
    if name == "template":
        bits = IN_TEMPLATE
        inert = not tag.flags & SHADOW
    if not (name == "form" and bits & IN_TEMPLATE):  # there the parser keeps no form pointer
        bits |= _OPENS.get(name, 0)
    bits |= FORBID_BITS.get(name, 0) | INTERACTIVE_BIT * (name in INTERACTIVE_LIMITS)
    bits |= MAP * (name == "map") | LABEL * (name == "label")
    return state_of(name, "html", _mode(state, name), bits, _model(state, name, inert), inert)


def _foreign_child(state: State, tag: Tag, ns: str) -> State:
    """HTML begins again only in an integration point, which bounds every scope: so the bits may end here already."""
    mode = state.mode if state.mode in _TABLE_MODES else "body"
    if tag.flags & HTML_POINT:
        mode = "html-point"
    bits = state.bits & ~(_SCOPED | LI | DT_DD)
    return state_of(tag.name, ns, mode, bits, _POINT_MODELS.get(tag.name, FLOW), state.inert)


def _mode(state: State, name: str) -> str:
    if name == "noscript" and state.mode == "head":
        return "head-noscript"
    mode = _MODES.get(name)
    if mode is not None:
        return mode
    if state.mode in _TABLE_MODES:
        # In a template the table modes reach into ordinary elements; elsewhere the tag was an error already.
        return state.mode if state.name not in TABLE_CONTEXT and state.name != "colgroup" else "body"
    return "body"


def _model(state: State, name: str, inert: bool) -> Model:
    if inert:
        return ANY
    if name == "div" and state.name in ("dl", "select", "optgroup", "option"):
        return _grouping_div(state)
    if name == "noscript" and state.mode == "head":
        return Model("nothing", frozenset(("link", "style", "meta")), text=False)
    if name in TRANSPARENT or is_custom(name):
        base = state.model.base if state.model.base != "nothing" else "any"
        return Model(base, TRANSPARENT_EXTRA.get(name, frozenset()))
    return MODELS.get(name, FLOW)


def _grouping_div(state: State) -> Model:
    if state.name == "dl":
        return _DL_GROUP
    if state.name == "option":
        return MODELS["option"]
    return Model("flow", MODELS[state.name].extra)
