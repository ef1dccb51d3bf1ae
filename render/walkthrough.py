"""Walkthroughs: the declaration a dataset's module makes, and the markup of all its steps in order.

A module ``render/walkthroughs/<dataset>.py`` holds one ``WALKTHROUGH``. The server prints every step; the script
only shows, hides and moves, so a reader without script, a printer and an archive get everything.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from render.library import dataset_ref
from render.model import WalkthroughView
from render.numbers import number_text
from render.source import Dataset


@dataclass(frozen=True)
class Option:
    """One answer of a prediction with why it is right or wrong."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Prediction:
    """A question asked before the step ``before`` (a step id); it never blocks the way on."""

    before: str
    ask: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Step:
    """One state: a heading, one or two plain sentences, the figure; ``numbers`` names figures it prints."""

    id: str
    title: str
    says: str
    body: Markup
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Walkthrough:
    """One question (``title``) answered in four to nine steps that ``steps`` draws from its dataset."""

    dataset: str
    id: str
    title: str
    intro: str
    steps: Callable[[Dataset], list[Step]]
    prediction: Prediction | None = None


def exists(name: str, package: str = "render.walkthroughs") -> bool:
    """Whether a dataset has a walkthrough module."""
    if not name.isidentifier():
        return False
    try:
        return importlib.util.find_spec(f"{package}.{name}") is not None
    except ModuleNotFoundError:
        return False


def find(name: str, package: str = "render.walkthroughs") -> Walkthrough:
    """The walkthrough of a dataset; a module without a ``WALKTHROUGH`` is a bug and raises AttributeError."""
    module = importlib.import_module(f"{package}.{name}")
    walkthrough: Walkthrough = module.WALKTHROUGH
    return walkthrough


def view(walkthrough: Walkthrough, dataset: Dataset) -> WalkthroughView:
    """The walkthrough with its steps drawn; raises ValueError where step names clash or lead nowhere."""
    steps = tuple(walkthrough.steps(dataset))
    names = [step.id for step in steps]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"walkthrough {walkthrough.id}: two steps are called {name!r}")
    prediction = walkthrough.prediction
    if prediction is not None and prediction.before not in names:
        raise ValueError(
            f"walkthrough {walkthrough.id}: the prediction stands before {prediction.before!r}, "
            f"which is no step ({', '.join(names)})"
        )
    ref = dataset_ref(dataset)
    return WalkthroughView(
        id=walkthrough.id,
        title=walkthrough.title,
        intro=walkthrough.intro,
        steps=steps,
        prediction=prediction,
        kind=ref.kind,
        n_text=_n_text(dataset, {name for step in steps for name in step.numbers}),
        corpus=_corpus(dataset),
        made_text=_made(dataset),
        dataset=ref,
        caveats=tuple(dataset.data.get("caveats", ())),
    )


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
    day = str(dataset.data.get("run", {}).get("started", ""))[:10]
    return f"captured {day}, {dataset.state.text}" if day else dataset.state.text
