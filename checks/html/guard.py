"""The scan: one pass of one expression over a text, findings with offsets.

The outcome of a tag in a state is remembered in the state (``State.after``), so most tokens cost one dictionary look-up
for the tag and one for the outcome; everything else goes to the rules.
"""

from __future__ import annotations

from . import markup
from .conformance import Conformance
from .doctype import Doctype
from .endings import Endings
from .findings import Finding, Findings
from .fragment import is_fragment
from .markup import Markup
from .openings import MAX_DEPTH, Openings
from .settling import Settling
from .stack import Frame, Stack
from .states import DOCUMENT, FRAGMENT, POP, STAY, State
from .tokens import SPACE, TOKEN, Tag, irregular


class Guard:
    """One run over one text; ``fragment`` says whether it is a piece of a page, None decides by ``is_fragment``."""

    def __init__(self, text: str, fragment: bool | None = None) -> None:
        self.text = text
        piece = is_fragment(text) if fragment is None else fragment
        self.stack = Stack(FRAGMENT if piece else DOCUMENT)
        self.findings = Findings(self.stack)
        self.doctype = Doctype(self.findings, piece)
        self.markup = Markup(text, self.findings)
        self.endings = Endings(self.stack, self.findings, self.doctype)
        settling = Settling(text, self.stack, self.findings, self.doctype, self.endings)
        conformance = Conformance(self.stack, self.findings)
        self.openings = Openings(text, self.stack, self.findings, self.doctype, settling, conformance)

    def run(self) -> list[Finding]:
        """Scan the whole text; the findings in document order."""
        position, size = 0, len(self.text)
        while position < size:
            position = self._scan(position)
        self.endings.finish(size, self.openings.swallowed)
        return sorted(self.findings.made, key=lambda finding: finding.offset)

    def _scan(self, position: int) -> int:
        """Scan from ``position`` until the token stream has to be taken up elsewhere; returns that offset."""
        text, known, frames = self.text, markup.known, self.stack.frames
        state = frames[-1].state
        for match in TOKEN.finditer(text, position):
            source = match[0]
            start = match.start()
            if state.texty and text[position:start].strip(SPACE):
                self.openings.text(position, start)
                state = frames[-1].state
            position = match.end()
            tag = known.get(source)
            if tag is None and source[1:2] not in ("", "!"):
                tag = self.markup.tag(source, start)
            if tag is None:
                resume = self._other(source, start, position)
            else:
                action = state.after.get(tag)
                if action is POP:
                    frames.pop()
                    state = frames[-1].state
                    continue
                if action is STAY:
                    continue
                if isinstance(action, State) and len(frames) < MAX_DEPTH:
                    frames.append(Frame(start, tag, action))
                    state = action
                    continue
                resume = self._tag(tag, start, position)
            if resume != position:
                return resume
            state = frames[-1].state
        if text[position:].strip(SPACE):
            self.openings.text(position, len(text))
        return len(text)

    def _tag(self, tag: Tag, start: int, end: int) -> int:
        """A tag whose outcome is not remembered; returns the offset to go on at."""
        if not tag.closing:
            return self.openings.open(tag, start, end)
        self.endings.end(tag, start)
        return end

    def _other(self, source: str, start: int, end: int) -> int:
        """Anything but a well-written tag; returns the offset to go on at."""
        if source.startswith("<!--"):
            self.markup.comment(source, start)
        elif source != "<":
            self.doctype.declared(source, start)
        else:
            return self._irregular(start)
        return end

    def _irregular(self, start: int) -> int:
        found = irregular(self.text, start, self.stack.top.state.ns != "html")
        if found.kind == "tag":
            return self._tag(self.markup.tag(self.text[start : found.end], start, malformed=True), start, found.end)
        self.markup.odd(found, start)
        if found.kind == "text":
            self.openings.text(start, found.end)
        elif found.kind == "eof":
            self.openings.swallowed = True
        return found.end
