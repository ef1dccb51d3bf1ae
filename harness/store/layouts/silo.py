"""Silo: a PostgreSQL schema, a table and a role per tenant. No row policy: a reader lacks the privilege to read on.

The application logs in as one role that may become any reader's role (SET ROLE) and inherits from none, so a
transaction that forgets to name a reader may read nothing. As with a setting, the name is an identity only behind
an application that owns the connection: whoever can run SQL on it can become another reader. A login a tenant
would close that too, at the price of a pool of connections a tenant.

A reader of several tenants reads the UNION ALL of their tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from harness.store.layouts.base import Layout, Reader, Reading
from harness.store.roles import RoleCanBypass
from harness.store.server import APPLICATION_ROLE, Connection, prepare_connection


class Silo(Layout):
    """Tables `chunk` in schemas `…_000`, `…_001`, one per tenant in the order of their names."""

    name: ClassVar[str] = "silo"

    def owned(self) -> list[str]:
        """Return the tenants that have a table of their own."""
        return sorted(self.sizes_of)

    def tables(self) -> list[str]:
        """Return one table per tenant."""
        return [self.table_holding(tenant) for tenant in self.owned()]

    def home(self, tenant: str) -> str:
        """Return the schema of a tenant, which is also the name of its role."""
        return f"{self.schema}_{sorted(self.sizes_of).index(tenant):03d}"

    def table_holding(self, tenant: str) -> str:
        """Return the table of a tenant."""
        return f"{self.home(tenant)}.chunk"

    def role_of(self, reader: Reader) -> str:
        """Return the role that a reader becomes."""
        return f"{self.schema}_r{hashlib.sha256(reader.name.encode()).hexdigest()[:12]}"

    def source(self, reading: Reading, tenants: Sequence[str] | None) -> str:
        """Return the UNION ALL of the tables of the tenants named, or of the reader's own."""
        return union(self.parts(reading, tenants))

    def parts(self, reading: Reading, tenants: Sequence[str] | None) -> list[str]:
        """Return the tables that a search reads."""
        wanted = reading.tenants if tenants is None else tenants
        return [self.table_holding(tenant) for tenant in self.owned() if tenant in wanted]

    def policed(self) -> list[str]:
        """Return nothing: no table is shared."""
        return []

    def assume(self, conn: Connection, reader: Reader) -> None:
        """Become the reader's role."""
        conn.execute("SELECT set_config('role', %s, true)", [self.role_of(reader)])

    def connect(self) -> Connection:
        """Open a connection as the application role, which may read no table before it becomes a reader."""
        return prepare_connection(self.store.server.connect(user=APPLICATION_ROLE, search_path=self.schema))

    @contextmanager
    def session(self, conn: Connection, reader: Reader) -> Iterator[Reading]:
        """Open a transaction as the reader's role, having checked that it may read its tenants' tables only.

        Raises RoleCanBypass when it may read another one, is a superuser, or has BYPASSRLS.
        """
        with conn.transaction():
            self.assume(conn, reader)
            self._assert_closed(conn, reader)
            yield Reading(conn, reader.name, reader.tenants)

    def _assert_closed(self, conn: Connection, reader: Reader) -> None:
        every = [self.table_holding(tenant) for tenant in self.owned()]
        open_to = [table for (table,) in conn.execute(_READABLE, [every])]
        expected = [self.table_holding(t) for t in self.owned() if t in reader.tenants]
        if open_to != expected:
            raise RoleCanBypass(
                f"role {self.role_of(reader)} may read {len(open_to)} tables of tenants, expected {len(expected)}: "
                "make the layout again"
            )

    def _make(self, conn: Connection) -> None:
        conn.execute(f"CREATE SCHEMA {self.schema}".encode())
        for tenant in self.owned():
            conn.execute(f"CREATE SCHEMA {self.home(tenant)}".encode())
            self._table(conn, self.table_holding(tenant))
            self._fill(conn, self.table_holding(tenant), [tenant])

    def _protect(self, conn: Connection, readers: Sequence[Reader]) -> None:
        conn.execute(f"GRANT USAGE ON SCHEMA {self.schema} TO {APPLICATION_ROLE}".encode())
        for tenant in self.owned():
            role = self.home(tenant)
            conn.execute(f"CREATE ROLE {role} NOLOGIN".encode())
            conn.execute(f"GRANT USAGE ON SCHEMA {role} TO {role}".encode())
            conn.execute(f"GRANT SELECT ON {self.table_holding(tenant)} TO {role}".encode())
        for reader in readers:
            role = self.role_of(reader)
            conn.execute(f"CREATE ROLE {role} NOLOGIN INHERIT".encode())
            conn.execute(f"GRANT {role} TO {APPLICATION_ROLE} WITH INHERIT FALSE, SET TRUE".encode())
            homes = [self.home(tenant) for tenant in self.owned() if tenant in reader.tenants]
            if homes:
                conn.execute(f"GRANT {', '.join(homes)} TO {role}".encode())

    def _drop(self, conn: Connection) -> None:
        with conn.transaction():
            like = self.schema.replace("_", r"\_") + "%"
            schemas = conn.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE %s", [like]).fetchall()
            for (schema,) in schemas:
                conn.execute(f"DROP SCHEMA {schema} CASCADE".encode())
            for (role,) in conn.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE %s", [like]).fetchall():
                conn.execute(f"DROP OWNED BY {role}".encode())
                conn.execute(f"DROP ROLE {role}".encode())


_READABLE = """
SELECT name FROM unnest(%s::text[]) WITH ORDINALITY AS t(name, place)
CROSS JOIN (SELECT rolsuper OR rolbypassrls AS exempt FROM pg_roles WHERE rolname = current_user) r
WHERE r.exempt OR has_schema_privilege(split_part(name, '.', 1), 'USAGE') AND has_table_privilege(name, 'SELECT')
ORDER BY place
"""


def union(parts: Sequence[str]) -> str:
    """Return FROM several tables as if they were one, named `chunk`; of none it yields no row."""
    columns = "id, doc, tenant, embedding"
    if not parts:
        empty = "SELECT NULL::text, NULL::text, NULL::text, NULL::vector WHERE false"
        return f"({empty}) AS chunk({columns})"
    if len(parts) == 1:
        return f"{parts[0]} AS chunk"
    return "(" + " UNION ALL ".join(f"SELECT {columns} FROM {part}" for part in parts) + ") AS chunk"
