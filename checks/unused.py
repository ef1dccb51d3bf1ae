"""Guard of unused content: metric panels, references and glossary terms that no page uses.

What a planned page will use is listed in ``content/awaiting.yml`` with that page; a glossary term waits for the page
its ``see`` names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from checks.problems import Problem
from checks.rule import Rule, by_id
from checks.settings import Settings, text_of
from checks.texts import read_text
from checks.yaml_text import read_yaml

METRIC = Rule(
    "unused-metric",
    "warning",
    "Every metric panel is used by a page, or awaits one that is planned.",
    "use it with {metric}, delete it, or name the planned page in content/awaiting.yml",
)
REFERENCE = Rule(
    "unused-reference",
    "warning",
    "Every reference is cited by a page or a metric panel in use, or awaits one that is planned.",
    "cite it with {cite}, delete it, or name the planned page in content/awaiting.yml",
)
TERM = Rule(
    "unused-term",
    "warning",
    "Every glossary term is a word of the pages, or is explained by one that is planned.",
    "use the word on a page, or delete the term",
)
AWAITING = Rule(
    "awaiting",
    "warning",
    "content/awaiting.yml names things and pages that exist.",
    "correct the name, or remove the line",
)
FILE = "content/awaiting.yml"
RULES = by_id((METRIC, REFERENCE, TERM, AWAITING))
"""All rules by id, in the order of the documentation."""

_FORM = "write metrics: or references: and below it the name of a thing: the planned page"
_ROLE = re.compile(r"\{(metric|cite)\}`([^`]*)`")
_TARGET = re.compile(r"<([^>]+)>$")


@dataclass(frozen=True)
class _Awaited:
    """A line of content/awaiting.yml: the thing, and the planned page that will use it."""

    kind: str
    name: str
    page: str
    line: int


@dataclass(frozen=True)
class _Content:
    """The sources of a site: texts by path, what they hold, and which pages are still to be written."""

    texts: Mapping[str, str]
    metrics: Mapping[str, str]  # id: text
    references: Mapping[str, Any]
    terms: Sequence[Mapping[str, Any]]
    planned: frozenset[str]
    awaiting: Sequence[_Awaited]

    def awaits(self, kind: str, name: str) -> bool:
        return any((one.kind, one.name) == (kind, name) and one.page in self.planned for one in self.awaiting)


def check_unused(root: Path) -> list[Problem]:
    """Every metric panel, reference and term below ``root`` that nothing uses or awaits."""
    found: list[Problem] = []
    content = _read(root, found)
    pages = "\n".join(content.texts.values())
    metrics = _reachable(_targets(pages, "metric"), content.metrics)
    kept = {name for name in content.metrics if name in metrics or content.awaits("metrics", name)}
    cited = _targets("\n".join([pages, *(content.metrics[name] for name in kept)]), "cite")
    found += _awaiting(content)
    for name in sorted(set(content.metrics) - kept):
        found.append(_problem(METRIC, f"content/metrics/{name}.md", 0, f"no page uses the metric {name!r}"))
    text = _text(root / "content/bibliography.yml")
    for key in content.references:
        if key not in cited and not content.awaits("references", key):
            line = _line(text, rf"{re.escape(key)}:")
            found.append(_problem(REFERENCE, "content/bibliography.yml", line, f"nothing cites {key!r}"))
    return found + list(_terms(content, root, pages))


def _terms(content: _Content, root: Path, pages: str) -> Iterator[Problem]:
    text = _text(root / "content/glossary.yml")
    words = " ".join(pages.lower().split())
    for entry in content.terms:
        names = [str(name) for name in (entry.get("term", ""), *_list(entry.get("also")))]
        if str(entry.get("see")) not in content.planned and not any(_is_word(name, words) for name in names):
            line = _line(text, rf"- term:\s*[\"']?{re.escape(names[0])}[\"']?\s*$")
            yield _problem(TERM, "content/glossary.yml", line, f"no page uses the word {names[0]!r}")


def _is_word(name: str, words: str) -> bool:
    """Whether the words hold the name, in the singular or plural."""
    stem = " ".join(name.lower().split()).removesuffix("s")
    pattern = re.compile(rf"(?<!\w){re.escape(stem)}(?:e?s)?(?!\w)")
    at = words.find(stem) if name else -1
    while at >= 0:  # the pattern alone would be tried at every letter of the site
        if pattern.match(words, at):
            return True
        at = words.find(stem, at + 1)
    return False


def _awaiting(content: _Content) -> Iterator[Problem]:
    known: dict[str, Mapping[str, Any]] = {"metrics": content.metrics, "references": content.references}
    for one in content.awaiting:
        if one.name not in known[one.kind]:
            yield _problem(AWAITING, FILE, one.line, f"{one.kind}: there is no {one.name!r}")
        elif one.page not in content.planned and not _is_written(content, one.page):
            yield _problem(AWAITING, FILE, one.line, f"{one.name}: {one.page!r} is no page of content/site.yml")


def _is_written(content: _Content, page: str) -> bool:
    return any(path.endswith(f"/{page}.md") for path in content.texts)


def _reachable(names: set[str], metrics: Mapping[str, str]) -> set[str]:
    """The metrics named, and those that their panels name in turn."""
    found: set[str] = set()
    while names - found:
        name = (names - found).pop()
        found.add(name)
        names |= _targets(metrics.get(name, ""), "metric")
    return found


def _targets(text: str, role: str) -> set[str]:
    """The ids that a role names in a text: ``id``, ``words <id>`` or ``id, id``."""
    found: set[str] = set()
    for match in _ROLE.finditer(text):
        if match[1] == role:
            inner = _TARGET.search(match[2])
            found.update(one.strip() for one in (inner[1] if inner else match[2]).split(","))
    return found


def _read(root: Path, report: list[Problem]) -> _Content:
    folder = root / "content"
    texts = {file.relative_to(root).as_posix(): _text(file) for file in sorted(folder.rglob("*.md"))}
    metrics = {Path(path).stem: texts.pop(path) for path in list(texts) if path.startswith("content/metrics/")}
    site = _yaml(folder / "site.yml", {})
    sections = [section for section in _list(site.get("sections")) if isinstance(section, dict)]
    entries = [entry for section in sections for entry in _list(section.get("pages"))]
    listed = {str(slug) for entry in entries for slug in (entry if isinstance(entry, dict) else (entry,))}
    written = {Path(path).stem for path in texts if path.startswith("content/concepts/")}
    texts["content/site.yml"] = _text(folder / "site.yml")
    terms = [entry for entry in _yaml(folder / "glossary.yml", []) if isinstance(entry, dict)]
    references = {str(key): entry for key, entry in _yaml(folder / "bibliography.yml", {}).items()}
    return _Content(texts, metrics, references, terms, frozenset(listed - written), list(_load_awaiting(root, report)))


def _load_awaiting(root: Path, report: list[Problem]) -> Iterator[_Awaited]:
    settings = Settings(FILE, AWAITING, _FORM, report)
    for kind, line, entries in settings.pairs(settings.read(root)):
        if kind in ("metrics", "references"):
            yield from (_Awaited(kind, name, text_of(page), at) for name, at, page in settings.pairs(entries))
        else:
            settings.fault(line, f"unknown key {kind!r}: expected metrics or references")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _yaml(file: Path, empty: Any) -> Any:
    """The value of a YAML file of the type of ``empty``; that where it is missing or is something else."""
    try:
        value = read_yaml(_text(file))
    except yaml.YAMLError:
        return empty  # the loader of the site tells
    return value if isinstance(value, type(empty)) else empty


def _text(file: Path) -> str:
    return read_text(file) if file.is_file() else ""


def _line(text: str, pattern: str) -> int:
    lines = text.split("\n")
    return next((number for number, line in enumerate(lines, 1) if re.match(pattern, line)), 0)


def _problem(rule: Rule, path: str, line: int, message: str) -> Problem:
    return Problem(path, line, 1 if line else 0, rule.id, message, rule.fix, rule.level)
