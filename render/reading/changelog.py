"""The changelog as dated entries. Without a date nothing is announced: a build has no clock to make one up from."""

from __future__ import annotations

import re
from dataclasses import dataclass

RELEASE = re.compile(r"## \[?(?P<name>[^\]\n]+?)\]?(?:\s+[-–(]\s*(?P<date>\d{4}-\d\d-\d\d)\)?)?\s*")
ITEM_DATE = re.compile(r"(\d{4}-\d\d-\d\d):?\s+")
CORRECTIONS = "Corrections"


@dataclass(frozen=True)
class Change:
    """One line of the changelog: its release, heading, date ("" where none is given) and text."""

    release: str
    heading: str
    date: str
    text: str
    line: int

    @property
    def is_correction(self) -> bool:
        """Whether the line corrects what was published."""
        return self.heading == CORRECTIONS


def read_changes(text: str) -> list[Change]:
    """Every item of a changelog: ``## release - date``, ``### heading``, ``- item``.

    An item that begins with a date (``- 2026-12-01: …``) bears it; any other bears that of its release.
    """
    changes: list[Change] = []
    release = heading = date = ""
    for number, line in enumerate(text.split("\n"), 1):
        if found := RELEASE.fullmatch(line):
            release, date, heading = found["name"], found["date"] or "", ""
        elif line.startswith("### "):
            heading = line[4:].strip()
        elif release and line.startswith("- "):
            own = ITEM_DATE.match(line[2:])
            words = line[2 + own.end() :] if own else line[2:]
            changes.append(Change(release, heading, own[1] if own else date, words.strip(), number))
        elif changes and re.match(r"\s+\S", line):
            last = changes[-1]
            changes[-1] = Change(last.release, last.heading, last.date, f"{last.text} {line.strip()}", last.line)
    return changes
