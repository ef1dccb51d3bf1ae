"""The rule about the doctype, and the mode that a browser chooses by it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .findings import Findings

_QUIRKS = re.compile(
    r"<!doctype[ \t\n\f\r]+html[ \t\n\f\r]*(>|system|public[ \t\n\f\r]*[\"'](-//W3C//DTD (HTML 4\.01//|XHTML 1|XHTML B)"
    r"|-//W3C//DTD HTML 4\.01 (Transitional|Frameset)//[^\"']*[\"'][ \t\n\f\r]*[\"']))",
    re.IGNORECASE,
)
_MODERN = re.compile(
    r"<!doctype[ \t\n\f\r]+html[ \t\n\f\r]*([ \t\n\f\r]system[ \t\n\f\r]*([\"'])about:legacy-compat\2[ \t\n\f\r]*)?>",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Doctype:
    """Whether the doctype's turn is over (``past``), and whether the page is in quirks mode; a fragment needs none."""

    findings: Findings
    past: bool
    quirks: bool = False

    def before(self, offset: int, element: str) -> None:
        """A start tag or text needs the doctype before it."""
        if self.passed():
            self.findings.add("doctype", offset, element, detail="no <!DOCTYPE html> before it: quirks mode")

    def passed(self) -> bool:
        """Whatever comes first decides: a doctype after it is dropped. Whether this is the first."""
        if self.past:
            return False
        self.past = self.quirks = True
        return True

    def declared(self, source: str, offset: int) -> None:
        """A doctype as written."""
        if self.past:
            detail = "a doctype is allowed only at the very top; browsers drop it"
            self.findings.add("doctype", offset, "<!DOCTYPE>", detail=detail)
            return
        self.past = True
        if not _MODERN.fullmatch(source):
            self.findings.add("doctype", offset, "<!DOCTYPE>", detail="use <!DOCTYPE html>")
            self.quirks = _QUIRKS.match(source) is None
