"""What the planner did: EXPLAIN read into a plan type, counts, and a text that two runs can share.

The plan type matters as much as the result: an exact scan and an index scan answer the same statement, one of
them loses rows under a policy, and nothing in the result says which one ran.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.store.server import Connection

HNSW = "hnsw index scan"
SEQUENTIAL = "sequential scan + sort"
PARALLEL = "parallel sequential scan + sort"
BTREE = "b-tree index scan + sort"
BITMAP = "bitmap scan + sort"
OTHER = "other"

SCANS = ("Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Heap Scan")

Node = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """One plan. `type` is one of this module's names; counts are None without ANALYZE.

    `returned` counts the rows of the top node, `removed` those that a filter dropped (over all loops),
    `estimated` the rows that the planner expected the scan to yield.
    """

    type: str
    estimated: int
    returned: int | None
    removed: int | None


def nodes(plan: Node) -> Iterator[Node]:
    """Yield the nodes of a JSON plan, each before its children."""
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def scan_of(plan: Node) -> Node | None:
    """Return the node that scans the searched table: the first scan outside of init plans."""
    if plan.get("Parent Relationship") in ("InitPlan", "SubPlan"):
        return None
    if plan["Node Type"] in SCANS:
        return plan
    return next((found for child in plan.get("Plans", []) if (found := scan_of(child))), None)


def plan_type(plan: Node) -> str:
    """Name the way a JSON plan finds its rows. An HNSW scan is the one whose node carries an `Order By`."""
    scan = scan_of(plan)
    named = OTHER if scan is None else scan_type(scan)
    gathered = any(node["Node Type"].startswith("Gather") for node in nodes(plan))
    return PARALLEL if gathered and named == SEQUENTIAL else named


def scan_type(scan: Node) -> str:
    """Name the way one node that scans a table finds its rows."""
    kind = scan["Node Type"]
    if kind == "Index Scan":
        return HNSW if "Order By" in scan else BTREE
    return {"Bitmap Heap Scan": BITMAP, "Seq Scan": SEQUENTIAL}.get(kind, OTHER)


def parse(document: list[dict[str, Any]]) -> Plan:
    """Read the answer of EXPLAIN (FORMAT JSON)."""
    top = document[0]["Plan"]
    scan = scan_of(top) or top
    analysed = "Actual Rows" in top
    removed = sum(node.get("Rows Removed by Filter", 0) * node["Actual Loops"] for node in nodes(top) if analysed)
    return Plan(
        type=plan_type(top),
        estimated=int(scan.get("Plan Rows", 0)),
        returned=round(top["Actual Rows"]) if analysed else None,
        removed=round(removed) if analysed else None,
    )


def explain(conn: Connection, statement: str, params: dict[str, Any], *, analyse: bool) -> Plan:
    """Return the plan of a statement in the present transaction; with `analyse` it is also executed."""
    options = "ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF" if analyse else "COSTS ON"
    row = conn.execute(f"EXPLAIN (FORMAT JSON, {options}) {statement}".encode(), params).fetchone()
    assert row is not None
    return parse(row[0])


def plan_text(conn: Connection, statement: str, params: dict[str, Any]) -> list[str]:
    """Return the executed plan as the lines that EXPLAIN prints, without costs, times and vectors."""
    options = "ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF"
    rows = conn.execute(f"EXPLAIN ({options}) {statement}".encode(), params).fetchall()
    return [trim(str(line)) for (line,) in rows]


def trim(line: str) -> str:
    """Cut what differs between runs, or drowns the rest: vectors, memory, schema names."""
    line = re.sub(r"'\[[^\]']*\]'::vector", "'[…]'::vector", line)
    line = re.sub(r"\s+Memory: \d+kB", "", line)
    line = re.sub(r"\bzeroth_\w+\.", "", line)
    return line.rstrip()
