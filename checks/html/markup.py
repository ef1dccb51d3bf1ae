"""The rules about how tags, comments and ids are written, whatever they nest in."""

from __future__ import annotations

from .findings import Findings
from .tokens import Irregular, Tag, Written, read_tag

known: dict[str, Tag] = {}
"""Tags by their source, where every occurrence means the same."""
_MAX_KNOWN = 50_000


class Markup:
    """Reads tags that are not ``known`` yet and reports what is wrong with the writing of this occurrence."""

    def __init__(self, text: str, findings: Findings) -> None:
        self.text = text
        self.findings = findings
        self.ids: dict[str, int] = {}
        if "\x00" in text:
            at = text.index("\x00")
            findings.add("malformed-markup", at, "a NUL character", detail="browsers drop or replace it")

    def tag(self, source: str, start: int, malformed: bool = False) -> Tag:
        """Read a tag, and remember it if it can be remembered."""
        written = read_tag(source, malformed)
        if written.plain:
            if len(known) >= _MAX_KNOWN:
                known.clear()
            known[source] = written.tag
        else:
            self._remarkable(written, start)
        return written.tag

    def _remarkable(self, written: Written, start: int) -> None:
        add, tag = self.findings.add, written.tag
        if written.malformed:
            what = "an end tag takes no attributes" if tag.closing else "attributes are not well written"
            add("malformed-tag", start, tag.shown, detail=what)
        if written.repeated is not None:
            add("duplicate-attribute", start, tag.shown, detail=written.repeated)
        if written.id is not None and not self.findings.stack.top.state.inert:
            first = self.ids.setdefault(written.id, start)
            if first != start:
                add("duplicate-id", start, tag.shown, "the first", first, detail=written.id)

    def comment(self, source: str, start: int) -> None:
        """A comment from ``<!--`` on."""
        body = source[4:]
        if body in (">", "->") or source.endswith("--!>") or "<!--" in body:
            self.findings.add("malformed-markup", start, "<!--", detail="the comment nests or ends oddly")

    def odd(self, found: Irregular, start: int) -> None:
        """Markup that is no tag, comment or doctype."""
        if found.kind == "text":
            self.findings.add("bare-less-than", start, "<")
        elif found.kind == "eof":
            self.findings.add("unterminated-markup", start, self._excerpt(start, len(self.text)))
        elif found.kind == "comment":
            shown = self._excerpt(start, found.end)
            self.findings.add("malformed-markup", start, shown, detail="browsers make it a comment or drop it")

    def _excerpt(self, start: int, end: int) -> str:
        """The text there, on one line and cut short."""
        line = self.text[start:end].split("\n")[0]
        return line if len(line) <= 30 else f"{line[:29]}…"
