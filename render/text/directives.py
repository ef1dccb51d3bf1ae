"""Block directives: fences whose info string begins with ``{name}``. Each becomes one block of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml
from markupsafe import Markup

from checks.yaml_text import read_yaml
from render.model import WalkthroughView
from render.reading.library import BrokenDataset, UnknownName, pick
from render.reading.source import Dataset, PointerError
from render.reading.walkthroughs import FOLDER, SourceWalkthrough
from render.text.roles import use_figure
from render.text.scope import Scope
from render.text.walkthroughs import draw
from render.views import kit, walkthrough
from render.views.registry import VIEWS
from render.views.selecting import is_selector, parse
from render.views.wording import Teller


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
    """A walkthrough of a dataset, ``dataset`` or ``dataset#id``."""
    name, _, ident = directive.argument.partition("#")
    dataset = scope.library.dataset(name)
    written = scope.library.walkthroughs.get(name, {})
    scope.datasets.setdefault(name)
    try:
        shown = _written(written, ident, dataset, scope) if written else _declared(directive, dataset, scope)
    except DirectiveError:
        raise
    except ValueError as error:
        raise DirectiveError(str(error), f"see {FOLDER}/{name}/", "walkthrough") from error
    scope.claim_id(f"wt-{shown.id}", directive.line)
    return scope.macro("walkthrough", shown, scope.rel) + "\n"


def _written(written: Mapping[str, SourceWalkthrough], ident: str, dataset: Dataset, scope: Scope) -> WalkthroughView:
    """The walkthrough of that id, or without one the main one."""
    if ident and ident not in written:
        raise DirectiveError(
            f"the dataset `{dataset.name}` has no walkthrough `{ident}`; it has {', '.join(written)}",
            "name one of them behind `#`",
            "unknown-walkthrough",
        )
    return draw(written[ident] if ident else next(iter(written.values())), dataset, scope)


def _declared(directive: Directive, dataset: Dataset, scope: Scope) -> WalkthroughView:
    """A walkthrough that is still a module."""
    name = dataset.name
    if not walkthrough.exists(name):
        raise DirectiveError(
            f"no walkthrough draws the dataset `{name}`",
            f"write {FOLDER}/{name}/<id>.md",
            "unknown-walkthrough",
        )
    try:
        declared = walkthrough.find(directive.argument)
    except ValueError as error:
        raise DirectiveError(str(error), "name one of them behind `#`", "unknown-walkthrough") from error
    shown = walkthrough.view(declared, dataset)
    for step in shown.steps:
        for figure in step.numbers:
            use_figure(scope, f"{name}.{figure}")
    return shown


def _view(directive: Directive, scope: Scope) -> Markup:
    """A view of the table of all views, over the names at hand."""
    shown = VIEWS[directive.name]
    options, selector = _mapping(directive), directive.argument
    if selector and not is_selector(selector):
        raise DirectiveError(f"`{selector}` does not name rows", f"write ```{{{directive.name}}} dataset:/result/rows")
    try:
        if selector and parse(selector).dataset:
            scope.datasets.setdefault(scope.library.dataset(parse(selector).dataset).name)
        return shown.show(Teller(scope, scope.names, directive.line), selector, options) + "\n"
    except (ValueError, TypeError) as error:
        raise DirectiveError(str(error), f"correct the options of the {directive.name}") from error


def _pair(directive: Directive, scope: Scope) -> Markup:
    """Two figures side by side, each below a line ``### title``."""
    parts: list[tuple[str, int, list[str]]] = []
    fenced = False
    for number, line in enumerate(directive.body.split("\n"), directive.line + 1):
        fenced ^= line.lstrip().startswith("```")
        title = None if fenced else re.fullmatch(r"###(?:\s+(.*))?", line.rstrip())
        if title:
            parts.append((title[1] or "", number, []))
        elif parts:
            parts[-1][2].append(line)
    if len(parts) != 2:
        raise DirectiveError(f"a pair has two parts, not {len(parts)}", "begin each with a line `### title`")
    left, right = (scope.block("\n".join(lines), scope, number + 1) for _, number, lines in parts)
    titles = [scope.inline(title, scope, number) for title, number, _ in parts]
    return kit.pair(left, right, titles=(titles[0], titles[1])) + "\n"


def _predict(directive: Directive, scope: Scope) -> Markup:
    """A prediction of a walkthrough: asked after the state in whose section it is; drawn by the walkthrough."""
    options = _mapping(directive)
    if scope.names.meets(str(options.pop("when"))) if "when" in options else True:
        scope.predictions.append(_asked(directive, options, scope))
    return Markup("")


def _question(directive: Directive, scope: Scope) -> Markup:
    """A question for the reader, its answers folded: ``ask``, and ``options`` with text, right and why."""
    return scope.macro("question", _asked(directive, _mapping(directive), scope)) + "\n"


def _asked(directive: Directive, options: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """A question with its options, their texts rendered."""
    form = 'write "ask:" and "options:" with {text, right, why} each'
    for name in options:
        pick("option", name, dict.fromkeys(("ask", "options")))
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
    return {"ask": text(options["ask"]), "options": shown_answers}


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


_parsed = lru_cache(maxsize=1024)(read_yaml)


def _mapping(directive: Directive) -> dict[str, Any]:
    try:
        options = _parsed(directive.body) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {directive.line + 1 + mark.line}: " if mark else ""
        reason = getattr(error, "problem", None) or "it cannot be read"
        raise DirectiveError(f"{where}not YAML: {reason}", "quote texts with a colon in them") from error
    if not isinstance(options, Mapping):
        raise DirectiveError("the options are not `name: value` lines", "write one option a line")
    return {str(key): value for key, value in options.items()}


DIRECTIVES: dict[str, Callable[[Directive, Scope], Markup]] = {
    "walkthrough": _walkthrough,
    "question": _question,
    "steps": _steps,
    "pair": _pair,
    "predict": _predict,
    **dict.fromkeys(VIEWS, _view),
}
