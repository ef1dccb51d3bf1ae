"""Dense search through SQL, under the policy of the session: exact, and by HNSW.

Distances are cosine distances (1 − cosine, 0 to 2), nearest first, ties by chunk id. Both functions run the
same statement; they differ in the planner settings, and set every one of them each time, so that no reading
inherits the settings of the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from harness.corpus.model import Vectors
from harness.errors import HarnessError
from harness.store import plans
from harness.store.roles import Session
from harness.store.server import Connection

#: "own": the planner chooses. "forced": exact scans are priced out, so the HNSW index answers.
PlanMode = Literal["own", "forced"]

EF_MAX = 1_000
"""The largest `hnsw.ef_search` that pgvector takes."""

ROWS_PER_NODE = 10
"""pgvector keeps up to this many rows with equal vectors in one node of the graph."""

STATEMENT = """SELECT id, doc, tenant, embedding <=> %(query)s AS distance
FROM chunk ORDER BY embedding <=> %(query)s LIMIT %(k)s"""

# Ordered by distance and id, so that ties at the last place fall the same way each time. An incremental sort
# over the HNSW index could answer this too, approximately: index scans must be off.
EXACT_STATEMENT = """SELECT id, doc, tenant, embedding <=> %(query)s AS distance
FROM chunk ORDER BY distance, id LIMIT %(k)s"""

_SETTINGS: dict[str, dict[str, str]] = {
    "own": {"enable_seqscan": "on", "enable_bitmapscan": "on", "enable_sort": "on", "enable_indexscan": "on"},
    "forced": {
        "enable_seqscan": "off",
        "enable_bitmapscan": "off",
        "enable_sort": "off",
        "enable_indexscan": "on",
    },
    "exact": {
        "enable_seqscan": "on",
        "enable_bitmapscan": "on",
        "enable_sort": "on",
        "enable_indexscan": "off",
    },
}


@dataclass(frozen=True)
class Hit:
    """A chunk found: its id, document and tenant, and its cosine distance to the query (0 to 2)."""

    id: str
    doc: str
    tenant: str
    distance: float


def exact_search(session: Session, vector: Vectors, *, k: int = 10) -> list[Hit]:
    """Return the `k` nearest chunks that the principal may see; every visible chunk is compared."""
    _set(session.conn, "exact", ef_search=40)
    return _hits(session.conn, EXACT_STATEMENT, vector, k)


def hnsw_search(
    session: Session, vector: Vectors, *, ef_search: int, k: int = 10, plan: PlanMode = "forced"
) -> list[Hit]:
    """Return up to `k` chunks from a candidate list of `ef_search` (iterative scan off).

    The index hands on its candidates without knowing the policy, which then drops those that the principal
    may not see: fewer than `k` may be left, or none. With `plan="own"` the planner may scan exactly instead.
    Raises HarnessError for an `ef_search` that pgvector does not take, or below `k`, where LIMIT would
    silently be cut.
    """
    configure(session, ef_search=ef_search, k=k, plan=plan)
    return _hits(session.conn, STATEMENT, vector, k)


def candidate_list(session: Session, vector: Vectors, *, ef_search: int) -> list[Hit]:
    """Return all that an index scan with `ef_search` hands on and the principal may see, nearest first.

    A list of `ef_search` counts nodes of the graph. Rows with equal vectors share a node (up to ten of them), so a
    corpus with repeated text can yield more rows than `ef_search`.
    """
    configure(session, ef_search=ef_search, k=1, plan="forced")
    return _hits(session.conn, STATEMENT, vector, ef_search * ROWS_PER_NODE)


def hnsw_plan(
    session: Session,
    vector: Vectors,
    *,
    ef_search: int,
    k: int = 10,
    plan: PlanMode = "forced",
    analyse: bool = True,
) -> plans.Plan:
    """Return the plan of the same search; with `analyse` from an execution of its own."""
    configure(session, ef_search=ef_search, k=k, plan=plan)
    return plans.explain(session.conn, STATEMENT, _params(vector, k), analyse=analyse)


def hnsw_plan_text(
    session: Session, vector: Vectors, *, ef_search: int, k: int = 10, plan: PlanMode = "forced"
) -> list[str]:
    """Return the trimmed text of the executed plan of the same search."""
    configure(session, ef_search=ef_search, k=k, plan=plan)
    return plans.plan_text(session.conn, STATEMENT, _params(vector, k))


def exact_plan_text(session: Session, vector: Vectors, *, k: int = 10) -> list[str]:
    """Return the trimmed text of the executed plan of the exact search."""
    _set(session.conn, "exact", ef_search=40)
    return plans.plan_text(session.conn, EXACT_STATEMENT, _params(vector, k))


def configure(session: Session, *, ef_search: int, k: int, plan: PlanMode) -> None:
    """Set the transaction's planner and HNSW settings, having checked them."""
    if not 1 <= ef_search <= EF_MAX:
        raise HarnessError(f"ef_search is {ef_search}: pgvector takes 1 to {EF_MAX}")
    if k > ef_search:
        raise HarnessError(
            f"{k} results asked of a candidate list of {ef_search}: an index scan would silently return "
            "no more than its candidates; raise ef_search"
        )
    _set(session.conn, plan, ef_search)


def _set(conn: Connection, mode: str, ef_search: int) -> None:
    values = {**_SETTINGS[mode], "hnsw.ef_search": str(ef_search), "hnsw.iterative_scan": "off"}
    calls = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in values.items())
    conn.execute(f"SELECT {calls}".encode())


def _params(vector: Vectors, k: int) -> dict[str, Any]:
    return {"query": vector, "k": k}


def _hits(conn: Connection, statement: str, vector: Vectors, k: int) -> list[Hit]:
    rows = conn.execute(statement.encode(), _params(vector, k)).fetchall()
    return sorted((Hit(*row) for row in rows), key=lambda hit: (hit.distance, hit.id))
