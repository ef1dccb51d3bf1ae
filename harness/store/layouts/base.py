"""What every layout can do: be made from the store's rows, be read by a principal, be measured, be dropped.

A layout has tables. Each holds the rows of some tenants, with the columns of the store's `chunk` (`tsv` copied, not
computed again) and one vector index. What differs is which rows share a table, and what keeps a reader from the
others: a row policy, or the privileges of a role.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import psycopg

from harness.store import Store
from harness.store.layouts.indexes import HNSW, Index
from harness.store.load import BUILD_MEMORY, BUILD_WORKERS
from harness.store.roles import Session, as_principal
from harness.store.server import APPLICATION_ROLE, OWNER_ROLE, Connection, prepare_connection

Log = Callable[[str], None]

COLUMNS = """id text COLLATE "C" NOT NULL, doc text COLLATE "C" NOT NULL, tenant text NOT NULL,
ordinal integer NOT NULL, text text NOT NULL, embedding {vector} STORAGE PLAIN NOT NULL, tsv tsvector NOT NULL"""

NAMES = "id, doc, tenant, ordinal, text, embedding, tsv"


class Reader(Protocol):
    """Who reads: a name in the access-control list, and the tenants it may see."""

    @property
    def name(self) -> str:
        """The principal's name."""

    @property
    def tenants(self) -> tuple[str, ...]:
        """The tenants that the access-control list gives to it."""


@dataclass(frozen=True)
class Reading(Session):
    """An open transaction of a reader in a layout."""

    tenants: tuple[str, ...] = ()


@dataclass(frozen=True)
class Built:
    """What `create` did: rows copied, tables made, seconds for rows and for vector indexes.

    `workers` is how many parallel workers a build was allowed, not how many it took.
    """

    rows: int
    tables: int
    copy_seconds: float
    index_seconds: float
    workers: int


@dataclass(frozen=True)
class Sizes:
    """Bytes of a layout: rows (with what lies out of line), primary keys, vector indexes; and how many tables."""

    rows: int
    keys: int
    vectors: int
    tables: int


