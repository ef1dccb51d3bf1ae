"""``content/numbers.yml``: the digits that prose may carry without a dataset, each pattern with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from checks.problems import Problem
from checks.rule import Rule
from checks.settings import Settings, line_of, text_of

FILE = "content/numbers.yml"
RULE = Rule(
    "allowed-number",
    "error",
    f"{FILE} lists patterns of digits, each with its reason.",
    "write patterns: and below it - {pattern: a regular expression, reason: words}",
)


@dataclass(frozen=True)
class Allowed:
    """A pattern of digits that prose may carry, with the reason."""

    pattern: re.Pattern[str]
    reason: str


def load_allowed(root: Path, report: list[Problem]) -> list[Allowed]:
    """The patterns listed below the project's root; what is no such entry goes to ``report``."""
    settings = Settings(FILE, RULE, RULE.fix, report)
    found = []
    for key, line, value in settings.pairs(settings.read(root)):
        if key != "patterns":
            settings.fault(line, f"unknown key {key!r}: expected patterns")
            continue
        found += [_allowed(settings, entry) for entry in settings.items(value)]
    return [one for one in found if one is not None]


def _allowed(settings: Settings, entry: yaml.Node) -> Allowed | None:
    before = len(settings.report)
    fields = {key: text_of(value) for key, _, value in settings.pairs(entry)}
    pattern, reason = fields.get("pattern"), fields.get("reason")
    if pattern and reason:
        try:
            return Allowed(re.compile(pattern), reason)
        except (re.error, OverflowError) as error:
            settings.fault(line_of(entry), f"the pattern {pattern!r} cannot be used: {error}")
    elif len(settings.report) == before:
        settings.fault(line_of(entry), f"the entry lacks a {'reason' if pattern else 'pattern'}")
    return None
