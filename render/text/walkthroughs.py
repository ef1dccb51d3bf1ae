"""A walkthrough out of its Markdown: each section a state, or one for each record or setting that it is repeated over.

The first paragraph of a section is what the state says; the rest is its body. A ``{predict}`` block is asked after the
state in whose section it is.
"""

from __future__ import annotations

import fnmatch
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from render.model import WalkthroughView
from render.reading.source import Dataset
from render.reading.walkthroughs import SourceState, SourceWalkthrough
from render.text.roles import use_figure
from render.text.scope import Scope
from render.views.kinds.kind import kinds
from render.views.kinds.sweep import tone
from render.views.selecting import Bindings, Node, SelectionError
from render.views.view import as_number
from render.views.walkthrough import Dial, Option, Prediction, Step, Walkthrough, assembled
from render.views.wording import Teller

_EACH = re.compile(r"([a-z_]\w*) in (.+)")
_ID = re.compile(r"[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True)
class _Dial:
    """A dial with the name it gives to each of its values."""

    name: str
    variable: str
    nodes: list[Node]
    value: str


def draw(source: SourceWalkthrough, dataset: Dataset, scope: Scope) -> WalkthroughView:
    """The walkthrough drawn on the page of ``scope``; what it uses is used on the page.

    Raises ValueError with a sentence where states clash, lead nowhere or leave a hole in the grid.
    """
    bound = Bindings(scope.library, dataset, source.names, source.words, source.defaults)
    own = replace(
        scope, path=source.path, prefix=f"wt-{source.id}--", figures={}, predictions=[], problems=[], bound=bound
    )
    top = Teller(own, bound, source.lines.get("title", 1))
    dials = [_dial(entry, bound, source) for entry in source.dials]
    steps: list[Step] = []
    predictions: list[tuple[int, Any]] = []
    for state, inner in _places(source, bound, dials):
        inside = replace(own, bound=inner, figures={})
        steps.append(_step(source, state, inside, grid=bool(dials)))
        own.figures.update(inside.figures)
        predictions += [(len(steps), asked) for asked in own.predictions[len(predictions) :]]
    for figure in _figures(source, dataset):
        use_figure(own, f"{dataset.name}.{figure}")
    scope.problems += dict.fromkeys(own.problems)
    for reference, figure_ref in own.figures.items():
        scope.figures.setdefault(reference, figure_ref)
    declared = Walkthrough(
        dataset=dataset.name,
        id=source.id,
        title=top.plain(source.title),
        intro=own.inline(source.intro, own, source.intro_line),
        steps=lambda _: steps,
        prediction=_prediction(predictions, steps),
        kind=_kind(source),
        cells=top.plain(str(source.cells.get("says", ""))),
    )
    shown = tuple(Dial(dial.name, tuple(_words(top, dial))) for dial in dials)
    opens = top.plain(source.opens) or steps[0].id
    return assembled(declared, dataset, tuple(steps), shown, opens, _own_names(own.figures, dataset.name))


def _own_names(references: Iterable[str], dataset: str) -> list[str]:
    """The figures of a dataset among references, by their names in it."""
    return [name.partition(".")[2] for name in references if name.startswith(f"{dataset}.")]


def _kind(source: SourceWalkthrough) -> Any:
    known = kinds()
    if source.kind not in known:
        raise SelectionError(f"no kind of walkthrough is called `{source.kind}`; there are {', '.join(known)}")
    return known[source.kind]


def _dial(entry: Mapping[str, Any], bound: Bindings, source: SourceWalkthrough) -> _Dial:
    each = _EACH.fullmatch(str(entry["each"]))
    if each is None:
        raise SelectionError(f"`{entry['each']}` turns no dial: expected `name in selector`")
    return _Dial(
        str(entry["name"]), each[1], bound.records(each[2]), str(entry.get("value", f"{{at}}`{each[1]}|plain`"))
    )


def _words(top: Teller, dial: _Dial) -> Iterator[str]:
    for node in dial.nodes:
        inner = Teller(top.scope, top.bound.bind(dial.variable, node), top.line)
        yield inner.plain(dial.value)


def _places(source: SourceWalkthrough, bound: Bindings, dials: list[_Dial]) -> Iterator[tuple[SourceState, Bindings]]:
    """Every state with what its names mean: of each setting of the dials, and of each record of a repeated section."""
    for setting in itertools.product(*(dial.nodes for dial in dials)):
        inner = bound
        for dial, node in zip(dials, setting, strict=True):
            inner = inner.bind(dial.variable, node)
        for state in source.states:
            if not state.of:
                yield state, inner
            for node in inner.records(state.of) if state.of else ():
                yield state, inner.bind(state.name, node)


def _step(source: SourceWalkthrough, state: SourceState, scope: Scope, *, grid: bool) -> Step:
    teller = Teller(scope, scope.names, state.line)
    ident = teller.plain(state.id)
    if not _ID.fullmatch(ident):
        raise SelectionError(f"line {state.line}: {ident!r} is no id: expected letters, digits, hyphens and points")
    says, body, line = _split(state)
    return Step(
        id=ident,
        title=teller.plain(state.title),
        says=scope.inline(says, scope, state.line + 1) if says else "",
        body=scope.block(body, scope, line),
        numbers=tuple(_own_names(scope.figures, source.dataset)),
        brief=teller.plain(str(source.cells.get("brief", ""))) if grid else "",
        tone=_tone(source.cells.get("tone"), teller) if grid else 0,
    )


def _tone(entry: Any, teller: Teller) -> int:
    """How strongly a cell is shaded: ``[value, weakest, strongest]``, each a number or a selector."""
    if entry is None:
        return 0
    if not isinstance(entry, list) or len(entry) != 3:
        raise SelectionError(f"the tone {entry!r} of cells is not [value, weakest, strongest]")
    value, low, high = (as_number(teller.bound.value(str(one)), str(one)) for one in entry)
    return tone(value, low, high)


def _split(state: SourceState) -> tuple[str, str, int]:
    """The first paragraph, the rest, and the line on which the rest begins; a section may begin with a block."""
    lines = state.text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if start < len(lines) and re.match(r"\s*(?:`{3,}|~{3,}|>|[-*|#]|\d+\.)", lines[start]):
        return "", state.text, state.line + 1
    end = next((at for at in range(start, len(lines)) if not lines[at].strip()), len(lines))
    return "\n".join(lines[start:end]), "\n".join(lines[end:]), state.line + 1 + end


def _prediction(found: list[tuple[int, Any]], steps: list[Step]) -> Prediction | None:
    if not found:
        return None
    after, asked = found[0]
    if len(found) > 1 or after >= len(steps):
        raise SelectionError("a walkthrough asks one prediction, in a section that another one follows")
    return Prediction(steps[after].id, asked["ask"], tuple(Option(**one) for one in asked["options"]))


def _figures(source: SourceWalkthrough, dataset: Dataset) -> Iterator[str]:
    """The figures that the patterns of the front matter name; a pattern that names none is an error."""
    for pattern in source.figures:
        found = fnmatch.filter(dataset.figures, pattern)
        if not found:
            raise SelectionError(f"`figures`: no figure of {dataset.name} is called `{pattern}`")
        yield from found
