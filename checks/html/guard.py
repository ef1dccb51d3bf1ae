"""The scan: one pass of one expression over a text, findings with offsets.

The outcome of a tag in a state is remembered in the state (``State.after``), so most tokens cost one dictionary look-up
for the tag and one for the outcome; everything else goes through ``_slow``.
"""

from __future__ import annotations

import re

from .openings import MAX_DEPTH, Openings
from .run import Finding, Frame, is_fragment
from .states import POP, STAY, State
from .tokens import SPACE, TOKEN, Tag, Written, irregular, read_tag

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


class Guard(Openings):
    """One run over one text; ``run`` returns the findings in document order."""

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
            if state.texty and text[position:start].strip(SPACE):
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
        if text[position:].strip(SPACE):
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
            self._text(start, start + 1)
        elif found.kind == "cdata":
            pass
        elif found.kind == "eof":
            self._find("unterminated-markup", start, self._excerpt(start, len(self.text)))
            self.swallowed = True
        else:
            shown = self._excerpt(start, found.end)
            self._find("malformed-markup", start, shown, detail="browsers make it a comment or drop it")
        return None

    def _excerpt(self, start: int, end: int) -> str:
        """What stands there, on one line and cut short."""
        line = self.text[start:end].split("\n")[0]
        return line if len(line) <= 30 else f"{line[:29]}…"

    def _declaration(self, source: str, start: int) -> None:
        if source.startswith("<!--"):
            body = source[4:]
            if body in (">", "->") or source.endswith("--!>") or "<!--" in body:
                self._find("malformed-markup", start, "<!--", detail="the comment nests or ends oddly")
            return
        if self.doctype:
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


__all__ = ["Finding", "Guard", "is_fragment"]
