"""Walkthroughs: the declaration a dataset's module makes, and the markup of all its steps in order.

A module ``render/walkthroughs/<dataset>.py`` holds one ``WALKTHROUGH`` and, where one question is not enough,
``FURTHER``: a tuple of others over the same dataset. Each says its kind (``render/views/kinds/``), which decides the
controls. The server prints every step; the script only shows, hides and moves, so a reader without script, a printer
and an archive get everything.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.model import WalkthroughView
from render.numbers import number_text
from render.reading.library import dataset_ref
from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kinds.kind import Kind


@dataclass(frozen=True)
class Option:
    """One answer of a prediction with why it is right or wrong."""

    text: str | Markup
    right: bool
    why: str | Markup


@dataclass(frozen=True)
class Prediction:
    """A question asked before the step ``before`` (a step id); it never blocks the way on."""

    before: str
    ask: str | Markup
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Step:
    """One state: a heading, one or two plain sentences, the figure; ``numbers`` names figures it prints.

    Where the states are cells of a grid, ``brief`` is what the state's cell of the grid prints and ``tone`` how
    strongly it is shaded (0 to 4).
    """

    id: str
    title: str
    says: str | Markup
    body: Markup
    numbers: tuple[str, ...] = ()
    brief: str | Markup = ""
    tone: int = 0


@dataclass(frozen=True)
class Dial:
    """An axis of captured settings: its name and the words of its values, in order ("k1"; "0", "0.5", …)."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Walkthrough:
    """One question (``title``) answered in the steps that ``steps`` draws from its dataset.

    ``kind`` says how a reader moves through them. A kind with dials has one step for each combination of their
    values, the last dial turning fastest; ``dials`` reads them from the dataset and ``cells`` says what a cell of the
    grid prints. ``opens`` is the step shown first.
    """

    dataset: str
    id: str
    title: str
    intro: str | Markup
    steps: Callable[[Dataset], list[Step]]
    prediction: Prediction | None = None
    kind: Kind = stepper.KIND
    dials: Callable[[Dataset], tuple[Dial, ...]] | None = None
    opens: Callable[[Dataset], str] | None = None
    cells: str = ""


def exists(name: str, package: str = "render.walkthroughs") -> bool:
    """Whether a dataset has a walkthrough module."""
    if not name.isidentifier():
        return False
    try:
        return importlib.util.find_spec(f"{package}.{name}") is not None
    except ModuleNotFoundError:
        return False


def every(name: str, package: str = "render.walkthroughs") -> tuple[Walkthrough, ...]:
    """The walkthroughs of a dataset, the main one first.

    A module without a ``WALKTHROUGH`` is a bug and raises AttributeError.
    """
    module = importlib.import_module(f"{package}.{name}")
    return (module.WALKTHROUGH, *getattr(module, "FURTHER", ()))


def find(name: str, package: str = "render.walkthroughs") -> Walkthrough:
    """A walkthrough by its dataset, or by dataset and id: ``bm25``, ``bm25#bm25-dials``.

    Raises ValueError with the ids there are where the dataset has none of that id.
    """
    dataset, _, ident = name.partition("#")
    found = every(dataset, package)
    if not ident:
        return found[0]
    for walkthrough in found:
        if walkthrough.id == ident:
            return walkthrough
    raise ValueError(
        f"the dataset `{dataset}` has no walkthrough `{ident}`; it has {', '.join(one.id for one in found)}"
    )


def view(walkthrough: Walkthrough, dataset: Dataset) -> WalkthroughView:
    """The walkthrough with its steps drawn; raises ValueError where steps clash, lead nowhere or leave a hole."""
    steps = tuple(walkthrough.steps(dataset))
    dials = walkthrough.dials(dataset) if walkthrough.dials else ()
    opens = walkthrough.opens(dataset) if walkthrough.opens else steps[0].id
    figures = [name for step in steps for name in step.numbers]
    return assembled(walkthrough, dataset, steps, dials, opens, figures)


def assembled(
    walkthrough: Walkthrough,
    dataset: Dataset,
    steps: tuple[Step, ...],
    dials: tuple[Dial, ...],
    opens: str,
    figures: Sequence[str],
) -> WalkthroughView:
    """Drawn steps with the facts that stand around them; ``figures`` are those that the steps print."""
    _check(walkthrough, steps, dials, opens)
    ref = dataset_ref(dataset)
    return WalkthroughView(
        id=walkthrough.id,
        title=walkthrough.title,
        intro=walkthrough.intro,
        steps=steps,
        prediction=walkthrough.prediction,
        kind=walkthrough.kind,
        dials=dials,
        opens=opens,
        cells=walkthrough.cells,
        figures=tuple(dict.fromkeys(figures)),
        n_text=_n_text(dataset, set(figures)),
        corpus=_corpus(dataset),
        made_text=_made(dataset),
        dataset=ref,
        caveats=tuple(dataset.data.get("caveats", ())),
    )


def _check(walkthrough: Walkthrough, steps: tuple[Step, ...], dials: tuple[Dial, ...], opens: str) -> None:
    """Raises ValueError for two steps of one name, for a name that is no step, and for a grid with holes."""
    names = [step.id for step in steps]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"walkthrough {walkthrough.id}: two steps are called {name!r}")
    wanted = {"opens at": opens}
    if walkthrough.prediction is not None:
        wanted["has its prediction before"] = walkthrough.prediction.before
    for what, name in wanted.items():
        if name not in names:
            raise ValueError(f"walkthrough {walkthrough.id} {what} {name!r}, which is no step ({', '.join(names)})")
    if walkthrough.kind.index == "grid" and not 1 <= len(dials) <= 2:
        raise ValueError(f"walkthrough {walkthrough.id}: a {walkthrough.kind.id} has one dial or two, not {len(dials)}")
    cells = math.prod(len(dial.values) for dial in dials)
    if dials and cells != len(steps):
        raise ValueError(f"walkthrough {walkthrough.id}: {len(steps)} steps for the {cells} settings of its dials")


def _n_text(dataset: Dataset, figures: set[str]) -> str:
    """The sample behind the figures that the steps print, where they share one."""
    sizes = {dataset.figures[name].get("n") for name in figures} - {None}
    return f"n = {number_text(sizes.pop())}" if len(sizes) == 1 else ""


def _corpus(dataset: Dataset) -> str:
    """The first input by name and size."""
    for entry in dataset.data.get("inputs", ()):
        records = entry.get("records")
        return f"{entry['name']}, {number_text(records)} records" if records else str(entry["name"])
    return ""


def _made(dataset: Dataset) -> str:
    """When it was captured and the state of the dataset; the reasons of a stale one stand on the dataset's page."""
    day = str(dataset.data.get("run", {}).get("started", ""))[:10]
    state = "stale" if dataset.state.name == "stale" else dataset.state.text
    return f"captured {day}, {state}" if day else state
