"""Guard of printed figures: every number that links to a figure is read back from its text and compared with the JSON
that the page offers. The other half, prose without typed numbers, is in ``checks/prose.py``."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

from checks import allowed
from checks.addresses import split
from checks.pages import Element, Page, read_site
from checks.problems import Problem
from checks.prose import IN_WORDS, UNBOUND, UNREAD, check_prose
from checks.rule import Place, Rule, by_id
from checks.site_files import FolderFiles, SiteFiles
from provenance.figures import Figures, figures_of

__all__ = ["RULES", "agrees", "check_figures", "check_prose"]

DIFFERS = Rule(
    "figure-differs",
    "error",
    "A printed figure equals its dataset's value, rounded.",
    "print it from the dataset, never by hand",
)
RULES = by_id((UNBOUND, IN_WORDS, allowed.RULE, UNREAD, DIFFERS))
"""All rules by id, in the order of the documentation."""
SPACES = "\u202f\u2009\u00a0 "


class Printed(NamedTuple):
    """A figure as a page prints it: the data page and the fragment there that it links to, the ``data-format`` of the
    link, whether it is the upper end of an interval, its ``value`` and its text."""

    page: str
    fragment: str
    how: str
    high: bool
    value: str | None
    text: str


class Figured(NamedTuple):
    """What this guard keeps of a page: its printed figures, each with the lines and columns where it stands."""

    path: str
    printed: tuple[tuple[Printed, tuple[Place, ...]], ...]


def check_figures(folder: Path, pages: list[Page] | None = None) -> list[Problem]:
    """Every printed figure of a built site that differs from the JSON beside its data page."""
    pages = read_site(folder) if pages is None else pages
    return list(check_printed(map(facts_of, pages), FolderFiles(folder)))


def facts_of(page: Page) -> Figured:
    """What this guard needs of one page."""
    found: dict[Printed, list[Place]] = {}
    for element in page.tagged("data"):
        link = element.closest("a")
        if link is not None and link.has_class("num") and "data-num" in link.attributes:
            found.setdefault(_printed(element, link), []).append(element.place)
    return Figured(page.path, tuple((one, tuple(places)) for one, places in found.items()))


def _printed(element: Element, link: Element) -> Printed:
    target = split(link.attributes.get("href", ""))
    return Printed(
        posixpath.normpath(posixpath.join(posixpath.dirname(element.page.path), target.path)),
        target.fragment,
        link.attributes.get("data-format", ""),
        element.has_class("high"),
        element.attributes.get("value"),
        element.text,
    )


def check_printed(facts: Iterable[Figured], files: SiteFiles) -> Iterator[Problem]:
    """Every printed figure that differs from the JSON beside its data page among ``files``."""
    known = _Known(files)
    verdicts: dict[Printed, str] = {}
    for page in facts:
        for one, places in page.printed:
            if one not in verdicts:
                verdicts[one] = _compare(one, known)
            if verdicts[one]:
                yield from (DIFFERS.placed(page.path, place, verdicts[one]) for place in places)


def _compare(one: Printed, known: _Known) -> str:
    """What is wrong with one printed figure, empty where nothing is."""
    name = posixpath.basename(posixpath.dirname(one.page))
    figure = known.of(one.page).get(one.fragment.removeprefix("fig-"))
    if figure is None:
        return f"the number {one.text!r} links to {one.fragment!r}, which is no figure of {name}"
    value = figure["value"]
    if one.how == "interval":
        value = (figure.get("interval") or [None, None])[one.high]
    if one.value != (json.dumps(value) if not isinstance(value, str) else value):
        return f"<data value={one.value!r}>, but {name} holds {value!r}"
    if not agrees(one.text, value, figure.get("digits"), one.how == "percent"):
        return f"the page prints {one.text!r}, but {name} holds {value!r}"
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


class _Known:
    """The figures of the datasets of one built site, each file read once."""

    def __init__(self, files: SiteFiles) -> None:
        self.files = files
        self.read: dict[str, Figures] = {}

    def of(self, place: str) -> Figures:
        """The figures behind the data page at ``place``; empty where there is no such page."""
        where = posixpath.dirname(place)
        if where not in self.read:
            file = posixpath.join(where, f"{posixpath.basename(where)}.json")
            data = json.loads(self.files.read(file)) if self.files.is_file(file) else {}
            self.read[where] = figures_of(data)
        return self.read[where]
