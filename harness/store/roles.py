"""Who is reading: the check that row security binds the role, and the principal of a transaction.

A reading taken as superuser, as a BYPASSRLS role or as an owner without FORCE shows every row, and looks
fine. So no search function takes a connection: each takes a `Session`, and the only way to one is
`as_principal`, which refuses a role that can pass the policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from harness.errors import HarnessError
from harness.store.schema import TABLES
from harness.store.server import APPLICATION_ROLE, Connection


class RoleCanBypass(HarnessError):
    """The connection's role is not bound by the row policy, so it can take no reading under it."""


@dataclass(frozen=True)
class Session:
    """An open transaction in which `principal` reads through a role that the policy binds."""

    conn: Connection
    principal: str


_ATTRIBUTES = """
SELECT current_user, r.rolsuper, r.rolbypassrls, t.name, c.oid IS NOT NULL,
       c.relrowsecurity, c.relforcerowsecurity,
       coalesce(pg_has_role(current_user, c.relowner, 'USAGE'), false)
FROM pg_roles r CROSS JOIN unnest(%s::text[]) AS t(name) LEFT JOIN pg_class c ON c.oid = to_regclass(t.name)
WHERE r.rolname = current_user
"""


def assert_cannot_bypass(conn: Connection) -> str:
    """Return the name of the connection's current role, having made sure that the policy binds it.

    Raises RoleCanBypass, naming role, attribute and remedy, for a superuser, a role with BYPASSRLS, an owner
    (or a member of the owner) of a table without FORCE ROW LEVEL SECURITY, and for a table without row
    security at all.
    """
    role = ""
    for name, superuser, bypass, table, exists, enabled, forced, owns in conn.execute(_ATTRIBUTES, [list(TABLES)]):
        role = str(name)
        remedy = f"connect as {APPLICATION_ROLE} (Store.application())"
        if superuser:
            raise RoleCanBypass(f"role {role} has SUPERUSER, which ignores every policy: {remedy}")
        if bypass:
            raise RoleCanBypass(
                f"role {role} has BYPASSRLS, which ignores every policy: {remedy}, or ALTER ROLE {role} NOBYPASSRLS"
            )
        if not exists:
            raise RoleCanBypass(f"table {table} is not on the search path of role {role}: {remedy}")
        if not enabled:
            raise RoleCanBypass(
                f"table {table} has no row security, so role {role} reads all of it: "
                f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY, or run `python -m harness prepare`"
            )
        if owns and not forced:
            raise RoleCanBypass(
                f"role {role} owns {table}, which lacks FORCE ROW LEVEL SECURITY, so no policy binds it: "
                f"{remedy}, or ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
            )
    return role


@contextmanager
def as_principal(conn: Connection, name: str) -> Iterator[Session]:
    """Open a transaction in which `name` reads; on leaving it the principal is gone.

    The name is set with `set_config(…, is_local => true)`: SET LOCAL takes no parameter, and outside a
    transaction it would only warn. Raises RoleCanBypass as `assert_cannot_bypass` does, ValueError for an
    empty name.
    """
    if not name:
        raise ValueError("a principal needs a name: the empty name is what 'no principal' looks like")
    with conn.transaction():
        assert_cannot_bypass(conn)
        conn.execute("SELECT set_config('zeroth.principal', %s, true)", [name])
        yield Session(conn, name)


def grant(conn: Connection, schema: str, principals: Mapping[str, Sequence[str]]) -> None:
    """Let each principal see exactly the tenants named, no longer what it saw before."""
    with conn.transaction(), conn.cursor() as cursor:
        cursor.execute(f"DELETE FROM {schema}.acl WHERE principal = ANY (%s)".encode(), [list(principals)])
        rows = [(principal, tenant) for principal, tenants in principals.items() for tenant in tenants]
        cursor.executemany(f"INSERT INTO {schema}.acl VALUES (%s, %s)".encode(), rows)
