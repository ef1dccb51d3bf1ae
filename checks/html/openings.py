"""Start tags and text: the rules in turn, then what becomes of the stack and where the scan goes on."""

from __future__ import annotations

import html
from dataclasses import dataclass

from .conformance import Conformance
from .content import in_label
from .doctype import Doctype
from .elements import HEAD_CONTENT, VOID
from .findings import Findings
from .rule import Breach
from .settling import Settling
from .siblings import Family
from .stack import Frame, Stack
from .states import LINK, LINK_SCOPE, OPEN_BITS, STAY, State, child_state, html_rules, namespace
from .tokens import RAW_TEXT, SPACE, Tag, raw_end

MAX_DEPTH = 513
"""Frames on the stack, the document's own included: Chromium and WebKit flatten what is deeper."""

_DETACHED = Breach("detached-link", frozenset({"a"}))
_TEMPLATE_MODES = {
    **dict.fromkeys(("caption", "colgroup", "tbody", "tfoot", "thead"), "table"),
    "col": "colgroup",
    "tr": "section",
    "td": "row",
    "th": "row",
}
_TEMPLATE_NEUTRAL = HEAD_CONTENT - {"noscript"}


@dataclass(slots=True)
class Openings:
    """Opens elements and takes text; ``swallowed`` once an element has taken the rest of the file by mistake."""

    source: str
    stack: Stack
    findings: Findings
    doctype: Doctype
    settling: Settling
    conformance: Conformance
    swallowed: bool = False

    def open(self, tag: Tag, start: int, end: int) -> int:
        """The start tag from ``start`` to ``end``; returns the offset to go on at, which raw text is before."""
        self.doctype.before(start, tag.shown)
        clean = settled = self.settling.tag(tag, start, end)
        top = self.stack.top
        if clean and namespace(top.state, tag) == "html" and not top.state.inert:
            clean = self.conformance.element(tag, start)
        elif top.family is not None:
            top.family.child(tag.name)
        if html_rules(top.state, tag):
            self._detach(tag, top.state)
            if top.state.detached:
                self.findings.breach(_DETACHED, start, tag.shown)
            if top.state.mode == "template" and tag.name not in _TEMPLATE_NEUTRAL:
                # The first telling tag decides by which rules a template's content is read.
                top.state = top.state.changed(mode=_TEMPLATE_MODES.get(tag.name, "body"))
        return self._push(tag, start, end, settled, clean)

    def text(self, start: int, end: int) -> None:
        """Text from ``start`` to ``end``."""
        text = self.source[start:end]
        if not html.unescape(text).strip(SPACE):
            return
        offset = start + len(text) - len(text.lstrip(SPACE))
        self.doctype.before(offset, "<html>")
        if self.settling.text(offset):
            if self.stack.top.state.detached:
                self.findings.breach(_DETACHED, offset, "text")
            self.conformance.text(offset)

    def _push(self, tag: Tag, start: int, end: int, settled: bool, clean: bool) -> int:
        frames = self.stack.frames
        state = frames[-1].state
        in_html = namespace(state, tag) == "html"
        remember = clean and not state.ordered
        if (in_html and tag.name in VOID) or tag.slash:  # where a slash does not close, that is reported
            if remember and not in_label(state, tag):
                state.after[tag] = STAY
            return end
        if not settled and tag.name in VOID | {"image"}:
            return end
        child = child_state(state, tag)
        if not settled:
            child = child.changed(bits=child.bits & ~state.bits & OPEN_BITS | child.bits & ~OPEN_BITS)
        frame = Frame(start, tag, child)
        if child.ordered and settled and not child.inert:
            frame.family = Family(tag)
        frames.append(frame)
        if len(frames) == MAX_DEPTH + 1:
            self.findings.add("nesting-too-deep", start, tag.shown)
        if in_html and (tag.name in RAW_TEXT or tag.name == "plaintext"):
            return self._raw(frame, end)
        if tag.name == "noscript" and in_html:
            frame.raw_close = raw_end(self.source, "noscript", end)
        elif remember and len(frames) <= MAX_DEPTH and not child.ordered and not _sibling_bound(tag, state):
            state.after[tag] = child
        return end

    def _raw(self, frame: Frame, end: int) -> int:
        """The offset of the end tag of a raw-text element whose start tag ends at ``end``."""
        tag, size = frame.tag, len(self.source)
        close = size if tag.name == "plaintext" else raw_end(self.source, tag.name, end)
        if tag.name == "iframe" and not frame.state.inert and self.source[end:close].strip(SPACE):
            self.findings.add("text-not-allowed", end, "text", "<iframe>", frame.offset)
        if close == size:
            self.swallowed = True
            if tag.name != "plaintext":
                self.findings.add("unclosed-element", frame.offset, tag.shown, "the end of the file", close)
        return close

    def _detach(self, tag: Tag, state: State) -> None:
        """``<a>`` beyond a scope boundary that is no marker takes the outer link off the parser's stack."""
        if tag.name == "a" and state.bits & LINK and not state.bits & LINK_SCOPE:
            link = self.stack.frames[self.stack.nearest(("a",))]
            link.state = link.state.changed(detached=True)


def _sibling_bound(tag: Tag, state: State) -> bool:
    """Whether the outcome depends on more than the state."""
    return tag.name == "main" or (tag.name == "a" and bool(state.bits & LINK)) or in_label(state, tag)
