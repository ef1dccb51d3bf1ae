"""What the guards of a built site need from one page, as a small record: computed once, wherever the page is at hand,
kept as long as the page stays as it is, and enough to check the site without its pages (``checks.site.check_facts``).

A record is made of tuples, words and numbers: it can be pickled, and it crosses between processes.
"""

from __future__ import annotations

from dataclasses import dataclass

from checks.a11y import Titled
from checks.budget import Visit
from checks.folder_guards import GUARDS
from checks.html import Config, check
from checks.ids import Named
from checks.ids import facts_of as ids_of
from checks.links import Linked
from checks.numbers import Figured
from checks.numbers import facts_of as figures_of
from checks.pages import read_page
from checks.problems import Problem


@dataclass(frozen=True)
class PageSettings:
    """All that the facts of a page depend on besides its text and path: the path that the site is served under, and
    whether texts are pieces of pages (None: as each looks)."""

    base: str = "/"
    fragment: bool | None = None


@dataclass(frozen=True)
class PageFacts:
    """What each guard needs from one page. Problems that depend on the page alone are in it, at their usual levels."""

    path: str
    html: tuple[Problem, ...]
    links: Linked
    a11y: Titled
    csp: tuple[Problem, ...]
    budget: Visit
    noscript: tuple[Problem, ...]
    figures: Figured
    ids: Named


def page_facts(text: str, path: str, settings: PageSettings | None = None) -> PageFacts:
    """The facts of the page ``text`` at ``path`` below the site's root: a function of its arguments alone."""
    settings = settings or PageSettings()
    page = read_page(text, path)
    return PageFacts(
        path,
        html=tuple(check(text, path, Config(fragment=settings.fragment))),
        figures=figures_of(page),
        ids=ids_of(page),
        **{name: guard.facts(page, settings.base) for name, guard in GUARDS.items()},
    )
