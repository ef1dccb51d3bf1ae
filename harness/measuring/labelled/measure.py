"""Take readings of labelled chunks: searches under the policies, each row checked against the rules themselves."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Vectors
from harness.entitlements.classification import Label
from harness.entitlements.readers import Reader
from harness.entitlements.table import Entitled, overlap
from harness.measuring.labelled.design import Asking, Cell
from harness.measuring.readings import recall
from harness.retrieval.dense import EF_MAX, Hit
from harness.store import Connection
from harness.store.layouts import HNSW, Scan, exact, explain, search


@dataclass(frozen=True)
class Way:
    """One way of searching.

    `fetch`: candidates taken as a multiple of what the reader's visible share asks for (0: the fixed `ef_search`).
    `predicate`: whether the statement repeats the rule as an overlap of groups. `own`: whether the planner chooses.
    """

    id: str
    fetch: float = 0.0
    predicate: bool = False
    own: bool = False
    ef_search: int = 40

    def candidates(self, k: int, share: float, cap: int) -> int:
        """Return the length of the candidate list for a reader who sees `share` of the rows."""
        return over_fetch(k, share, self.fetch, cap) if self.fetch else max(k, self.ef_search)


@dataclass
class Taken:
    """What one way gave in one cell. Arrays have the shape (builds, askings).

    `recall` is a share, `kept` counts rows returned, `wanted` those of the exact result, `fetched` the candidates
    asked for, `milliseconds` the time as the client sees it.
    """

    recall: NDArray[np.float64]
    kept: NDArray[np.int64]
    wanted: NDArray[np.int64]
    fetched: NDArray[np.int64]
    milliseconds: NDArray[np.float64]
    plans: Counter[str] = field(default_factory=Counter)

    @classmethod
    def empty(cls, builds: int, truth: Sequence[Sequence[Hit]]) -> Taken:
        """Return readings yet to be taken."""
        shape = (builds, len(truth))
        counts = [np.zeros(shape, dtype=np.int64) for _ in range(2)]
        wanted = np.array([len(hits) for hits in truth], dtype=np.int64)
        return cls(np.zeros(shape), counts[0], wanted, counts[1], np.zeros(shape))


@dataclass
class Guard:
    """Checks every row that a search returns against tenant, level and side; counts the rows that it has seen."""

    labels: Mapping[str, Label]
    rows: int = 0
    searches: int = 0

    def check(self, reader: Reader, hits: Sequence[Hit]) -> None:
        """Raise RuntimeError for a row that the reader may not see."""
        for hit in hits:
            if not reader.sees(hit.tenant, self.labels[hit.doc]):
                raise RuntimeError(f"{reader.name} was given {hit.id}, which it may not see")
        self.rows += len(hits)
        self.searches += 1


def over_fetch(k: int, share: float, factor: float, cap: int) -> int:
    """Return how many candidates to take so that `k` of them are visible on average: factor · k / share, capped.

    Raises ValueError for a share outside of (0, 1].
    """
    if not 0 < share <= 1:
        raise ValueError(f"a visible share of {share}; expected more than 0 and at most 1")
    return min(cap, EF_MAX, max(k, math.ceil(factor * k / share)))


def exact_results(
    layout: Entitled, conn: Connection, cell: Cell, vectors: Vectors, k: int, guard: Guard
) -> tuple[list[list[Hit]], list[float]]:
    """Return for each asking the exact result under the policies, and how many milliseconds it took."""
    found, spent = [], []
    for asking in cell.askings:
        with layout.session(conn, asking.principal) as reading:
            began = time.perf_counter()
            found.append(exact(layout, reading, vectors[asking.query], k=k))
            spent.append((time.perf_counter() - began) * 1000)
        guard.check(asking.principal, found[-1])
    return found, spent


def take(
    layout: Entitled,
    conn: Connection,
    cell: Cell,
    vectors: Vectors,
    truth: Sequence[Sequence[Hit]],
    into: Mapping[Way, Taken],
    build: int,
    k: int,
    cap: int,
    rows: int,
    guard: Guard,
) -> None:
    """Read every asking of a cell in every way that `into` has a place for; `rows` is how many the table holds."""
    for number, asking in enumerate(cell.askings):
        vector = vectors[asking.query]
        with layout.session(conn, asking.principal) as reading:
            for way, taken in into.items():
                ef = way.candidates(k, asking.visible / rows, cap)
                scan = Scan(ef, plan="own" if way.own else "forced")
                where = overlap(asking.principal) if way.predicate else ""
                plan = explain(layout, reading, vector, scan, k=k, where=where)
                if not way.own and plan.type != HNSW.plan:
                    raise RuntimeError(f"{cell.label}, {way.id}: expected an {HNSW.plan}, found {plan.type}")
                began = time.perf_counter()
                hits = search(layout, reading, vector, scan, k=k, where=where)
                taken.milliseconds[build, number] = (time.perf_counter() - began) * 1000
                guard.check(asking.principal, hits)
                taken.plans[plan.type] += 1
                taken.recall[build, number] = recall(hits, truth[number])
                taken.kept[build, number] = len(hits)
                taken.fetched[build, number] = ef


def probe(
    layout: Entitled,
    conn: Connection,
    askings: Sequence[Asking],
    vectors: Vectors,
    number: int,
    seed: int,
    k: int,
    guard: Guard,
) -> None:
    """Put random questions to random readers, by the index or exactly; a row that a reader may not see ends it."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        reader = askings[int(rng.integers(len(askings)))].principal
        vector = vectors[int(rng.integers(len(vectors)))]
        with layout.session(conn, reader) as reading:
            guard.check(reader, search(layout, reading, vector, Scan(int(rng.integers(k, 200))), k=k))
