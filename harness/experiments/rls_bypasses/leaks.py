"""Attempts to see through the policy with the means of an ordinary reader: functions, operators, errors, plans.

PostgreSQL applies a policy before any condition of the statement that might tell what it was given, unless the
function is marked LEAKPROOF, which only a superuser can do. That marked function is the control: with it the same
attempt succeeds, so the attempts do look where something could be seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import psycopg

from harness.experiments.rls_bypasses.common import Subject, first_line, number, reader, undone
from harness.store import Connection, Store
from harness.store.server import APPLICATION_ROLE

_PEEK = """
CREATE FUNCTION {schema}.peek(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0000001 {leakproof}
AS $$ BEGIN RAISE NOTICE 'saw %', value; RETURN true; END $$
"""
_OPERATOR = """
CREATE FUNCTION pg_temp.peek2(value text, other text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0000001
AS $$ BEGIN RAISE NOTICE 'saw %', value; RETURN true; END $$;
CREATE OPERATOR pg_temp.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.peek2,
RESTRICT = eqsel, JOIN = eqjoinsel)
"""


def attempts(store: Store, subject: Subject) -> list[dict[str, Any]]:
    """Return for each attempt how many rows' tenants came out, and how many of other tenants' rows."""
    found = [_noticed(store, subject, "function", _PEEK.format(schema="pg_temp", leakproof=""), "pg_temp.peek(tenant)")]
    found.append(_noticed(store, subject, "operator", _OPERATOR, "tenant OPERATOR(pg_temp.===) ''"))
    for attempt, condition in (
        ("division", "1 / (CASE WHEN tenant = %(own)s THEN 1 ELSE 0 END) = 1"),
        ("cast", "(CASE WHEN tenant = %(own)s THEN '1' ELSE tenant END)::integer = 1"),
        ("order", "TRUE ORDER BY 1 / (CASE WHEN tenant = %(own)s THEN 1 ELSE 0 END) LIMIT 1"),
    ):
        found.append(_erred(store, subject, attempt, condition))
    found.append(_control(store, subject))
    return found


def _noticed(store: Store, subject: Subject, attempt: str, made: str, condition: str) -> dict[str, Any]:
    """Run, on the application's own connection, a condition that reports every value it is given."""
    with store.application() as conn, conn.transaction(force_rollback=True):
        conn.execute(made.encode())
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [subject.principal])
        return {"attempt": attempt, "control": False, **_reported(conn, subject, condition)}


def _control(store: Store, subject: Subject) -> dict[str, Any]:
    """The same function, made by the superuser and marked LEAKPROOF."""
    with undone(store) as conn:
        conn.execute(_PEEK.format(schema=store.schema, leakproof="LEAKPROOF").encode())
        conn.execute(f"GRANT EXECUTE ON FUNCTION {store.schema}.peek(text) TO {APPLICATION_ROLE}".encode())
        reader(conn, subject)
        return {"attempt": "leakproof", "control": True, **_reported(conn, subject, f"{store.schema}.peek(tenant)")}


def _reported(conn: Connection, subject: Subject, condition: str) -> dict[str, Any]:
    said: list[str] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        if (diagnostic.message_primary or "").startswith("saw "):
            said.append((diagnostic.message_primary or "")[4:])

    conn.add_notice_handler(note)
    try:
        returned = number(conn, f"SELECT count(*) FROM chunk WHERE {condition}")
    finally:
        conn.remove_notice_handler(note)
    foreign = sum(tenant != subject.tenant for tenant in said)
    return {"reported": len(said), "foreign": foreign, "returned": returned, "error": None}


def _erred(store: Store, subject: Subject, attempt: str, condition: str) -> dict[str, Any]:
    """Run a condition that fails on any row of another tenant: an error would tell that there is one."""
    with store.application() as conn, conn.transaction(force_rollback=True):
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [subject.principal])
        try:
            with conn.transaction():
                rows = conn.execute(f"SELECT id FROM chunk WHERE {condition}".encode(), {"own": subject.tenant})
                returned, error = len(rows.fetchall()), None
        except psycopg.Error as raised:
            returned, error = 0, first_line(raised)
    return {
        "attempt": attempt, "control": False, "reported": 0, "foreign": int(error is not None), "returned": returned,
        "error": error,
    }  # fmt: skip


def metadata(store: Store, subject: Subject) -> list[dict[str, Any]]:
    """Return what a reader learns of rows it may not see, without seeing one: counts in plans and statistics.

    These are no failures of the policy. They tell that something is there, and how much.
    """
    looks: dict[str, tuple[str, Callable[[Connection], int]]] = {
        "rows_removed": ("Rows Removed by Filter in EXPLAIN ANALYZE of a plain scan", _removed),
        "reltuples": (
            "pg_class.reltuples of the table",
            lambda conn: number(conn, "SELECT reltuples FROM pg_class WHERE oid = 'chunk'::regclass"),
        ),
        "statistics": (
            "rows of pg_stats about the table",
            lambda conn: number(
                conn, "SELECT count(*) FROM pg_stats WHERE tablename = 'chunk' AND schemaname = %s", [store.schema]
            ),
        ),
    }
    found = []
    for look, (what, ask) in looks.items():
        with store.application() as conn, conn.transaction():
            conn.execute("SELECT set_config('zeroth.principal', %s, true)", [subject.principal])
            found.append({"look": look, "what": what, "value": ask(conn)})
    return found


def estimates(store: Store, subject: Subject) -> dict[str, int]:
    """Return how many rows EXPLAIN expects of the other tenant, and of one that does not exist.

    They rest on a sample of the table: another ANALYZE may give others.
    """
    with store.application() as conn, conn.transaction():
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [subject.principal])
        return {"other": _estimate(conn, subject.other), "nobody": _estimate(conn, "no-such-tenant")}


def _removed(conn: Connection) -> int:
    conn.execute("SET LOCAL max_parallel_workers_per_gather = 0")
    conn.execute("SET LOCAL enable_indexscan = off")
    conn.execute("SET LOCAL enable_indexonlyscan = off")
    conn.execute("SET LOCAL enable_bitmapscan = off")
    rows = conn.execute("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT id FROM chunk")
    text = "\n".join(str(line) for (line,) in rows)
    return sum(int(float(count)) for count in re.findall(r"Rows Removed by Filter: ([\d.]+)", text))


def _estimate(conn: Connection, tenant: str) -> int:
    row = conn.execute("EXPLAIN (FORMAT JSON) SELECT id FROM chunk WHERE tenant = %s", [tenant]).fetchone()
    assert row is not None
    return int(row[0][0]["Plan"]["Plan Rows"])
