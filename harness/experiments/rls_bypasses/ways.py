"""Ways round a row policy that stands: what is granted is not the table itself. Each is opened, looked through, closed.

Everything is made in a transaction that is rolled back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.experiments.rls_bypasses.common import Subject, reader, seen, undone
from harness.store import Connection, Store
from harness.store.server import APPLICATION_ROLE

_PARTITIONED = """
CREATE TABLE split (id text, tenant text) PARTITION BY LIST (tenant);
CREATE TABLE split_other PARTITION OF split FOR VALUES IN ('{other}');
CREATE TABLE split_rest PARTITION OF split DEFAULT;
INSERT INTO split SELECT id, tenant FROM chunk;
ALTER TABLE split ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON split FOR SELECT TO {app} USING (tenant = ANY ((SELECT visible_tenants())::text[]));
GRANT SELECT ON split TO {app};
"""


@dataclass(frozen=True)
class Way:
    """A relation made by the superuser and granted to the application role: `opens` makes it, `closes` mends it."""

    id: str
    what: str
    relation: str
    opens: str
    closes: str
    remedy: str


def ways(subject: Subject) -> list[Way]:
    """Return the ways, with the names of the subject's other tenant filled in."""
    split = _PARTITIONED.format(other=subject.other.replace("'", "''"), app=APPLICATION_ROLE)
    view = "CREATE VIEW shown AS SELECT id, tenant FROM chunk; "
    function = (
        "CREATE FUNCTION shown() RETURNS TABLE (id text, tenant text) LANGUAGE sql STABLE SECURITY DEFINER "
        "SET search_path FROM CURRENT AS $$ SELECT id, tenant FROM chunk $$; "
    )
    app = APPLICATION_ROLE
    return [
        Way(
            "view", "a view whose owner is not bound by the policy", "shown", view + f"GRANT SELECT ON shown TO {app}",
            "ALTER VIEW shown SET (security_invoker = true)", "security_invoker = true",
        ),
        Way(
            "materialized_view", "a materialized view", "shown",
            f"CREATE MATERIALIZED VIEW shown AS SELECT id, tenant FROM chunk; GRANT SELECT ON shown TO {app}",
            f"REVOKE SELECT ON shown FROM {app}", "no grant: a materialized view takes no policy",
        ),
        Way(
            "partition", "a partition granted beside its parent", "split_other",
            split + f"GRANT SELECT ON split_other TO {app}",
            f"REVOKE SELECT ON split_other FROM {app}", "no grant on partitions",
        ),
        Way(
            "partition_policy", "a partition granted beside its parent", "split_other",
            split + f"GRANT SELECT ON split_other TO {app}",
            "ALTER TABLE split_other ENABLE ROW LEVEL SECURITY", "row security on the partition too",
        ),
        Way(
            "partition_parent", "the partitioned parent, for comparison", "split", split,
            "SELECT 1", "nothing to close",
        ),
        Way(
            "definer_function", "a SECURITY DEFINER function that returns rows", "shown()", function,
            "ALTER FUNCTION shown() SECURITY INVOKER", "SECURITY INVOKER",
        ),
    ]  # fmt: skip


def taken(store: Store, subject: Subject) -> list[dict[str, Any]]:
    """Return for each way what the reader sees while it is open, and after it was closed."""
    found = []
    for way in ways(subject):
        with undone(store) as conn:
            conn.execute(f"SET LOCAL search_path = {store.schema}, public".encode())
            # The reader is not allowed to make anything; the schema's owner, here a superuser, is.
            conn.execute(way.opens.encode())
            opened = _look(conn, subject, way.relation)
            conn.execute(way.closes.encode())
            closed = _look(conn, subject, way.relation)
        found.append({"way": way.id, "what": way.what, "remedy": way.remedy, "opened": opened, "closed": closed})
    return found


def _look(conn: Connection, subject: Subject, relation: str) -> dict[str, Any]:
    with conn.transaction(force_rollback=True):
        reader(conn, subject)
        return seen(conn, subject, relation)
