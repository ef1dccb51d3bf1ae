"""Everything loaded, and the look-ups that pages need: a name resolves or raises with its nearest neighbour."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from checks.allowed import Allowed
from render.model import DatasetRef, PageRef
from render.numbers import size_text
from render.reading.changelog import Change
from render.reading.expressions import Value
from render.reading.learning import LearningPath, Term
from render.reading.moves import Moves
from render.reading.source import Config, Dataset, PointerError, Reference, SourceMetric, SourcePage
from render.reading.walkthroughs import SourceWalkthrough

T = TypeVar("T")
BOUNDS = ("low", "high")


class BrokenDataset(LookupError):
    """A reference into a dataset that is reported as unusable already."""


class UnknownName(LookupError):
    """A reference to something that does not exist; ``fix`` names the nearest thing that does."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"no {what} is called `{name}`")
        self.rule = "unknown-" + what.replace(" ", "-")
        near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.4)
        self.fix = f"did you mean `{near[0]}`?" if near else f"no {what} has a similar name"


def pick(what: str, name: str, known: Mapping[str, T]) -> T:
    """The entry called ``name``; raises UnknownName saying what kind of thing was looked for."""
    if name not in known:
        raise UnknownName(what, name, known)
    return known[name]


@dataclass(frozen=True)
class Place:
    """Where a page is among the others, by slugs ("" for none): before and after it in reading order, what it unlocks,
    and for each learning path through it the path's id, the number of its step, the count of steps and the next one.
    """

    previous: str
    next: str
    unlocks: tuple[str, ...]
    paths: tuple[tuple[str, int, int, str], ...]


INDEXES = ("places", "spellings")
"""The look-ups of a library that are made once for all pages."""


