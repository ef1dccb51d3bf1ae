"""Which plan the planner takes, by the form of the policy and with or without a B-tree on `tenant`.

Each variant is made inside a transaction of the maintenance connection, read as the application role, and
rolled back: the store is the same afterwards. What decides is whether the planner can estimate how many rows
the policy lets through. An array that a setting holds is known while planning; a sub-query is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from harness.corpus.model import Vectors
from harness.retrieval import dense
from harness.store import Store
from harness.store.roles import Session, as_principal
from harness.store.server import APPLICATION_ROLE, Connection

#: Name → condition of the policy. "definer_subquery" is the store's own.
FORMS: dict[str, str] = {
    "definer_subquery": "tenant = ANY ((SELECT {schema}.visible_tenants())::text[])",
    "definer_per_row": "tenant = ANY ({schema}.visible_tenants())",
    "acl_subquery": (
        "tenant IN (SELECT acl.tenant FROM {schema}.acl "
        "WHERE acl.principal = current_setting('zeroth.principal', true))"
    ),
    "array_setting": "tenant = ANY (string_to_array(current_setting('zeroth.tenants', true), ','))",
}


@dataclass(frozen=True)
class Choice:
    """One reading: the plan taken, the rows expected of the scan, and how many of the 10 came back."""

    form: str
    btree: bool
    principal: str
    ef_search: int
    plan: str
    estimated: int
    returned: int


@contextmanager
def variant(conn: Connection, schema: str, form: str, *, btree: bool) -> Iterator[None]:
    """Give the chunk table another policy, and a B-tree if asked, until the block ends; then undo it."""
    condition = FORMS[form].format(schema=schema)
    try:
        with conn.transaction():
            conn.execute(f"DROP POLICY visible ON {schema}.chunk".encode())
            conn.execute(
                f"CREATE POLICY visible ON {schema}.chunk FOR SELECT TO {APPLICATION_ROLE} USING ({condition})".encode()
            )
            if form == "acl_subquery":
                conn.execute(f"GRANT SELECT ON {schema}.acl TO {APPLICATION_ROLE}".encode())
            if btree:
                conn.execute(f"CREATE INDEX chunk_tenant ON {schema}.chunk (tenant)".encode())
                conn.execute(f"ANALYZE {schema}.chunk".encode())
            conn.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}".encode())
            yield
            raise psycopg.Rollback()
    finally:
        assert conn.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def plan_choices(
    store: Store, principals: Mapping[str, Sequence[str]], vector: Vectors, efs: Sequence[int]
) -> list[Choice]:
    """Return the planner's choice for one query, for every form × B-tree × principal × ef_search.

    `principals` maps each name, which must be in the access-control list, to its tenants.
    """
    found = []
    with store.maintenance() as conn:
        for form in FORMS:
            for btree in (False, True):
                with variant(conn, store.schema, form, btree=btree):
                    for principal, tenants in principals.items():
                        conn.execute("SELECT set_config('zeroth.tenants', %s, true)", [",".join(tenants)])
                        with as_principal(conn, principal) as session:
                            found += [_choice(session, form, btree, vector, ef) for ef in efs]
    return found


def _choice(session: Session, form: str, btree: bool, vector: Vectors, ef: int) -> Choice:
    plan = dense.hnsw_plan(session, vector, ef_search=ef, plan="own")
    return Choice(form, btree, session.principal, ef, plan.type, plan.estimated, plan.returned or 0)
