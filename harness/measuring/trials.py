"""Who asks what: principals that may see 1, 3, 10 or all tenants, and the questions put to each.

A *home* question is about a tenant that the principal may see, an *away* question about one it may not. The
two are never mixed: what a policy costs a search depends on which of them is asked.

For every size below the number of tenants there are as many principals as tenants. Their tenant sets are the
windows of that length over one shuffled circle, so every tenant is seen by equally many principals. Each
question is put once a cell, to one principal drawn among those that fit: the cell pools questions over
principals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from harness.corpus.model import Corpus, Query
from harness.store.layouts.base import Reader

Mode = Literal["home", "away"]


class Trial(Protocol):
    """One question put to one reader; `query` is its position in the list of questions."""

    @property
    def query(self) -> int:
        """The position of the question."""

    @property
    def principal(self) -> Reader:
        """Who asks it."""


@dataclass(frozen=True)
class Principal:
    """A role of the experiment: its name in the access-control list and the tenants it may see, sorted."""

    name: str
    tenants: tuple[str, ...]


@dataclass(frozen=True)
class Asking:
    """One question put to one principal; `query` is its position in the list of questions."""

    query: int
    principal: Principal


@dataclass(frozen=True)
class Cell:
    """All askings of one kind. `size` is the number of tenants a principal may see."""

    size: int
    mode: Mode
    everything: bool
    askings: tuple[Asking, ...]

    @property
    def label(self) -> str:
        """The cell's name in figures: "all", "home1", "away10"."""
        return "all" if self.everything else f"{self.mode}{self.size}"


def tenants_of(corpus: Corpus) -> list[str]:
    """Return every tenant of a corpus by name, in order."""
    return sorted({document.tenant for document in corpus.documents.values()})


def asked(corpus: Corpus, limit: int) -> list[Query]:
    """Return up to `limit` questions that have a tenant and a document, spread evenly over all by id."""
    return spread([query for query in corpus.queries if query.tenant and query.doc], limit)


def spread(queries: Sequence[Query], limit: int) -> list[Query]:
    """Return up to `limit` of the questions, evenly spaced in id order, first and last included."""
    every = sorted(queries, key=lambda query: query.id)
    if len(every) <= limit:
        return every
    return [every[round(index * (len(every) - 1) / (limit - 1))] for index in range(limit)]


def principals_of_size(tenants: Sequence[str], size: int, seed: int) -> list[Principal]:
    """Return one principal a tenant, each seeing `size` tenants; with all tenants, the one principal
    `all`."""
    if size >= len(tenants):
        return [Principal("all", tuple(sorted(tenants)))]
    if size == 1:
        return [Principal(f"only:{tenant}", (tenant,)) for tenant in sorted(tenants)]
    circle = [sorted(tenants)[i] for i in np.random.default_rng([seed, size]).permutation(len(tenants))]
    windows = ([circle[(start + step) % len(circle)] for step in range(size)] for start in range(len(circle)))
    return [Principal(f"{size}-tenants:{i:02d}", tuple(sorted(w))) for i, w in enumerate(windows)]


def cells(tenants: Sequence[str], queries: Sequence[Query], sizes: Sequence[int], seed: int) -> list[Cell]:
    """Return the cells: home and away for each size below the number of tenants, then home for all tenants.

    Sizes that are not below the number of tenants are left out. `queries` must have a tenant each.
    """
    found = []
    for size in [s for s in sizes if s < len(tenants)]:
        principals = principals_of_size(tenants, size, seed)
        for number, mode in enumerate(("home", "away")):
            rng = np.random.default_rng([seed, size, number])
            askings = []
            for position, query in enumerate(queries):
                fit = [p for p in principals if (query.tenant in p.tenants) == (mode == "home")]
                askings.append(Asking(position, fit[int(rng.integers(len(fit)))]))
            found.append(Cell(size, "home" if mode == "home" else "away", False, tuple(askings)))
    everyone = principals_of_size(tenants, len(tenants), seed)[0]
    found.append(Cell(len(tenants), "home", True, tuple(Asking(i, everyone) for i in range(len(queries)))))
    return found


def principals_in(found: Sequence[Cell]) -> list[Principal]:
    """Return every principal that a cell asks, each once, smallest first."""
    named = {asking.principal.name: asking.principal for cell in found for asking in cell.askings}
    return sorted(named.values(), key=lambda p: (len(p.tenants), p.name))


def reader_words(cell: str) -> str:
    """Return a cell's label in words: "home3" becomes "reader of 3 tenants, home questions"."""
    if cell == "all":
        return "reader of everything"
    mode = cell.rstrip("0123456789")
    if mode not in ("home", "away"):
        return cell
    size = cell.removeprefix(mode)
    return f"reader of {size} tenant{'' if size == '1' else 's'}, {mode} questions"


#: The words of every cell that captures ask, for labels of figures.
READERS = {cell: reader_words(cell) for cell in ("all", *(f"{m}{n}" for n in (1, 3, 10) for m in ("home", "away")))}
