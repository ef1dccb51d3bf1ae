"""``content/redirects.yml``: pages and fragments that were published under another name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from checks.problems import Problem
from checks.texts import read_text
from checks.yaml_text import read_yaml

FILE = "content/redirects.yml"
PAGE = re.compile(r"(?!/)(?:[\w-]+/)*[\w-]+\.html")
FRAGMENT = re.compile(r"[A-Za-z][\w.:-]*")


@dataclass(frozen=True)
class PageMove:
    """A page once published as ``old``; ``new`` may carry a fragment."""

    old: str
    new: str
    line: int


@dataclass(frozen=True)
class FragmentMove:
    """A part of ``page`` once published as ``#old``; ``new`` is a fragment there, or a page with one."""

    page: str
    old: str
    new: str
    line: int

    @property
    def target(self) -> str:
        """Page and fragment that the part is found under today."""
        return self.new if ".html" in self.new else f"{self.page}#{self.new}"


@dataclass(frozen=True)
class Moves:
    """Every redirect of the site."""

    pages: tuple[PageMove, ...] = ()
    fragments: tuple[FragmentMove, ...] = ()

    def parts_of(self, path: str) -> tuple[FragmentMove, ...]:
        """The moved parts of the page at ``path``."""
        return tuple(move for move in self.fragments if move.page == path)


def load_moves(root: Path, report: list[Problem]) -> Moves:
    """The redirects; none where there is no such file. Ill-formed entries go to ``report``."""
    file = root / FILE
    if not file.is_file():
        return Moves()
    text = read_text(file)
    try:
        values = read_yaml(text) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        report.append(Problem(FILE, mark.line + 1 if mark else 0, 1, "yaml", "the redirects are not YAML"))
        return Moves()
    if not isinstance(values, Mapping):
        report.append(Problem(FILE, 1, 1, "yaml", "expected pages and fragments", "write pages: [] and fragments: []"))
        return Moves()
    pages = _entries(values, "pages", ("from", "to"), text, report)
    fragments = _entries(values, "fragments", ("page", "from", "to"), text, report)
    return Moves(
        tuple(PageMove(entry["from"], entry["to"], entry["line"]) for entry in pages),
        tuple(FragmentMove(entry["page"], entry["from"], entry["to"], entry["line"]) for entry in fragments),
    )


def _entries(
    values: Mapping[Any, Any], name: str, fields: tuple[str, ...], text: str, report: list[Problem]
) -> list[dict[str, Any]]:
    form = "{" + ", ".join(f"{field}: …" for field in fields) + "}"
    kept = []
    listed = values.get(name) or []
    if not isinstance(listed, list):
        report.append(Problem(FILE, 0, 0, "redirect", f"`{name}` is no list", f"write {name}: and below it - {form}"))
        return []
    for entry in listed:
        line = _line(text, entry)
        if not isinstance(entry, Mapping) or set(entry) != set(fields):
            report.append(
                Problem(FILE, line, 1, "redirect", f"{entry!r} under `{name}` is no redirect", f"write {form}")
            )
            continue
        wrong = [f"{field}: {entry[field]}" for field in fields if not _fits(name, field, str(entry[field]))]
        if wrong:
            message = f"{wrong[0]!r} names no {'page' if name == 'pages' or 'page' in wrong[0] else 'fragment'}"
            fix = "a page is written as concepts/rrf/index.html, a fragment without #"
            report.append(Problem(FILE, line, 1, "redirect", message, fix))
            continue
        kept.append({**{field: str(entry[field]) for field in fields}, "line": line})
    return kept


def _fits(name: str, field: str, value: str) -> bool:
    page, _, fragment = value.partition("#")
    is_page = PAGE.fullmatch(page) is not None and (not fragment or FRAGMENT.fullmatch(fragment) is not None)
    if field == "page" or (name == "pages" and field == "from"):
        return is_page and not fragment
    return is_page if name == "pages" else FRAGMENT.fullmatch(value) is not None or (field == "to" and is_page)


def _line(text: str, entry: Any) -> int:
    """The line of the file that names what the entry moves, 0 where it cannot be told."""
    old = str(entry.get("from", "")) if isinstance(entry, Mapping) else str(entry)
    for number, line in enumerate(text.split("\n"), 1):
        if old and re.search(rf"from:\s*[\"']?{re.escape(old)}[\"']?\s*(?:[,}}]|$)", line):
            return number
    return 0
