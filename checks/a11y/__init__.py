"""Guard of accessibility, from the tags alone: what can be told without a style sheet, a script or a browser.

The rest (contrast, focus order on the screen, names that scripts change) is the business of axe in the browser tests.
Needs nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from checks.pages import Page
from checks.problems import Problem
from checks.rule import Place, Rule, by_id

from . import page_rules, part_rules

TITLE_UNIQUE = Rule(
    "title-unique",
    "error",
    "Every page has a title of its own.",
    "put what is special to the page first in its title",
)
RULES = by_id([*page_rules.BOOK.rules.values(), TITLE_UNIQUE, *part_rules.BOOK.rules.values()])
"""All rules by id, in the order of the documentation."""


class Titled(NamedTuple):
    """What this guard keeps of a page: the problems of its own, and the title that no other page may have, with its
    place; empty where that does not count."""

    path: str
    problems: tuple[Problem, ...]
    title: str = ""
    place: Place = (0, 0)


def check_pages(pages: Iterable[Page]) -> Iterator[Problem]:
    """Every problem of the pages of one site; pieces of pages are judged by their parts only."""
    return check_titles([facts_of(page) for page in pages])


def facts_of(page: Page) -> Titled:
    """What this guard needs of one page."""
    whole = () if page.is_fragment else page_rules.BOOK.check(page)
    problems = (*whole, *part_rules.BOOK.check(page))
    title = page_rules.title_of(page)
    if title is None or page.is_fragment or page_rules.is_forwarding(page):
        return Titled(page.path, problems)
    return Titled(page.path, problems, " ".join(title.text.split()), title.place)


def check_titles(facts: Iterable[Titled]) -> Iterator[Problem]:
    """The problems of the pages, then each title that is that of an earlier page; pages that only send on to another
    do not count."""
    first: dict[str, str] = {}
    same = []
    for page in facts:
        yield from page.problems
        if page.title and first.setdefault(page.title, page.path) != page.path:
            same.append((page, f"the title {page.title!r} is that of {first[page.title]} too"))
    for page, message in same:
        yield TITLE_UNIQUE.placed(page.path, page.place, message)
