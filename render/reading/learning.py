"""Learning paths and the glossary as written: ``content/paths/*.md`` and ``content/glossary.yml``."""

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
from render.reading import frontmatter
from render.reading.frontmatter import Field

PATH_FIELDS = (
    Field("title", "text"),
    Field("for", "text"),
    Field("summary", "text"),
    Field("order", "number", required=False),
    Field("steps", "steps"),
)
GLOSSARY = "content/glossary.yml"


@dataclass(frozen=True)
class LearningPath:
    """A way through the concepts for one kind of reader; each step says why it stands there."""

    path: str
    id: str
    title: str
    audience: str
    summary: str
    order: int
    steps: tuple[tuple[str, str], ...]
    steps_line: int
    body: str
    body_line: int


@dataclass(frozen=True)
class Term:
    """A word of the glossary: what it means here, other names, and the concept that explains it ("" for none)."""

    id: str
    term: str
    says: str
    also: tuple[str, ...]
    see: str
    line: int


def load_paths(root: Path, report: list[Problem]) -> dict[str, LearningPath]:
    """The learning paths by id (the file's name), in the order they ask for."""
    found = []
    for file in sorted((root / "content/paths").glob("*.md")):
        path = file.relative_to(root).as_posix()
        document = frontmatter.parse(read_text(file), path, PATH_FIELDS, report)
        if document is None:
            continue
        fields = document.fields
        found.append(
            LearningPath(
                path=path,
                id=file.stem,
                title=fields["title"],
                audience=fields["for"],
                summary=fields["summary"],
                order=fields["order"] or 0,
                steps=fields["steps"],
                steps_line=document.lines.get("steps", 1),
                body=document.body,
                body_line=document.body_line,
            )
        )
    return {entry.id: entry for entry in sorted(found, key=lambda entry: (entry.order, entry.id))}


def load_glossary(root: Path, report: list[Problem]) -> dict[str, Term]:
    """The terms by id, in alphabetical order; none where there is no such file."""
    file = root / GLOSSARY
    if not file.is_file():
        return {}
    text = read_text(file)
    try:
        entries = read_yaml(text) or []
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        report.append(Problem(GLOSSARY, mark.line + 1 if mark else 0, 1, "yaml", "the glossary is not YAML"))
        return {}
    terms: dict[str, Term] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        term = _term(entry, text, report)
        if term is not None and term.id in terms:
            message = f"“{term.term}” stands on line {terms[term.id].line} already"
            report.append(Problem(GLOSSARY, term.line, 1, "glossary", message))
        elif term is not None:
            terms[term.id] = term
    return dict(sorted(terms.items(), key=lambda item: item[1].term.lower()))


def _term(entry: Any, text: str, report: list[Problem]) -> Term | None:
    form = "write {term: …, says: …, also: [other names], see: concept}, the last two where they apply"
    if (
        not isinstance(entry, Mapping)
        or not {"term", "says"} <= set(entry) <= {"term", "says", "also", "see"}
        or not isinstance(entry.get("also") or [], list)
        or not re.search(r"[A-Za-z0-9]", str(entry["term"]))
    ):
        line = _line(text, str(entry.get("term", ""))) if isinstance(entry, Mapping) else 0
        report.append(Problem(GLOSSARY, line, 1, "glossary", f"{entry!r} is no entry", form))
        return None
    name = str(entry["term"])
    also = entry.get("also") or []
    ident = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    see = str(entry.get("see") or "")
    return Term(ident, name, str(entry["says"]).strip(), tuple(map(str, also)), see, _line(text, name))


def _line(text: str, name: str) -> int:
    for number, line in enumerate(text.split("\n"), 1):
        if name and re.match(rf"- term:\s*[\"']?{re.escape(name)}[\"']?\s*$", line):
            return number
    return 0
