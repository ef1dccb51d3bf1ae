"""Partitions: one table under the row policy, with one partition per tenant and a vector index on each.

Readers are granted the parent only. Row security is a property of the table that a statement names: a partition
named directly is not under its parent's policy, so nobody is given a partition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from harness.store.layouts.base import COLUMNS, Reader
from harness.store.layouts.pool import Pool
from harness.store.server import APPLICATION_ROLE, Connection


class Partitions(Pool):
    """A parent `chunk`, partitioned by LIST (tenant); without the explicit predicate every partition is scanned."""

    name: ClassVar[str] = "partitions"

    def tables(self) -> list[str]:
        """Return the partitions, in the order of their tenants."""
        return [self.table_holding(tenant) for tenant in sorted(self.sizes_of)]

    def table_holding(self, tenant: str) -> str:
        """Return the partition of a tenant."""
        return f"{self.schema}.chunk_{sorted(self.sizes_of).index(tenant):03d}"

    def _indexed(self) -> list[str]:
        return [f"{self.schema}.chunk"]

    def _make(self, conn: Connection) -> None:
        parent = f"{self.schema}.chunk"
        conn.execute(f"CREATE SCHEMA {self.schema}".encode())
        columns = COLUMNS.format(vector=self.index.column)
        conn.execute(f"CREATE TABLE {parent} ({columns}) PARTITION BY LIST (tenant)".encode())
        for tenant in sorted(self.sizes_of):
            quoted = tenant.replace("'", "''")
            conn.execute(
                f"CREATE TABLE {self.table_holding(tenant)} PARTITION OF {parent} FOR VALUES IN ('{quoted}') "
                "WITH (autovacuum_enabled = false)".encode()
            )
        self._fill(conn, parent)

    def _protect(self, conn: Connection, readers: Sequence[Reader]) -> None:
        conn.execute(f"GRANT USAGE ON SCHEMA {self.schema} TO {APPLICATION_ROLE}".encode())
        self._police(conn, f"{self.schema}.chunk")

    def _finish(self, conn: Connection) -> None:
        super()._finish(conn)
        conn.execute(f"ANALYZE {self.schema}.chunk".encode())
