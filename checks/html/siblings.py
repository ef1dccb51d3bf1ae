"""Rules about an element's children taken together: order, number, presence.

A ``Family`` belongs to one open element whose state is ``ordered``; it is given each child and text, and is
asked at the end what is missing. Every method returns at most one broken rule. A ``<div>`` has one only in a ``<dl>``.
"""

from __future__ import annotations

from .elements import HEADINGS
from .rule import Breach
from .tokens import SOURCE, Tag

_TABLE_RANK = {"caption": 0, "colgroup": 1, "thead": 2, "tbody": 3, "tfoot": 4}
_AT_MOST_ONE = {
    "table": frozenset(("caption", "thead", "tfoot")),
    "head": frozenset(("title", "base")),
    "details": frozenset(("summary",)),
    "fieldset": frozenset(("legend",)),
    "figure": frozenset(("figcaption",)),
    "optgroup": frozenset(("legend",)),
    "select": frozenset(("button",)),
    "hgroup": HEADINGS,
    "picture": frozenset(("img",)),
}
_FIRST = {"details": "summary", "fieldset": "legend", "optgroup": "legend", "select": "button"}
_REQUIRED = {
    "details": frozenset(("summary",)),
    "head": frozenset(("title",)),
    "hgroup": HEADINGS,
    "picture": frozenset(("img",)),
}
_SILENT = frozenset(("script", "template"))


class Family:
    """The children seen so far of one open element (``parent``)."""

    __slots__ = ("caption_last", "last", "limit", "parent", "rank", "seen", "source")

    def __init__(self, parent: Tag) -> None:
        self.parent = parent.name
        self.limit = frozenset({parent.name})
        self.source = bool(parent.flags & SOURCE)
        self.seen: set[str] = set()
        self.rank = -1
        self.last = ""
        self.caption_last = False

    def child(self, name: str) -> Breach | None:
        """Take notice of a child element; the rule it breaks by coming now."""
        if name in _SILENT:
            return None
        broken = self._repeated(name) or self._disorder(self._order(name))
        self.seen.add(name)
        self.last = name
        return broken

    def text(self) -> Breach | None:
        """Take notice of text other than white space among the children."""
        broken = self._disorder(self._after_caption())
        self.seen.add("#text")
        self.last = "#text"
        return broken

    def end(self) -> Breach | None:
        """What is missing once the element closes."""
        required = _REQUIRED.get(self.parent)
        if required and not required & self.seen:
            return Breach("missing-child", detail=_one(required))
        if self.parent in ("dl", "div") and self.last == "dt":
            return Breach("missing-child", detail="<dd>")
        if self.parent == "div" and not self.seen:
            return Breach("missing-child", detail="<dt> and <dd>")
        return None

    def _repeated(self, name: str) -> Breach | None:
        limited = _AT_MOST_ONE.get(self.parent)
        if limited is None or name not in limited:
            return None
        if name in self.seen or (name in HEADINGS and self.seen & HEADINGS):
            return Breach("duplicate-child", self.limit)
        return None

    def _order(self, name: str) -> str:
        """What is wrong with a child that comes now, "" when nothing is."""
        parent, seen = self.parent, self.seen
        if parent == "table":
            return self._table(name)
        if _FIRST.get(parent) == name and seen:
            return f"it has to be the first child of <{parent}>"
        if parent == "figure":
            wrong = self._after_caption()
            self.caption_last = name == "figcaption" and bool(seen)
            return wrong
        if parent in ("video", "audio"):
            return self._media(name)
        if parent == "picture" and "img" in seen:  # only a <source> is left: the rest breaks other rules
            return "every <source> has to come before the <img>"
        return self._group(name) if parent in ("dl", "div") else ""

    def _table(self, name: str) -> str:
        rank = _TABLE_RANK.get(name, self.rank)
        late = rank < self.rank
        self.rank = max(rank, self.rank)
        return "a table goes caption, colgroup, thead, tbody, tfoot" if late else ""

    def _after_caption(self) -> str:
        late, self.caption_last = self.caption_last, False
        return "<figcaption> has to be the first or the last child of <figure>" if late else ""

    def _media(self, name: str) -> str:
        if name == "source":
            if self.source:
                return f"<{self.parent}> has a src attribute and takes no <source>"
            if self.seen - {"source"}:
                return "every <source> has to come first"
        if name == "track" and self.seen - {"source", "track"}:
            return "every <track> has to come before the fallback content"
        return ""

    def _group(self, name: str) -> str:
        if name == "dd" and not self.seen & {"dt", "dd"}:
            return "a <dd> needs a <dt> before it"
        if self.parent == "div" and name == "dt" and self.last == "dd":
            return "a <div> in a <dl> holds one group: <dt> first, then <dd>"
        if (name == "div" and self.seen & {"dt", "dd"}) or (name in ("dt", "dd") and "div" in self.seen):
            return "a <dl> has groups in <div> or bare <dt> and <dd>, not both"
        return ""

    def _disorder(self, detail: str) -> Breach | None:
        return Breach("child-order", self.limit, detail=detail) if detail else None


def _one(names: frozenset[str]) -> str:
    return " or ".join(f"<{name}>" for name in sorted(names))
