"""From findings with offsets to problems with lines, columns and sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from checks.problems import Level, Problem

from .findings import Finding
from .rules import RULES

_BREAK = re.compile(r"\r\n?|\n")


class Positions:
    """Line and column (both from 1, columns in characters) of offsets into one text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _BREAK.finditer(text))]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@dataclass(frozen=True)
class Related:
    """Another element that a finding speaks about."""

    role: str  # "limit" or "through"
    element: str
    line: int
    column: int


@dataclass(frozen=True)
class Located:
    """A finding with its position: the problem, its verdict, and the other elements in it."""

    problem: Problem
    verdict: str
    related: tuple[Related, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Plain JSON-ready values."""
        related = [vars(one).copy() for one in self.related]
        return {**self.problem.as_dict(), "verdict": self.verdict, "related": related}


def locate(finding: Finding, path: str, level: Level, positions: Positions) -> Located:
    """Place a finding and word it: offender, limit, what is between, what a browser does, how to fix it."""
    rule = RULES[finding.rule]
    line, column = positions.at(finding.offset)
    related = []
    other = finding.other
    if finding.other_offset >= 0:
        at = positions.at(finding.other_offset)
        related.append(Related("limit", finding.other, *at))
        other = f"{finding.other} ({at[0]}:{at[1]})"
    between = [Related("through", name, *positions.at(offset)) for name, offset in finding.through]
    through = ", ".join(f"{one.element} ({one.line}:{one.column})" for one in between)
    words = {
        "element": finding.element,
        "other": other or "this element",
        "detail": finding.detail,
        "detail_after": f": {finding.detail} closed what is around it before" if finding.detail else "",
        "through": f", through {through}" if through else "",
        "inside": f" inside {other}" if other else "",
        "not_inside": f", not in {other}" if other else "",
    }
    says = rule.says.format_map(words)
    message = f"{says}; {rule.browser.format_map(words)}" if rule.verdict == "unstable" else f"{says}. {rule.browser}"
    words["other"] = finding.other or "the parent"
    problem = Problem(path, line, column, rule.id, message, rule.fix.format_map(words), level)
    return Located(problem, rule.verdict, tuple(related + between))
