"""Contract text (exhibits of filings printed to PDF and read back) to clean text, pages and clauses.

These files give a paragraph as one long line with a blank line after it. A page of the PDF ends in a run of four
or more blank lines, in many files after a line "Source: COMPANY, FORM, DATE" that the printing added. The contract
itself prints page numbers too, at the foot of the same page or, when it was paged before, in the middle of one.

Page starts are kept only where such marks stand: "Source:" lines at the page ends, or printed numbers that count
up. A file with neither has no pages.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from harness.corpus.clauses import find_clauses
from harness.corpus.parsed import Parsed

GAP_LINES = 4
"""Blank lines in a row from which on they are the end of a page."""
SOURCE = re.compile(r"Source: .{2,90}, [\w /()-]{1,20}, \d{1,2}/\d{1,2}/\d{4}$")
MARK = re.compile(
    r"^(?:[\W_]{0,3}(?:page|pg\.?)?[\W_]{0,3})"
    r"(?P<prefix>(?:exhibit |schedule )?(?:[A-Z]{1,2}[-–. ]{1,3})?)(?P<number>\d{1,3}|[ivxl]{1,6})"
    r"(?:\s*of\s*\d{1,3})?(?:\s*[│|]\s*page)?[\W_]{0,4}$",
    re.IGNORECASE,
)
FOOT_NUMBER = re.compile(r"\bpage (\d{1,3})\b|^(\d{1,3}) |[ -](\d{1,3})$", re.IGNORECASE)
FUSED = re.compile(r"^(?P<rest>.*\S) [-–]? ?(?:page )?(?P<number>\d{1,3}|[ivxl]{1,6})(?: of \d{1,3})? ?[-–]?$", re.I)
MOJIBAKE = re.compile(
    r"[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]{1,3}"
)
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
SENTENCE_END = tuple('.:;!?)"”]')
PAGE_CHARACTERS = 250
"""Two printed page numbers are at least this many characters apart; numbers in a list are closer."""
PAGE_CHARACTERS_MOST = 15_000


@dataclass
class Page:
    """Lines of one page of the PDF (white space folded, "" for a blank one) and the label printed on it."""

    lines: list[str]
    label: str | None = None
    foot: str | None = None
    """The figure of a running foot that was taken out."""


@dataclass(frozen=True)
class Mark:
    """A printed number alone on its line: where it stands and how it is printed."""

    page: int
    line: int
    shape: str
    value: int
    offset: int
    label: str


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
    aligned = label_pages(pages, sure=sourced)
    printed = split_printed(pages)
    if sourced or aligned or not printed:
        return assemble(pages, paged=sourced or aligned)
    return assemble(printed, paged=True)


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
            continue
        if (blanks >= GAP_LINES or ended) and any(pages[-1].lines):
            pages.append(Page([]))
            marked += ended
        blanks, ended = 0, False
        if SOURCE.search(line):
            ended = True
            line = SOURCE.sub("", line).strip()
        pages[-1].lines.append(line)
    return pages, (marked + ended) >= 0.9 * len(pages) and marked + ended > 0


def drop_running(pages: Sequence[Page]) -> None:
    """Take out running heads and feet: what, figures aside, begins or ends two pages in five (three at least).

    A foot may be fused with the paragraph before it. A figure in it ("LICENCE AGREEMENT, Page 4") is kept
    in ``Page.foot``: it may become the label.
    """
    needed = max(3, round(0.4 * len(pages)))
    for last in (False, True, True):
        edges = [(page, index) for page in pages if (index := _edge(page.lines, last)) is not None]
        running = _shared([page.lines[index].split(" ") for page, index in edges], last, needed)
        for page, index in edges:
            line = page.lines[index]
            words = line.split(" ")
            length = len(running)
            edge = words[-length:] if last else words[:length]
            if not running or [_shape(word) for word in edge] != running or MARK.match(line):
                continue
            kept = words[:-length] if last else words[length:]
            if kept and not last:
                continue
            foot = " ".join(edge)
            number = FOOT_NUMBER.search(foot) if last else None
            page.lines[index] = " ".join(kept)
            if number:
                page.foot = (number[1] or number[2] or number[3]).strip()


def _shared(lines: Sequence[Sequence[str]], last: bool, needed: int) -> list[str]:
    """The longest run of words, figures as "#", that ``needed`` lines share at that end; [] when too short to tell."""
    shapes = [[_shape(word) for word in line] for line in lines]
    for length in range(60, 1, -1):
        edges = Counter(
            tuple(shape[-length:] if last else shape[:length])
            for shape in shapes
            if len(shape) == length or (last and len(shape) > length)
        )
        if not edges:
            continue
        edge, count = max(edges.items(), key=lambda item: (item[1], item[0]))
        paged = any(word.lower() == "page" for word in edge) and "#" in " ".join(edge)
        if count >= needed and (paged or length >= 4 or (length >= 2 and len(" ".join(edge)) > 16)):
            return list(edge)
    return []


def _edge(lines: Sequence[str], last: bool) -> int | None:
    order = range(len(lines) - 1, -1, -1) if last else range(len(lines))
    return next((index for index in order if lines[index]), None)


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", line)


def label_pages(pages: Sequence[Page], sure: bool) -> bool:
    """Move printed numbers at the foot (or head) of the pages into their labels, when they count up with the pages.

    Returns whether three pages or more, and three in five, carry one. When they do not and the pages are not
    ``sure`` from another mark, nothing is changed.
    """
    found: list[tuple[int, int, tuple[str, ...], str, str]] = []
    for number, page in enumerate(pages):
        if page.foot:
            found.append((number, -1, ("foot", "", "True", str(int(page.foot) - number)), "", page.foot))
        for last in (True, False):
            index = _edge(page.lines, last)
            if index is None:
                continue
            bare = MARK.match(page.lines[index])
            fused = None if bare or not last else FUSED.match(page.lines[index])
            match = bare or fused
            if match:
                rest = fused["rest"] if fused else ""
                prefix = bare["prefix"].strip(" -–.") if bare else ""
                kind = (
                    str(last),
                    prefix.lower(),
                    str(match["number"].isdigit()),
                    str(_value(match["number"]) - number),
                )
                label = f"{prefix}-{match['number']}" if prefix else match["number"]
                found.append((number, index, kind, rest, label))
    runs = Counter(kind for _, _, kind, _, _ in found)
    enough = max(3, 0.2 * len(pages))
    kept = [one for one in found if runs[one[2]] >= (enough if one[3] else 2)]
    labelled = {number: label for number, _, _, _, label in reversed(kept)}
    counts = len(labelled) >= 3 and len(labelled) >= 0.6 * len(pages)
    if counts or sure:
        for number, index, _, rest, _ in kept:
            if index >= 0:
                pages[number].lines[index] = rest
            pages[number].label = labelled[number]
    return counts


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    digits = [ROMAN[letter] for letter in number.lower()]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))


def split_printed(pages: Sequence[Page]) -> list[Page]:
    """Pages by printed numbers alone on a line that count up, wherever they stand; [] when they mark no pages.

    Numbers that count up are taken out of ``pages`` in any case.
    """
    marks: list[Mark] = []
    offset = 0
    for number, page in enumerate(pages):
        for index, line in enumerate(page.lines):
            if line and len(line) <= 24 and (match := MARK.match(line)):
                shape = re.sub(r"\d+|\b[ivxl]+\b", "#", line.lower())
                marks.append(Mark(number, index, shape, _value(match["number"]), offset, match["number"]))
            offset += len(line) + 1
    kept = {(mark.page, mark.line): mark for chain in _chains(marks) if len(chain) >= 2 for mark in chain}
    made = [Page([])]
    for number, page in enumerate(pages):
        for index, line in enumerate(page.lines):
            if mark := kept.get((number, index)):
                made[-1].label = mark.label
                made.append(Page([]))
                page.lines[index] = ""
            else:
                made[-1].lines.append(line)
        made[-1].lines.append("")
    return [page for page in made if any(page.lines)] if _marks_pages(list(kept.values()), offset) else []


def _marks_pages(kept: Sequence[Mark], length: int) -> bool:
    """Do the numbers mark every page? One chain from the first page to the last, no holes, at the distance of pages."""
    chain = max(_chains(kept), key=len, default=[])
    if len(chain) < 3 or chain[0].value > 3 or len(chain) < 0.6 * len(kept):
        return False
    whole = len(chain) >= 0.9 * (chain[-1].value - chain[0].value + 1)
    ends = [0, *(mark.offset for mark in chain), length]
    return whole and all(b - a <= PAGE_CHARACTERS_MOST for a, b in itertools.pairwise(ends))


def _chains(marks: Sequence[Mark]) -> list[list[Mark]]:
    """Marks of one shape that count up by one (or two, when one is missing) at the distance of pages."""
    chains: list[list[Mark]] = []
    for mark in marks:
        for chain in reversed(chains):
            last = chain[-1]
            step = mark.value - last.value
            if last.shape == mark.shape and step in (1, 2) and mark.offset - last.offset >= PAGE_CHARACTERS * step:
                chain.append(mark)
                break
        else:
            chains.append([mark])
    return chains


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
