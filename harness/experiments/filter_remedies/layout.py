"""The pool with what a remedy adds to it: a B-tree, another form of the policy, or an HNSW index per tenant."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from harness.store.choices import FORMS
from harness.store.layouts import Pool, Reading
from harness.store.layouts.base import Log, Reader
from harness.store.load import BUILD_MEMORY
from harness.store.roles import as_principal
from harness.store.schema import policy_condition
from harness.store.server import APPLICATION_ROLE, Connection

BTREE = "chunk_tenant"


@dataclass(frozen=True)
class Added:
    """An index that was built: seconds of CREATE INDEX and bytes on disk."""

    seconds: float
    bytes: int


class Remedied(Pool):
    """A pool whose B-tree on `tenant` comes and goes, and whose policy may be one that the planner can estimate."""

    name: ClassVar[str] = "remedied"

    def add_btree(self) -> Added:
        """Build a B-tree on `tenant`."""
        with self.store.maintenance() as conn:
            began = time.monotonic()
            conn.execute(f"CREATE INDEX {BTREE} ON {self.schema}.chunk (tenant)".encode())
            seconds = time.monotonic() - began
            row = conn.execute("SELECT pg_relation_size(to_regclass(%s))", [f"{self.schema}.{BTREE}"]).fetchone()
        assert row is not None
        return Added(seconds, int(row[0]))

    def drop_btree(self) -> None:
        """Remove the B-tree."""
        with self.store.maintenance() as conn:
            conn.execute(f"DROP INDEX {self.schema}.{BTREE}".encode())

    def estimable(self, yes: bool) -> None:
        """Give the table a policy that compares with an array in a setting, or the store's own again."""
        condition = FORMS["array_setting"] if yes else policy_condition(self.store.schema)
        with self.store.maintenance() as conn, conn.transaction():
            conn.execute(f"DROP POLICY visible ON {self.schema}.chunk".encode())
            conn.execute(
                f"CREATE POLICY visible ON {self.schema}.chunk FOR SELECT TO {APPLICATION_ROLE} "
                f"USING ({condition})".encode()
            )

    @contextmanager
    def session(self, conn: Connection, reader: Reader) -> Iterator[Reading]:
        """Open a transaction as the reader; its tenants also stand in the setting that the other policy reads."""
        with as_principal(conn, reader.name) as session:
            conn.execute("SELECT set_config('zeroth.tenants', %s, true)", [",".join(reader.tenants)])
            yield Reading(session.conn, session.principal, reader.tenants)


class Partial(Pool):
    """A pool with one HNSW index per tenant, each over that tenant's rows of the same table, and none over all."""

    name: ClassVar[str] = "partial"

    def rebuild(self, log: Log) -> float:
        """Replace every index by another over the same rows; return the seconds it took."""
        with self.store.maintenance() as conn, conn.transaction():
            for number in range(len(self.sizes_of)):
                conn.execute(f"DROP INDEX {self.schema}.{self._name(number)}".encode())
            seconds = self._build(conn)
        log(f"{self.name}: {len(self.sizes_of)} indexes again in {seconds:.1f} s")
        return seconds

    def _name(self, number: int) -> str:
        return f"{self.index.name}_{number:03d}"

    def _build_with(self, conn: Connection, workers: int) -> None:
        conn.execute("SELECT set_config('maintenance_work_mem', %s, true)", [BUILD_MEMORY])
        conn.execute("SELECT set_config('max_parallel_maintenance_workers', %s, true)", [str(workers)])
        for number, tenant in enumerate(sorted(self.sizes_of)):
            one = self.index.create(f"{self.schema}.chunk").replace(self.index.name, self._name(number))
            quoted = tenant.replace("'", "''")
            conn.execute(f"{one} WHERE tenant = '{quoted}'".encode())
