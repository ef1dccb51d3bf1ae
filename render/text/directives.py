"""Block directives: fences whose info string begins with ``{name}``. Each becomes one block of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from markupsafe import Markup

from checks.yaml_text import read_yaml
from render.reading.library import BrokenDataset, UnknownName, pick
from render.reading.source import Dataset, PointerError
from render.text.roles import use_figure
from render.text.scope import Scope
from render.views import tables, walkthrough
from render.views.chart_options import chart
from render.views.rows import Row, rows_of


@dataclass(frozen=True)
class Directive:
    """A directive as written; ``line`` is the fence's own, the body begins on the next."""

    name: str
    argument: str
    body: str
    line: int


class DirectiveError(ValueError):
    """A directive that does not have the form it needs; ``fix`` shows the form."""

    def __init__(self, message: str, fix: str, rule: str = "directive") -> None:
        super().__init__(message)
        self.fix = fix
        self.rule = rule


def parse_info(info: str) -> tuple[str, str] | None:
    """Name and argument of a fence's info string, or None for ordinary code."""
    match = re.match(r"\{([\w-]+)\}\s*(.*)", info.strip())
    return (match[1], match[2].strip()) if match else None


def render_directive(directive: Directive, scope: Scope) -> Markup:
    """The directive's HTML; what is wrong with it goes to the page's problems and nothing is printed."""
    try:
        return pick("directive", directive.name, DIRECTIVES)(directive, scope)
    except BrokenDataset:
        pass
    except UnknownName as error:
        scope.problem(directive.line, error.rule, str(error), error.fix)
    except DirectiveError as error:
        scope.problem(directive.line, error.rule, str(error), error.fix)
    except PointerError as error:
        scope.problem(directive.line, "unknown-pointer", str(error), "point at a list of records")
    return Markup("")


def _walkthrough(directive: Directive, scope: Scope) -> Markup:
    name = directive.argument.partition("#")[0]
    dataset = scope.library.dataset(name)
    if not walkthrough.exists(name, scope.walkthrough_package):
        raise DirectiveError(
            f"no walkthrough draws the dataset `{name}`",
            f"write render/walkthroughs/{name}.py with a WALKTHROUGH",
            "unknown-walkthrough",
        )
    scope.datasets.setdefault(name)
    try:
        declared = walkthrough.find(directive.argument, scope.walkthrough_package)
    except ValueError as error:
        raise DirectiveError(str(error), "name one of them behind `#`", "unknown-walkthrough") from error
    shown = walkthrough.view(declared, dataset)
    for step in shown.steps:
        for figure in step.numbers:
            use_figure(scope, f"{name}.{figure}")
    scope.claim_id(f"wt-{shown.id}", directive.line)
    return scope.macro("walkthrough", shown, scope.rel) + "\n"


def _table(directive: Directive, scope: Scope) -> Markup:
    dataset, rows = _rows(directive, scope)
    options = _options(directive, tables.OPTIONS)
    try:
        return tables.data_table(dataset, rows, options, scope.rel)
    except ValueError as error:
        raise DirectiveError(str(error), "mend the options of the table") from error


def _chart(directive: Directive, scope: Scope) -> Markup:
    _, rows = _rows(directive, scope)
    options = _mapping(directive)
    try:
        return chart(rows, options, scope.unique_id("chart"))
    except ValueError as error:
        raise DirectiveError(str(error), "mend the options of the chart") from error


def _question(directive: Directive, scope: Scope) -> Markup:
    form = 'write "ask:" and "options:" with {text, right, why} each'
    options = _options(directive, ("ask", "options"))
    answers = options.get("options")
    if not isinstance(options.get("ask"), str) or not isinstance(answers, list) or len(answers) < 2:
        raise DirectiveError("a question needs `ask` and at least two `options`", form)
    for number, answer in enumerate(answers, 1):
        if not isinstance(answer, dict) or set(answer) != {"text", "right", "why"}:
            raise DirectiveError(f"option {number} of the question is not {{text, right, why}}", form)
        if not isinstance(answer["right"], bool):
            raise DirectiveError(f"`right` of option {number} is neither true nor false", form)
    if not any(answer["right"] for answer in answers):
        raise DirectiveError("no option of the question is right", "set `right: true` on one")
    line = directive.line + 1

    def text(value: Any) -> Markup:
        return scope.inline(str(value), scope, line)

    shown_answers = [{**entry, "text": text(entry["text"]), "why": text(entry["why"])} for entry in answers]
    shown = {"ask": text(options["ask"]), "options": shown_answers}
    return scope.macro("question", shown) + "\n"


def _steps(directive: Directive, scope: Scope) -> Markup:
    """A flow: each line "- text" (or "1. text") is a step, inline Markdown."""
    items: list[Markup] = []
    for number, line in enumerate(directive.body.split("\n"), directive.line + 1):
        if not line.strip():
            continue
        match = re.fullmatch(r"(?:-|\d+\.)\s+(.+)", line.strip())
        if match is None:
            scope.problem(number, "directive", f"{line.strip()!r} is no step", "begin each step with `- `")
            continue
        items.append(Markup("<li>{}</li>").format(scope.inline(match[1], scope, number)))
    if not items:
        raise DirectiveError("the flow has no steps", "begin each step with `- `")
    return Markup('<ol class="steps">\n{}\n</ol>\n').format(Markup("\n").join(items))


def _rows(directive: Directive, scope: Scope) -> tuple[Dataset, list[Row]]:
    """The dataset and rows that ``dataset:/result/pointer`` names."""
    name, divider, pointer = directive.argument.partition(":")
    if not divider or not pointer.startswith("/"):
        raise DirectiveError(
            f"`{directive.argument}` does not name rows", f"write ```{{{directive.name}}} dataset:/result/rows"
        )
    dataset = scope.library.dataset(name)
    scope.datasets.setdefault(name)
    rows = rows_of(dataset.at(pointer))
    if rows is None:
        raise DirectiveError(f"{pointer} of {name} is no list of records", "point at a list of records")
    return dataset, rows


def _mapping(directive: Directive) -> dict[str, Any]:
    try:
        options = read_yaml(directive.body) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {directive.line + 1 + mark.line}: " if mark else ""
        reason = getattr(error, "problem", None) or "it cannot be read"
        raise DirectiveError(f"{where}not YAML: {reason}", "quote texts with a colon in them") from error
    if not isinstance(options, Mapping):
        raise DirectiveError("the options are not `name: value` lines", "write one option a line")
    return {str(key): value for key, value in options.items()}


def _options(directive: Directive, known: Iterable[str]) -> dict[str, Any]:
    options = _mapping(directive)
    for name in options:
        pick("option", name, dict.fromkeys(known))
    return options


DIRECTIVES: dict[str, Callable[[Directive, Scope], Markup]] = {
    "walkthrough": _walkthrough,
    "table": _table,
    "chart": _chart,
    "question": _question,
    "steps": _steps,
}
