"""Every guard with its rules, as the documentation lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from checks import numbers, unused
from checks.folder_cli import GUARDS
from checks.html.rules import RULES as HTML_RULES


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


DATA_RULES: Mapping[str, tuple[str, str]] = {
    "json": ("error", "The file is a JSON object."),
    "provenance": ("error", "The dataset says what made it."),
    "schema": ("error", "The block has the shape of block.schema.json."),
    "name": ("error", "Name, file and schema agree."),
    "script": ("error", "The script that made it is there, is its capture, and is among the hashed code."),
    "command": ("error", "The command that makes it again is that of a registered capture."),
    "dirty": ("error", "It was captured from committed code and inputs."),
    "stale": ("error", "Code and inputs are those it was captured from (a warning while its stale_ok holds)."),
    "equivalent": ("warning", "Code changed since, and the canary run still gives the same."),
    "edited": ("error", "Nobody edited the file by hand."),
    "figure-pointer": ("error", "A figure equals the place in the result that it names."),
    "timing": ("error", "A reading that varies has its sample and interval, and names processor and cores."),
    "excerpt": ("error", "An excerpt names its document and licence and is short."),
    "one-run": ("error", "All rows come from one run."),
    "commit": ("error", "The commit is in the history (a warning where there was no version control)."),
    "commit-skipped": ("warning", "There was no history to look the commit up in."),
}
"""Rules of ``python -m checks data``: level and sentence."""

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
    ]
