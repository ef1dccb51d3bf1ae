"""One run over one text: the open elements, the findings, and how elements open and close at all.

The stack follows the tags *as written*; where a browser's parser would do something else, a finding is made and the
written reading goes on, so that one mistake gives one finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .content import Broken
from .elements import (
    TRANSPARENT,
    is_custom,
)
from .siblings import Family
from .states import (
    DOCUMENT,
    FRAGMENT,
    State,
)
from .tokens import RAW_TEXT, TOKEN, Tag, intern_tag, irregular, raw_end, read_tag


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule: the offender, and the open element that sets the limit (offset -1: none)."""

    offset: int
    rule: str
    element: str
    other: str = ""
    other_offset: int = -1
    through: tuple[tuple[str, int], ...] = ()
    detail: str = ""


@dataclass(slots=True)
class Frame:
    """An open element: where, which, its state, and what only this occurrence knows."""

    offset: int
    tag: Tag
    state: State
    implied: bool = False
    family: Family | None = None
    controls: int = 0
    raw_close: int = -1


@dataclass(slots=True)
class Note:
    """An element closed without its end tag, until that end tag turns up or the document ends."""

    frame: Frame
    home: Frame
    closer: str
    closer_offset: int
    rule: str  # what it is when the end tag turns up
    omissible: bool


_DOCUMENT_TAG = r"!doctype|html|head|body|frameset"
_WHOLE = re.compile(rf"<(?:{_DOCUMENT_TAG})(?=[ \t\n\f\r/>])", re.IGNORECASE)
_NOTED = re.compile(
    rf"<(?:({_DOCUMENT_TAG})|/?(?:svg|math|{'|'.join(sorted(RAW_TEXT))}))(?=[ \t\n\f\r/>])", re.IGNORECASE
)
"""What decides whether a text is a page: its document tags, and what hides such from being tags."""
_MODE_AFTER = {"head": "after-head", "body": "after-body", "html": "after-document", "frameset": "after-frameset"}


def is_fragment(text: str) -> bool:
    """Whether this is a piece of a page: neither doctype nor ``<html>``, ``<head>``, ``<body>`` among its tags."""
    return _WHOLE.search(text) is None or not _has_document_tag(text)


def _has_document_tag(text: str) -> bool:
    """Whether one stands outside of comments, values of attributes and raw text."""
    position = foreign = 0
    while match := TOKEN.search(text, position):
        start, position, source = match.start(), match.end(), match[0]
        noted = _NOTED.match(text, start)
        if noted and noted[1]:
            if not foreign or noted[1].lower() in ("head", "body"):  # these two end a drawing
                return True
            noted = None
        if source == "<":
            position = irregular(text, start, foreign > 0).end
            source = text[start:position]
        if noted:
            tag = read_tag(source).tag
            if tag.name in ("svg", "math"):
                foreign = max(0, foreign + (-1 if tag.closing else not tag.slash))
            elif not tag.closing and not (foreign and tag.slash):
                position = raw_end(text, tag.name, position)
    return False


class Run:
    """The data of one run over ``text``; ``fragment`` None decides by ``is_fragment``."""

    def __init__(self, text: str, fragment: bool | None = None) -> None:
        self.text = text
        self.fragment = is_fragment(text) if fragment is None else fragment
        root = FRAGMENT if self.fragment else DOCUMENT
        self.stack = [Frame(0, intern_tag(root.name), root)]
        self.findings: list[Finding] = []
        self.notes: list[Note] = []
        self.ids: dict[str, int] = {}
        self.mains: list[Frame] = []
        self.quirks = False
        self.doctype = self.fragment
        self.resume = 0
        self.swallowed = False  # the rest of the file, by a mistake already found

    def _find(
        self,
        rule: str,
        offset: int,
        element: str,
        other: str = "",
        other_offset: int = -1,
        *,
        detail: str = "",
    ) -> None:
        self.findings.append(Finding(offset, rule, element, other, other_offset, (), detail))

    def _limit(
        self,
        rule: str,
        offset: int,
        element: str,
        ancestors: frozenset[str],
        detail: str = "",
    ) -> None:
        """A finding that names the nearest open element of ``ancestors`` and what stands between."""
        last = len(self.stack) - 1
        for index in range(last, 0, -1):
            frame = self.stack[index]
            if frame.tag.name in ancestors:
                through = tuple(
                    (f"<{f.tag.name}>", f.offset) for f in self.stack[index + 1 : last + 1] if not f.implied
                )
                self.findings.append(
                    Finding(offset, rule, element, f"<{frame.tag.name}>", frame.offset, through, detail)
                )
                return
        self._find(rule, offset, element, detail=detail)

    def _report(self, broken: Broken, start: int, shown: str) -> None:
        if broken.rule == "flow-in-phrasing":
            self._phrasing_limit(start, shown)
        elif broken.rule in ("child-order", "duplicate-child"):
            self._limit(broken.rule, start, shown, frozenset({self.stack[-1].tag.name}), broken.detail)
        else:
            self._limit(broken.rule, start, shown, broken.ancestors, broken.detail)

    def _phrasing_limit(self, start: int, shown: str) -> None:
        """Name the element that allows only phrasing content, not the transparent ones in it."""
        index = len(self.stack) - 1
        while (name := self.stack[index].tag.name) in TRANSPARENT or is_custom(name):
            index -= 1
        self._limit("flow-in-phrasing", start, shown, frozenset({self.stack[index].tag.name}))

    def _pop(self, start: int) -> None:
        """Close the innermost element at ``start``."""
        frame = self.stack.pop()
        if frame.raw_close not in (-1, start):
            self._find("noscript-content", frame.offset, "<noscript>")
        if frame.family is not None and (broken := frame.family.end()):
            self._find(broken.rule, frame.offset, f"<{frame.tag.name}>", detail=broken.detail)
        parent = self.stack[-1]
        if frame.tag.name in _MODE_AFTER and parent.state.name in ("html", "document"):
            parent.state = parent.state.changed(mode=_MODE_AFTER[frame.tag.name])
