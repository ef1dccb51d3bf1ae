"""What a rule is: what it says, what a browser does, how to fix it.

A rule is a declaration. ``says`` is the message (``{element}`` the offender, ``{other}`` the element that sets the
limit, ``{detail}`` what only the occurrence knows; positions are added by the guard), ``browser`` what a browser does
here, ``fix`` the remedy. ``unstable`` rules mean that a browser builds another tree than the tags say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from checks.problems import Level

VerdictName = Literal["unstable", "non-conforming", "unreadable"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; ``explains`` is the sentence for lists and documentation."""

    id: str
    verdict: VerdictName
    level: Level
    explains: str
    says: str
    browser: str
    fix: str


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule broken in some state: the names of the ancestor that sets the limit, and the tags a browser would add."""

    rule: str
    ancestors: frozenset[str] = frozenset()
    implies: tuple[str, ...] = ()
    detail: str = ""


def unstable(id: str, explains: str, says: str, browser: str, fix: str) -> Rule:
    """A rule whose breach gives another tree than written."""
    return Rule(id, "unstable", "error", explains, says, browser, fix)


def non_conforming(id: str, explains: str, says: str, fix: str, browser: str = "", level: Level = "error") -> Rule:
    """A rule whose breach leaves the tree as written."""
    return Rule(id, "non-conforming", level, explains, says, browser or _AS_WRITTEN, fix)


_AS_WRITTEN = "A browser keeps the tree as written, but the standard gives it no meaning"
