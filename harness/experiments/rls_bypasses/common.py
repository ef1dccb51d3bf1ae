"""What a role sees: rows of the store, and of them those that the reader may not see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from harness.store import Connection, Store
from harness.store.server import APPLICATION_ROLE


@dataclass(frozen=True)
class Subject:
    """The reader of one tenant whose view is taken, and a tenant that it may not see."""

    tenant: str
    other: str

    @property
    def principal(self) -> str:
        """The reader's name in the access-control list."""
        return f"only:{self.tenant}"


@contextmanager
def undone(store: Store) -> Iterator[Connection]:
    """Open a maintenance connection in a transaction that is rolled back: the store is the same afterwards."""
    with store.maintenance() as conn, conn.transaction(force_rollback=True):
        yield conn


def become(conn: Connection, role: str, principal: str = "") -> None:
    """Continue the transaction as another role and principal."""
    conn.execute("SELECT set_config('role', %s, true)", [role])
    conn.execute("SELECT set_config('zeroth.principal', %s, true)", [principal])


def reader(conn: Connection, subject: Subject) -> None:
    """Continue the transaction as the application that names the subject as its principal."""
    become(conn, APPLICATION_ROLE, subject.principal)


def seen(conn: Connection, subject: Subject, relation: str) -> dict[str, Any]:
    """Rows that a relation shows, and of them those of other tenants; `error` when the statement is refused."""
    statement = f"SELECT count(*), count(*) FILTER (WHERE tenant <> %s) FROM {relation}"
    try:
        with conn.transaction():
            row = conn.execute(statement.encode(), [subject.tenant]).fetchone()
    except psycopg.Error as error:
        return {"rows": 0, "foreign": 0, "error": first_line(error)}
    assert row is not None
    return {"rows": int(row[0]), "foreign": int(row[1]), "error": None}


def number(conn: Connection, statement: str, params: list[Any] | None = None) -> int:
    """Return the one number of a statement."""
    row = conn.execute(statement.encode(), params or []).fetchone()
    assert row is not None
    return int(row[0])


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    return str(error).splitlines()[0]
