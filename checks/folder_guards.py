"""The guards that read a folder of HTML as one site, each with its rules and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from checks import a11y, budget, csp, links, noscript
from checks.pages import Page
from checks.problems import Problem
from checks.rule import Rule, by_id
from checks.site_files import SiteFiles

UNREADABLE = by_id(
    [Rule("unreadable-file", "error", "Every file can be read.", "make the file readable, or leave it out")]
)
"""What every guard of a folder says of a file that it cannot check."""


@dataclass(frozen=True)
class Request:
    """What a guard is asked about a site: its files, the path it is served under, the file that is sent for a folder
    ("" for none), and what a first visit to a page may weigh."""

    files: SiteFiles
    base: str
    index: str
    sizes: budget.Budget


@dataclass(frozen=True)
class FolderGuard:
    """A guard over a folder of HTML; ``own`` are its settings besides ``rules`` and ``paths``.

    ``facts``: what it keeps of a page of a site that is served under a path, a function of these two alone. ``check``:
    all problems, from what was kept of every page.
    """

    name: str
    describes: str
    rules: Mapping[str, Rule]
    facts: Callable[[Page, str], Any]
    check: Callable[[Sequence[Any], Request], Iterable[Problem]]
    own: tuple[str, ...] = ()


GUARDS = {
    guard.name: guard
    for guard in (
        FolderGuard(
            "links",
            "Check that every link, fragment and file of a folder of HTML leads somewhere.",
            {**links.RULES, **UNREADABLE},
            links.facts_of,
            lambda facts, asked: links.check_links(facts, asked.files, asked.index),
        ),
        FolderGuard(
            "a11y",
            "Check what can be told of accessibility from tags: titles, headings, landmarks, names, labels.",
            {**a11y.RULES, **UNREADABLE},
            lambda page, _: a11y.facts_of(page),
            lambda facts, _: a11y.check_titles(facts),
        ),
        FolderGuard(
            "csp",
            "Check that every page has a strict Content-Security-Policy and keeps to it.",
            {**csp.RULES, **UNREADABLE},
            lambda page, _: tuple(csp.check_page(page)),
            lambda facts, _: chain.from_iterable(facts),
        ),
        FolderGuard(
            "budget",
            "Check what a first visit to each page transfers, and that nothing is asked of another host.",
            {**budget.RULES, **UNREADABLE},
            budget.facts_of,
            lambda facts, asked: budget.check_visits(facts, asked.files, asked.sizes, asked.base),
            budget.SETTINGS,
        ),
        FolderGuard(
            "noscript",
            "Check that pages are complete and usable without script.",
            {**noscript.RULES, **UNREADABLE},
            lambda page, _: tuple(noscript.BOOK.check(page)),
            lambda facts, _: chain.from_iterable(facts),
        ),
    )
}
"""The guards by name."""
