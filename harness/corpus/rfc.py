"""RFC text to clean text: page headers and footers out, page breaks and section headings kept as offsets.

Until about RFC 8650 an RFC is printed in pages: a form feed between two pages, a running header ("RFC 2616 …
June 1999") at the top and a footer ("… [Page 7]") at the bottom. Later ones have none of the three, so they
have no page numbers at all, and none are invented here.
"""

from __future__ import annotations

import re

from harness.corpus.parsed import Parsed

FOOTER = re.compile(r"\[Page\s+(\w+)\]\s*$")
HEADER = re.compile(r"^\s*RFC\s*\d+.*(?:19|20)\d\d\s*$")
NUMBERED = re.compile(r"^((?:\d+|[A-Z])(?:\.\d+)*)\.?\s{1,4}(\S.*)$")
APPENDIX = re.compile(r"^(?:Appendix|APPENDIX|Annex)\s+([A-Z](?:\.\d+)*)\b[.:\s-]*(.*)$")
UNNUMBERED = re.compile(
    r"^(abstract|status of this memo|copyright notice|table of contents|acknowledge?ments?|contributors"
    r"|authors?['’]? addresse?s?|authors?['’]s? addresse?s?|editors?['’]? addresse?s?|introduction"
    r"|full copyright statement|intellectual property(?: statement)?|references|index)\.?$",
    re.IGNORECASE,
)
CONTENTS_LINE = re.compile(r"\.\s?\.\s?\.|\s{4,}\d+\s*$")
SENTENCE_END = tuple('.:;!?)"”')


def decode(raw: bytes) -> str:
    """UTF-8 (with or without a byte-order mark); older files that are not valid UTF-8 are read as Latin-1."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8)


def parse(raw: bytes) -> Parsed:
    """Parse the bytes of one RFC. Page starts are empty when the file has no form feeds between pages."""
    pages = [_body(page) for page in decode(raw).split("\f")]
    paged = len(pages) > 2 and sum(label is not None for _, label in pages) >= 2
    text = ""
    starts: list[tuple[int, int, str | None]] = []
    for number, (lines, label) in enumerate(pages, start=1):
        if not lines:
            continue
        if text:
            text += "\n" if _continues(text, lines[0]) else "\n\n"
        starts.append((len(text), number, label))
        text += "\n".join(lines)
    text += "\n"
    return Parsed(text, tuple(starts) if paged else (), find_sections(text))


def _body(page: str) -> tuple[list[str], str | None]:
    """A page's own lines (blank runs folded to one) and the label its footer prints, or None."""
    lines = [line.rstrip() for line in page.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    label = None
    if lines and (footer := FOOTER.search(lines[-1])):
        label = footer[1]
        lines.pop()
    first = next((index for index, line in enumerate(lines) if line), len(lines))
    if first < len(lines) and HEADER.match(lines[first]):
        lines = lines[first + 1 :]
    folded: list[str] = []
    for line in lines:
        if line or (folded and folded[-1]):
            folded.append(line)
    while folded and not folded[-1]:
        folded.pop()
    return folded, label


def _continues(text: str, next_line: str) -> bool:
    """Does the paragraph that ends ``text`` go on in ``next_line``? (Same indent, no sentence end before.)"""
    last = text.rsplit("\n", 1)[-1]
    indent = len(last) - len(last.lstrip())
    same = len(next_line) - len(next_line.lstrip()) == indent
    return same and indent > 0 and not last.endswith(SENTENCE_END)


def find_sections(text: str) -> tuple[tuple[int, str, str], ...]:
    """Headings: lines at the left margin, after a blank line, numbered or of a known name; contents lists left out."""
    found: list[tuple[int, str, str]] = []
    offset = 0
    blank_before = True
    for line in text.split("\n"):
        if blank_before and line and not line[0].isspace() and not CONTENTS_LINE.search(line):
            heading = _heading(line)
            if heading:
                found.append((offset, *heading))
        blank_before = not line
        offset += len(line) + 1
    return tuple(found)


def _heading(line: str) -> tuple[str, str] | None:
    if appendix := APPENDIX.match(line):
        return f"Appendix {appendix[1]}", appendix[2].strip()
    if numbered := NUMBERED.match(line):
        return numbered[1], numbered[2].strip()
    if UNNUMBERED.match(line.strip()):
        return "", line.strip().rstrip(".")
    return None
