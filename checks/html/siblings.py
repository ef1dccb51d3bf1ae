"""Rules about an element's children taken together: order, number, presence.

A ``Family`` belongs to one open element whose state is ``ordered``; it is told of each child and of text, and is
asked at the end what is missing. Every method returns at most one broken rule. A ``<div>`` has one only in a ``<dl>``.
"""

from __future__ import annotations

from .content import Broken
from .elements import HEADINGS
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

    __slots__ = ("caption_last", "last", "parent", "rank", "seen", "source")

    def __init__(self, parent: Tag) -> None:
        self.parent = parent.name
        self.source = bool(parent.flags & SOURCE)
        self.seen: set[str] = set()
        self.rank = -1
        self.last = ""
        self.caption_last = False

    def child(self, name: str) -> Broken | None:
        """Take notice of a child element; the rule it breaks by coming now."""
        if name in _SILENT:
            return None
        broken = self._repeated(name) or self._order(name)
        self.seen.add(name)
        self.last = name
        return broken

    def text(self) -> Broken | None:
        """Take notice of text other than white space among the children."""
        broken = self._after_caption()
        self.seen.add("#text")
        self.last = "#text"
        return broken

    def end(self) -> Broken | None:
        """What is missing once the element closes."""
        required = _REQUIRED.get(self.parent)
        if required and not required & self.seen:
            return Broken("missing-child", detail=_one(required))
        if self.parent in ("dl", "div") and self.last == "dt":
            return Broken("missing-child", detail="<dd>")
        if self.parent == "div" and not self.seen:
            return Broken("missing-child", detail="<dt> and <dd>")
        return None

    def _repeated(self, name: str) -> Broken | None:
        limited = _AT_MOST_ONE.get(self.parent)
        if limited is None or name not in limited:
            return None
        if name in self.seen or (name in HEADINGS and self.seen & HEADINGS):
            return Broken("duplicate-child")
        return None

    def _order(self, name: str) -> Broken | None:
        parent = self.parent
        if parent == "table":
            return self._table(name)
        if _FIRST.get(parent) == name and self.seen:
            return Broken("child-order", detail=f"it has to be the first child of <{parent}>")
        if parent == "figure":
            return self._figure(name)
        if parent in ("video", "audio"):
            return self._media(name)
        if parent == "picture" and "img" in self.seen:  # only a <source> is left: the rest is told otherwise
            return Broken("child-order", detail="every <source> has to come before the <img>")
        if parent in ("dl", "div"):
            return self._group(name)
        return None

    def _table(self, name: str) -> Broken | None:
        rank = _TABLE_RANK.get(name)
        if rank is None:
            return None
        late = rank < self.rank
        self.rank = max(rank, self.rank)
        if late:
            return Broken("child-order", detail="a table goes caption, colgroup, thead, tbody, tfoot")
        return None

    def _figure(self, name: str) -> Broken | None:
        broken = self._after_caption()
        if name == "figcaption" and self.seen:
            self.caption_last = True
        return broken

    def _after_caption(self) -> Broken | None:
        if not self.caption_last:
            return None
        self.caption_last = False
        return Broken("child-order", detail="<figcaption> has to be the first or the last child of <figure>")

    def _media(self, name: str) -> Broken | None:
        if name == "source":
            if self.source:
                return Broken("child-order", detail=f"<{self.parent}> has a src attribute and takes no <source>")
            if self.seen - {"source"}:
                return Broken("child-order", detail="every <source> has to come first")
        if name == "track" and self.seen - {"source", "track"}:
            return Broken("child-order", detail="every <track> has to come before the fallback content")
        return None

    def _group(self, name: str) -> Broken | None:
        if name == "dd" and not self.seen & {"dt", "dd"}:
            return Broken("child-order", detail="a <dd> needs a <dt> before it")
        if self.parent == "div" and name == "dt" and self.last == "dd":
            return Broken("child-order", detail="a <div> in a <dl> holds one group: <dt> first, then <dd>")
        if (name == "div" and self.seen & {"dt", "dd"}) or (name in ("dt", "dd") and "div" in self.seen):
            return Broken("child-order", detail="a <dl> has groups in <div> or bare <dt> and <dd>, not both")
        return None


def _one(names: frozenset[str]) -> str:
    return " or ".join(f"<{name}>" for name in sorted(names))
