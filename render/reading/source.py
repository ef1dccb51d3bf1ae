"""What the site is made from: pages, metrics, references and datasets as loaded, nothing resolved yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from provenance.figures import Figures, figures_of
from provenance.state import State


@dataclass(frozen=True)
class Claim:
    """A sentence of a page and the predicate over figures that must hold for it to stay there."""

    says: str
    holds: str
    line: int


@dataclass(frozen=True)
class SourcePage:
    """A concept page as written. ``text`` is the whole file; ``body`` begins on its line ``body_line``, from 1."""

    path: str
    section: str
    slug: str
    title: str
    summary: str
    updated: str
    aliases: tuple[str, ...]
    prerequisites: tuple[str, ...]
    related: tuple[str, ...]
    datasets: tuple[str, ...]
    claims: tuple[Claim, ...]
    text: str
    body: str
    body_line: int
    lines: Mapping[str, int]

    def line_of(self, field: str) -> int:
        """The line of a front matter field, 1 where the field is absent."""
        return self.lines.get(field, 1)


@dataclass(frozen=True)
class SourceMetric:
    """A metric panel as written: definition, formula, convention and traps in ``body``."""

    path: str
    id: str
    title: str
    symbol: str
    unit: str
    summary: str
    body: str
    body_line: int


@dataclass(frozen=True)
class Reference:
    """One entry of the bibliography."""

    key: str
    authors: str
    year: int
    title: str
    venue: str
    url: str


@dataclass(frozen=True)
class Section:
    """A part of the site with its reading order; a slug listed here without a page yet is *planned*.

    ``names`` says what a planned page will be called where its slug does not read as a name.
    """

    id: str
    title: str
    summary: str
    pages: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Config:
    """``content/site.yml``: names, the sections in reading order and what the home page leads with."""

    path: str
    title: str
    tagline: str
    repository: str
    version: str
    sections: tuple[Section, ...]
    headline_title: str
    headline_text: str
    headline_figures: tuple[str, ...]
    headline_walkthrough: str
    headline_example: str = ""

    @property
    def order(self) -> tuple[str, ...]:
        """Every slug of the catalogue in reading order, written or planned."""
        return tuple(slug for section in self.sections for slug in section.pages)

    def planned_name(self, slug: str) -> str:
        """What a planned page is called: its name in the catalogue, else its slug in words."""
        named = (section.names[slug] for section in self.sections if slug in section.names)
        return next(named, slug.replace("-", " "))


class PointerError(LookupError):
    """A JSON pointer that leads nowhere in its dataset."""


@dataclass(frozen=True)
class Dataset:
    """One captured run, as its file in ``data/interactive/`` holds it.

    ``data`` is the whole file, ``raw`` its bytes (copied to the site unchanged), ``path`` relative to the root.
    """

    name: str
    path: str
    data: Mapping[str, Any]
    raw: bytes
    state: State

    @property
    def result(self) -> Any:
        """The deterministic part of the payload."""
        return self.data.get("result", {})

    @property
    def timings(self) -> Any:
        """The part of the payload that differs from run to run."""
        return self.data.get("timings", {})

    @cached_property
    def figures(self) -> Figures:
        """The numbers that prose may cite, by name."""
        return figures_of(self.data)

    @property
    def params(self) -> Mapping[str, Any]:
        """Every knob of the capture by value."""
        params: Mapping[str, Any] = self.data.get("params", {})
        return params

    def at(self, pointer: str) -> Any:
        """The value at a JSON pointer (RFC 6901) into the file; raises PointerError naming what was there."""
        value: Any = self.data
        walked = ""
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(value, Mapping) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            else:
                raise PointerError(f"{walked or '/'} of {self.name} has {_inventory(value)}, not {key!r}")
            walked += "/" + part
        return value


def _inventory(value: Any) -> str:
    if isinstance(value, Mapping):
        return "the keys " + ", ".join(sorted(value)[:20])
    if isinstance(value, list):
        return f"{len(value)} items"
    return "a single value"
