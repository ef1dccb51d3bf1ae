"""Bridge: a table for each large tenant, one shared table under the row policy for all others.

The large tenants are the fewest that together hold `large_share` of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from harness.store.layouts.base import Reader, Reading
from harness.store.layouts.pool import PREDICATE
from harness.store.layouts.silo import Silo, union
from harness.store.roles import RoleCanBypass
from harness.store.server import APPLICATION_ROLE, Connection


@dataclass
class Bridge(Silo):
    """A silo for the large tenants, and a table `chunk` in the layout's own schema for the small ones."""

    name: ClassVar[str] = "bridge"
    large_share: float = 0.5

    @property
    def shared(self) -> str:
        """The table of the small tenants."""
        return f"{self.schema}.chunk"

    @property
    def group(self) -> str:
        """The role that every reader belongs to: it may read the shared table, through the policy."""
        return f"{self.schema}_readers"

    def owned(self) -> list[str]:
        """Return the large tenants."""
        return large(self.sizes_of, self.large_share)

    def small(self) -> list[str]:
        """Return the tenants of the shared table."""
        return sorted(set(self.sizes_of) - set(self.owned()))

    def tables(self) -> list[str]:
        """Return the shared table and those of the large tenants."""
        return [self.shared, *super().tables()]

    def parts(self, reading: Reading, tenants: Sequence[str] | None) -> list[str]:
        """Return the large tenants' tables, and the shared one where it may hold something that is asked for."""
        own = super().parts(reading, tenants)
        return own if tenants is not None and set(tenants) <= set(self.owned()) else [self.shared, *own]

    def source(self, reading: Reading, tenants: Sequence[str] | None) -> str:
        """Return the UNION ALL of shared and own tables.

        The predicate is outside the union: a condition on one branch would keep that branch from being
        merged with the others in the order of an index.
        """
        parts = self.parts(reading, tenants)
        return union(parts) if tenants is None or self.shared not in parts else f"{union(parts)} WHERE {PREDICATE}"

    def policed(self) -> list[str]:
        """Return the shared table."""
        return [self.shared]

    def table_holding(self, tenant: str) -> str:
        """Return the tenant's own table, or the shared one."""
        return super().table_holding(tenant) if tenant in self.owned() else self.shared

    def assume(self, conn: Connection, reader: Reader) -> None:
        """Become the reader's role, and name the principal for the policy of the shared table."""
        super().assume(conn, reader)
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [reader.name])

    def _assert_closed(self, conn: Connection, reader: Reader) -> None:
        super()._assert_closed(conn, reader)
        if conn.execute("SELECT row_security_active(%s)", [self.shared]).fetchone() != (True,):
            raise RoleCanBypass(
                f"no row policy binds role {self.role_of(reader)} on {self.shared}: make the layout again"
            )

    def _make(self, conn: Connection) -> None:
        super()._make(conn)
        self._table(conn, self.shared)
        self._fill(conn, self.shared, self.small())

    def _protect(self, conn: Connection, readers: Sequence[Reader]) -> None:
        super()._protect(conn, readers)
        base = self.store.schema
        for statement in (
            f"CREATE ROLE {self.group} NOLOGIN",
            f"GRANT USAGE ON SCHEMA {self.schema}, {base} TO {self.group}",
            f"GRANT EXECUTE ON FUNCTION {base}.visible_tenants() TO {self.group}",
        ):
            conn.execute(statement.encode())
        self._police(conn, self.shared, f"{APPLICATION_ROLE}, {self.group}")
        for reader in readers:
            conn.execute(f"GRANT {self.group} TO {self.role_of(reader)}".encode())


def large(sizes: Mapping[str, int], share: float) -> list[str]:
    """Return the fewest tenants that hold `share` of all rows together, by name; of equal size the first by name."""
    held, found, wanted = 0, [], share * sum(sizes.values())
    for tenant in sorted(sizes, key=lambda name: (-sizes[name], name)):
        if held >= wanted:
            break
        found.append(tenant)
        held += sizes[tenant]
    return sorted(found)
