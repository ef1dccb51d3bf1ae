"""The explicit stack: one pass over the tokens of a document, findings with offsets.

The stack follows the tags *as written*; where a browser's parser would do something else, a finding is made and the
written reading goes on, so that one mistake gives one finding. Only end tags that the standard lets an author leave
out are filled in; such a reading is taken back when the end tag turns up after all (``Note``).
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from .content import Broken, in_label, judge_content
from .elements import (
    HEAD_CONTENT,
    HEADINGS,
    KEEPS_P_OPEN,
    OMITTED_AT_END,
    OMITTED_BEFORE,
    SCOPE_BOUNDS,
    TABLE_CONTEXT,
    TABLE_PARTS,
    TRANSPARENT,
    VOID,
    is_custom,
)
from .parser import Verdict, judge, judge_text
from .siblings import Family
from .states import (
    DOCUMENT,
    FORM,
    FRAGMENT,
    IN_TEMPLATE,
    LINK,
    LINK_SCOPE,
    OPEN_BITS,
    POP,
    STAY,
    State,
    child_state,
    html_rules,
    namespace,
)
from .tokens import HIDDEN, RAW_TEXT, SPACE, TOKEN, Tag, Written, intern_tag, irregular, raw_end, read_tag

MAX_DEPTH = 512
"""Chromium and WebKit put deeper elements beside instead of inside."""


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


_tags: dict[str, Tag] = {}
_MAX_TAGS = 50_000
_QUIRKS = re.compile(
    r"<!doctype[ \t\n\f\r]+html[ \t\n\f\r]*(>|system|public[ \t\n\f\r]*[\"'](-//W3C//DTD (HTML 4\.01//|XHTML 1|XHTML B)"
    r"|-//W3C//DTD HTML 4\.01 (Transitional|Frameset)//[^\"']*[\"'][ \t\n\f\r]*[\"']))",
    re.IGNORECASE,
)
_MODERN = re.compile(
    r"<!doctype[ \t\n\f\r]+html[ \t\n\f\r]*([ \t\n\f\r]system[ \t\n\f\r]*([\"'])about:legacy-compat\2[ \t\n\f\r]*)?>",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"<(?:!doctype|html|head|body|frameset)(?=[ \t\n\f\r/>])", re.IGNORECASE)
_EMPTY_FORM = re.compile(r"(?:[ \t\n\f\r]|<!--(?!-?>).*?-->)*</form[ \t\n\f\r]*>", re.DOTALL | re.IGNORECASE)


def is_fragment(text: str) -> bool:
    """Whether this is a piece of a page: neither doctype nor ``<html>``, ``<head>``, ``<body>`` in it."""
    return _WHOLE.search(text) is None


class Guard:
    """One run over one text; ``run`` returns the findings in document order."""

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

    # --- the scan -----------------------------------------------------------------------------------------

    def run(self) -> list[Finding]:
        """Scan the whole text."""
        text, position, size = self.text, 0, len(self.text)
        if "\x00" in text:
            self._find(
                "malformed-markup",
                text.index("\x00"),
                "a NUL character",
                detail="browsers drop or replace it",
            )
        while position < size:
            position = self._scan(position)
        self._finish()
        self.findings.sort(key=lambda finding: finding.offset)
        return self.findings

    def _scan(self, position: int) -> int:
        """Scan from ``position`` until the token stream has to be taken up elsewhere; returns that offset."""
        text, tags, stack = self.text, _tags, self.stack
        state = stack[-1].state
        for match in TOKEN.finditer(text, position):
            source = match[0]
            start = match.start()
            if state.texty and start > position and text[position:start].strip(SPACE):
                self._text(position, start)
                state = stack[-1].state
            position = match.end()
            tag = tags.get(source)
            if tag is not None:
                action = state.after.get(tag)
                if action is POP:
                    stack.pop()
                    state = stack[-1].state
                    continue
                if action is STAY:
                    continue
                if isinstance(action, State) and len(stack) < MAX_DEPTH:
                    stack.append(Frame(start, tag, action))
                    state = action
                    continue
            self.resume = position
            self._slow(source, tag, start)
            if self.resume != position:
                return self.resume
            state = stack[-1].state
        if state.texty and text[position:].strip(SPACE):
            self._text(position, len(text))
        return len(text)

    def _slow(self, source: str, tag: Tag | None, start: int) -> None:
        """A token whose outcome is not remembered. Sets ``resume`` where the scan must go on elsewhere."""
        if tag is None:
            if source == "<":
                tag = self._irregular(start)
            elif source[1] == "!":
                self._declaration(source, start)
            else:
                tag = self._first(source, start)
        if tag is None:
            return
        if tag.closing:
            self._end(tag, start)
        else:
            self._start(tag, start)

    def _first(self, source: str, start: int, malformed: bool = False) -> Tag:
        """Read a tag not seen before and remember it where every occurrence means the same."""
        written = read_tag(source, malformed)
        if written.plain:
            if len(_tags) >= _MAX_TAGS:
                _tags.clear()
            _tags[source] = written.tag
        else:
            self._remarkable(written, start)
        return written.tag

    def _remarkable(self, written: Written, start: int) -> None:
        tag = written.tag
        shown = f"</{tag.name}>" if tag.closing else f"<{tag.name}>"
        if written.malformed:
            what = "an end tag takes no attributes" if tag.closing else "attributes are not well written"
            self._find("malformed-tag", start, shown, detail=what)
        if written.repeated is not None:
            self._find("duplicate-attribute", start, shown, detail=written.repeated)
        if written.id is not None and not self.stack[-1].state.inert:
            first = self.ids.setdefault(written.id, start)
            if first != start:
                self._find("duplicate-id", start, shown, "the first", first, detail=written.id)

    def _irregular(self, start: int) -> Tag | None:
        state = self.stack[-1].state
        found = irregular(self.text, start, state.ns != "html")
        self.resume = found.end
        if found.kind == "tag":
            return self._first(self.text[start : found.end], start, malformed=True)
        if found.kind == "text":
            self._find("bare-less-than", start, "<")
            if state.texty:
                self._text(start, start + 1)
        elif found.kind == "cdata":
            pass
        elif found.kind == "eof":
            shown = self.text[start : start + 12].split("\n")[0]
            self._find("unterminated-markup", start, shown)
            self.swallowed = True
        else:
            shown = self.text[start : min(found.end, start + 12)]
            self._find("malformed-markup", start, shown, detail="browsers make it a comment or drop it")
        return None

    def _declaration(self, source: str, start: int) -> None:
        if source.startswith("<!--"):
            body = source[4:]
            if body in (">", "->") or source.endswith("--!>") or "<!--" in body:
                self._find("malformed-markup", start, "<!--", detail="the comment nests or ends oddly")
            return
        if self.stack[-1].state is not DOCUMENT or self.doctype:
            self._find(
                "doctype",
                start,
                "<!DOCTYPE>",
                detail="a doctype stands only at the very top; browsers drop it",
            )
            return
        self.doctype = True
        if not _MODERN.fullmatch(source):
            self._find("doctype", start, "<!DOCTYPE>", detail="use <!DOCTYPE html>")
            self.quirks = _QUIRKS.match(source) is None

    # --- findings -----------------------------------------------------------------------------------------

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
        *,
        top: int = -1,
    ) -> None:
        """A finding that names the nearest open element of ``ancestors`` and what stands between."""
        last = len(self.stack) - 1 if top < 0 else top
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

    # --- start tags ---------------------------------------------------------------------------------------

    def _start(self, tag: Tag, start: int) -> None:
        self._document_start(tag, start)
        clean = settled = self._settle(tag, start)
        top = self.stack[-1]
        state = top.state
        shown = f"<{tag.name}>"
        html_element = namespace(state, tag) == "html" and html_rules(state, tag)
        if clean and html_element and not state.inert:
            clean = self._content(tag, start, top)
        elif top.family is not None:
            top.family.child(tag.name)
        if html_rules(state, tag):
            self._detach(tag, state)
            if state.detached:
                self._limit("detached-link", start, shown, frozenset({"a"}))
            if state.name == "template" and state.mode == "template":
                self._template_mode(tag)
                state = top.state
        self._push(tag, start, top, settled, clean)

    def _push(self, tag: Tag, start: int, top: Frame, settled: bool, clean: bool) -> None:
        state = top.state
        rules = html_rules(state, tag)
        ns = namespace(state, tag)
        remember = clean and not state.ordered and not tag.slash
        if (rules and ns == "html" and tag.name in VOID) or (tag.slash and ns != "html"):
            if clean and not state.ordered and not in_label(state, tag):
                state.after[tag] = STAY
            return
        if not settled and tag.name in VOID | {"image"}:
            return
        if tag.slash and rules:
            return  # reported; the author takes it for closed
        child = child_state(state, tag)
        if not settled:
            child = child.changed(bits=child.bits & ~state.bits & OPEN_BITS | child.bits & ~OPEN_BITS)
        frame = Frame(start, tag, child)
        if child.ordered and settled:
            frame.family = Family(tag)
        self.stack.append(frame)
        if len(self.stack) > MAX_DEPTH:
            if len(self.stack) == MAX_DEPTH + 1:
                self._find("nesting-too-deep", start, f"<{tag.name}>")
            remember = False
        if ns == "html" and rules and (tag.name in RAW_TEXT or tag.name == "plaintext"):
            self._raw(tag, frame)
        elif tag.name == "noscript" and ns == "html":
            frame.raw_close = raw_end(self.text, "noscript", self.resume)
        elif remember and not child.ordered and not self._sibling_bound(tag, state):
            state.after[tag] = child

    def _sibling_bound(self, tag: Tag, state: State) -> bool:
        """Whether the outcome hangs on more than the state."""
        if tag.name == "main" or (tag.name == "table" and self.quirks):
            return True
        return (tag.name == "a" and bool(state.bits & LINK)) or in_label(state, tag)

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
            if name == "head" and (tag.name == "body" or not _belongs_to_head(tag)):
                top.state = top.state.changed(mode="after-head")
                if top.family:
                    top.family.child("head")
                continue
            added = intern_tag(name)
            child = child_state(top.state, added)
            self.stack.append(Frame(start, added, child, implied=True, family=Family(added) if child.ordered else None))

    def _omit(self, tag: Tag, start: int, verdict: Verdict) -> bool:
        """Close elements whose end tags may be left out before ``tag``; whether there were such."""
        stack = self.stack
        outermost = -1
        for index in range(len(stack) - 1, 0, -1):
            frame = stack[index]
            if frame.state.ns != "html" or (
                frame.tag.name not in OMITTED_AT_END and frame.tag.name != "thead" and frame.tag.name != "head"
            ):
                break
            if tag.name in OMITTED_BEFORE.get(frame.tag.name, ()):
                outermost = index
            if frame.tag.name in ("thead", "head"):
                break
        if outermost < 0:
            return False
        home = stack[outermost - 1]
        while len(stack) > outermost:
            frame = stack[-1]
            if not frame.implied:
                self.notes.append(Note(frame, home, f"<{tag.name}>", start, verdict.rule, True))
            self._pop(start)
        return True

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
        while index > 1:
            name = self.stack[index].tag.name
            if not (name in TRANSPARENT or is_custom(name)):
                break
            index -= 1
        self._limit("flow-in-phrasing", start, shown, frozenset({self.stack[index].tag.name}))

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

    # --- text ---------------------------------------------------------------------------------------------

    def _text(self, start: int, end: int) -> None:
        text = self.text[start:end]
        if "&" in text and not html.unescape(text).strip(SPACE):
            return
        offset = start + len(text) - len(text.lstrip(SPACE))
        top = self.stack[-1]
        state = top.state
        if state is DOCUMENT:
            self._document_start(intern_tag("html"), offset)
        verdict = judge_text(state)
        if verdict is not None:
            self._text_elsewhere(verdict, offset)
            return
        if state.detached:
            self._limit("detached-link", offset, "text", frozenset({"a"}))
        if state.inert or state.ns != "html":
            return
        if not state.model.text:
            self._limit("text-not-allowed", offset, "text", frozenset({state.name}))
        if top.family is not None and (broken := top.family.text()):
            self._report(broken, offset, "text")

    def _text_elsewhere(self, verdict: Verdict, offset: int) -> None:
        if verdict.implies:
            detail = "".join(f"<{name}>" for name in verdict.implies)
            self._limit(verdict.rule, offset, "text", verdict.ancestors, detail)
            self._imply(verdict, intern_tag("body"), offset)
        else:
            self._limit(verdict.rule, offset, "text", verdict.ancestors)

    # --- end tags -----------------------------------------------------------------------------------------

    def _end(self, tag: Tag, start: int) -> None:
        stack = self.stack
        while stack[-1].implied and stack[-1].tag.name != tag.name and self._open_below(tag.name):
            self._pop(start)
        top = stack[-1]
        if top.tag.name == tag.name and len(stack) > 1:
            if not top.implied and self._plain_end(top):
                top.state.after[tag] = POP
            self._pop(start)
            return
        shown = f"</{tag.name}>"
        if tag.name in VOID and top.state.ns == "html":
            self._find("void-end-tag", start, shown)
            return
        index = self._reachable(tag.name)
        if index > 0:
            self._close_to(index, tag, start)
        elif tag.name in HEADINGS and top.tag.name in HEADINGS:
            self._find("misnested-tags", start, shown, f"<{top.tag.name}>", top.offset)
            self._pop(start)
        elif not self._late(tag, start):
            self._find("stray-end-tag", start, shown, f"<{top.tag.name}>", top.offset if len(stack) > 1 else -1)

    @staticmethod
    def _plain_end(frame: Frame) -> bool:
        """Whether this end tag needs nothing but a pop whenever it meets this state."""
        return (
            frame.family is None
            and frame.raw_close < 0
            and frame.tag.name not in ("head", "body", "html", "frameset", "main")
            and not frame.state.ordered
        )

    def _open_below(self, name: str) -> bool:
        return any(frame.tag.name == name for frame in self.stack[1:])

    def _pop(self, start: int) -> None:
        """Close the innermost element at ``start``."""
        frame = self.stack.pop()
        if frame.raw_close >= 0 and frame.raw_close != start:
            self._find("noscript-content", frame.offset, "<noscript>")
        if frame.family is not None and not frame.state.inert and (broken := frame.family.end()):
            self._find(broken.rule, frame.offset, f"<{frame.tag.name}>", detail=broken.detail)
        mode = _MODE_AFTER.get(frame.tag.name)
        if mode is not None and frame.state.ns == "html" and frame.state.mode != "body-inside":
            parent = self.stack[-1]
            if parent.state.name in ("html", "document"):
                parent.state = parent.state.changed(mode=mode)

    def _reachable(self, name: str) -> int:
        """Index of the open element that this end tag means, 0 when a scope boundary lies between."""
        bounds = frozenset(("template", "html")) if name in TABLE_PARTS or name == "table" else SCOPE_BOUNDS
        for index in range(len(self.stack) - 1, 0, -1):
            frame = self.stack[index]
            if frame.tag.name == name:
                return index
            if frame.state.ns == "html" and frame.tag.name in bounds and name not in ("body", "html"):
                return 0
        return 0

    def _close_to(self, index: int, tag: Tag, start: int) -> None:
        stack = self.stack
        home = stack[index - 1]
        omissible = True
        for inner in range(len(stack) - 1, index, -1):
            frame = stack[inner]
            if not frame.implied:
                omissible = omissible and self._may_omit_at_end(frame, stack[inner - 1])
                self.notes.append(Note(frame, home, f"</{tag.name}>", start, "misnested-tags", omissible))
            self._pop(start)
        self._pop(start)

    @staticmethod
    def _may_omit_at_end(frame: Frame, parent: Frame) -> bool:
        name = frame.tag.name
        if name not in OMITTED_AT_END or frame.state.ns != "html":
            return False
        return not (name == "p" and (parent.tag.name in KEEPS_P_OPEN or is_custom(parent.tag.name)))

    def _late(self, tag: Tag, start: int) -> bool:
        """An end tag whose element was taken for closed: then it was meant to go on until here."""
        for number in range(len(self.notes) - 1, -1, -1):
            note = self.notes[number]
            if note.frame.tag.name != tag.name or not any(frame is note.home for frame in self.stack):
                continue
            del self.notes[number]
            note.home.family = None
            self.findings = [one for one in self.findings if one.offset != note.closer_offset]
            shown, opened = f"<{tag.name}>", note.frame.offset
            if note.rule == "misnested-tags":
                self._find(note.rule, start, f"</{tag.name}>", shown, opened, detail=note.closer)
            else:
                self._find(note.rule, note.closer_offset, note.closer, shown, opened)
            return True
        return False

    # --- the end ------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        size = len(self.text)
        if not self.fragment and self.stack[0].state is DOCUMENT and len(self.stack) == 1:
            self._find("implied-document-tag", 0, "the document", detail="<html><head><body>")
        omissible = True
        while len(self.stack) > 1:
            frame = self.stack[-1]
            omissible = omissible and self._may_omit_at_end(frame, self.stack[-2])
            if not frame.implied and not self.swallowed:
                self.notes.append(Note(frame, self.stack[0], "the end of the file", size, "", omissible))
            self._pop(size)
        for note in self.notes:
            rule = "omitted-end-tag" if note.omissible else "unclosed-element"
            self._find(rule, note.frame.offset, f"<{note.frame.tag.name}>", note.closer, note.closer_offset)


_TEMPLATE_MODES = {
    **dict.fromkeys(("caption", "colgroup", "tbody", "tfoot", "thead"), "table"),
    "col": "colgroup",
    "tr": "section",
}
_TEMPLATE_NEUTRAL = HEAD_CONTENT - {"noscript"}
_MODE_AFTER = {
    "head": "after-head",
    "body": "after-body",
    "html": "after-document",
    "frameset": "after-frameset",
}


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
