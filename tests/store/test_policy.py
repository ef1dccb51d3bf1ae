"""The row policy: nothing without a principal, nothing of other tenants with one, no reading past it."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import sql

from harness.corpus.model import Corpus
from harness.retrieval import dense, fulltext
from harness.store import RoleCanBypass, Store, as_principal, assert_cannot_bypass
from harness.store.server import APPLICATION_ROLE, OWNER_ROLE, Connection

from .conftest import TENANTS

pytestmark = pytest.mark.database

VISIBLE = {"all": TENANTS, "two": TENANTS[:2], "three": TENANTS[:3], **{f"only:{t}": (t,) for t in TENANTS}}


def count(conn: Connection, table: str) -> int:
    row = conn.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("table", ["chunk", "document"])
def test_the_application_role_sees_nothing_before_and_after_a_principal_was_set(store: Store, table: str) -> None:
    with store.application() as conn:
        assert count(conn, table) == 0
        with as_principal(conn, "all") as session:
            assert count(session.conn, table) > 0
        # The setting is now an empty string, no longer null.
        assert conn.execute("SELECT current_setting('zeroth.principal', true)").fetchone() == ("",)
        assert count(conn, table) == 0


def test_a_principal_that_nobody_granted_anything_sees_nothing(store: Store) -> None:
    with store.application() as conn, as_principal(conn, "stranger") as session:
        assert count(session.conn, "chunk") == 0


def test_an_empty_name_is_no_principal(store: Store) -> None:
    with (
        store.application() as conn,
        pytest.raises(ValueError, match="a principal needs a name"),
        as_principal(conn, ""),
    ):
        pass


def test_the_principal_ends_with_its_transaction_even_when_that_fails(store: Store) -> None:
    with store.application() as conn:
        with pytest.raises(ZeroDivisionError), as_principal(conn, "all"):
            raise ZeroDivisionError
        assert count(conn, "chunk") == 0


@pytest.mark.parametrize("principal", sorted(VISIBLE))
def test_no_search_returns_a_row_of_another_tenant(store: Store, corpus: Corpus, principal: str) -> None:
    vectors = corpus.query_vectors(corpus.queries)
    with store.application() as conn, as_principal(conn, principal) as session:
        for query, vector in zip(corpus.queries, vectors, strict=True):
            tenants = {hit.tenant for hit in dense.exact_search(session, vector)}
            for ef in (10, 40, 200):
                tenants |= {hit.tenant for hit in dense.hnsw_search(session, vector, ef_search=ef)}
                tenants |= {hit.tenant for hit in dense.hnsw_search(session, vector, ef_search=ef, plan="own")}
            tenants |= {tenant for _, tenant in fulltext.search(session, query.text)}
            assert tenants <= set(VISIBLE[principal])


def test_exact_search_finds_what_numpy_finds_among_the_visible_rows(store: Store, corpus: Corpus) -> None:
    vectors, queries = corpus.vectors(), corpus.query_vectors(corpus.queries)
    rows = [i for i, chunk in enumerate(corpus.chunks) if chunk.tenant in VISIBLE["two"]]
    with store.application() as conn, as_principal(conn, "two") as session:
        for query in queries:
            distances = 1 - vectors[rows] @ query
            expected = [corpus.chunks[rows[i]].id for i in distances.argsort(kind="stable")[:10]]
            assert [hit.id for hit in dense.exact_search(session, query)] == expected


def test_the_application_role_cannot_read_or_change_the_access_control_list(store: Store) -> None:
    with store.application() as conn:
        for statement in ("SELECT * FROM acl", "INSERT INTO acl VALUES ('me', 'apples')", "DELETE FROM acl"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied for table acl"):
                conn.execute(statement.encode())


def test_the_application_role_cannot_write_rows(store: Store) -> None:
    with store.application() as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("DELETE FROM chunk")


def test_the_function_of_the_policy_tells_a_principal_only_its_own_tenants(store: Store) -> None:
    with store.application() as conn, as_principal(conn, "only:bees") as session:
        assert session.conn.execute("SELECT visible_tenants()").fetchone() == (["bees"],)


def test_a_superuser_may_not_take_a_reading(store: Store) -> None:
    with store.maintenance() as conn:
        with pytest.raises(RoleCanBypass, match=r"role postgres has SUPERUSER.*connect as zeroth_app"):
            assert_cannot_bypass(conn)
        with pytest.raises(RoleCanBypass), as_principal(conn, "all"):
            pass


def test_a_role_with_bypassrls_may_not_take_a_reading(store: Store) -> None:
    with store.maintenance() as conn, conn.transaction(force_rollback=True):
        conn.execute("CREATE ROLE passes BYPASSRLS")
        conn.execute(f"GRANT {APPLICATION_ROLE} TO passes".encode())
        conn.execute(f"GRANT USAGE ON SCHEMA {store.schema} TO passes".encode())
        conn.execute("SET LOCAL ROLE passes")
        with pytest.raises(RoleCanBypass, match=r"role passes has BYPASSRLS.*ALTER ROLE passes NOBYPASSRLS"):
            assert_cannot_bypass(conn)


def test_the_owner_may_take_a_reading_only_while_row_security_is_forced(store: Store) -> None:
    with store.maintenance() as conn, conn.transaction(force_rollback=True):
        conn.execute(f"SET LOCAL ROLE {OWNER_ROLE}".encode())
        assert assert_cannot_bypass(conn) == OWNER_ROLE
        assert count(conn, "chunk") == 0
        conn.execute("ALTER TABLE chunk NO FORCE ROW LEVEL SECURITY")
        with pytest.raises(RoleCanBypass, match="role zeroth_owner owns chunk, which lacks FORCE ROW LEVEL SECURITY"):
            assert_cannot_bypass(conn)


def test_a_table_without_row_security_refuses_every_role(store: Store) -> None:
    with store.maintenance() as conn, conn.transaction(force_rollback=True):
        conn.execute("ALTER TABLE document DISABLE ROW LEVEL SECURITY")
        conn.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(APPLICATION_ROLE)))
        with pytest.raises(RoleCanBypass, match="table document has no row security"):
            assert_cannot_bypass(conn)
