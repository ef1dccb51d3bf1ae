"""Every rule of the guard by its id."""

from __future__ import annotations

from .content_rules import NON_CONFORMING
from .rule import Rule
from .unstable_rules import UNSTABLE

_UNREADABLE = Rule(
    "unreadable-file",
    "unreadable",
    "error",
    "The file cannot be read.",
    "{detail}",
    "Nothing in it was checked",
    "make it readable, or leave it out",
)

RULES: dict[str, Rule] = {rule.id: rule for rule in (*UNSTABLE, *NON_CONFORMING, _UNREADABLE)}
"""All rules by id, in the order of the documentation."""


def is_unstable(rule: str) -> bool:
    """Whether this rule says that a browser builds another tree."""
    return RULES[rule].verdict == "unstable"
