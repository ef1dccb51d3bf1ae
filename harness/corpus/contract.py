"""Contract text (exhibits of filings printed to PDF and read back) to clean text, pages and clauses.

These files give a paragraph as one long line with a blank line after it. A page of the PDF ends in a run of four
or more blank lines, in many files after a line "Source: COMPANY, FORM, DATE" that the printing added. The contract
itself prints page numbers too, at the foot of the same page or, when it was paged before, in the middle of one.

Page starts are kept only where such marks stand: "Source:" lines at the page ends, or printed numbers that count
up. A file with neither has no pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.corpus.clauses import find_clauses
from harness.corpus.parsed import Parsed

GAP_LINES = 4
"""Blank lines in a row from which on they are the end of a page."""
SOURCE = re.compile(r"Source: .{2,90}, [\w /-]{1,12}, \d{1,2}/\d{1,2}/\d{4}$")
MARK = re.compile(
    r"^(?:[\W_]{0,3}(?:page|pg\.?)?[\W_]{0,3})"
    r"(?P<prefix>(?:exhibit |schedule )?[A-Z]{0,2}[-–. ]{0,3})(?P<number>\d{1,3}|[ivxl]{1,6})"
    r"(?:\s*of\s*\d{1,3})?(?:\s*[│|]\s*page)?[\W_]{0,4}$",
    re.IGNORECASE,
)
FUSED = re.compile(
    r"^(?P<rest>.*\S) {2,}[-–]? ?(?:page )?(?P<number>\d{1,3}|[ivxl]{1,6})(?: of \d{1,3})? ?[-–]?$", re.I
)
MOJIBAKE = re.compile(
    r"[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]{1,3}"
)
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
SENTENCE_END = tuple('.:;!?)"”]')
PAGE_CHARACTERS = 250
"""Two printed page numbers stand at least this many characters apart; numbers in a list stand closer."""


@dataclass
class Page:
    """Lines of one page of the PDF (white space folded, "" for a blank one) and the label printed on it."""

    lines: list[str]
    label: str | None = None
    raw: list[str] = field(default_factory=list)


def decode(raw: bytes) -> str:
    """UTF-8, else cp1252; UTF-8 once read as cp1252 is put right; soft hyphens and zero-width spaces are dropped."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return repair(text).translate({0xAD: None, 0x200B: None, 0xFEFF: None})


def repair(text: str) -> str:
    """Put right runs such as "â€™" that are UTF-8 read as cp1252: only a run whose bytes decode as UTF-8."""

    def again(match: re.Match[str]) -> str:
        try:
            return match[0].encode("cp1252").decode("utf-8")
        except UnicodeError:
            return match[0]

    return MOJIBAKE.sub(again, text)


def parse(raw: bytes) -> Parsed:
    """Parse the bytes of one contract. Page starts are empty when neither printing nor numbering marks the pages."""
    pages, sourced = split_pages(decode(raw))
    drop_running(pages)
    aligned = label_pages(pages)
    if sourced or aligned:
        return assemble(pages, paged=len(pages) > 1)
    lines = [line for page in pages for line in (*page.lines, "")]
    printed = split_printed(lines)
    if printed:
        return assemble(printed, paged=True)
    return assemble(pages, paged=False)


def split_pages(text: str) -> tuple[list[Page], bool]:
    """The PDF's pages, and whether "Source:" lines mark their ends (on at least nine of ten)."""
    pages = [Page([])]
    blanks = marked = 0
    ended = False
    for raw in text.replace("\f", "\n" * (GAP_LINES + 1)).split("\n"):
        line = " ".join(raw.split())
        if not line:
            blanks += 1
            pages[-1].lines.append("")
            pages[-1].raw.append("")
            continue
        if (blanks >= GAP_LINES or ended) and any(pages[-1].lines):
            pages.append(Page([]))
            marked += ended
        blanks, ended = 0, False
        if SOURCE.search(line):
            ended = True
            line = SOURCE.sub("", line).strip()
            raw = re.sub(r"\s*Source: [^\n]*$", "", raw)
        pages[-1].lines.append(line)
        pages[-1].raw.append(raw.rstrip())
    return pages, (marked + ended) >= 0.9 * len(pages) and marked + ended > 0


def drop_running(pages: Sequence[Page]) -> None:
    """Take out running lines: the first or last line of a page that, figures aside, two pages in five share.

    A figure in such a foot line ("LICENCE AGREEMENT, Page 4") is kept as the page's label when it counts up.
    """
    for last in (False, True, True):
        shapes: Counter[str] = Counter()
        for page in pages:
            index = _edge(page.lines, last)
            if index is not None and len(page.lines[index]) <= 300:
                shapes[_shape(page.lines[index])] += 1
        for page in pages:
            index = _edge(page.lines, last)
            if index is None:
                continue
            shape = _shape(page.lines[index])
            if MARK.match(page.lines[index]) or shapes[shape] < max(3, 0.4 * len(pages)):
                continue
            number = re.search(r"^\d{1,3}\b|\b\d{1,3}$|\bpage (\d{1,3})\b", page.lines[index], re.IGNORECASE)
            page.lines[index] = page.raw[index] = (number[1] or number[0]) if number and last else ""


