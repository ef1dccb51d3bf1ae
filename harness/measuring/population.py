"""What a store holds and what each cell of askings sees, as rows of a result and as tables of figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.capture.tables import Column, Table, counts
from harness.corpus.model import Corpus
from harness.measuring.trials import READERS, Cell

POPULATION = counts(
    "/result/population",
    {
        "chunks": "chunks in the store",
        "documents": "documents in the store",
        "tenants": "tenants in the store",
        "questions": "questions asked in each cell",
        "smallest_tenant": "chunks of the smallest tenant",
        "largest_tenant": "chunks of the largest tenant",
    },
)

CELLS = Table(
    "/result/cells",
    [Column("visible", "visible_share", "mean share of chunks visible, {row}", 3, n="n")],
    key="{cell}", label="{cell}", words={"cell": READERS},
)  # fmt: skip

RECALL = Column("recall", "measured/recall", "recall@10, {row}", 3, n="n", interval="measured/interval")
COUNTS = {
    "empty": ("questions with no result", 0),
    "short": ("questions with fewer results than exact search finds", 0),
    "returned": ("results returned on average", 1),
    "unordered": ("questions whose results were out of order", 0),
}
LATENCY = Column(
    "latency", "p50", "median time, {row} (interval: 5th to 95th percentile)", 2, "ms", "n", ("p05", "p95")
)
P95 = Column(
    "p95", "p95", "95th percentile of time, {row} (interval: 5th to 95th percentile)", 2, "ms", "n", ("p05", "p95")
)


def quality(*names: str) -> list[Column]:
    """Return the columns of rows that hold ``Readings.quality`` as ``measured``: recall, and the counts named."""
    return [
        RECALL,
        *(
            Column(name, f"measured/{name}", f"{COUNTS[name][0]}, {{row}}", COUNTS[name][1], n="n",
                   interval=f"measured/{name}_range")
            for name in names
        ),
    ]  # fmt: skip


def population(corpus: Corpus, questions: int) -> dict[str, int]:
    """Return what the store holds and how many questions are asked in a cell."""
    sizes = sizes_in(corpus)
    return {
        "chunks": len(corpus.chunks),
        "documents": len(corpus.documents),
        "tenants": len(sizes),
        "questions": questions,
        "smallest_tenant": min(sizes.values()),
        "largest_tenant": max(sizes.values()),
    }


def cell_rows(sizes: Mapping[str, int], cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return one row a cell: how many questions, of how many principals, and how much each of them sees.

    `sizes`: rows of each tenant.
    """
    total, found = sum(sizes.values()), []
    for cell in cells:
        visible = [sum(sizes[tenant] for tenant in asking.principal.tenants) for asking in cell.askings]
        found.append(
            {
                "cell": cell.label,
                "tenants": cell.size,
                "mode": cell.mode,
                "n": len(cell.askings),
                "principals": len({asking.principal.name for asking in cell.askings}),
                "visible_share": float(np.mean(visible)) / total,
            }
        )
    return found


def sizes_in(corpus: Corpus) -> dict[str, int]:
    """Return the number of chunks of each tenant."""
    return dict(Counter(chunk.tenant for chunk in corpus.chunks))
