"""Does the planner use the GIN index over entitlement groups, with and without an ordering by distance?

Each statement is asked for by one reader of each size, under every form of the rule, and its executed plan is read.
`open` is the table without policies, as the superuser: only its plan is of interest, and no row of it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.corpus.model import Vectors
from harness.entitlements.table import Entitled, overlap
from harness.measuring.labelled.design import Asking, Cell
from harness.store import Connection, as_principal, plans
from harness.store.layouts import Reading, Scan
from harness.store.layouts.scan import settings_of
from harness.store.plans import Node

#: Form → what carries the rule.
FORMS: dict[str, str] = {
    "columns": "three policies on columns",
    "array": "one policy: groups overlap the reader's",
    "both": "three policies on columns, and the overlap in the statement",
    "open": "no policy, read as superuser; the overlap in the statement",
}
STATEMENTS: dict[str, str] = {
    "count": "SELECT count(*) FROM {table}{where}",
    "nearest": "SELECT id FROM {table}{where} ORDER BY embedding <=> %(query)s LIMIT 10",
}


def chosen(design: Sequence[Cell]) -> list[tuple[str, Asking]]:
    """Return one home question a size: the one whose reader sees the median number of chunks of its cell."""
    found = []
    for cell in [cell for cell in design if cell.mode == "home"]:
        ordered = sorted(cell.askings, key=lambda asking: (asking.visible, asking.query))
        found.append((cell.label, ordered[len(ordered) // 2]))
    return found


def read_plans(layout: Entitled, askings: Sequence[tuple[str, Asking]], vectors: Vectors) -> list[dict[str, Any]]:
    """Return the plan of every form, reader and statement; the policies are those of `columns` again afterwards."""
    found = []
    with layout.connect() as conn:
        for form in ("columns", "both", "array"):
            layout.police("array" if form == "array" else "columns")
            for label, asking in askings:
                with as_principal(conn, asking.principal.name) as session:
                    reading = Reading(session.conn, session.principal, asking.principal.tenants)
                    found += _plans(form, label, reading, "chunk", asking, vectors)
    layout.police("columns")
    with layout.store.maintenance() as conn:
        for label, asking in askings:
            with conn.transaction(force_rollback=True):
                reading = Reading(conn, "", ())
                found += _plans("open", label, reading, f"{layout.schema}.chunk", asking, vectors)
    return found


def _plans(
    form: str, label: str, reading: Reading, table: str, asking: Asking, vectors: Vectors
) -> list[dict[str, Any]]:
    settings_of(reading, Scan(plan="own"))
    where = f" WHERE {overlap(asking.principal)}" if form in ("both", "open") else ""
    return [
        {"form": form, "cell": label, "statement": name, "visible": asking.visible}
        | _plan(reading.conn, text.format(table=table, where=where), {"query": vectors[asking.query]})
        for name, text in STATEMENTS.items()
    ]


def _plan(conn: Connection, statement: str, params: Mapping[str, Any]) -> dict[str, Any]:
    asked = {"query": params["query"]} if "%(query)s" in statement else {}
    options = "FORMAT JSON, ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF"
    row = conn.execute(f"EXPLAIN ({options}) {statement}".encode(), asked).fetchone()
    assert row is not None
    top: Node = row[0][0]["Plan"]
    scan = plans.scan_of(top) or top
    names = sorted({node["Index Name"] for node in plans.nodes(top) if "Index Name" in node})
    return {
        "plan": plans.plan_type(top).removesuffix(" + sort"),
        "index": ", ".join(names),
        "gin": "yes" if any("groups" in name for name in names) else "no",
        "estimated": int(scan["Plan Rows"]),
        "passed": round(scan["Actual Rows"] * scan["Actual Loops"]),
        "lines": _short(plans.plan_text(conn, statement, asked)),
    }


def _short(lines: Sequence[str]) -> list[str]:
    """Cut long lists of groups: what matters is where the condition stands."""
    return [line if len(line) <= 160 else line[:150] + " …" for line in lines]
