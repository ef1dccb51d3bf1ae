"""YAML front matter: split from the body and checked against a table of fields, with line numbers."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import yaml

from checks.problems import Problem
from checks.yaml_text import read_yaml

Kind = Literal["text", "names", "date", "claims", "steps", "number", "mapping", "records", "truth"]
EXPECTED: dict[Kind, str] = {
    "text": "one line of text",
    "names": "a list of names",
    "date": "a date such as 2025-01-31",
    "claims": "a list of {says, holds}",
    "steps": "a list of {concept, why}",
    "number": "a whole number",
    "mapping": "name: value lines",
    "records": "a list of mappings",
    "truth": "true or false",
}
EMPTY: dict[Kind, Any] = {"names": (), "claims": (), "steps": (), "mapping": {}, "records": (), "truth": False}
PAIRS: dict[Kind, tuple[str, str]] = {"claims": ("says", "holds"), "steps": ("concept", "why")}


@dataclass(frozen=True)
class Field:
    """A front matter field: its name, the kind of its value, and whether a page may leave it out."""

    name: str
    kind: Kind
    required: bool = True


@dataclass(frozen=True)
class Document:
    """A parsed file: checked ``fields``, the ``lines`` they stand on, and the Markdown ``body``."""

    fields: dict[str, Any]
    lines: dict[str, int]
    body: str
    body_line: int


def parse(text: str, path: str, fields: Sequence[Field], report: list[Problem]) -> Document | None:
    """The document in ``text``, or None with the reasons in ``report``."""
    match = re.match(r"---\n(.*?)^---[ \t]*\n", text, re.S | re.M)
    if match is None:
        report.append(
            Problem(path, 1, 1, "front-matter", "the file does not begin with front matter between --- lines")
        )
        return None
    try:
        values = read_yaml(match[1]) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        reason = getattr(error, "problem", None) or "it cannot be read"
        report.append(Problem(path, line, 1, "front-matter", f"the front matter is not YAML: {reason}"))
        return None
    if not isinstance(values, dict):
        report.append(Problem(path, 1, 1, "front-matter", "the front matter is not made of name: value lines"))
        return None
    lines = {
        found[1]: number
        for number, line in enumerate(match[1].split("\n"), 2)
        if (found := re.match(r"([\w-]+):", line))
    }
    before = len(report)
    checked = check_fields(values, path, fields, report, lines)
    if len(report) > before:
        return None
    return Document(checked, lines, text[match.end() :], text[: match.end()].count("\n") + 1)


def check_fields(
    values: dict[str, Any], path: str, fields: Sequence[Field], report: list[Problem], lines: dict[str, int]
) -> dict[str, Any]:
    """The values by field, each of its kind; missing, unknown and ill-typed ones go to ``report``."""
    checked: dict[str, Any] = {}
    for field in fields:
        value = values.get(field.name)
        if value is None:
            if field.required:
                message = f"the field `{field.name}` is missing: expected {EXPECTED[field.kind]}"
                report.append(Problem(path, 1, 1, "front-matter", message))
            checked[field.name] = EMPTY.get(field.kind, "")
            continue
        converted = _convert(value, field.kind)
        if converted is None:
            message = f"the field `{field.name}` is {value!r}: expected {EXPECTED[field.kind]}"
            report.append(Problem(path, lines.get(field.name, 1), 1, "front-matter", message))
        checked[field.name] = converted
    known = [field.name for field in fields]
    for name in values:
        if name not in known:
            message = f"the field `{name}` is unknown: expected one of {', '.join(known)}"
            report.append(Problem(path, lines.get(str(name), 1), 1, "front-matter", message))
    return checked


def _convert(value: Any, kind: Kind) -> Any:
    """The value as its kind, or None where it is of another kind."""
    if kind == "text":
        return value.strip() if isinstance(value, str) and value.strip() else None
    if kind == "number":
        return value if isinstance(value, int) and not isinstance(value, bool) else None
    if kind == "date":
        return value.isoformat() if type(value) is datetime.date else None
    if kind in ("mapping", "truth"):
        return value if isinstance(value, dict if kind == "mapping" else bool) else None
    if not isinstance(value, list):
        return None
    if kind == "records":
        return tuple(value) if all(isinstance(item, dict) for item in value) else None
    if kind == "names":
        return tuple(value) if all(isinstance(item, str) for item in value) else None
    first, second = PAIRS[kind]
    fits = all(isinstance(item, dict) and set(item) == {first, second} for item in value)
    return tuple((str(item[first]), str(item[second])) for item in value) if fits else None
