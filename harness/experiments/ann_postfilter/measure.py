"""Take the readings: for every asking and ef_search, the forced index scan and the planner's own choice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Vectors
from harness.measuring.readings import recall
from harness.measuring.trials import Asking, Cell
from harness.retrieval import dense
from harness.retrieval.dense import Hit
from harness.store import Connection, as_principal
from harness.store.plans import HNSW


@dataclass
class Readings:
    """What one cell gave at one ef_search, over builds and askings.

    Arrays have the shape (builds, askings). `recall` and `own_recall` are shares from 0 to 1, `kept` counts
    the rows returned, `removed` the candidates that the policy dropped before ten were kept, `milliseconds`
    is the time of the forced search as its client sees it.
    """

    recall: NDArray[np.float64]
    kept: NDArray[np.int64]
    removed: NDArray[np.int64]
    own_recall: NDArray[np.float64]
    own_kept: NDArray[np.int64]
    milliseconds: NDArray[np.float64]
    forced_plans: Counter[str] = field(default_factory=Counter)
    own_plans: Counter[str] = field(default_factory=Counter)

    @classmethod
    def empty(cls, builds: int, askings: int) -> Readings:
        """Return readings yet to be taken."""
        floats = [np.zeros((builds, askings)) for _ in range(3)]
        counts = [np.zeros((builds, askings), dtype=np.int64) for _ in range(3)]
        return cls(floats[0], counts[0], counts[1], floats[1], counts[2], floats[2])


def exact_results(
    conn: Connection, cell: Cell, vectors: Vectors, k: int, clock: Callable[[], float] = time.perf_counter
) -> tuple[list[list[Hit]], list[float]]:
    """Return for each asking the exact result under its policy, and how many milliseconds it took."""
    results, spent = [], []
    for asking in cell.askings:
        with as_principal(conn, asking.principal.name) as session:
            began = clock()
            results.append(dense.exact_search(session, vectors[asking.query], k=k))
            spent.append((clock() - began) * 1000)
    return results, spent


def read_cell(
    conn: Connection,
    cell: Cell,
    vectors: Vectors,
    exact: Sequence[Sequence[Hit]],
    into: dict[int, Readings],
    build: int,
    k: int,
) -> None:
    """Take the readings of one cell on the present index, for every ef_search that `into` has a place for."""
    for number, asking in enumerate(cell.askings):
        scanned: list[Hit] = []
        with as_principal(conn, asking.principal.name) as session:
            for ef, readings in into.items():
                vector = vectors[asking.query]
                plan = dense.hnsw_plan(session, vector, ef_search=ef, k=k)
                began = time.perf_counter()
                hits = dense.hnsw_search(session, vector, ef_search=ef, k=k)
                readings.milliseconds[build, number] = (time.perf_counter() - began) * 1000
                _agree(cell, asking, ef, plan.type, plan.returned, len(hits))
                readings.forced_plans[plan.type] += 1
                readings.recall[build, number] = recall(hits, exact[number])
                readings.kept[build, number] = len(hits)
                readings.removed[build, number] = plan.removed or 0
                # The same plan over the same graph is the same reading, and an exact scan knows neither graph nor
                # ef_search: the planner's choice is run once an asking, where it is another plan.
                own = dense.hnsw_plan(session, vector, ef_search=ef, k=k, plan="own", analyse=False)
                readings.own_plans[own.type] += 1
                if own.type != HNSW:
                    scanned = scanned or dense.hnsw_search(session, vector, ef_search=ef, k=k, plan="own")
                    hits = scanned
                readings.own_recall[build, number] = recall(hits, exact[number])
                readings.own_kept[build, number] = len(hits)


def _agree(cell: Cell, asking: Asking, ef: int, plan: str, planned: int | None, returned: int) -> None:
    """Refuse a reading whose plan was not the forced one, or whose two executions differ."""
    if plan != HNSW or planned != returned:
        raise RuntimeError(
            f"{cell.label}, ef_search {ef}, principal {asking.principal.name}, question {asking.query}: "
            f"expected the same result twice from an {HNSW}, found {plan} with {planned} and {returned} rows"
        )
