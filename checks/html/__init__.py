"""The HTML guard: finds tags that a browser reads otherwise than they are written, and broken content models.

Needs nothing but the standard library. Two verdicts are kept apart (``rules.RULES``): *unstable* (a browser's parser
builds another tree than the tags say) and *non-conforming* (the tree is as written, the standard forbids it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from checks.problems import Problem

from .config import Config, ConfigError
from .files import inspect, inspect_paths
from .guard import Guard
from .rule import Rule
from .rules import RULES, is_unstable
from .written import Tree, written_tree

__all__ = [
    "RULES",
    "Config",
    "ConfigError",
    "Rule",
    "Tree",
    "check",
    "check_paths",
    "inspect",
    "is_stable",
    "written_tree",
]


def check(text: str, path: str, config: Config | None = None) -> list[Problem]:
    """All problems of one page or fragment in document order; ``path`` names it and selects path settings."""
    return [located.problem for located in inspect(text, path, config)]


def check_paths(paths: Iterable[str | Path], config: Config | None = None) -> Iterator[Problem]:
    """All problems of files and of the HTML files in folders; unreadable files are problems too."""
    for _, located in inspect_paths(paths, config):
        for one in located:
            yield one.problem


def is_stable(text: str, fragment: bool | None = None) -> bool:
    """Whether browsers build the very tree that the tags say, with scripting on and off; levels do not matter.

    ``fragment`` says whether the text is a piece of a page: None decides by looking for doctype and document tags.
    """
    return not any(is_unstable(finding.rule) for finding in Guard(text, fragment).run())
