"""Search in a layout: one statement for all of them, the settings of a scan, and the plan that answered.

Every setting is made anew for each search, so that no reading inherits those of the one before. Results come in the
order of the database: `relaxed_order` may return rows out of order, and to see that is the point.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from harness.corpus.model import Vectors
from harness.errors import HarnessError
from harness.retrieval.dense import EF_MAX, Hit
from harness.store import plans
from harness.store.layouts.base import Layout, Reading
from harness.store.plans import Node

Iterative = Literal["off", "strict_order", "relaxed_order"]
#: "own": the planner chooses. "forced": exact scans are priced out. "exact": vector indexes are priced out.
Mode = Literal["own", "forced", "exact"]

_PLANNER: dict[Mode, tuple[str, str, str, str]] = {
    "own": ("on", "on", "on", "on"),
    "forced": ("off", "off", "off", "on"),
    "exact": ("on", "on", "on", "off"),
}


@dataclass(frozen=True)
class Scan:
    """How a search is run; pgvector's settings by their names.

    `probes` is for IVFFlat, `ef_search` for HNSW, `iterative` and `max_scan_tuples` for both as far as they have them.
    """

    ef_search: int = 40
    iterative: Iterative = "off"
    max_scan_tuples: int = 20_000
    probes: int = 1
    plan: Mode = "forced"

    def settings(self) -> dict[str, str]:
        """Return every setting by name; IVFFlat knows no strict order, which is refused in `check`."""
        seqscan, bitmap, sort, index = _PLANNER[self.plan]
        return {
            "enable_seqscan": seqscan,
            "enable_bitmapscan": bitmap,
            "enable_sort": sort,
            "enable_indexscan": index,
            "hnsw.ef_search": str(self.ef_search),
            "hnsw.iterative_scan": self.iterative,
            "hnsw.max_scan_tuples": str(self.max_scan_tuples),
            "ivfflat.probes": str(self.probes),
            "ivfflat.iterative_scan": "off" if self.iterative == "off" else "relaxed_order",
        }

    def check(self, layout: Layout, k: int) -> None:
        """Raise HarnessError for what pgvector does not take, or takes and silently cuts."""
        if not 1 <= self.ef_search <= EF_MAX:
            raise HarnessError(f"ef_search is {self.ef_search}: pgvector takes 1 to {EF_MAX}")
        if layout.index.method == "ivfflat" and self.iterative == "strict_order":
            raise HarnessError("IVFFlat has no strict_order: use relaxed_order or off")
        if layout.index.method == "hnsw" and self.iterative == "off" and self.plan != "exact" and k > self.ef_search:
            raise HarnessError(
                f"{k} results asked of a candidate list of {self.ef_search}: an index scan would silently return "
                "no more than its candidates; raise ef_search or scan iteratively"
            )


@dataclass(frozen=True)
class ScanPlan:
    """The plan of one search.

    `type` names how all of its scans find their rows, or "mixed: …". `scans` counts the tables scanned, `skipped`
    those removed when the execution began. Counts of rows are None without ANALYZE.
    """

    type: str
    scans: int
    skipped: int
    returned: int | None
    removed: int | None


def search(
    layout: Layout,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    *,
    k: int = 10,
    tenants: Sequence[str] | None = None,
    where: str = "",
) -> list[Hit]:
    """Return up to `k` chunks in the order in which the database returns them.

    `tenants` is the explicit predicate (None: the statement names no tenant), `where` one more condition.
    """
    statement, params = _prepared(layout, reading, vector, scan, k, tenants, where)
    return [Hit(*row) for row in reading.conn.execute(statement.encode(), params).fetchall()]


def exact(layout: Layout, reading: Reading, vector: Vectors, *, k: int = 10, where: str = "") -> list[Hit]:
    """Return the `k` nearest chunks that the reader may see, ties by id; every visible chunk is compared."""
    return search(layout, reading, vector, Scan(plan="exact"), k=k, where=where)


def explain(
    layout: Layout,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    *,
    k: int = 10,
    tenants: Sequence[str] | None = None,
    where: str = "",
    analyse: bool = False,
) -> ScanPlan:
    """Return the plan of the same search; with `analyse` from an execution of its own."""
    statement, params = _prepared(layout, reading, vector, scan, k, tenants, where)
    options = "ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF" if analyse else "COSTS ON"
    row = reading.conn.execute(f"EXPLAIN (FORMAT JSON, {options}) {statement}".encode(), params).fetchone()
    assert row is not None
    return read_plan(row[0][0]["Plan"], layout.index.plan)


def plan_text(
    layout: Layout,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    *,
    k: int = 10,
    tenants: Sequence[str] | None = None,
) -> list[str]:
    """Return the executed plan as trimmed lines: no costs, times, vectors or schema names."""
    statement, params = _prepared(layout, reading, vector, scan, k, tenants, "")
    return plans.plan_text(reading.conn, statement, params)


def read_plan(top: Node, vector_index: str) -> ScanPlan:
    """Read the top node of a JSON plan; an index scan with an order is one of the vector index."""
    scans = list(_scans(top))
    kinds = Counter(vector_index if kind == plans.HNSW else kind for kind in map(plans.plan_type, scans))
    gathered = any(node["Node Type"].startswith("Gather") for node in plans.nodes(top))
    if gathered and set(kinds) == {plans.SEQUENTIAL}:
        kinds = Counter({plans.PARALLEL: len(scans)})
    named = next(iter(kinds), plans.OTHER) if len(kinds) < 2 else f"mixed: {', '.join(sorted(kinds))}"
    parsed = plans.parse([{"Plan": top}])
    skipped = sum(node.get("Subplans Removed", 0) for node in plans.nodes(top))
    return ScanPlan(named, len(scans), skipped, parsed.returned, parsed.removed)


def settings_of(reading: Reading, scan: Scan) -> None:
    """Make every setting of a scan in the reader's transaction."""
    calls = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in scan.settings().items())
    reading.conn.execute(f"SELECT {calls}".encode())


def inversions(hits: Sequence[Hit]) -> int:
    """Return how many results are nearer than the one before them: 0 for an ordered list."""
    return sum(after.distance < before.distance for before, after in itertools.pairwise(hits))


def _scans(node: Node) -> list[Node]:
    """Every node that scans a table, outside of init plans."""
    if node.get("Parent Relationship") in ("InitPlan", "SubPlan"):
        return []
    if plans.scan_of(node) is node:
        return [node]
    return [found for child in node.get("Plans", []) for found in _scans(child)]


def _prepared(
    layout: Layout,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    k: int,
    tenants: Sequence[str] | None,
    where: str,
) -> tuple[str, dict[str, Any]]:
    """Make the settings of the transaction; return statement and parameters."""
    scan.check(layout, k)
    settings_of(reading, scan)
    source = layout.source(reading, tenants)
    if where:
        source = f"(SELECT * FROM {source}) AS chunk WHERE {where}"
    # An exact search orders by distance and id, so that ties at the last place fall the same way each time.
    order = "distance, id" if scan.plan == "exact" else layout.index.order
    statement = (
        f"SELECT id, doc, tenant, {layout.index.distance} AS distance FROM {source} ORDER BY {order} LIMIT %(k)s"
    )
    params: dict[str, Any] = {"query": vector, "k": k}
    return statement, params | ({} if tenants is None else {"tenants": list(tenants)})
