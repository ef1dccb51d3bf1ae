"""Guard of numbers: prose carries no typed digits, and every printed figure equals its dataset's value.

Two checks. On Markdown: a digit in prose outside code, formulas and roles is an error unless a pattern of the
allow-list (``content/numbers.yml``, each with its reason) covers it. On emitted pages: every number that links to a
figure is read back from its text and compared with the JSON that the page offers.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from checks.pages import Element, Page, read_site
from checks.problems import Problem
from checks.rule import Rule, by_id

# A number standing by itself: not the digits inside a name such as BM25, L2 or sha256.
NUMBER = re.compile(r"(?<![\w.,/])[-−+]?\d+(?:[.,\u202f\u2009]\d+)*(?![\w])|(?<![\w.,/])\d+(?=[a-zµ%])")
PROSE_DIRECTIVES = re.compile(r"\{(?:question|steps)\}")
PROSE_FIELDS = re.compile(r"(summary|title)\s*:\s*(.*)")
UNBOUND = Rule(
    "unbound-number",
    "error",
    "Prose carries no typed numbers.",
    "bind it with {fig}, {param} or {calc}, write it in words, or allow its form in content/numbers.yml",
)
DIFFERS = Rule(
    "figure-differs",
    "error",
    "A printed figure equals its dataset's value, rounded.",
    "print it from the dataset, never by hand",
)
RULES = by_id((UNBOUND, DIFFERS))
"""All rules by id, in the order of the documentation."""
SPACES = "\u202f\u2009\u00a0 "


@dataclass(frozen=True)
class Allowed:
    """A pattern of digits that prose may carry, with the reason."""

    pattern: re.Pattern[str]
    reason: str


def load_allowed(path: Path) -> list[Allowed]:
    """The allow-list; every entry needs a pattern and a reason, otherwise ValueError. No file allows nothing."""
    if not path.is_file():
        return []
    entries = (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).get("patterns", [])
    for entry in entries:
        if not entry.get("pattern") or not entry.get("reason"):
            raise ValueError(f"{path}: {entry!r} lacks a pattern or a reason")
    return [Allowed(re.compile(entry["pattern"]), entry["reason"]) for entry in entries]


def check_prose(text: str, path: str, allowed: Sequence[Allowed]) -> list[Problem]:
    """Every unbound number in the prose of one Markdown file."""
    return sorted(
        Problem(path, line, column, UNBOUND.id, f"the number {number!r} is typed, not measured", UNBOUND.fix)
        for line, column, number in _unbound(text, allowed)
    )


def _unbound(text: str, allowed: Sequence[Allowed]) -> Iterator[tuple[int, int, str]]:
    lines = text.split("\n")
    for start, fragment in _prose(_parser().parse(text), text):
        covered = [match.span() for entry in allowed for match in entry.pattern.finditer(fragment)]
        for match in NUMBER.finditer(fragment):
            if any(begin <= match.start() and match.end() <= end for begin, end in covered):
                continue
            line = start + fragment.count("\n", 0, match.start())
            source = lines[line] if line < len(lines) else ""
            yield line + 1, max(0, source.find(match[0])) + 1, match[0]


def _prose(tokens: Sequence[Token], text: str) -> Iterator[tuple[int, str]]:
    """The prose of a document as (line from 0, text); what is no prose is blanked out."""
    start = 0
    for token in tokens:
        if token.map:
            start = token.map[0]
        if token.type == "inline":
            yield start, _inline_prose(token.children or [])
        elif token.type == "front_matter":
            for number, line in enumerate(token.content.split("\n"), 1):
                if match := PROSE_FIELDS.fullmatch(line):
                    yield start + number, match[2]
        elif token.type == "fence" and PROSE_DIRECTIVES.match(token.info):
            for number, line in enumerate(token.content.split("\n"), 1):
                plain = re.sub(r"^\s*(?:-|\d+\.)?\s*(?:(?:ask|text|why)\s*:\s*)?", "", line)
                inline = _parser().parseInline(plain)
                yield start + number, "".join(_inline_prose(entry.children or []) for entry in inline)


def _inline_prose(children: Sequence[Token]) -> str:
    parts: list[str] = []
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type in ("text", "text_special"):
            parts.append(child.content)
        elif child.type in ("myst_role", "code_inline", "math_inline", "math_inline_double", "image"):
            parts.append("\ufffc")
    return "".join(parts)


@cache
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False}).enable("table")
    md.use(front_matter_plugin).use(deflist_plugin).use(footnote_plugin).use(myst_role_plugin)
    return md.use(dollarmath_plugin, allow_labels=False, allow_digits=False, double_inline=True)


def check_figures(folder: Path, pages: list[Page] | None = None) -> list[Problem]:
    """Every printed figure of a built site that differs from the JSON beside its data page."""
    pages = read_site(folder) if pages is None else pages
    figures = _Figures(folder)
    return [problem for page in pages for problem in _check_page(page, figures)]


def _check_page(page: Page, figures: _Figures) -> Iterator[Problem]:
    for element in page.elements:
        if element.tag != "data":
            continue
        link = element.closest("a")
        if link is None or not link.has_class("num") or "data-num" not in link.attributes:
            continue
        message = _compare(element, link, page, figures)
        if message:
            yield DIFFERS.at(element, message)


def _compare(element: Element, link: Element, page: Page, known: _Figures) -> str:
    """What is wrong with one printed figure, empty where nothing is."""
    target = urlsplit(link.attributes.get("href", ""))
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), target.path))
    name = posixpath.basename(posixpath.dirname(place))
    figure = known.of(place).get(target.fragment.removeprefix("fig-"))
    if figure is None:
        return f"the number {element.text!r} links to {target.fragment!r}, which is no figure of {name}"
    value, percent = figure["value"], link.attributes.get("data-format") == "percent"
    if element.attributes.get("value") != (json.dumps(value) if not isinstance(value, str) else value):
        return f"<data value={element.attributes.get('value')!r}>, but {name} holds {value!r}"
    if not agrees(element.text, value, figure.get("digits"), percent):
        return f"the page prints {element.text!r}, but {name} holds {value!r}"
    return ""


def agrees(text: str, value: Any, digits: int | None, percent: bool = False) -> bool:
    """Whether a printed text is ``value`` rounded to the decimals the text shows (those declared, if any are)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text == {True: "yes", False: "no", None: "none"}.get(value, str(value))
    plain = text.translate({ord(space): None for space in SPACES}).replace("−", "-")
    try:
        printed = Decimal(plain)
    except InvalidOperation:
        return False
    exponent = printed.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    if digits is not None and decimals != (max(0, digits - 2) if percent else digits):
        return False
    exact = Decimal(repr(value)) * (100 if percent else 1)
    step = Decimal(1).scaleb(-decimals)
    return printed in {exact.quantize(step, rule) for rule in (ROUND_HALF_EVEN, ROUND_HALF_UP)}


class _Figures:
    """The figures of the datasets of one built site, each file read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read: dict[str, dict[str, Any]] = {}

    def of(self, place: str) -> dict[str, Any]:
        """The figures behind the data page at ``place``; empty where there is no such page."""
        where = posixpath.dirname(place)
        if where not in self.read:
            file = self.folder / where / f"{posixpath.basename(where)}.json"
            data = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
            self.read[where] = data.get("figures", {})
        return self.read[where]
