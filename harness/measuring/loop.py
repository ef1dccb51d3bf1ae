"""The loop that takes readings of SQL searches: every asking, in every way, against exact search.

A reading is one search in a transaction of its own, which the layout opens only for a role that cannot pass the
policy. For each asking every way is first executed untimed, under EXPLAIN ANALYZE: that warms its pages and gives its
plan. Then the ways are timed one after the other; with each asking, build and repeat another one begins, and they go in
either direction. A plan that a way may not have, a row that its reader may not see, or a search that returns another
number of rows than its plan did, ends the capture.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from harness.corpus.model import Vectors
from harness.measuring.readings import Readings, recall
from harness.measuring.trials import Trial
from harness.measuring.ways import Way, longer
from harness.store import Connection
from harness.store.layouts import Layout, Reading, ScanPlan, exact, explain, search
from harness.store.layouts.base import Reader
from harness.store.scans import Hit

Clock = Callable[[], float]
T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """Where searches are run: a layout and an open connection to it."""

    layout: Layout
    conn: Connection


def of_its_tenants(reader: Reader, hit: Hit) -> bool:
    """Return whether a row is of a tenant that the reader may see."""
    return hit.tenant in reader.tenants


@dataclass
class Witness:
    """Checks every row that a search returns against the rule itself, and counts rows and searches."""

    sees: Callable[[Reader, Hit], bool] = of_its_tenants
    rows: int = 0
    searches: int = 0

    def check(self, reader: Reader, hits: Sequence[Hit]) -> None:
        """Raise RuntimeError for a row that the reader may not see."""
        for hit in hits:
            if not self.sees(reader, hit):
                raise RuntimeError(f"{reader.name} was given {hit.id}, which it may not see")
        self.rows += len(hits)
        self.searches += 1


@dataclass(frozen=True)
class Task:
    """What a loop needs beside its askings: vectors of the questions, results wanted, who checks, and the clock.

    `where` is one more condition of every statement, exact ones included. `repeats`: how often each search is timed;
    the reading is the median.
    """

    vectors: Vectors
    k: int
    witness: Witness = field(default_factory=Witness)
    where: str = ""
    repeats: int = 1
    clock: Clock = time.perf_counter


def exact_results(place: Place, askings: Sequence[Trial], task: Task) -> list[list[Hit]]:
    """Return for each asking the exact result under its policy: the `k` nearest rows that its reader may see."""
    found = []
    for asking in askings:
        with place.layout.session(place.conn, asking.principal) as reading:
            found.append(exact(place.layout, reading, task.vectors[asking.query], k=task.k, where=task.where))
        task.witness.check(asking.principal, found[-1])
    return found


def take(
    places: Place | Callable[[Way, Trial], Place],
    askings: Sequence[Trial],
    task: Task,
    truth: Sequence[Sequence[Hit]],
    into: Mapping[Way, Readings],
    build: int = 0,
) -> None:
    """Read every asking in every way that `into` has a place for; `truth` holds the exact results of the askings.

    `places` may differ by way and asking. Raises RuntimeError as the module says.
    """
    for number, asking in enumerate(askings):
        here = {way: places if isinstance(places, Place) else places(way, asking) for way in into}
        plans = {way: _plan(here[way], asking, task, way) for way in into}
        spent: dict[Way, list[float]] = {way: [] for way in into}
        results: dict[Way, list[Hit]] = {}
        for repeat in range(task.repeats):
            for way in turned(list(into), number + build + repeat):
                milliseconds, results[way] = _timed(here[way], asking, task, way)
                spent[way].append(milliseconds)
                _agree(asking, way, plans[way], results[way])
        for way, readings in into.items():
            hits, plan = results[way], plans[way]
            readings.put(
                build, number, plan.type, hits,
                recall=recall(hits, truth[number]), kept=len(hits), wanted=len(truth[number]),
                unordered=inversions(hits), removed=plan.removed or 0, scans=plan.scans,
                ef_search=way.scan_for(asking).ef_search, milliseconds=statistics.median(spent[way]),
            )  # fmt: skip


def turned(ways: Sequence[T], turn: int) -> list[T]:
    """Return the ways beginning with another one each turn, every other time in the opposite direction."""
    start = turn % len(ways)
    order = [*ways[start:], *ways[:start]]
    return order[::-1] if turn // len(ways) % 2 else order


def inversions(hits: Sequence[Hit]) -> int:
    """Return how many results are nearer than the one before them: 0 for an ordered list."""
    return sum(after.distance < before.distance for before, after in itertools.pairwise(hits))


def _plan(place: Place, asking: Trial, task: Task, way: Way) -> ScanPlan:
    """The plan of one search, from an execution that nobody times."""
    with place.layout.session(place.conn, asking.principal) as reading:
        plan = explain(
            place.layout, reading, task.vectors[asking.query], way.scan_for(asking), k=task.k,
            tenants=_named(reading, way), where=_where(task, way, asking), form=way.form, analyse=True,
        )  # fmt: skip
    if way.plans and plan.type not in way.plans:
        raise RuntimeError(
            f"{place.layout.name}, {asking.principal.name}, {way.id}: expected {' or '.join(way.plans)}, "
            f"found {plan.type}"
        )
    return plan


def _timed(place: Place, asking: Trial, task: Task, way: Way) -> tuple[float, list[Hit]]:
    """Milliseconds of one search as its client sees it, and its rows, all of which the reader may see."""
    with place.layout.session(place.conn, asking.principal) as reading:
        began = task.clock()
        hits = _search(place.layout, reading, asking, task, way)
        milliseconds = (task.clock() - began) * 1000
    task.witness.check(asking.principal, hits)
    return milliseconds, hits


def _search(layout: Layout, reading: Reading, asking: Trial, task: Task, way: Way) -> list[Hit]:
    scan = way.scan_for(asking)
    while True:
        hits = search(
            layout, reading, task.vectors[asking.query], scan, k=task.k,
            tenants=_named(reading, way), where=_where(task, way, asking), form=way.form,
        )  # fmt: skip
        again = longer(scan) if way.refill and len(hits) < task.k else None
        if again is None:
            return hits
        scan = again


def _agree(asking: Trial, way: Way, plan: ScanPlan, hits: Sequence[Hit]) -> None:
    if plan.returned != len(hits) and not way.refill:
        raise RuntimeError(
            f"{asking.principal.name}, question {asking.query}, {way.id}: the same search returned {plan.returned} "
            f"rows, then {len(hits)}"
        )


def _named(reading: Reading, way: Way) -> Sequence[str] | None:
    return reading.tenants if way.predicate else None


def _where(task: Task, way: Way, asking: Trial) -> str:
    return " AND ".join(part for part in (task.where, way.where_for(asking)) if part)
