"""What one mistake lets a reader see of other tenants: the mistake is made, rows are counted, and it is undone.

Counts are of rows, over all readers of one tenant. A statement that is refused exposes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psycopg

from harness.store.layouts.base import Layout, Reader, Reading
from harness.store.server import APPLICATION_ROLE, Connection

#: Mistake → what it is.
MISTAKES: dict[str, str] = {
    "no_predicate": "the statement names no tenant; policy and privileges stand",
    "no_principal": "the transaction names no reader",
    "no_policy": "row security is off on the shared tables, and the statement names no tenant",
    "one_grant": "the reader may also read one table that holds another tenant's rows, and the statement names it",
}


@dataclass(frozen=True)
class Exposure:
    """Rows and tenants beside its own that a reader sees after one mistake: means, and the most of any reader."""

    layout: str
    mistake: str
    readers: int
    exposed: int
    refused: int
    rows_mean: float
    rows_most: int
    tenants_mean: float


def exposures(layout: Layout, readers: Sequence[Reader]) -> list[Exposure]:
    """Make every mistake in turn, read as every reader (of one tenant each), and undo it."""
    ways: dict[str, Callable[[Connection, Reader], list[tuple[str, int]]]] = {
        "no_predicate": lambda conn, reader: _all(layout, conn, reader, named=True),
        "no_principal": lambda conn, reader: _all(layout, conn, reader, named=False),
        "no_policy": lambda conn, reader: _all(layout, conn, reader, named=True),
        "one_grant": lambda conn, reader: _other(layout, conn, reader),
    }
    found = []
    with layout.store.maintenance() as conn:
        for mistake, look in ways.items():
            with conn.transaction(force_rollback=True):
                conn.execute(f"SET LOCAL search_path = {layout.schema}, {layout.store.schema}, public".encode())
                for table in layout.policed() if mistake == "no_policy" else []:
                    conn.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY".encode())
                seen = [_foreign(conn, reader, look) for reader in readers]
            found.append(_summed(layout.name, mistake, seen))
    return found


def _foreign(
    conn: Connection, reader: Reader, look: Callable[[Connection, Reader], list[tuple[str, int]]]
) -> dict[str, int] | None:
    """Rows by tenant, without the reader's own; None when the statement was refused. Undone afterwards."""
    try:
        with conn.transaction(force_rollback=True):
            return {tenant: rows for tenant, rows in look(conn, reader) if tenant not in reader.tenants}
    except psycopg.errors.InsufficientPrivilege:
        return None


def _all(layout: Layout, conn: Connection, reader: Reader, *, named: bool) -> list[tuple[str, int]]:
    if named:
        layout.assume(conn, reader)
    else:
        conn.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}".encode())
    return _count(conn, layout.source(Reading(conn, reader.name, reader.tenants), None))


def _other(layout: Layout, conn: Connection, reader: Reader) -> list[tuple[str, int]]:
    """Grant and read the table of the largest tenant that the reader may not see."""
    others = [tenant for tenant in sorted(layout.sizes_of) if tenant not in reader.tenants]
    table = layout.table_holding(max(others, key=lambda tenant: layout.sizes_of[tenant]))
    schema = table.partition(".")[0]
    conn.execute(f"GRANT USAGE ON SCHEMA {schema} TO PUBLIC".encode())
    conn.execute(f"GRANT SELECT ON {table} TO PUBLIC".encode())
    layout.assume(conn, reader)
    return _count(conn, table)


def _count(conn: Connection, source: str) -> list[tuple[str, int]]:
    statement = f"SELECT tenant, count(*) FROM {source} GROUP BY tenant"
    return [(str(tenant), int(rows)) for tenant, rows in conn.execute(statement.encode())]


def _summed(layout: str, mistake: str, seen: Sequence[dict[str, int] | None]) -> Exposure:
    rows = [sum((one or {}).values()) for one in seen]
    tenants = [len(one or {}) for one in seen]
    return Exposure(
        layout,
        mistake,
        readers=len(seen),
        exposed=sum(count > 0 for count in rows),
        refused=sum(one is None for one in seen),
        rows_mean=sum(rows) / len(rows),
        rows_most=max(rows),
        tenants_mean=sum(tenants) / len(tenants),
    )