def _edge(lines: Sequence[str], last: bool) -> int | None:
    order = range(len(lines) - 1, -1, -1) if last else range(len(lines))
    return next((index for index in order if lines[index]), None)


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", line)


def label_pages(pages: Sequence[Page]) -> bool:
    """Move printed numbers at the foot (or head) of the pages into their labels, when they count up with the pages.

    Returns whether three pages or more, and three in five, carry one.
    """
    found: list[tuple[int, int, str, str | None]] = []
    for number, page in enumerate(pages):
        for last in (True, False):
            index = _edge(page.lines, last)
            if index is None:
                continue
            bare = MARK.match(page.lines[index])
            fused = None if bare or not last else FUSED.match(page.raw[index])
            match = bare or fused
            if match:
                rest = " ".join(fused["rest"].split()) if fused else ""
                prefix = bare["prefix"].strip(" -–.").lower() if bare else ""
                found.append((number, index, f"{last}\0{prefix}\0{match['number']}", rest))
    runs = Counter(_run(number, key) for number, _, key, _ in found)
    kept = 0
    for number, index, key, rest in found:
        run = _run(number, key)
        if runs[run] < 2 or (not run[2] and runs[run] < 3 and rest):
            continue
        prefix, printed = key.split("\0")[1:]
        page = pages[number]
        if page.label is None:
            kept += 1
            page.label = f"{prefix.upper()}-{printed}" if prefix else printed
        page.lines[index] = rest or ""
        page.raw[index] = rest or ""
    return kept >= 3 and kept >= 0.6 * len(pages)


def _run(page: int, key: str) -> tuple[str, str, bool, int]:
    last, prefix, number = key.split("\0")
    value = _value(number)
    return last, prefix, number.isdigit(), value - page


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    digits = [ROMAN[letter] for letter in number.lower()]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))


def split_printed(lines: Sequence[str]) -> list[Page]:
    """Pages by printed numbers alone on a line that count up, wherever they stand; [] when they mark no pages."""
    marks: list[tuple[int, str, int, int, str]] = []
    offset = 0
    for index, line in enumerate(lines):
        if line and len(line) <= 24 and (match := MARK.match(line)):
            shape = re.sub(r"\d+|\b[ivxl]+\b", "#", line.lower())
            marks.append((index, shape, _value(match["number"]), offset, match["number"]))
        offset += len(line) + 1
    chains: list[list[tuple[int, str, int, int, str]]] = []
    for mark in marks:
        for chain in chains:
            _, shape, value, place, _ = chain[-1]
            if (
                shape == mark[1]
                and mark[2] - value in (1, 2)
                and mark[3] - place >= PAGE_CHARACTERS * (mark[2] - value)
            ):
                chain.append(mark)
                break
        else:
            if mark[2] <= 3:
                chains.append([mark])
    kept = sorted(mark for chain in chains if len(chain) >= 2 for mark in chain)
    if len(kept) < 3 or len(kept) < 0.6 * len([mark for mark in marks if mark[2] > 0]):
        return []
    pages = [Page([])]
    ends = {mark[0]: mark[4] for mark in kept}
    for index, line in enumerate(lines):
        if index in ends:
            pages[-1].label = ends[index]
            pages.append(Page([]))
        else:
            pages[-1].lines.append(line)
    return [page for page in pages if any(page.lines) or page.label is not None]


def assemble(pages: Sequence[Page], paged: bool) -> Parsed:
    """One text of the pages' paragraphs; a paragraph that runs over a page break is joined."""
    text = ""
    starts: list[tuple[int, int, str | None]] = []
    for number, page in enumerate(pages, start=1):
        blocks = re.split(r"\n\n+", "\n".join(page.lines).strip("\n"))
        for index, block in enumerate(block for block in blocks if block.strip()):
            if text:
                text += " " if index == 0 and _continues(text, block) else "\n\n"
            if index == 0:
                starts.append((len(text), number, page.label))
            text += block
    text += "\n"
    return Parsed(text, tuple(starts) if paged and len(starts) > 1 else (), find_clauses(text))


def _continues(text: str, block: str) -> bool:
    """Does the paragraph that ends ``text`` go on in ``block``? (No sentence end before, a lower-case letter after.)"""
    return not text.endswith(SENTENCE_END) and block[0].islower()
