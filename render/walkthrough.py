"""Walkthroughs: the declaration a dataset's module makes, and the markup of all its steps in order.

A module ``render/walkthroughs/<dataset>.py`` holds one ``WALKTHROUGH``. The server prints every step; the script only
shows, hides and moves, so a reader without script, a printer and an archive get everything.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

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
    """One state: a heading, one or two plain sentences and the figure. ``numbers`` names figures it prints."""

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


def context(walkthrough: Walkthrough, dataset: Dataset) -> dict[str, Any]:
    """What ``walkthrough.html.j2`` reads besides the common names: ``wt`` and its ``steps``, drawn once."""
    steps = walkthrough.steps(dataset)
    seen: set[str] = set()
    for step in steps:
        if step.id in seen:
            raise ValueError(f"walkthrough {walkthrough.id}: two steps are called {step.id!r}")
        seen.add(step.id)
    prediction = walkthrough.prediction
    if prediction is not None and prediction.before not in seen:
        raise ValueError(
            f"walkthrough {walkthrough.id}: the prediction stands before {prediction.before!r}, "
            f"which is no step ({', '.join(step.id for step in steps)})"
        )
    return {"wt": walkthrough, "steps": steps, "prediction": prediction}
