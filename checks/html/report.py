"""The same findings for people, for programs, for code scanning (SARIF 2.1.0) and for GitHub's annotations."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TextIO

from .messages import Located
from .rules import RULES

Writer = Callable[[Iterable[Located], int, TextIO], None]
"""Writes findings; the number is how many files were checked."""


def write_text(findings: Iterable[Located], files: int, out: TextIO) -> None:
    """One finding a paragraph, then a line with the totals."""
    errors = warnings = 0
    for one in findings:
        out.write(f"{one.problem} ({one.verdict})\n" if not one.problem.fix else f"{one.problem}\n")
        errors += one.problem.level == "error"
        warnings += one.problem.level == "warning"
    out.write(f"{_count(files, 'file')}: {_count(errors, 'error')}, {_count(warnings, 'warning')}\n")


def write_json(findings: Iterable[Located], files: int, out: TextIO) -> None:
    """One object: ``files`` (number checked) and ``problems`` with verdict and related elements."""
    problems = [one.as_dict() for one in findings]
    json.dump({"files": files, "problems": problems}, out, ensure_ascii=False, indent=1)
    out.write("\n")


def write_sarif(findings: Iterable[Located], files: int, out: TextIO) -> None:
    """SARIF 2.1.0 with every rule described; the limiting element is a related location."""
    rules = [
        {
            "id": rule.id,
            "shortDescription": {"text": rule.explains},
            "help": {"text": rule.browser},
            "defaultConfiguration": {"level": rule.level},
            "properties": {"verdict": rule.verdict},
        }
        for rule in RULES.values()
    ]
    run = {
        "tool": {"driver": {"name": "zeroth-html", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(one) for one in findings],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    json.dump({"$schema": schema, "version": "2.1.0", "runs": [run]}, out, ensure_ascii=False, indent=1)
    out.write("\n")


def _sarif_result(one: Located) -> dict[str, object]:
    problem = one.problem
    related = [
        {**_place(problem.path, r.line, r.column), "id": number, "message": {"text": f"{r.role}: {r.element}"}}
        for number, r in enumerate(one.related)
    ]
    text = f"{problem.message}. Fix: {problem.fix}" if problem.fix else problem.message
    result: dict[str, object] = {
        "ruleId": problem.rule,
        "level": problem.level,
        "message": {"text": text},
        "locations": [_place(problem.path, problem.line, problem.column)],
    }
    return {**result, "relatedLocations": related} if related else result


def _place(path: str, line: int, column: int) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": path}}
    if line:
        physical["region"] = {"startLine": line, "startColumn": column}
    return {"physicalLocation": physical}


def write_github(findings: Iterable[Located], files: int, out: TextIO) -> None:
    """Workflow commands that GitHub shows as annotations beside the lines."""
    for one in findings:
        problem = one.problem
        place = f"file={_property(problem.path)}"
        if problem.line:
            place += f",line={problem.line},col={problem.column}"
        message = f"{problem.message}. Fix: {problem.fix}" if problem.fix else problem.message
        out.write(f"::{problem.level} {place},title={_property(problem.rule)}::{_data(message)}\n")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


WRITERS: dict[str, Writer] = {
    "text": write_text,
    "json": write_json,
    "sarif": write_sarif,
    "github": write_github,
}
"""Output formats by name."""
