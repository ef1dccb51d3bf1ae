"""How a vector search is run: pgvector's settings and the planner's, in one table, and what a search returns.

Every setting is made anew for each search, so that no reading inherits those of the one before. No search takes
parallel workers: whether one is free would change a time, and an exact scan might run beside itself while an index scan
cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from harness.errors import HarnessError

if TYPE_CHECKING:
    from harness.store.layouts.indexes import Index

Iterative = Literal["off", "strict_order", "relaxed_order"]
#: "own": the planner chooses. "forced": exact scans are priced out. "exact": vector indexes are priced out.
Mode = Literal["own", "forced", "exact"]

EF_MAX = 1_000
"""The largest `hnsw.ef_search` that pgvector takes."""

ROWS_PER_NODE = 10
"""pgvector keeps up to this many rows with equal vectors in one node of the graph."""

#: By mode: enable_seqscan, enable_bitmapscan, enable_sort, enable_indexscan.
_PLANNER: dict[Mode, tuple[str, str, str, str]] = {
    "own": ("on", "on", "on", "on"),
    "forced": ("off", "off", "off", "on"),
    "exact": ("on", "on", "on", "off"),
}


@dataclass(frozen=True)
class Hit:
    """A chunk found: its id, document and tenant, and its cosine distance to the query (0 to 2)."""

    id: str
    doc: str
    tenant: str
    distance: float


@dataclass(frozen=True)
class Scan:
    """How a search is run; pgvector's settings by their names.

    `probes` is for IVFFlat, `ef_search` and `mem_multiplier` (`hnsw.scan_mem_multiplier`) for HNSW, `iterative` and
    `max_scan_tuples` for both as far as they have them.
    """

    ef_search: int = 40
    iterative: Iterative = "off"
    max_scan_tuples: int = 20_000
    probes: int = 1
    plan: Mode = "forced"
    mem_multiplier: int = 1

    def settings(self) -> dict[str, str]:
        """Return every setting by name; IVFFlat knows no strict order, which is refused in `check`."""
        seqscan, bitmap, sort, index = _PLANNER[self.plan]
        return {
            "enable_seqscan": seqscan,
            "enable_bitmapscan": bitmap,
            "enable_sort": sort,
            "enable_indexscan": index,
            "max_parallel_workers_per_gather": "0",
            "hnsw.ef_search": str(self.ef_search),
            "hnsw.iterative_scan": self.iterative,
            "hnsw.max_scan_tuples": str(self.max_scan_tuples),
            "hnsw.scan_mem_multiplier": str(self.mem_multiplier),
            "ivfflat.probes": str(self.probes),
            "ivfflat.iterative_scan": "off" if self.iterative == "off" else "relaxed_order",
        }

    def check(self, index: Index, k: int) -> None:
        """Raise HarnessError for what pgvector does not take, or takes and silently cuts."""
        if not 1 <= self.ef_search <= EF_MAX:
            raise HarnessError(f"ef_search is {self.ef_search}: pgvector takes 1 to {EF_MAX}")
        if index.method == "ivfflat" and self.iterative == "strict_order":
            raise HarnessError("IVFFlat has no strict_order: use relaxed_order or off")
        if index.method == "hnsw" and self.iterative == "off" and self.plan != "exact" and k > self.ef_search:
            raise HarnessError(
                f"{k} results asked of a candidate list of {self.ef_search}: an index scan would silently return "
                "no more than its candidates; raise ef_search or scan iteratively"
            )
