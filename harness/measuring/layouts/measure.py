"""Take readings in a layout: every asking of a cell, in every way of searching, against exact search.

A reading is one search. Its plan is asked for without being executed; the search that is timed follows another one
of the same question, so its pages are warm. A row that its reader may not see ends the capture.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Corpus, Query, Vectors
from harness.measuring.readings import recall
from harness.measuring.trials import Asking, Cell
from harness.retrieval.dense import Hit
from harness.store import Connection
from harness.store.layouts import Layout, Scan, exact, explain, search
from harness.store.layouts.scan import inversions


@dataclass(frozen=True)
class Way:
    """One way of searching: its id in tables and figures, its settings, and what the statement says.

    `predicate`: whether the statement names the reader's tenants. `plans`: the plan types that it may have; another
    one ends the capture (empty: any).
    """

    id: str
    scan: Scan
    predicate: bool = False
    plans: tuple[str, ...] = ()


@dataclass
class Taken:
    """What one way gave in one cell. Arrays have the shape (builds, askings).

    `recall` is a share from 0 to 1, `kept` counts rows returned, `wanted` those of the exact result, `inversions`
    rows nearer than the one before them, `scans` tables scanned, `milliseconds` the time as the client sees it.
    `found` holds the sorted distances of every search: of two chunks that tie for the last place either is right.
    """

    recall: NDArray[np.float64]
    kept: NDArray[np.int64]
    inversions: NDArray[np.int64]
    scans: NDArray[np.int64]
    milliseconds: NDArray[np.float64]
    wanted: NDArray[np.int64]
    plans: Counter[str] = field(default_factory=Counter)
    found: list[list[float]] = field(default_factory=list)

    @classmethod
    def empty(cls, builds: int, exact_results: Sequence[Sequence[Hit]]) -> Taken:
        """Return readings yet to be taken."""
        shape = (builds, len(exact_results))
        kept, inverted, scans = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        wanted = np.array([len(hits) for hits in exact_results], dtype=np.int64)
        return cls(np.zeros(shape), kept, inverted, scans, np.zeros(shape), wanted)


def asked(corpus: Corpus, limit: int) -> list[Query]:
    """Return up to `limit` questions that have a tenant and a document, spread evenly over all by id."""
    every = [q for q in sorted(corpus.queries, key=lambda q: q.id) if q.tenant and q.doc]
    if len(every) <= limit:
        return every
    return [every[round(i * (len(every) - 1) / (limit - 1))] for i in range(limit)]


def exact_results(
    layout: Layout, conn: Connection, cell: Cell, vectors: Vectors, k: int, where: str = ""
) -> list[list[Hit]]:
    """Return for each asking the exact result under its policy; it must hold at least one row."""
    found = []
    for asking in cell.askings:
        with layout.session(conn, asking.principal) as reading:
            found.append(exact(layout, reading, vectors[asking.query], k=k, where=where))
        _only_own(cell, asking, found[-1])
    return found


def take(
    layout: Layout,
    conn: Connection,
    cell: Cell,
    vectors: Vectors,
    truth: Sequence[Sequence[Hit]],
    into: Mapping[Way, Taken],
    build: int,
    k: int,
    where: str = "",
) -> None:
    """Read every asking of a cell in every way that `into` has a place for."""
    for number, asking in enumerate(cell.askings):
        vector = vectors[asking.query]
        with layout.session(conn, asking.principal) as reading:
            for way, taken in into.items():
                tenants = reading.tenants if way.predicate else None
                plan = explain(layout, reading, vector, way.scan, k=k, tenants=tenants, where=where)
                if way.plans and plan.type not in way.plans:
                    raise RuntimeError(
                        f"{layout.name}, {cell.label}, {way.id}: expected {way.plans}, found {plan.type}"
                    )
                began = time.perf_counter()
                hits = search(layout, reading, vector, way.scan, k=k, tenants=tenants, where=where)
                taken.milliseconds[build, number] = (time.perf_counter() - began) * 1000
                _only_own(cell, asking, hits)
                taken.plans[plan.type] += 1
                taken.scans[build, number] = plan.scans
                taken.recall[build, number] = recall(hits, truth[number])
                taken.kept[build, number] = len(hits)
                taken.inversions[build, number] = inversions(hits)
                taken.found.append(sorted(hit.distance for hit in hits))


def warm_up(
    layout: Layout, conn: Connection, cell: Cell, vectors: Vectors, scan: Scan, k: int, predicate: bool = False
) -> None:
    """Search once for every asking, so that the first timed reading is not the one that reads from disk."""
    for asking in cell.askings:
        with layout.session(conn, asking.principal) as reading:
            search(layout, reading, vectors[asking.query], scan, k=k, tenants=reading.tenants if predicate else None)


def _only_own(cell: Cell, asking: Asking, hits: Sequence[Hit]) -> None:
    if any(hit.tenant not in asking.principal.tenants for hit in hits):
        raise RuntimeError(f"{cell.label}: {asking.principal.name} was given a row that it may not see")
