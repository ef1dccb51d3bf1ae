"""The remedies, from the plainest on: what each adds to a search behind a row policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.measuring.ways import Way
from harness.store.layouts import HNSW
from harness.store.plans import BITMAP, BTREE, SEQUENTIAL
from harness.store.scans import Scan

#: How a search is run beside the HNSW index of the whole table: with nothing added, with a B-tree on `tenant`, with a
#: B-tree and a policy that the planner can estimate; over one HNSW index per tenant; over partitions.
STAGES = ("plain", "btree", "estimable", "partial", "partitions")

EXACT_PLANS = (SEQUENTIAL, BTREE, BITMAP)


@dataclass(frozen=True)
class Remedy:
    """One remedy: in which stage it is read, and how."""

    stage: str
    way: Way


WORDS = {
    "btree_predicate": "B-tree on the tenant, the statement names the tenants",
    "btree_cte": "B-tree on the tenant, the tenants' rows first (MATERIALIZED), then ordered",
    "btree_relaxed": "B-tree on the tenant, the statement names the tenants, iterative scan in relaxed order",
    "relaxed": "iterative scan in relaxed order",
    "strict": "iterative scan in strict order",
    "array_btree": "B-tree on the tenant, a policy that the planner can estimate",
    "array_relaxed": "B-tree on the tenant, a policy that the planner can estimate, iterative scan in relaxed order",
    "partial": "one HNSW index per tenant, one search per tenant",
    "partitions": "one partition per tenant, the statement names the tenants",
    "relaxed_memory": "iterative scan in relaxed order, eight times the memory",
    "relaxed_reach": "iterative scan in relaxed order, eight times the memory, five times the rows",
    "btree_policy": "B-tree on the tenant, the statement names no tenant",
    "predicate": "the statement names the tenants, no B-tree",
    "policy": "the row policy alone",
}
"""Way → what it is, the plainest first; the last three are no remedies, but what the others are held against."""

NO_REMEDY = ("btree_policy", "predicate", "policy")


def remedies(params: Mapping[str, Any]) -> list[Remedy]:
    """Return every way that is read. The planner chooses in all of them, and its choice is counted."""
    ef, limit = params["ef_search"], params["max_scan_tuples"]
    own = Scan(ef, plan="own")
    relaxed = Scan(ef, "relaxed_order", limit, plan="own")
    memory = Scan(ef, "relaxed_order", limit, plan="own", mem_multiplier=params["mem_multiplier"])
    reach = Scan(ef, "relaxed_order", params["far_scan_tuples"], plan="own", mem_multiplier=params["mem_multiplier"])
    return [
        Remedy("plain", _way("policy", own)),
        Remedy("plain", _way("predicate", own, True)),
        Remedy("plain", _way("strict", Scan(ef, "strict_order", limit, plan="own"))),
        Remedy("plain", _way("relaxed", relaxed)),
        Remedy("plain", _way("relaxed_memory", memory, once=True)),
        Remedy("plain", _way("relaxed_reach", reach, once=True)),
        Remedy("btree", _way("btree_policy", own)),
        Remedy("btree", _way("btree_predicate", own, True)),
        Remedy("btree", _way("btree_relaxed", relaxed, True)),
        Remedy("btree", cte()),
        Remedy("estimable", _way("array_btree", own, once=True)),
        Remedy("estimable", _way("array_relaxed", relaxed, once=True)),
        Remedy("partial", Way("partial", own, True, words=WORDS["partial"], form="each")),
        Remedy("partitions", _way("partitions", own, True, once=True)),
    ]


def crossing(params: Mapping[str, Any]) -> list[Way]:
    """Return the ways that are read at each visible share, all beside a B-tree: by the graph alone, by the planner's
    choice without and with an iterative scan, and the visible rows first."""
    ef = params["ef_search"]
    return [
        Way("hnsw", Scan(ef), plans=(HNSW.plan,), words="the HNSW index, then the policy"),
        _way("btree_predicate", Scan(ef, plan="own"), True),
        _way("btree_relaxed", Scan(ef, "relaxed_order", params["max_scan_tuples"], plan="own"), True),
        cte(),
    ]


def cte() -> Way:
    """Return the way that computes the distance of every visible row before it orders them: exact by construction."""
    return Way("btree_cte", Scan(plan="own"), True, EXACT_PLANS, WORDS["btree_cte"], "materialized", once=True)


def plainest(rows: Sequence[Mapping[str, Any]], least: float) -> str:
    """Return the first remedy, in the order of WORDS, whose recall is at least `least` in every cell and which never
    returns fewer rows than exact search; "none" where no one does.

    `rows` are readings of the dataset, one per way and cell.
    """
    for way in (way for way in WORDS if way not in NO_REMEDY):
        found = [row["measured"] for row in rows if row["way"] == way]
        if found and all(one["recall"] >= least and one["short"] == 0 for one in found):
            return way
    return "none"


def _way(name: str, scan: Scan, predicate: bool = False, once: bool = False) -> Way:
    return Way(name, scan, predicate, words=WORDS[name], once=once)
