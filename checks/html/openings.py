"""Start tags and text: what a browser makes of them, what the content models say, what becomes of the stack."""

from __future__ import annotations

import html
import re

from .content import in_label, judge_content
from .elements import (
    HEAD_CONTENT,
    TABLE_CONTEXT,
    TABLE_PARTS,
    VOID,
    is_custom,
)
from .endings import Endings
from .parser import Verdict, judge, judge_text
from .run import Frame
from .siblings import Family
from .states import (
    FORM,
    IN_TEMPLATE,
    LINK,
    LINK_SCOPE,
    OPEN_BITS,
    STAY,
    State,
    child_state,
    html_rules,
    namespace,
)
from .tokens import HIDDEN, RAW_TEXT, SPACE, Tag, intern_tag, raw_end

MAX_DEPTH = 513
"""Frames on the stack, the document's own included: Chromium and WebKit flatten what is deeper."""

_EMPTY_FORM = re.compile(r"(?:[ \t\n\f\r]|<!--(?!-?>).*?-->)*</form[ \t\n\f\r]*>", re.DOTALL | re.IGNORECASE)


class Openings(Endings):
    """A run that can open elements and take text."""

    def _start(self, tag: Tag, start: int) -> None:
        self._document_start(tag, start)
        clean = settled = self._settle(tag, start)
        top = self.stack[-1]
        state = top.state
        shown = f"<{tag.name}>"
        if clean and namespace(state, tag) == "html" and not state.inert:
            clean = self._content(tag, start, top)
        elif top.family is not None:
            top.family.child(tag.name)
        if html_rules(state, tag):
            self._detach(tag, state)
            if state.detached:
                self._limit("detached-link", start, shown, frozenset({"a"}))
            if state.mode == "template":
                self._template_mode(tag)
                state = top.state
        self._push(tag, start, top, settled, clean)

    def _push(self, tag: Tag, start: int, top: Frame, settled: bool, clean: bool) -> None:
        state = top.state
        ns = namespace(state, tag)
        remember = clean and not state.ordered
        if (ns == "html" and tag.name in VOID) or tag.slash:  # where a slash does not close, that is reported
            if remember and not in_label(state, tag):
                state.after[tag] = STAY
            return
        if not settled and tag.name in VOID | {"image"}:
            return
        child = child_state(state, tag)
        if not settled:
            child = child.changed(bits=child.bits & ~state.bits & OPEN_BITS | child.bits & ~OPEN_BITS)
        frame = Frame(start, tag, child)
        if child.ordered and settled and not child.inert:
            frame.family = Family(tag)
        self.stack.append(frame)
        if len(self.stack) > MAX_DEPTH:
            if len(self.stack) == MAX_DEPTH + 1:
                self._find("nesting-too-deep", start, f"<{tag.name}>")
            remember = False
        if ns == "html" and (tag.name in RAW_TEXT or tag.name == "plaintext"):
            self._raw(tag, frame)
        elif tag.name == "noscript" and ns == "html":
            frame.raw_close = raw_end(self.text, "noscript", self.resume)
        elif remember and not child.ordered and not self._sibling_bound(tag, state):
            state.after[tag] = child

    def _sibling_bound(self, tag: Tag, state: State) -> bool:
        """Whether the outcome hangs on more than the state."""
        return tag.name == "main" or (tag.name == "a" and bool(state.bits & LINK)) or in_label(state, tag)

    def _raw(self, tag: Tag, frame: Frame) -> None:
        close = len(self.text) if tag.name == "plaintext" else raw_end(self.text, tag.name, self.resume)
        if tag.name == "iframe" and not frame.state.inert and self.text[self.resume : close].strip(SPACE):
            self._find("text-not-allowed", self.resume, "text", "<iframe>", frame.offset)
        if close == len(self.text):
            self.swallowed = True
            if tag.name != "plaintext":
                self._find("unclosed-element", frame.offset, f"<{tag.name}>", "the end of the file", close)
        self.resume = close

    def _document_start(self, tag: Tag, start: int) -> None:
        if not self.doctype:
            self.doctype = self.quirks = True
            self._find("doctype", start, f"<{tag.name}>", detail="no <!DOCTYPE html> before it: quirks mode")

    def _settle(self, tag: Tag, start: int) -> bool:
        """Find what a browser does at this start tag; fill in omitted tags. Whether nothing is wrong."""
        seen_implied = False
        while True:
            top = self.stack[-1]
            verdict = judge(top.state, tag, self.quirks)
            if verdict is None or self._empty_form(tag, top.state):
                return True
            if top.implied and not seen_implied and top.tag.name in TABLE_PARTS | {"head"}:
                self._pop(start)
            elif not self._omit(tag, start, verdict):
                if verdict.implies:
                    if not seen_implied:
                        self._implied(tag, start, verdict)
                    seen_implied = True
                    self._imply(verdict, tag, start)
                    continue
                self._limit(verdict.rule, start, f"<{tag.name}>", verdict.ancestors, verdict.detail)
                return False

    def _empty_form(self, tag: Tag, state: State) -> bool:
        """In a table a form is opened and closed at once: nothing changes when it is empty anyway."""
        if tag.name != "form" or state.name not in TABLE_CONTEXT or state.bits & (FORM | IN_TEMPLATE):
            return False
        return not tag.slash and _EMPTY_FORM.match(self.text, self.resume) is not None

    def _implied(self, tag: Tag, start: int, verdict: Verdict) -> None:
        added = verdict.implies
        if verdict.rule == "implied-document-tag":
            added = _document_tags(verdict.implies[0], tag)
        detail = "".join(f"<{name}>" for name in added)
        self._limit(verdict.rule, start, f"<{tag.name}>", verdict.ancestors, detail)

    def _imply(self, verdict: Verdict, tag: Tag, start: int) -> None:
        """Open what the browser would add, so that the rest is judged inside of it."""
        for name in verdict.implies:
            top = self.stack[-1]
            if name == "head" and not _belongs_to_head(tag):
                top.state = top.state.changed(mode="after-head")
                continue
            added = intern_tag(name)
            child = child_state(top.state, added)
            family = None if child.inert else Family(added)
            self.stack.append(Frame(start, added, child, implied=True, family=family))

    def _content(self, tag: Tag, start: int, top: Frame) -> bool:
        """Content rules for an element that a browser puts where it is written. Whether all hold."""
        broken = judge_content(top.state, tag)
        if top.family is not None and (family := top.family.child(tag.name)) and not broken:
            broken.append(family)
        if in_label(top.state, tag):
            self._label(start, tag)
        if tag.name == "main":
            self._main(tag, start)
        for rule in broken:
            self._report(rule, start, f"<{tag.name}>")
        return not broken

    def _label(self, start: int, tag: Tag) -> None:
        for frame in reversed(self.stack):
            if frame.tag.name == "label":
                frame.controls += 1
                if frame.controls > 1:
                    self._find("label-controls", start, f"<{tag.name}>", "<label>", frame.offset)
                return

    def _main(self, tag: Tag, start: int) -> None:
        for frame in reversed(self.stack[1:]):
            name = frame.tag.name
            if name not in ("html", "body", "div", "form") and not is_custom(name):
                self._find("main-ancestor", start, "<main>", f"<{name}>", frame.offset)
                break
        if not tag.flags & HIDDEN:
            self.mains.append(Frame(start, tag, self.stack[-1].state))
            if len(self.mains) > 1:
                self._find("duplicate-child", start, "<main>", "the first", self.mains[0].offset)

    def _detach(self, tag: Tag, state: State) -> None:
        """``<a>`` beyond a scope boundary that is no marker takes the outer link off the parser's stack."""
        if tag.name == "a" and state.bits & LINK and not state.bits & LINK_SCOPE:
            for frame in reversed(self.stack):
                if frame.tag.name == "a":
                    frame.state = frame.state.changed(detached=True)
                    return

    def _template_mode(self, tag: Tag) -> None:
        """The first telling tag decides by which rules a template's content is read."""
        name = tag.name
        mode = _TEMPLATE_MODES.get(name)
        if mode is None:
            mode = "row" if name in ("td", "th") else "body"
        if name not in _TEMPLATE_NEUTRAL:
            self.stack[-1].state = self.stack[-1].state.changed(mode=mode)

    def _text(self, start: int, end: int) -> None:
        text = self.text[start:end]
        if not html.unescape(text).strip(SPACE):
            return
        offset = start + len(text) - len(text.lstrip(SPACE))
        top = self.stack[-1]
        state = top.state
        self._document_start(intern_tag("html"), offset)
        verdict = judge_text(state)
        if verdict is not None:
            self._text_elsewhere(verdict, offset)
            return
        if state.detached:
            self._limit("detached-link", offset, "text", frozenset({"a"}))
        if not state.model.text:
            self._limit("text-not-allowed", offset, "text", frozenset({state.name}))
        if top.family is not None and (broken := top.family.text()):
            self._report(broken, offset, "text")

    def _text_elsewhere(self, verdict: Verdict, offset: int) -> None:
        detail = "".join(f"<{name}>" for name in verdict.implies)
        self._limit(verdict.rule, offset, "text", verdict.ancestors, detail)
        self._imply(verdict, intern_tag("body"), offset)


_TEMPLATE_MODES = {
    **dict.fromkeys(("caption", "colgroup", "tbody", "tfoot", "thead"), "table"),
    "col": "colgroup",
    "tr": "section",
}
_TEMPLATE_NEUTRAL = HEAD_CONTENT - {"noscript"}


def _belongs_to_head(tag: Tag) -> bool:
    return tag.name in _TEMPLATE_NEUTRAL or tag.name == "noscript"


def _document_tags(first: str, tag: Tag) -> tuple[str, ...]:
    names = ("html", "head", "body")
    wanted = names[names.index(first) :]
    if tag.name == "head":
        return tuple(name for name in wanted if name == "html")
    if tag.name == "body":
        return tuple(name for name in wanted if name != "body")
    return tuple(name for name in wanted if name != "body") if _belongs_to_head(tag) else wanted
