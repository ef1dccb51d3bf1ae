"""The chunks of a store with their labels, under row policies: visible = tenant AND classification AND barrier.

Two mechanisms can carry the rule, and either is enough alone. `columns`: one policy a condition. The one on the tenant
is permissive, the two others are restrictive; restrictive policies are joined by AND and grant nothing by themselves.
`array`: one policy, by which a chunk's entitlement groups must overlap the reader's. A GIN index stands over the
groups. The same overlap can also be written into a statement, beside whatever policies there are.

Clearance, sides and groups of a reader stand in a list of their own, which the application role cannot read; functions
of the owner do (SECURITY DEFINER), for the principal of the transaction only. No principal, or one not listed: no rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from harness.entitlements.classification import Label
from harness.entitlements.readers import CONDITIONS, Reader
from harness.store.layouts import Pool
from harness.store.layouts.base import COLUMNS, NAMES
from harness.store.load import copy_rows
from harness.store.server import APPLICATION_ROLE, OWNER_ROLE, Connection

Form = Literal["columns", "array"]
GIN = "chunk_groups_gin"
LABELS = "level smallint NOT NULL, side text NOT NULL, groups text[] NOT NULL"

FUNCTION = """
CREATE FUNCTION {schema}.{name}() RETURNS {type}
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog
AS $$ SELECT {name} FROM {schema}.entitlement
      WHERE principal = nullif(current_setting('zeroth.principal', true), '') $$;