@dataclass(frozen=True)
class Library:
    """The loaded content and data of one build; nothing in it changes while pages render.

    ``broken`` names datasets that cannot be used: they are reported once, not at every reference.
    """

    config: Config
    pages: Mapping[str, SourcePage]
    metrics: Mapping[str, SourceMetric]
    bibliography: Mapping[str, Reference]
    datasets: Mapping[str, Dataset]
    broken: frozenset[str] = frozenset()
    changes: tuple[Change, ...] = ()
    moves: Moves = field(default_factory=Moves)
    paths: Mapping[str, LearningPath] = field(default_factory=dict)
    glossary: Mapping[str, Term] = field(default_factory=dict)
    walkthroughs: Mapping[str, Mapping[str, SourceWalkthrough]] = field(default_factory=dict)
    allowed: tuple[Allowed, ...] = ()

    @cached_property
    def places(self) -> Mapping[str, Place]:
        """The place of every page by its slug."""
        order = [slug for slug in self.config.order if slug in self.pages]
        around = {
            slug: (before, after) for before, slug, after in zip(["", *order], order, [*order[1:], ""], strict=False)
        }
        unlocks: dict[str, list[str]] = {slug: [] for slug in self.pages}
        for slug in order:
            for other in dict.fromkeys(self.pages[slug].prerequisites):
                unlocks.setdefault(other, []).append(slug)
        paths: dict[str, list[tuple[str, int, int, str]]] = {slug: [] for slug in self.pages}
        for path in self.paths.values():
            slugs = [step for step, _ in path.steps if step in self.pages]
            for slug in dict.fromkeys(slugs):
                at = slugs.index(slug)
                paths[slug].append((path.id, at + 1, len(slugs), "".join(slugs[at + 1 : at + 2])))
        return {
            slug: Place(*around.get(slug, ("", "")), tuple(unlocks[slug]), tuple(paths[slug])) for slug in self.pages
        }

    @cached_property
    def spellings(self) -> Mapping[str, Term]:
        """The terms of the glossary by each of their names in small letters."""
        return {spelling.lower(): term for term in self.glossary.values() for spelling in (*term.also, term.term)}

    def dataset(self, name: str) -> Dataset:
        """A dataset by name."""
        if name in self.broken:
            raise BrokenDataset(name)
        return pick("dataset", name, self.datasets)

    def figure(self, reference: str) -> tuple[Dataset, str, Mapping[str, Any]]:
        """The dataset, figure name and figure behind ``dataset.figure``."""
        dataset_name, _, figure_name = reference.partition(".")
        if dataset_name not in self.datasets and dataset_name not in self.broken:
            every = [f"{name}.{figure}" for name, known in self.datasets.items() for figure in known.figures]
            raise UnknownName("figure", reference, every)
        dataset = self.dataset(dataset_name)
        if figure_name not in dataset.figures:
            raise UnknownName("figure", reference, [f"{dataset_name}.{name}" for name in dataset.figures])
        return dataset, figure_name, dataset.figures[figure_name]

    def param(self, reference: str) -> tuple[Dataset, Any]:
        """The dataset and value behind ``dataset.key.path``."""
        dataset_name, _, keys = reference.partition(".")
        dataset = self.dataset(dataset_name)
        try:
            return dataset, dataset.at("/params/" + keys.replace(".", "/"))
        except PointerError as error:
            raise UnknownName("parameter", reference, _paths(dataset.params, dataset_name)) from error

    def operand(self, dotted: str) -> Value:
        """The value of a name in an expression: ``dataset.figure``, ``dataset.params.key``, or a bound of a figure's
        interval, ``dataset.figure.low`` and ``dataset.figure.high``; raises TypeError for what is no single value.
        """
        dataset_name, _, rest = dotted.partition(".")
        if rest.startswith("params."):
            value = self.param(f"{dataset_name}.{rest.removeprefix('params.')}")[1]
        else:
            reference, side = split_bound(dotted)
            figure = self.figure(reference)[2]
            value = figure["value"]
            if side:
                if not figure.get("interval"):
                    raise TypeError(f"{reference} has no interval")
                value = figure["interval"][BOUNDS.index(side)]
        if not isinstance(value, int | float | str | bool):
            raise TypeError(f"{dotted} is no single value")
        return value

    def page_ref(self, slug: str) -> PageRef:
        """A concept by slug; one that the catalogue plans and nobody has written has ``exists`` False."""
        page = self.pages.get(slug)
        if page is not None:
            return PageRef(slug, page.title, page.summary, f"concepts/{slug}/index.html")
        if slug in self.config.order:
            return PageRef(slug, self.config.planned_name(slug), "", "", exists=False)
        raise UnknownName("concept", slug, [*self.pages, *self.config.order])

    def written(self, slugs: Iterable[str]) -> tuple[PageRef, ...]:
        """The pages that exist among known slugs."""
        known = [slug for slug in slugs if slug in self.pages]
        return tuple(self.page_ref(slug) for slug in known)


def split_bound(dotted: str) -> tuple[str, str]:
    """A name in an expression as the figure it names and the side of its interval, "" for the figure itself."""
    reference, _, side = dotted.rpartition(".")
    return (reference, side) if side in BOUNDS and "." in reference else (dotted, "")


def dataset_ref(dataset: Dataset) -> DatasetRef:
    """A dataset as links and lists show it."""
    return DatasetRef(
        name=dataset.name,
        title=str(dataset.data.get("title", dataset.name)),
        describes=str(dataset.data.get("describes", "")),
        url=f"data/{dataset.name}/index.html",
        json_url=f"data/{dataset.name}/{dataset.name}.json",
        state=dataset.state.name,
        state_text=dataset.state.text,
        kind=str(dataset.data.get("kind", "measured")),
        size_text=size_text(len(dataset.raw)),
    )


def _paths(value: Any, prefix: str) -> list[str]:
    if not isinstance(value, Mapping):
        return [prefix]
    return [prefix, *(path for key in value for path in _paths(value[key], f"{prefix}.{key}"))]
