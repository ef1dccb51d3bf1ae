"""Dense search in the store's own table, under the policy of the session: exact, and by HNSW.

Distances are cosine distances (1 − cosine, 0 to 2), nearest first, ties by chunk id. How a search is run, and its
settings, are those of every layout (`harness.store.layouts.scan`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from harness.corpus.model import Vectors
from harness.store.layouts import HNSW, Index, Reading, Scan, ScanPlan, exact, explain, plan_text, search
from harness.store.layouts.scan import candidates
from harness.store.roles import Session
from harness.store.scans import EF_MAX, ROWS_PER_NODE, Hit

__all__ = [
    "EF_MAX", "ROWS_PER_NODE", "Hit",
    "candidate_list", "exact_plan_text", "exact_search", "hnsw_plan", "hnsw_plan_text", "hnsw_search",
]  # fmt: skip

#: "own": the planner chooses. "forced": exact scans are priced out, so the HNSW index answers.
PlanMode = Literal["own", "forced"]
EXACT = Scan(plan="exact")


@dataclass
class _Chunks:
    """The store's table `chunk`; no statement names a tenant."""

    index: Index = HNSW

    def source(self, reading: Reading, tenants: Sequence[str] | None) -> str:
        """Return the table."""
        return "chunk"


_CHUNKS = _Chunks()


def exact_search(session: Session, vector: Vectors, *, k: int = 10) -> list[Hit]:
    """Return the `k` nearest chunks that the principal may see; every visible chunk is compared."""
    return _ordered(exact(_CHUNKS, _reading(session), vector, k=k))


def hnsw_search(
    session: Session, vector: Vectors, *, ef_search: int, k: int = 10, plan: PlanMode = "forced"
) -> list[Hit]:
    """Return up to `k` chunks from a candidate list of `ef_search` (iterative scan off).

    The index hands on its candidates without knowing the policy, which then drops those that the principal
    may not see: fewer than `k` may be left, or none. With `plan="own"` the planner may scan exactly instead.
    Raises HarnessError for an `ef_search` that pgvector does not take, or below `k`, where LIMIT would
    silently be cut.
    """
    return _ordered(search(_CHUNKS, _reading(session), vector, Scan(ef_search, plan=plan), k=k))


def candidate_list(session: Session, vector: Vectors, *, ef_search: int) -> list[Hit]:
    """Return all that an index scan with `ef_search` hands on and the principal may see, nearest first."""
    return _ordered(candidates(_CHUNKS, _reading(session), vector, Scan(ef_search)))


def hnsw_plan(
    session: Session,
    vector: Vectors,
    *,
    ef_search: int,
    k: int = 10,
    plan: PlanMode = "forced",
    analyse: bool = True,
) -> ScanPlan:
    """Return the plan of the same search; with `analyse` from an execution of its own."""
    return explain(_CHUNKS, _reading(session), vector, Scan(ef_search, plan=plan), k=k, analyse=analyse)


def hnsw_plan_text(
    session: Session, vector: Vectors, *, ef_search: int, k: int = 10, plan: PlanMode = "forced"
) -> list[str]:
    """Return the trimmed text of the executed plan of the same search."""
    return plan_text(_CHUNKS, _reading(session), vector, Scan(ef_search, plan=plan), k=k)


def exact_plan_text(session: Session, vector: Vectors, *, k: int = 10) -> list[str]:
    """Return the trimmed text of the executed plan of the exact search."""
    return plan_text(_CHUNKS, _reading(session), vector, EXACT, k=k)


def _reading(session: Session) -> Reading:
    return Reading(session.conn, session.principal)


def _ordered(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (hit.distance, hit.id))
