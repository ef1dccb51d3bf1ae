"""The same findings for people, for programs, for code scanning (SARIF 2.1.0) and for GitHub's annotations."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO
from urllib.parse import quote

from .messages import Located
from .rules import RULES


@dataclass
class Tally:
    """What a run has come to so far; complete when its findings have been read to the end."""

    files: int = 0
    errors: int = 0
    warnings: int = 0

    def counting(self, findings: Iterable[Located]) -> Iterator[Located]:
        """The findings, each counted as it passes."""
        for one in findings:
            self.errors += one.problem.level == "error"
            self.warnings += one.problem.level == "warning"
            yield one


@dataclass(frozen=True)
class Tool:
    """The name of a guard and its rules as SARIF describes them."""

    name: str
    rules: tuple[dict[str, object], ...]


def described(id: str, level: str, explains: str, help: str, verdict: str) -> dict[str, object]:
    """One rule as SARIF describes it."""
    return {
        "id": id,
        "shortDescription": {"text": explains},
        "help": {"text": help},
        "defaultConfiguration": {"level": level},
        "properties": {"verdict": verdict},
    }


_ANY_FINDING = {"element": "the element", "other": "the other element", "detail": "what the finding names"}

HTML = Tool(
    "zeroth-html",
    tuple(
        described(rule.id, rule.level, rule.explains, rule.fix.format_map(_ANY_FINDING), rule.verdict)
        for rule in RULES.values()
    ),
)
"""This guard."""

Writer = Callable[[Iterable[Located], Tally, TextIO, Tool], None]
"""Writes findings as they come, and the totals of the tally after the last."""


def write_text(findings: Iterable[Located], tally: Tally, out: TextIO, tool: Tool = HTML) -> None:
    """One finding per paragraph, then a line with the totals."""
    for one in tally.counting(findings):
        out.write(f"{one.problem}\n")
    totals = _count(tally.errors, "error"), _count(tally.warnings, "warning")
    out.write(f"{_count(tally.files, 'file')}: {totals[0]}, {totals[1]}\n")


def write_json(findings: Iterable[Located], tally: Tally, out: TextIO, tool: Tool = HTML) -> None:
    """One object: ``problems`` with verdict and related elements, and ``files`` (number checked)."""
    out.write('{"problems": [')
    _write_items((one.as_dict() for one in tally.counting(findings)), out)
    out.write(f'],\n "files": {tally.files}}}\n')


def write_sarif(findings: Iterable[Located], tally: Tally, out: TextIO, tool: Tool = HTML) -> None:
    """SARIF 2.1.0 with every rule described; the limiting element is a related location."""
    driver = json.dumps({"name": tool.name, "rules": tool.rules})
    out.write('{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",\n "runs": [{')
    out.write(f'"tool": {{"driver": {driver}}},\n "columnKind": "unicodeCodePoints",\n "results": [')
    _write_items((_sarif_result(one) for one in tally.counting(findings)), out)
    out.write("]}]}\n")


def _write_items(items: Iterable[dict[str, object]], out: TextIO) -> None:
    """The items of a JSON array, one per line, each written before the next is made."""
    for number, item in enumerate(items):
        out.write(",\n  " if number else "\n  ")
        json.dump(item, out)


def _sarif_result(one: Located) -> dict[str, object]:
    problem = one.problem
    related = [
        {**_place(problem.path, r.line, r.column), "id": number, "message": _sarif_text(f"{r.role}: {r.element}")}
        for number, r in enumerate(one.related)
    ]
    text = f"{problem.message}. Fix: {problem.fix}" if problem.fix else problem.message
    result: dict[str, object] = {
        "ruleId": problem.rule,
        "level": problem.level,
        "message": _sarif_text(text),
        "locations": [_place(problem.path, problem.line, problem.column)],
    }
    return {**result, "relatedLocations": related} if related else result


def _sarif_text(text: str) -> dict[str, object]:
    """A message in which braces are literal (SARIF 2.1.0, section 3.11.5)."""
    return {"text": text.replace("{", "{{").replace("}", "}}")}


def _place(path: str, line: int, column: int) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": quote(os.fsencode(path))}}
    if line:
        physical["region"] = {"startLine": line, "startColumn": column}
    return {"physicalLocation": physical}


def write_github(findings: Iterable[Located], tally: Tally, out: TextIO, tool: Tool = HTML) -> None:
    """Workflow commands that GitHub shows as annotations beside the lines."""
    for one in tally.counting(findings):
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