REVOKE ALL ON FUNCTION {schema}.{name}() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {schema}.{name}() TO {app};
ALTER FUNCTION {schema}.{name}() OWNER TO {owner};
"""

#: Condition → policy of the form `columns`: its kind and what it asks.
POLICIES: dict[str, tuple[str, str]] = {
    "tenant": ("PERMISSIVE", "tenant = ANY ((SELECT {base}.visible_tenants())::text[])"),
    "classification": ("RESTRICTIVE", "level <= (SELECT {schema}.clearance())"),
    "barrier": ("RESTRICTIVE", "side = ANY ((SELECT {schema}.sides())::text[])"),
}
#: The one policy of the form `array`.
OVERLAP = "groups && (SELECT {schema}.groups())"


@dataclass
class Entitled(Pool):
    """One table `chunk` with level, side and groups.

    `labels` by document. `without` names documents left out, `only` keeps the documents of one side (""; both).
    `suffix` keeps several such tables apart.
    """

    name: ClassVar[str] = "entitled"
    labels: Mapping[str, Label] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    only: str = ""
    suffix: str = ""

    @property
    def schema(self) -> str:
        """The PostgreSQL schema of this table."""
        return f"{self.store.schema}__{self.name}{self.suffix and '_' + self.suffix}"

    def grant(self, readers: Sequence[Reader]) -> None:
        """Let these readers see what they name, and nobody else of this table."""
        self.store.grant({reader.name: reader.tenants for reader in readers})
        with self.store.maintenance() as conn, conn.transaction():
            conn.execute(f"DELETE FROM {self.schema}.entitlement".encode())
            copy_rows(
                conn,
                f"COPY {self.schema}.entitlement (principal, clearance, sides, groups)",
                ["text", "int2", "text[]", "text[]"],
                ((r.name, r.clearance, list(r.sides), r.groups()) for r in readers),
            )
        with self.store.maintenance() as conn:
            conn.execute(f"ANALYZE {self.schema}.entitlement".encode())

    def police(self, form: Form) -> None:
        """Put the policies of a form in the place of those there are."""
        with self.store.maintenance() as conn, conn.transaction():
            self.put_policies(conn, form)

    def put_policies(self, conn: Connection, form: Form, dropped: Sequence[str] = ()) -> None:
        """Make the policies inside the caller's transaction; `dropped` names conditions that are left out.

        A permissive policy that is left out is replaced by one that lets every row through: without any permissive
        policy the restrictive ones would show nothing.
        """
        table = f"{self.schema}.chunk"
        for policy in (*CONDITIONS, "overlap"):
            conn.execute(f"DROP POLICY IF EXISTS {policy} ON {table}".encode())
        wanted = {"overlap": ("PERMISSIVE", OVERLAP)} if form == "array" else POLICIES
        for policy, (kind, condition) in wanted.items():
            if policy in dropped:
                if kind == "RESTRICTIVE":
                    continue
                condition = "true"
            asked = condition.format(schema=self.schema, base=self.store.schema)
            conn.execute(
                f"CREATE POLICY {policy} ON {table} AS {kind} FOR SELECT TO {APPLICATION_ROLE} USING ({asked})".encode()
            )

    @contextmanager
    def dropping(self, conn: Connection, dropped: Sequence[str]) -> Iterator[None]:
        """Leave conditions out on a maintenance connection until the block ends, reading as the application role."""
        with conn.transaction(force_rollback=True):
            self.put_policies(conn, "columns", dropped)
            conn.execute(f"SET LOCAL search_path = {self.schema}, {self.store.schema}, public".encode())
            conn.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}".encode())
            yield

    def policies(self) -> list[dict[str, str]]:
        """Return every policy by form, name, kind and condition, without the names of schemas."""
        rows = [("columns", name, kind, condition) for name, (kind, condition) in POLICIES.items()]
        rows.append(("array", "overlap", "PERMISSIVE", OVERLAP))
        return [
            {
                "form": form,
                "policy": name,
                "kind": kind.lower(),
                "condition": condition.replace("{schema}.", "").replace("{base}.", ""),
            }
            for form, name, kind, condition in rows
        ]

    def _table(self, conn: Connection, table: str) -> None:
        columns = f"{COLUMNS.format(vector=self.index.column)}, {LABELS}"
        conn.execute(f"CREATE TABLE {table} ({columns}) WITH (autovacuum_enabled = false)".encode())

    def _fill(self, conn: Connection, table: str, tenants: Sequence[str] | None = None) -> None:
        base, label = self.store.schema, f"{self.schema}.label"
        columns = 'doc text COLLATE "C" PRIMARY KEY, level smallint, side text, groups text[]'
        conn.execute(f"CREATE TABLE {label} ({columns})".encode())
        owner: dict[str, str] = dict(conn.execute(f"SELECT id, tenant FROM {base}.document".encode()).fetchall())
        kept = {
            doc: found
            for doc, found in self.labels.items()
            if doc not in self.without and self.only in ("", found.side)
        }
        copy_rows(
            conn,
            f"COPY {label} (doc, level, side, groups)",
            ["text", "int2", "text", "text[]"],
            ((doc, found.level, found.side, found.groups(owner[doc])) for doc, found in kept.items()),
        )
        names = ", ".join(f"c.{name}" for name in NAMES.split(", "))
        conn.execute(
            f"INSERT INTO {table} ({NAMES}, level, side, groups) SELECT {names}, l.level, l.side, l.groups "
            f"FROM {base}.chunk c JOIN {label} l ON l.doc = c.doc ORDER BY c.id".encode()
        )

    def _protect(self, conn: Connection, readers: object) -> None:
        table, names = f"{self.schema}.chunk", {"schema": self.schema, "app": APPLICATION_ROLE, "owner": OWNER_ROLE}
        conn.execute(f"CREATE INDEX {GIN} ON {table} USING gin (groups)".encode())
        conn.execute(
            f"CREATE TABLE {self.schema}.entitlement (principal text PRIMARY KEY, clearance smallint NOT NULL, "
            "sides text[] NOT NULL, groups text[] NOT NULL)".encode()
        )
        for name, kind in (("clearance", "smallint"), ("sides", "text[]"), ("groups", "text[]")):
            conn.execute(FUNCTION.format(name=name, type=kind, **names).encode())
        for statement in (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
            f"GRANT USAGE ON SCHEMA {self.schema} TO {APPLICATION_ROLE}",
            f"GRANT SELECT ON {table} TO {APPLICATION_ROLE}",
            f"ALTER TABLE {table} OWNER TO {OWNER_ROLE}",
            f"ALTER TABLE {self.schema}.entitlement OWNER TO {OWNER_ROLE}",
        ):
            conn.execute(statement.encode())
        self.put_policies(conn, "columns")


def overlap(reader: Reader) -> str:
    """Return the overlap with a reader's groups as a condition for a statement, its groups written out."""
    words = ",".join('"' + group.replace("\\", "\\\\").replace('"', '\\"') + '"' for group in reader.groups())
    literal = "{" + words + "}"
    return f"groups && '{literal.replace(chr(39), chr(39) * 2)}'::text[]"
