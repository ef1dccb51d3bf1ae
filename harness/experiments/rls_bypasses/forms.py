"""Forms of the policy: the same rows, another price, and another answer to who can read or change what decides."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import psycopg

from harness.experiments.rls_bypasses.common import Subject, first_line, number, reader, seen, undone
from harness.store import Store
from harness.store.choices import FORMS, variant
from harness.store.server import APPLICATION_ROLE

Clock = Callable[[], float]

#: The principals that every store has; other captures leave more of them in the list.
LISTED = "principal = 'all' OR starts_with(principal, 'only:')"


def forms(
    store: Store, subject: Subject, repeats: int, clock: Clock = time.perf_counter
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return one row a form, and one with its times.

    `acl`: rows of the access-control list that the reader can read; `widened`: chunks it sees after it changed, by
    SQL on its own connection, the setting that says who it is. `milliseconds`: counting all visible chunks.
    """
    rows, times = [], []
    with store.maintenance() as conn:
        everyone = ",".join(sorted(str(t) for (t,) in conn.execute("SELECT DISTINCT tenant FROM document")))
        for form, condition in FORMS.items():
            with variant(conn, store.schema, form, btree=False):
                settings = {"zeroth.principal": subject.principal, "zeroth.tenants": subject.tenant}
                _set(conn, settings)
                visible = seen(conn, subject, "chunk")
                acl, refused = _acl(conn)
                times.append({"form": form, **_timed(conn, repeats, clock)})
                _set(conn, {"zeroth.principal": "all", "zeroth.tenants": everyone})
                widened = seen(conn, subject, "chunk")
                _set(conn, {"zeroth.principal": "", "zeroth.tenants": ""})
                unset = seen(conn, subject, "chunk")
                rows.append(
                    {"form": form, "condition": condition.replace("{schema}.", ""), "chunks": visible["rows"]}
                    | {"foreign": visible["foreign"], "unset": unset["rows"], "widened": widened["rows"]}
                    | {"acl": acl, "acl_refused": refused}
                )
    return rows, times


def access_list(store: Store, subject: Subject) -> list[dict[str, Any]]:
    """Return what the reader learns of the access-control list: granted, closed, and through the function alone."""
    found = []
    with undone(store) as conn:
        conn.execute(f"GRANT SELECT ON acl TO {APPLICATION_ROLE}".encode())
        reader(conn, subject)
        found.append({"state": "granted", **_counts(conn, f"SELECT principal, tenant FROM acl WHERE {LISTED}")})
    with undone(store) as conn:
        reader(conn, subject)
        found.append({"state": "closed", **_counts(conn, f"SELECT principal, tenant FROM acl WHERE {LISTED}")})
        through = "SELECT current_setting('zeroth.principal'), unnest(visible_tenants())"
        found.append({"state": "function", **_counts(conn, through)})
    return found


def _counts(conn: Any, statement: str) -> dict[str, Any]:
    try:
        with conn.transaction():
            rows = conn.execute(statement.encode()).fetchall()
    except psycopg.Error as error:
        return {"rows": 0, "principals": 0, "tenants": 0, "error": first_line(error)}
    return {
        "rows": len(rows),
        "principals": len({row[0] for row in rows}),
        "tenants": len({row[1] for row in rows}),
        "error": None,
    }


def _acl(conn: Any) -> tuple[int, str | None]:
    try:
        with conn.transaction():
            return number(conn, f"SELECT count(*) FROM acl WHERE {LISTED}"), None
    except psycopg.errors.InsufficientPrivilege as error:
        return 0, first_line(error)


def _set(conn: Any, settings: dict[str, str]) -> None:
    for name, value in settings.items():
        conn.execute("SELECT set_config(%s, %s, true)", [name, value])


def _timed(conn: Any, repeats: int, clock: Clock) -> dict[str, Any]:
    spent = []
    for _ in range(repeats):
        began = clock()
        conn.execute("SELECT count(*) FROM chunk").fetchone()
        spent.append((clock() - began) * 1000)
    p05, p50, p95 = np.percentile(spent, [5, 50, 95])
    return {"n": repeats, "p05": round(p05, 3), "p50": round(p50, 3), "p95": round(p95, 3)}
