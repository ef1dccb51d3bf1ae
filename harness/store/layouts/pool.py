"""Pool: all tenants in one table, kept apart by the row policy. The store's own layout, with any kind of index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from harness.store.layouts.base import Layout, Reader, Reading
from harness.store.server import APPLICATION_ROLE, OWNER_ROLE, Connection

#: The explicit predicate; it is not the boundary, the policy is.
PREDICATE = "tenant = ANY (%(tenants)s)"


class Pool(Layout):
    """One table `chunk` under row-level security."""

    name: ClassVar[str] = "pool"

    def tables(self) -> list[str]:
        """Return the one table."""
        return [f"{self.schema}.chunk"]

    def source(self, reading: Reading, tenants: Sequence[str] | None) -> str:
        """Return the table, with the explicit predicate if tenants are named."""
        return "chunk" if tenants is None else f"chunk WHERE {PREDICATE}"

    def _make(self, conn: Connection) -> None:
        conn.execute(f"CREATE SCHEMA {self.schema} AUTHORIZATION {OWNER_ROLE}".encode())
        self._table(conn, self.tables()[0])
        self._fill(conn, self.tables()[0])

    def _protect(self, conn: Connection, readers: Sequence[Reader]) -> None:
        conn.execute(f"GRANT USAGE ON SCHEMA {self.schema} TO {APPLICATION_ROLE}".encode())
        self._police(conn, self.tables()[0])
