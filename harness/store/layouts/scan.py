"""Search in a layout: one statement in three forms, and the plan that answered it.

Every search through SQL goes this way, the store's own table (`harness.retrieval.dense`) included. Results come in the
order of the database: `relaxed_order` may return rows out of order, and to see that is the point.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from harness.corpus.model import Vectors
from harness.store import plans
from harness.store.layouts.base import Reading
from harness.store.layouts.indexes import Index
from harness.store.plans import Node
from harness.store.scans import ROWS_PER_NODE, Hit, Scan

Form = Literal["plain", "materialized", "each"]
"""What a statement says beside its conditions.

"plain": the rows ordered by distance, so that a vector index may answer. "materialized": the rows that meet the
conditions first, with their distances, in a CTE that the planner may not look through; then ordered: exact by
construction. "each": one search per tenant named, by `tenant = …` and with a limit of its own, and the best of all.
"""

_ROW = "id, doc, tenant, {distance} AS distance"


class Searched(Protocol):
    """What a search reads: a layout, or the store's own table."""

    index: Index

    def source(self, reading: Reading, tenants: Sequence[str] | None) -> str:
        """Return what a search reads FROM."""


@dataclass(frozen=True)
class ScanPlan:
    """The plan of one search.

    `type` names how all of its scans find their rows, or "mixed: …". `scans` counts the tables scanned, `skipped`
    those removed when the execution began, `estimated` the rows that the planner expected of the first scan. Counts of
    rows are None without ANALYZE; `removed` counts those that a filter dropped until the limit was reached.
    """

    type: str
    scans: int
    skipped: int
    estimated: int
    returned: int | None
    removed: int | None


def search(
    layout: Searched,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    *,
    k: int = 10,
    tenants: Sequence[str] | None = None,
    where: str = "",
    form: Form = "plain",
) -> list[Hit]:
    """Return up to `k` chunks in the order in which the database returns them.

    `tenants` is the explicit predicate (None: the statement names no tenant), `where` one more condition.
    """
    return _run(reading, *_prepared(layout, reading, vector, scan, k, tenants, where, form))


def candidates(layout: Searched, reading: Reading, vector: Vectors, scan: Scan) -> list[Hit]:
    """Return all that one index scan hands on and the reader may see.

    `ef_search` counts nodes of the graph. Rows with equal vectors share a node (up to ten of them), so a corpus with
    repeated text can yield more rows than `ef_search`.
    """
    statement, params = _prepared(layout, reading, vector, scan, 1, None, "")
    return _run(reading, statement, params | {"k": scan.ef_search * ROWS_PER_NODE})


def exact(layout: Searched, reading: Reading, vector: Vectors, *, k: int = 10, where: str = "") -> list[Hit]:
    """Return the `k` nearest chunks that the reader may see, ties by id; every visible chunk is compared."""
    return search(layout, reading, vector, Scan(plan="exact"), k=k, where=where)


def explain(
    layout: Searched,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    *,
    k: int = 10,
    tenants: Sequence[str] | None = None,
    where: str = "",
    form: Form = "plain",
    analyse: bool = False,
) -> ScanPlan:
    """Return the plan of the same search; with `analyse` from an execution of its own."""
    statement, params = _prepared(layout, reading, vector, scan, k, tenants, where, form)
    options = "ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF" if analyse else "COSTS ON"
    row = reading.conn.execute(f"EXPLAIN (FORMAT JSON, {options}) {statement}".encode(), params).fetchone()
    assert row is not None
    return read_plan(row[0][0]["Plan"], layout.index.plan)


def plan_text(
    layout: Searched,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    *,
    k: int = 10,
    tenants: Sequence[str] | None = None,
    form: Form = "plain",
) -> list[str]:
    """Return the executed plan as trimmed lines: no costs, times, vectors or schema names."""
    statement, params = _prepared(layout, reading, vector, scan, k, tenants, "", form)
    return plans.plan_text(reading.conn, statement, params)


