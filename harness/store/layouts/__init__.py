"""Other ways to lay out the rows of the store: pool, partitions, silo, bridge; and other kinds of index.

The store itself (:mod:`harness.store.schema`) stays the base. Every layout here is made from its rows by SQL, in
PostgreSQL schemas of its own beside it, and dropped again by whoever made it:

    layout = Partitions(store)
    layout.create(principals, log)
    with layout.connect() as conn, layout.session(conn, principal) as reading:
        hits = search(layout, reading, vector, Scan(ef_search=40))
    layout.drop()

What is left of an interrupted run is dropped by the next `create`.

The names silo, pool and bridge are those of the AWS Well-Architected SaaS Lens ("Silo, pool, and bridge models"):
resources of one's own for every tenant, shared by all of them, or shared by some while others have their own.
"""

from __future__ import annotations

from harness.store.layouts.base import Built, Layout, Reader, Reading, Sizes
from harness.store.layouts.bridge import Bridge
from harness.store.layouts.indexes import FLAT, HALF_COLUMN, HALF_EXPRESSION, HNSW, Index
from harness.store.layouts.partitions import Partitions
from harness.store.layouts.pool import Pool
from harness.store.layouts.scan import ScanPlan, exact, explain, plan_text, search
from harness.store.layouts.silo import Silo
from harness.store.scans import Scan

__all__ = [
    "FLAT",
    "HALF_COLUMN",
    "HALF_EXPRESSION",
    "HNSW",
    "Bridge",
    "Built",
    "Index",
    "Layout",
    "Partitions",
    "Pool",
    "Reader",
    "Reading",
    "Scan",
    "ScanPlan",
    "Silo",
    "Sizes",
    "exact",
    "explain",
    "plan_text",
    "search",
]
