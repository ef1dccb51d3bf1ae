"""Questions put to readers with a clearance and a side: home, and away for one reason each.

A question is *home* for a reader who may see the document that it was drafted from. It is *away* by `tenant`,
`classification` or `barrier` when exactly that one condition hides the document and the two others would let it
through. The kinds are never mixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.corpus.model import Corpus, Query
from harness.entitlements.classification import LEVELS, SIDES, Label
from harness.entitlements.readers import CONDITIONS, Reader
from harness.measuring.trials import principals_of_size, spread

MODES = ("home", *CONDITIONS)


@dataclass(frozen=True)
class Asking:
    """One question put to one reader; `query` is its position in the list of questions, `visible` a count."""

    query: int
    principal: Reader
    visible: int


@dataclass(frozen=True)
class Cell:
    """All askings of one kind. `size` is the number of tenants of a reader, `mode` one of `MODES`."""

    size: int
    mode: str
    everything: bool
    askings: tuple[Asking, ...]

    @property
    def label(self) -> str:
        """The cell's name in figures: "home_1", "barrier_all"."""
        return f"{self.mode}_{'all' if self.everything else self.size}"


class Census:
    """How many chunks stand under each tenant, level and side: what a reader sees is a sum over them."""

    def __init__(self, corpus: Corpus, found: Mapping[str, Label]) -> None:
        self._counts = Counter((c.tenant, found[c.doc].level, found[c.doc].side) for c in corpus.chunks)

    def visible(self, reader: Reader, without: Sequence[str] = ()) -> int:
        """Return how many chunks the reader sees; `without` names conditions that are left out."""
        asked = [condition for condition in CONDITIONS if condition not in without]
        return sum(
            count
            for (tenant, level, side), count in self._counts.items()
            if all(reader.holds(condition, tenant, Label(level, side, "")) for condition in asked)
        )


def readers_of_size(tenants: Sequence[str], size: int, seed: int) -> list[Reader]:
    """Return every reader of that many tenants: each window of tenants with each clearance, on each side."""
    return [
        Reader(f"{window.name}/{side}:{clearance}", window.tenants, clearance, (side,))
        for window in principals_of_size(tenants, size, seed)
        for clearance in range(len(LEVELS))
        for side in SIDES
    ]


def cells(
    corpus: Corpus,
    found: Mapping[str, Label],
    queries: Sequence[Query],
    sizes: Sequence[int],
    limit: int,
    least: int,
    seed: int,
) -> list[Cell]:
    """Return a cell for each size and mode that has a question: up to `limit` of them, spread over all that fit.

    `queries` have a document each. A question is put once a cell, to one reader drawn among those for whom it is of
    that mode and who see at least `least` chunks. Sizes that are not below the number of tenants are left out, and
    one of all tenants is added.
    """
    census = Census(corpus, found)
    tenants = sorted({document.tenant for document in corpus.documents.values()})
    made = []
    for size in [*[s for s in sizes if s < len(tenants)], len(tenants)]:
        readers = [(r, census.visible(r)) for r in readers_of_size(tenants, size, seed)]
        readers = [(reader, seen) for reader, seen in readers if seen >= least]
        for number, mode in enumerate(MODES):
            fits: dict[str, list[tuple[Reader, int]]] = {}
            for query in queries:
                tenant, label = corpus.documents[query.doc or ""].tenant, found[query.doc or ""]
                fits[query.id] = [pair for pair in readers if pair[0].mode(tenant, label) == mode]
            rng = np.random.default_rng([seed, size, number])
            position = {query.id: place for place, query in enumerate(queries)}
            askings = []
            for query in spread([query for query in queries if fits[query.id]], limit):
                reader, seen = fits[query.id][int(rng.integers(len(fits[query.id])))]
                askings.append(Asking(position[query.id], reader, seen))
            if askings:
                made.append(Cell(size, mode, size == len(tenants), tuple(askings)))
    return made


def readers_in(design: Sequence[Cell]) -> list[Reader]:
    """Return every reader that a cell asks, each once, by name."""
    named = {asking.principal.name: asking.principal for cell in design for asking in cell.askings}
    return [named[name] for name in sorted(named)]
