"""Every guard with its rules, as the documentation lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from checks import numbers, unused
from checks.build_rules import BUILD_RULES
from checks.data_rules import DATA_RULES
from checks.folder_guards import GUARDS
from checks.html.rules import RULES as HTML_RULES

__all__ = ["BUILD_RULES", "DATA_RULES", "PUBLISHED_RULES", "Entry", "Section", "sections"]


@dataclass(frozen=True)
class Entry:
    """A rule in a list: id, level (with its verdict where a guard has several) and the sentence that explains it."""

    id: str
    level: str
    explains: str


@dataclass(frozen=True)
class Section:
    """A guard in the list: what it is called, how it is run, what it looks at, its rules."""

    title: str
    command: str
    looks: str
    rules: tuple[Entry, ...]


PUBLISHED_RULES: Mapping[str, tuple[str, str]] = {
    "published-page": ("error", "A page that was published is there or redirected."),
    "published-id": ("error", "A part that was published is there or redirected."),
}
"""Rules of published addresses: level and sentence."""


def _plain(rules: Mapping[str, tuple[str, str]]) -> tuple[Entry, ...]:
    return tuple(Entry(name, level, explains) for name, (level, explains) in rules.items())


def sections() -> list[Section]:
    """The guards in the order of the documentation."""
    found = [
        Section(
            "HTML content model",
            "python -m checks html PATH…",
            "Files, folders or standard input, each text by itself.",
            tuple(Entry(one.id, f"{one.level}, {one.verdict}", one.explains) for one in HTML_RULES.values()),
        )
    ]
    titles = {
        "a11y": "Accessibility",
        "links": "Links",
        "csp": "Content-Security-Policy",
        "budget": "Weight and requests",
        "noscript": "Without script",
    }
    for name, title in titles.items():
        guard = GUARDS[name]
        rules = tuple(Entry(one.id, one.level, one.explains) for one in guard.rules.values())
        found.append(Section(title, f"python -m checks {name} DIR", "A folder of HTML, read as one site.", rules))
    prose = (*numbers.RULES.values(), *unused.RULES.values())
    content = (*(Entry(one.id, one.level, one.explains) for one in prose), *_plain(PUBLISHED_RULES))
    return [
        *found,
        Section("Datasets", "python -m checks data", "The files of data/interactive/.", _plain(DATA_RULES)),
        Section("Content", "python build.py", "The sources of the site, and what it published before.", content),
        Section("Build", "python build.py", "How content and data become pages.", _plain(BUILD_RULES)),
    ]
