"""Guard of printed figures: every number that links to a figure is read back from its text and compared with the JSON
that the page offers. The other half, prose without typed numbers, is in ``checks/prose.py``."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from checks import allowed
from checks.addresses import split
from checks.pages import Element, Page, read_site
from checks.problems import Problem
from checks.prose import IN_WORDS, UNBOUND, UNREAD, check_prose
from checks.rule import Rule, by_id
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
    target = split(link.attributes.get("href", ""))
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), target.path))
    name = posixpath.basename(posixpath.dirname(place))
    figure = known.of(place).get(target.fragment.removeprefix("fig-"))
    if figure is None:
        return f"the number {element.text!r} links to {target.fragment!r}, which is no figure of {name}"
    how = link.attributes.get("data-format")
    value, percent = figure["value"], how == "percent"
    if how == "interval":
        bounds = figure.get("interval") or [None, None]
        value = bounds[1 if element.has_class("high") else 0]
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
        self.read: dict[str, Figures] = {}

    def of(self, place: str) -> Figures:
        """The figures behind the data page at ``place``; empty where there is no such page."""
        where = posixpath.dirname(place)
        if where not in self.read:
            file = self.folder / where / f"{posixpath.basename(where)}.json"
            data = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
            self.read[where] = figures_of(data)
        return self.read[where]
