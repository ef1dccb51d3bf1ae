"""Inline roles: ``{fig}`dataset.figure` `` and its kin. Each becomes phrasing content, never a block."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from render.model import CheckedClaim, FigureRef
from render.numbers import number_text
from render.reading import expressions
from render.reading.expressions import ExpressionError, Value
from render.reading.graph import planned
from render.reading.library import BrokenDataset, UnknownName, pick, split_bound
from render.text.scope import Scope
from render.views import figures
from render.views.selecting import SelectionError
from render.views.wording import Format, Teller


@dataclass(frozen=True)
class Role:
    """A role as written: its name, what stands between the backticks, and where."""

    name: str
    content: str
    line: int
    column: int


class RoleError(ValueError):
    """A role whose content does not have the form it needs; ``fix`` shows the form."""

    def __init__(self, message: str, fix: str, rule: str = "role") -> None:
        super().__init__(message)
        self.fix = fix
        self.rule = rule


def render_role(role: Role, scope: Scope) -> Markup:
    """The role's HTML; what is wrong with it goes to the page's problems and its text is printed instead."""
    try:
        return pick("role", role.name, ROLES)(role, scope)
    except BrokenDataset:
        pass
    except UnknownName as error:
        scope.problem(role.line, error.rule, str(error), error.fix, role.column)
    except RoleError as error:
        scope.problem(role.line, error.rule, str(error), error.fix, role.column)
    except SelectionError as error:
        scope.problem(role.line, "selection", str(error), column=role.column)
    except (ExpressionError, TypeError) as error:
        scope.problem(role.line, "expression", str(error), column=role.column)
    return Markup("<code>{}</code>").format(role.content)


def use_figure(scope: Scope, reference: str) -> FigureRef:
    """The figure behind ``dataset.figure``, remembered as used on the page."""
    dataset, name, _ = scope.library.figure(reference)
    scope.datasets.setdefault(dataset.name)
    return scope.figures.setdefault(reference, figures.figure_ref(dataset, name))


def _fig(role: Role, scope: Scope) -> Markup:
    """A figure, ``dataset.name``, linked to how it was made; behind a bar percent, bare, unit or interval."""
    reference, _, how = (part.strip() for part in role.content.partition("|"))
    if how and how not in figures.FORMATS:
        raise RoleError(f"`{how}` is no number format", "use one of " + ", ".join(figures.FORMATS))
    ref = use_figure(scope, reference)
    if how == "percent" and (isinstance(ref.value, bool) or not isinstance(ref.value, int | float)):
        raise RoleError(f"`{reference}` is {ref.value!r}, not a share", "drop `|percent`")
    if how == "interval" and not ref.interval:
        raise RoleError(f"`{reference}` has no interval", "drop `|interval`, or have the capture record one")
    return figures.figure_html(ref, scope.rel, how)


def _param(role: Role, scope: Scope) -> Markup:
    """A setting of a capture, ``dataset.key``."""
    dataset, value = scope.library.param(role.content.strip())
    scope.datasets.setdefault(dataset.name)
    if isinstance(value, dict):
        keys = ", ".join(f"{role.content}.{key}" for key in value)
        raise RoleError(f"`{role.content}` is a group of parameters", f"name one of {keys}")
    return figures.param_html(dataset, value, scope.rel)


def _concept(role: Role, scope: Scope) -> Markup:
    """A link to a concept page with a preview, ``slug`` or ``text <slug>``."""
    explicit = re.fullmatch(r"(?P<text>.+?)\s*<(?P<slug>[^<>]+)>\s*", role.content)
    slug = explicit["slug"].strip() if explicit else role.content.strip()
    ref = scope.library.page_ref(slug)
    text = explicit["text"] if explicit else ref.title
    if not ref.exists:
        scope.problems.append(planned(scope.path, role.line, role.column, slug))
        return Markup('<span class="xref xref--planned">{}</span>').format(text)
    scope.previews.setdefault(slug, ref)
    return Markup('<a class="xref" href="{}" data-preview="{}">{}</a>').format(scope.rel + ref.url, slug, text)


def _metric(role: Role, scope: Scope) -> Markup:
    """A metric with its panel, ``id`` or ``text <id>``."""
    explicit = re.fullmatch(r"(?P<text>.+?)\s*<(?P<id>[^<>]+)>\s*", role.content)
    name = explicit["id"].strip() if explicit else role.content.strip()
    metric = pick("metric", name, scope.library.metrics)
    if name not in scope.metrics:
        scope.metrics.append(name)
    text = explicit["text"] if explicit else metric.symbol
    return Markup('<a class="metric-ref" href="#metric-{}">{}</a>').format(name, text)


def _term(role: Role, scope: Scope) -> Markup:
    """A word with its entry of the glossary, by its name, another name of it, or ``text <term>``."""
    explicit = re.fullmatch(r"(?P<text>.+?)\s*<(?P<term>[^<>]+)>\s*", role.content)
    name = (explicit["term"] if explicit else role.content).strip()
    term = pick("term", name.lower(), scope.library.spellings)
    text = explicit["text"] if explicit else role.content.strip()
    return Markup('<a class="term-ref" href="{}glossary/index.html#term-{}">{}</a>').format(scope.rel, term.id, text)


def _cite(role: Role, scope: Scope) -> Markup:
    """References of the bibliography, ``key`` or several with commas."""
    links = []
    for key in role.content.split(","):
        pick("reference", key.strip(), scope.library.bibliography)
        number = scope.sources.setdefault(key.strip(), len(scope.sources) + 1)
        links.append(Markup('<a class="cite" href="#source-{}">[{}]</a>').format(key.strip(), number))
    return Markup(" ").join(links)


def _calc(role: Role, scope: Scope) -> Markup:
    """An expression over figures with its value, ``expression|decimals``."""
    source, _, digits = (part.strip() for part in role.content.partition("|"))
    if digits and not digits.isdigit():
        raise RoleError(f"`{digits}` is no number of decimals", "write `expression|4`")
    value = _evaluated(source, scope)
    text = number_text(value, int(digits) if digits else _calc_digits(value))
    code = with_operands(source, scope)
    shown = figures.data_value(value, text)
    return Markup('<span class="calc"><code>{}</code> = {}</span>').format(code, shown)


def _at(role: Role, scope: Scope) -> Markup:
    """A captured value by selector or expression, with its format behind bars."""
    source, *formats = _parts(role.content)
    return Teller(scope, scope.names, role.line).told(source.strip(), Format.read(formats))


def _parts(content: str) -> list[str]:
    """What bars divide, outside brackets and quotes."""
    return re.split(r"\|(?![^\[\]]*\])(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", content)


def _calc_digits(value: Value) -> int | None:
    return 4 if isinstance(value, float) and abs(value) < 1 and not value.is_integer() else None


def _claim(role: Role, scope: Scope) -> Markup:
    """A statement that the build checks, ``words|comparison``."""
    says, divider, predicate = (part.strip() for part in role.content.rpartition("|"))
    if not divider:
        says = ""
    basis = check_claim(says, predicate, scope, role.line, role.column)
    return Markup('<span class="claim">{}</span>').format(says or basis)


def check_claim(says: str, predicate: str, scope: Scope, line: int, column: int = 1) -> Markup:
    """The predicate with its operands linked; one that no longer holds becomes a problem of the page."""
    value = _evaluated(predicate, scope)
    basis = Markup("<code>{}</code>").format(with_operands(predicate, scope))
    if not isinstance(value, bool):
        raise RoleError(f"`{predicate}` is {value!r}, not a comparison", "write a comparison", "claim")
    if not value:
        found = {name.dotted: scope.names.operand(name.dotted) for name in expressions.names(predicate)}
        operands = ", ".join(f"{name} = {operand!r}" for name, operand in found.items())
        message = f"the statement “{says or predicate}” no longer holds: `{predicate}` with {operands}"
        scope.problem(line, "claim-fails", message, "correct the statement, or look at what changed", column)
    if says:
        scope.claims.append(CheckedClaim(says, basis))
    return basis


def _evaluated(source: str, scope: Scope) -> Value:
    """The value of an expression; selectors and bare names may stand in it where a walkthrough gives them meaning."""
    if scope.bound is None:
        return expressions.evaluate(source, scope.library.operand)
    return scope.bound.evaluated(source)


def with_operands(source: str, scope: Scope) -> Markup:
    """An expression as written, each figure in it replaced by its value as a linked number."""
    text = source.strip()
    parts: list[str] = []
    place = 0
    for name in expressions.names(text):
        parts.append(html.escape(text[place : name.start], quote=False))
        dataset, _, rest = name.dotted.partition(".")
        if scope.names.knows(dataset):
            parts.append(Teller(scope, scope.names, 0).show(scope.names.operand(name.dotted), Format()))
        elif rest.startswith("params."):
            owner, value = scope.library.param(f"{dataset}.{rest.removeprefix('params.')}")
            scope.datasets.setdefault(owner.name)
            parts.append(figures.param_html(owner, value, scope.rel))
        else:
            reference, side = split_bound(name.dotted)
            parts.append(figures.figure_html(use_figure(scope, reference), scope.rel, side or "bare"))
        place = name.end
    parts.append(html.escape(text[place:], quote=False))
    return Markup("".join(parts))


ROLES: dict[str, Callable[[Role, Scope], Markup]] = {
    "fig": _fig,
    "param": _param,
    "concept": _concept,
    "metric": _metric,
    "term": _term,
    "cite": _cite,
    "claim": _claim,
    "calc": _calc,
    "at": _at,
}
