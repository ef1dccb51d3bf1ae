"""Searches that an outsider times, in PostgreSQL, with the source document in the store and without it.

Two tables hold everything but one half each of the source documents behind the barrier; every question has its
document in exactly one of them, and for half of the questions that is the first. A third table holds only what the
outsider may see, with an index of its own: the same table serves as both worlds, so what it shows is noise.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.corpus.model import Vectors
from harness.entitlements.readers import Reader
from harness.entitlements.table import Entitled
from harness.experiments.barriers.worlds import Held
from harness.measuring.labelled.measure import Guard
from harness.retrieval.dense import EF_MAX, Hit
from harness.store import Connection
from harness.store.layouts import Reading, Scan, exact, search


@dataclass(frozen=True)
class Way:
    """One way of searching: which table answers, how, and how often it is timed.

    `filter` says where the barrier stands: after the index, before the ranking, or before it in a table of one's own.
    """

    id: str
    words: str
    filter: str
    scan: Scan | None = None
    refill: bool = False
    own: bool = False
    repeats: int = 1


@dataclass
class Timed:
    """Of one way, one value a question: median milliseconds and rows returned in either world."""

    present: list[float] = field(default_factory=list)
    absent: list[float] = field(default_factory=list)
    present_rows: list[int] = field(default_factory=list)
    absent_rows: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Tables:
    """An open connection to each table."""

    first: tuple[Entitled, Connection]
    second: tuple[Entitled, Connection]
    own: tuple[Entitled, Connection]

    def worlds(self, question: Held) -> tuple[tuple[Entitled, Connection], tuple[Entitled, Connection]]:
        """Return the table with the question's document and the one without."""
        if question.source in self.first[0].without:
            return self.second, self.first
        return self.first, self.second


def ways(k: int, ef: int, limit: int, repeats: int, exact_repeats: int) -> list[Way]:
    """Return the ways of searching that are timed."""
    return [
        Way("index_short", f"index with a list of {k}, then the barrier", "after", Scan(k), repeats=repeats),
        Way("index", f"index with a list of {ef}, then the barrier", "after", Scan(ef), repeats=repeats),
        Way("refill", "index, asked again with twice the list until ten rows are left", "after", refill=True,
            repeats=repeats),
        Way("iterative", "iterative index scan, relaxed order", "after", Scan(ef, "relaxed_order", limit),
            repeats=repeats),
        Way("exact", "exact scan, the barrier first", "before", Scan(plan="exact"), repeats=exact_repeats),
        Way("own", "index over the outsider's own rows", "own table", Scan(ef), own=True, repeats=repeats),
    ]  # fmt: skip


def take(
    tables: Tables,
    made: Sequence[Way],
    questions: Sequence[tuple[Held, Reader]],
    vectors: Vectors,
    k: int,
    guard: Guard,
) -> dict[str, Timed]:
    """Time every question in every way in both worlds; vectors stand in the order of the questions.

    The worlds take turns, and which goes first alternates, so that neither always finds the pages warm.
    """
    found = {way.id: Timed() for way in made}
    for number, (question, reader) in enumerate(questions):
        with_, without = tables.worlds(question)
        for way in made:
            places = (tables.own, tables.own) if way.own else (with_, without)
            spent: tuple[list[float], list[float]] = ([], [])
            rows = [0, 0]
            for repeat in range(way.repeats + 1):
                for world in (0, 1) if (repeat + number) % 2 else (1, 0):
                    layout, conn = places[world]
                    with layout.session(conn, reader) as reading:
                        began = time.perf_counter()
                        hits = _search(way, layout, reading, vectors[number], k)
                        milliseconds = (time.perf_counter() - began) * 1000
                    guard.check(reader, hits)
                    rows[world] = len(hits)
                    if repeat:  # the first round warms up
                        spent[world].append(milliseconds)
            timed = found[way.id]
            timed.present.append(statistics.median(spent[0]))
            timed.absent.append(statistics.median(spent[1]))
            timed.present_rows.append(rows[0])
            timed.absent_rows.append(rows[1])
    return found


def _search(way: Way, layout: Entitled, reading: Reading, vector: Vectors, k: int) -> list[Hit]:
    if way.refill:
        return refill(layout, reading, vector, k)
    assert way.scan is not None
    if way.scan.plan == "exact":
        return exact(layout, reading, vector, k=k)
    return search(layout, reading, vector, way.scan, k=k)


def refill(layout: Entitled, reading: Reading, vector: Vectors, k: int) -> list[Hit]:
    """Search with a list of `k`, then twice as long, and so on, until `k` rows are left or the list cannot grow."""
    ef = k
    while True:
        hits = search(layout, reading, vector, Scan(ef), k=k)
        if len(hits) >= k or ef == EF_MAX:
            return hits
        ef = min(2 * ef, EF_MAX)


def both_sides(
    tables: Tables, questions: Sequence[Held], vectors: Vectors, sides: Mapping[str, Reader], k: int, guard: Guard
) -> dict[str, int]:
    """Ask every question from both sides, exactly, where its document exists; count who gets its document."""
    counts = {"n": len(questions), "insider_found": 0, "insider_rows": 0, "outsider_found": 0, "outsider_full": 0}
    for number, question in enumerate(questions):
        (layout, conn), _ = tables.worlds(question)
        for side in (question.side, question.outside):
            with layout.session(conn, sides[side]) as reading:
                hits = exact(layout, reading, vectors[number], k=k)
            guard.check(sides[side], hits)
            own = sum(hit.doc == question.source for hit in hits)
            if side == question.side:
                counts["insider_found"] += own > 0
                counts["insider_rows"] += own
            else:
                counts["outsider_found"] += own > 0
                counts["outsider_full"] += len(hits) == k
    return counts