def read_plan(top: Node, vector_index: str) -> ScanPlan:
    """Read the top node of a JSON plan; an index scan with an order is one of the vector index."""
    scans = list(_scans(top))
    kinds = Counter(vector_index if kind == plans.HNSW else kind for kind in map(plans.scan_type, scans))
    gathered = any(node["Node Type"].startswith("Gather") for node in plans.nodes(top))
    if gathered and set(kinds) == {plans.SEQUENTIAL}:
        kinds = Counter({plans.PARALLEL: len(scans)})
    named = next(iter(kinds), plans.OTHER) if len(kinds) < 2 else f"mixed: {', '.join(sorted(kinds))}"
    parsed = plans.parse([{"Plan": top}])
    skipped = sum(node.get("Subplans Removed", 0) for node in plans.nodes(top))
    return ScanPlan(named, len(scans), skipped, _estimated(scans), parsed.returned, parsed.removed)


def settings_of(reading: Reading, scan: Scan) -> None:
    """Make every setting of a scan in the reader's transaction."""
    calls = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in scan.settings().items())
    reading.conn.execute(f"SELECT {calls}".encode())


def inversions(hits: Sequence[Hit]) -> int:
    """Return how many results are nearer than the one before them: 0 for an ordered list."""
    return sum(after.distance < before.distance for before, after in itertools.pairwise(hits))


def _scans(node: Node) -> list[Node]:
    """Every node that scans a table, outside of init plans; a CTE is an init plan whose rows the search reads."""
    if node.get("Parent Relationship") in ("InitPlan", "SubPlan") and not node["Subplan Name"].startswith("CTE "):
        return []
    if node["Node Type"] in plans.SCANS:
        return [node]
    return [found for child in node.get("Plans", []) for found in _scans(child)]


def _estimated(scans: Sequence[Node]) -> int:
    return int(scans[0].get("Plan Rows", 0)) if scans else 0


def _run(reading: Reading, statement: str, params: dict[str, Any]) -> list[Hit]:
    return [Hit(*row) for row in reading.conn.execute(statement.encode(), params).fetchall()]


def _prepared(
    layout: Searched,
    reading: Reading,
    vector: Vectors,
    scan: Scan,
    k: int,
    tenants: Sequence[str] | None,
    where: str,
    form: Form = "plain",
) -> tuple[str, dict[str, Any]]:
    """Make the settings of the transaction; return statement and parameters."""
    scan.check(layout.index, k)
    settings_of(reading, scan)
    row, order = _ROW.format(distance=layout.index.distance), layout.index.order
    params: dict[str, Any] = {"query": vector, "k": k}
    if form == "each":
        named = {f"tenant{number}": tenant for number, tenant in enumerate(tenants or ())}
        every = _source(layout.source(reading, None), where)
        parts = [f"(SELECT {row} FROM {_source(every, f'tenant = %({name})s')} ORDER BY {order} LIMIT %(k)s)"
                 for name in named]  # fmt: skip
        best = f"SELECT id, doc, tenant, distance FROM ({' UNION ALL '.join(parts)}) AS part"
        return f"{best} ORDER BY distance, id LIMIT %(k)s", params | named
    params |= {} if tenants is None else {"tenants": list(tenants)}
    source = _source(layout.source(reading, tenants), where)
    if form == "materialized":
        visible = f"WITH visible AS MATERIALIZED (SELECT {row} FROM {source})"
        return f"{visible} SELECT id, doc, tenant, distance FROM visible ORDER BY distance, id LIMIT %(k)s", params
    # An exact search orders by distance and id, so that ties at the last place fall the same way each time.
    order = "distance, id" if scan.plan == "exact" else order
    return f"SELECT {row} FROM {source} ORDER BY {order} LIMIT %(k)s", params


def _source(source: str, where: str) -> str:
    return f"(SELECT * FROM {source}) AS chunk WHERE {where}" if where else source
