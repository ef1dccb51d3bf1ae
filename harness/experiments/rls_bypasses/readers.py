"""Who is bound by the row policy: rows seen by each kind of role, and whether the harness would let it measure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.experiments.rls_bypasses.common import Subject, become, seen, undone
from harness.store import Connection, RoleCanBypass, Store, assert_cannot_bypass
from harness.store.server import APPLICATION_ROLE, OWNER_ROLE

BYPASS_ROLE = "zeroth_passes"


def roles(store: Store, subject: Subject) -> list[dict[str, Any]]:
    """Return one row a kind of role: chunks and documents seen, and the refusal of the harness if it refuses."""

    def stay(conn: Connection) -> None:
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [subject.principal])

    def bypass(conn: Connection) -> None:
        conn.execute(f"CREATE ROLE {BYPASS_ROLE} NOLOGIN BYPASSRLS".encode())
        conn.execute(f"GRANT USAGE ON SCHEMA {store.schema} TO {BYPASS_ROLE}".encode())
        conn.execute(f"GRANT SELECT ON chunk, document TO {BYPASS_ROLE}".encode())
        become(conn, BYPASS_ROLE, subject.principal)

    def owner(conn: Connection) -> None:
        for table in ("chunk", "document"):
            conn.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY".encode())
        become(conn, OWNER_ROLE, subject.principal)

    kinds: dict[str, tuple[str, Callable[[Connection], None]]] = {
        "superuser": ("superuser", stay),
        "bypassrls": ("role with BYPASSRLS", bypass),
        "owner": ("owner of the tables", owner),
        "owner_forced": (
            "owner of the tables under FORCE ROW LEVEL SECURITY",
            lambda conn: become(conn, OWNER_ROLE, subject.principal),
        ),
        "application_unset": ("application role, no principal named", lambda conn: become(conn, APPLICATION_ROLE)),
        "application": (
            "application role, reader of one tenant",
            lambda conn: become(conn, APPLICATION_ROLE, subject.principal),
        ),
        "application_all": (
            "application role, reader of all tenants",
            lambda conn: become(conn, APPLICATION_ROLE, "all"),
        ),
    }
    found = []
    for kind, (who, enter) in kinds.items():
        with undone(store) as conn:
            enter(conn)
            chunks, documents = seen(conn, subject, "chunk"), seen(conn, subject, "document")
            found.append(
                {"role": kind, "who": who, "chunks": chunks["rows"], "foreign": chunks["foreign"]}
                | {"documents": documents["rows"], "refusal": _refusal(conn)}
            )
    return found


def _refusal(conn: Connection) -> str | None:
    """What the harness says when asked to measure as this role; None when it would."""
    try:
        assert_cannot_bypass(conn)
    except RoleCanBypass as error:
        return str(error).partition(": ")[0]
    return None


def lifetime(store: Store, subject: Subject) -> list[dict[str, Any]]:
    """Return how many chunks the application role sees before, within and after a transaction of the reader."""
    found = []
    with store.application() as conn:

        def note(moment: str) -> None:
            setting = conn.execute("SELECT current_setting('zeroth.principal', true)").fetchone()
            assert setting is not None
            found.append({"moment": moment, "setting": setting[0], "chunks": seen(conn, subject, "chunk")["rows"]})

        note("before any principal was named")
        with conn.transaction():
            conn.execute("SELECT set_config('zeroth.principal', %s, true)", [subject.principal])
            note("in the reader's transaction")
        note("after its end")
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [subject.principal])
        note("after a local setting outside of a transaction")
    return found


def prepared(store: Store, subject: Subject, executions: int = 7) -> list[dict[str, Any]]:
    """Return what one prepared statement shows, executed for the reader, for nobody, and for the reader of all.

    PostgreSQL makes a plan of its own for each of the first five executions and may then keep a generic one; the
    principal is looked up when it runs, so a kept plan shows what the present principal may see.
    """
    found = []
    with store.application() as conn, conn.transaction():
        conn.execute("PREPARE counted AS SELECT count(*), count(*) FILTER (WHERE tenant <> $1) FROM chunk")
        for principal, times in ((subject.principal, executions), ("", 1), ("all", 1), (subject.principal, 1)):
            conn.execute("SELECT set_config('zeroth.principal', %s, true)", [principal])
            for _ in range(times):
                row = conn.execute(f"EXECUTE counted('{subject.tenant}')".encode()).fetchone()
            plans = conn.execute(
                "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'counted'"
            ).fetchone()
            assert row is not None and plans is not None
            found.append(
                {"principal": principal, "executions": times, "chunks": int(row[0]), "foreign": int(row[1])}
                | {"generic_plans": int(plans[0]), "custom_plans": int(plans[1])}
            )
        conn.execute("DEALLOCATE counted")
    return found


def prepared_across_roles(store: Store, subject: Subject, executions: int = 6) -> list[dict[str, Any]]:
    """Return what a statement shows that a superuser prepared and executed often, when the role then changes.

    A plan remembers the role it was made for where row security matters; for another role it is made anew.
    """
    found = []
    with undone(store) as conn:
        conn.execute("PREPARE counted AS SELECT count(*), count(*) FILTER (WHERE tenant <> $1) FROM chunk")
        for role, principal, times in (("", "", executions), (APPLICATION_ROLE, subject.principal, 1)):
            if role:
                become(conn, role, principal)
            for _ in range(times):
                row = conn.execute(f"EXECUTE counted('{subject.tenant}')".encode()).fetchone()
            assert row is not None
            found.append({"role": role or "superuser", "principal": principal, "executions": times})
            found[-1] |= {"chunks": int(row[0]), "foreign": int(row[1])}
        conn.execute("DEALLOCATE counted")
    return found
