"""The guards that read a folder of HTML as one site, each with its rules and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from checks import a11y, budget, csp, links, noscript
from checks.pages import Page
from checks.problems import Problem
from checks.rule import Rule, by_id

UNREADABLE = by_id(
    [Rule("unreadable-file", "error", "Every file can be read.", "make the file readable, or leave it out")]
)
"""What every guard of a folder says of a file that it cannot check."""


@dataclass(frozen=True)
class Request:
    """What a guard is asked: a folder with its pages, the path it is served under, the file that stands for a folder
    ("" for none), and what a first visit to a page may weigh."""

    folder: Path
    pages: Sequence[Page]
    base: str
    index: str
    sizes: budget.Budget


@dataclass(frozen=True)
class FolderGuard:
    """A guard over a folder of HTML; ``own`` are its settings besides ``rules`` and ``paths``."""

    name: str
    describes: str
    rules: Mapping[str, Rule]
    check: Callable[[Request], Iterable[Problem]]
    own: tuple[str, ...] = ()


GUARDS = {
    guard.name: guard
    for guard in (
        FolderGuard(
            "links",
            "Check that every link, fragment and file of a folder of HTML leads somewhere.",
            {**links.RULES, **UNREADABLE},
            lambda asked: links.check_folder(asked.folder, asked.base, list(asked.pages), asked.index),
        ),
        FolderGuard(
            "a11y",
            "Check what can be told of accessibility from tags: titles, headings, landmarks, names, labels.",
            {**a11y.RULES, **UNREADABLE},
            lambda asked: a11y.check_pages(asked.pages),
        ),
        FolderGuard(
            "csp",
            "Check that every page has a strict Content-Security-Policy and keeps to it.",
            {**csp.RULES, **UNREADABLE},
            lambda asked: csp.check_pages(asked.pages),
        ),
        FolderGuard(
            "budget",
            "Check what a first visit to each page transfers, and that nothing is asked of another host.",
            {**budget.RULES, **UNREADABLE},
            lambda asked: budget.check_pages(asked.folder, asked.pages, asked.sizes, asked.base),
            budget.SETTINGS,
        ),
        FolderGuard(
            "noscript",
            "Check that pages are complete and usable without script.",
            {**noscript.RULES, **UNREADABLE},
            lambda asked: noscript.check_pages(asked.pages),
        ),
    )
}
"""The guards by name."""
