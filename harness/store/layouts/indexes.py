"""Kinds of vector index: what to create, and the expression a search has to order by for the index to be used.

An index over half-precision numbers (16 bits a component instead of 32) is either over an expression, beside
full-precision rows, or over a column that holds nothing else. In the first case only the index is smaller and
the exact distance of a result is still known; in the second the rows are smaller too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.store.schema import DIMENSIONS, HNSW_EF_CONSTRUCTION, HNSW_M

Method = Literal["hnsw", "ivfflat"]
Half = Literal["no", "expression", "column"]


@dataclass(frozen=True)
class Index:
    """A vector index by cosine distance.

    `m` and `ef_construction` are for HNSW, `lists` for IVFFlat. `half`: whether and where 16-bit numbers are stored.
    """

    method: Method = "hnsw"
    half: Half = "no"
    m: int = HNSW_M
    ef_construction: int = HNSW_EF_CONSTRUCTION
    lists: int = 100

    @property
    def name(self) -> str:
        """The index's name in every table: PostgreSQL gives partitions names of its own."""
        return f"chunk_embedding_{self.method}"

    @property
    def plan(self) -> str:
        """What a plan that uses this index is called."""
        return f"{self.method} index scan"

    @property
    def column(self) -> str:
        """The type of the column `embedding`."""
        return f"{'halfvec' if self.half == 'column' else 'vector'}({DIMENSIONS})"

    @property
    def order(self) -> str:
        """The distance that the index answers by; a search that orders by another expression does not use it."""
        if self.half == "expression":
            return f"(embedding::halfvec({DIMENSIONS})) <=> %(query)s::vector::halfvec({DIMENSIONS})"
        return self.distance

    @property
    def distance(self) -> str:
        """The distance as precisely as the stored row allows."""
        if self.half == "column":
            return f"embedding <=> %(query)s::vector::halfvec({DIMENSIONS})"
        return "embedding <=> %(query)s"

    def create(self, table: str) -> str:
        """Return the statement that builds the index over `table`."""
        on = f"(embedding::halfvec({DIMENSIONS}))" if self.half == "expression" else "embedding"
        operators = "vector_cosine_ops" if self.half == "no" else "halfvec_cosine_ops"
        if self.method == "hnsw":
            options = f"m = {self.m}, ef_construction = {self.ef_construction}"
        else:
            options = f"lists = {self.lists}"
        return f"CREATE INDEX {self.name} ON {table} USING {self.method} ({on} {operators}) WITH ({options})"

    def describe(self) -> dict[str, object]:
        """The index as a dataset's `params` describe it."""
        shape = {"m": self.m, "ef_construction": self.ef_construction} if self.method == "hnsw" else {}
        return {"method": self.method, "half": self.half, **(shape or {"lists": self.lists})}


HNSW = Index()
FLAT = Index("ivfflat")
HALF_EXPRESSION = Index(half="expression")
HALF_COLUMN = Index(half="column")
