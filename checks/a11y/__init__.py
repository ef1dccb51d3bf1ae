"""Guard of accessibility, from the tags alone: what can be told without a style sheet, a script or a browser.

The rest (contrast, focus order on the screen, names that scripts change) is the business of axe in the browser tests.
Needs nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checks.pages import Page
from checks.problems import Problem
from checks.rule import Rule, by_id

from . import page_rules, part_rules

TITLE_UNIQUE = Rule(
    "title-unique",
    "error",
    "Every page has a title of its own.",
    "put what is special to the page first in its title",
)
RULES = by_id([*page_rules.BOOK.rules.values(), TITLE_UNIQUE, *part_rules.BOOK.rules.values()])
"""All rules by id, in the order of the documentation."""


def check_pages(pages: Sequence[Page]) -> Iterator[Problem]:
    """Every problem of the pages of one site; pieces of pages are judged by their parts only."""
    for page in pages:
        if not page.is_fragment:
            yield from page_rules.BOOK.check(page)
        yield from part_rules.BOOK.check(page)
    yield from _same_titles(pages)


def _same_titles(pages: Sequence[Page]) -> Iterator[Problem]:
    """Pages with the title of another; those that only send on to a page do not count."""
    first: dict[str, Page] = {}
    for page in pages:
        title = page_rules.title_of(page)
        if title is None or page.is_fragment or page_rules.is_forwarding(page):
            continue
        text = " ".join(title.text.split())
        other = first.setdefault(text, page)
        if text and other is not page:
            yield TITLE_UNIQUE.at(title, f"the title {text!r} is that of {other.path} too")