@dataclass
class Layout(ABC):
    """One layout of the rows of `store`, with one kind of index. `sizes_of` (rows per tenant) is known once created."""

    store: Store
    index: Index = HNSW
    workers: int = BUILD_WORKERS
    sizes_of: dict[str, int] = field(default_factory=dict)
    name: ClassVar[str] = ""

    @property
    def schema(self) -> str:
        """The PostgreSQL schema; layouts with several begin all their names with it."""
        return f"{self.store.schema}__{self.name}"

    # -- what differs between layouts ---------------------------------------------------------------------

    @abstractmethod
    def tables(self) -> list[str]:
        """Return the tables that hold rows, with their schema, in an order that does not change."""

    @abstractmethod
    def source(self, reading: Reading, tenants: Sequence[str] | None) -> str:
        """Return what a search reads FROM, named `chunk`; `%(tenants)s` in it stands for the tenants.

        With `tenants` None the statement names no tenant at all.
        """

    @abstractmethod
    def _make(self, conn: Connection) -> None:
        """Make schemas and tables and fill them."""

    @abstractmethod
    def _protect(self, conn: Connection, readers: Sequence[Reader]) -> None:
        """Close the tables to everyone but those who may read them."""

    def session(self, conn: Connection, reader: Reader) -> AbstractContextManager[Reading]:
        """Open a transaction in which `reader` reads: a principal that the row policy asks for."""
        return self._as_principal(conn, reader)

    def assume(self, conn: Connection, reader: Reader) -> None:
        """Name the reader in a transaction, without any check: to show what a mistake lets through."""
        conn.execute("SELECT set_config('role', %s, true)", [APPLICATION_ROLE])
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [reader.name])

    def policed(self) -> list[str]:
        """Return the tables that several tenants share, which only the row policy keeps apart."""
        return [f"{self.schema}.chunk"]

    def table_holding(self, tenant: str) -> str:
        """Return the table that holds a tenant's rows."""
        return f"{self.schema}.chunk"

    def connect(self) -> Connection:
        """Open a connection as the restricted role, which sees nothing yet."""
        path = f"{self.schema},{self.store.schema}"
        return prepare_connection(self.store.server.connect(user=APPLICATION_ROLE, search_path=path))

    # -- what is the same for all -------------------------------------------------------------------------

    def create(self, readers: Sequence[Reader], log: Log) -> Built:
        """Create the layout; an earlier one of the same name is dropped.

        `readers` must be in the store's access-control list (`Store.grant`). Rows, indexes and privileges are
        made in one transaction.
        """
        with self.store.maintenance() as conn:
            self._drop(conn)
            with conn.transaction():
                self.sizes_of = _tenants(conn, self.store.schema)
                began = time.monotonic()
                self._make(conn)
                for table in self.tables():
                    conn.execute(f"ALTER TABLE {table} ADD PRIMARY KEY (id)".encode())
                copied = time.monotonic() - began
                built = self._build(conn)
                self._protect(conn, readers)
            self._finish(conn)
        rows = sum(self.sizes_of.values())
        log(f"{self.name}: {rows} rows in {copied:.1f} s, {self.index.method} in {built:.1f} s")
        return Built(rows, len(self.tables()), copied, built, self.workers)

    def rebuild(self, log: Log) -> float:
        """Replace every vector index by another over the same rows; return the seconds it took."""
        with self.store.maintenance() as conn, conn.transaction():
            for table in self._indexed():
                schema = table.partition(".")[0]
                conn.execute(f"DROP INDEX {schema}.{self.index.name}".encode())
            seconds = self._build(conn)
        log(f"{self.name}: {self.index.method} again in {seconds:.1f} s")
        return seconds

    def drop(self) -> None:
        """Remove the layout and its roles."""
        with self.store.maintenance() as conn:
            self._drop(conn)

    def sizes(self) -> Sizes:
        """Return what the layout takes on disk."""
        with self.store.maintenance() as conn:
            row = conn.execute(_SIZES, [self.tables()]).fetchone()
        assert row is not None
        return Sizes(*(int(value) for value in row))

    def _indexed(self) -> list[str]:
        """The tables over which CREATE INDEX is run."""
        return self.tables()

    def _build(self, conn: Connection) -> float:
        """Build every index with parallel workers, or without where /dev/shm is too small for them."""
        began = time.monotonic()
        try:
            with conn.transaction():
                self._build_with(conn, self.workers)
        except (psycopg.errors.InsufficientResources, psycopg.errors.SystemError):
            began, self.workers = time.monotonic(), 0
            with conn.transaction():
                self._build_with(conn, 0)
        return time.monotonic() - began

    def _build_with(self, conn: Connection, workers: int) -> None:
        conn.execute("SELECT set_config('maintenance_work_mem', %s, true)", [BUILD_MEMORY])
        conn.execute("SELECT set_config('max_parallel_maintenance_workers', %s, true)", [str(workers)])
        for table in self._indexed():
            conn.execute(self.index.create(table).encode())

    def _finish(self, conn: Connection) -> None:
        """Give the planner its statistics; VACUUM must run outside a transaction."""
        for table in self.tables():
            conn.execute(f"VACUUM (ANALYZE) {table}".encode())

    def _fill(self, conn: Connection, table: str, tenants: Sequence[str] | None = None) -> None:
        """Copy rows of the store into a table: all, or those of some tenants."""
        embedding = "embedding::halfvec" if self.index.half == "column" else "embedding"
        select = f"SELECT {NAMES.replace('embedding', embedding)} FROM {self.store.schema}.chunk"
        where = "" if tenants is None else " WHERE tenant = ANY (%s)"
        params = [] if tenants is None else [list(tenants)]
        conn.execute(f"INSERT INTO {table} ({NAMES}) {select}{where} ORDER BY id".encode(), params)

    def _table(self, conn: Connection, table: str) -> None:
        columns = COLUMNS.format(vector=self.index.column)
        conn.execute(f"CREATE TABLE {table} ({columns}) WITH (autovacuum_enabled = false)".encode())

    def _police(self, conn: Connection, table: str, roles: str = APPLICATION_ROLE) -> None:
        """Give a table the store's row policy and let `roles` read it."""
        base = self.store.schema
        for statement in (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY visible ON {table} FOR SELECT TO {roles} "
            f"USING (tenant = ANY ((SELECT {base}.visible_tenants())::text[]))",
            f"GRANT SELECT ON {table} TO {roles}",
            f"ALTER TABLE {table} OWNER TO {OWNER_ROLE}",
        ):
            conn.execute(statement.encode())

    def _drop(self, conn: Connection) -> None:
        conn.execute(f"DROP SCHEMA IF EXISTS {self.schema} CASCADE".encode())

    @contextmanager
    def _as_principal(self, conn: Connection, reader: Reader) -> Iterator[Reading]:
        with as_principal(conn, reader.name) as session:
            yield Reading(session.conn, session.principal, reader.tenants)


_SIZES = """
SELECT coalesce(sum(pg_table_size(t.oid)) FILTER (WHERE k.main), 0), coalesce(sum(k.size) FILTER (WHERE k.main), 0),
       coalesce(sum(k.size) FILTER (WHERE NOT k.main), 0), count(DISTINCT t.oid)
FROM (SELECT to_regclass(name)::oid AS oid, name FROM unnest(%s::text[]) AS name) t
CROSS JOIN LATERAL (
  SELECT i.indisprimary AS main, pg_relation_size(i.indexrelid) AS size FROM pg_index i WHERE i.indrelid = t.oid
) k
"""


def _tenants(conn: Connection, schema: str) -> dict[str, int]:
    rows = conn.execute(f"SELECT tenant, count(*) FROM {schema}.chunk GROUP BY tenant ORDER BY tenant".encode())
    return {str(tenant): int(count) for tenant, count in rows}
