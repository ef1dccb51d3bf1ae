"""Layouts: the same rows and the same answers in each, dropped without a trace, closed by what they claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from harness.corpus.model import Corpus
from harness.errors import HarnessError
from harness.retrieval import dense
from harness.store import RoleCanBypass, Store, as_principal
from harness.store.layouts import (
    HALF_COLUMN,
    HALF_EXPRESSION,
    HNSW,
    Bridge,
    Index,
    Layout,
    Partitions,
    Pool,
    Scan,
    Silo,
    exact,
    explain,
    plan_text,
    search,
)
from harness.store.layouts.bridge import large
from harness.store.layouts.exposure import exposures
from harness.store.layouts.pruning import prunings
from harness.store.layouts.scan import inversions

from .conftest import TENANTS

pytestmark = pytest.mark.database

LAYOUTS: tuple[type[Layout], ...] = (Pool, Partitions, Silo, Bridge)


@dataclass(frozen=True)
class Reader:
    name: str
    tenants: tuple[str, ...]


ALL = Reader("all", TENANTS)
TWO = Reader("two", TENANTS[:2])
ONE = Reader("only:delta", ("delta",))
READERS = (ALL, TWO, ONE, *(Reader(f"only:{t}", (t,)) for t in TENANTS[:-1]))


def silent(message: str) -> None:
    pass


@pytest.fixture(scope="module", params=LAYOUTS, ids=[kind.name for kind in LAYOUTS])
def layout(store: Store, request: pytest.FixtureRequest) -> Iterator[Layout]:
    made: Layout = request.param(store)
    built = made.create(READERS, silent)
    assert (built.rows, built.tables) == (120, len(made.tables()))
    yield made
    made.drop()


def test_every_layout_answers_exactly_as_the_store_does(layout: Layout, store: Store, corpus: Corpus) -> None:
    vectors = corpus.query_vectors(corpus.queries)
    with store.application() as base, layout.connect() as conn:
        for reader in READERS:
            with as_principal(base, reader.name) as session, layout.session(conn, reader) as reading:
                for vector in vectors[::5]:
                    expected = dense.exact_search(session, vector)
                    assert exact(layout, reading, vector) == expected
                    assert search(layout, reading, vector, Scan(plan="exact"), tenants=reader.tenants) == expected


def test_a_forced_search_uses_the_vector_index_of_every_table_it_reads(layout: Layout, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    with layout.connect() as conn:
        for reader in (ONE, TWO, ALL):
            for tenants in (None, reader.tenants):
                with layout.session(conn, reader) as reading:
                    plan = explain(layout, reading, vector, Scan(), tenants=tenants)
                    assert plan.type == "hnsw index scan"
                    assert plan.scans == scanned(layout, reader, tenants is not None)


def scanned(layout: Layout, reader: Reader, predicate: bool) -> int:
    """How many tables a search has to read."""
    if isinstance(layout, Partitions):
        return len(reader.tenants) if predicate else len(TENANTS)
    if isinstance(layout, Bridge):
        own = set(reader.tenants) & set(layout.owned())
        return len(own) + (not predicate or own != set(reader.tenants))
    return len(reader.tenants) if isinstance(layout, Silo) else 1


def test_sizes_count_rows_keys_and_vector_indexes(layout: Layout, store: Store) -> None:
    sizes = layout.sizes()
    with store.maintenance() as conn:
        statement = "SELECT sum(pg_table_size(name::regclass)) FROM unnest(%s::text[]) AS name"
        assert conn.execute(statement, [layout.tables()]).fetchone() == (sizes.rows,)
    assert sizes.tables == len(layout.tables())
    assert min(sizes.rows, sizes.keys, sizes.vectors) >= 8192 * sizes.tables


def test_rebuilding_replaces_the_indexes_and_no_row(layout: Layout, store: Store) -> None:
    def indexes() -> list[tuple[object, ...]]:
        with store.maintenance() as conn:
            return conn.execute(
                "SELECT i.indexrelid FROM pg_index i JOIN pg_am a ON true JOIN pg_class c ON c.oid = i.indexrelid "
                "AND c.relam = a.oid WHERE a.amname = 'hnsw' AND i.indrelid = ANY (%s::regclass[]::oid[])",
                [layout.tables()],
            ).fetchall()

    before = indexes()
    layout.rebuild(silent)
    after = indexes()
    assert len(before) == len(after) == len(layout.tables())
    assert not set(before) & set(after)


def test_dropping_a_layout_leaves_no_schema_and_no_role(store: Store) -> None:
    for kind in LAYOUTS:
        made = kind(store)
        made.create(READERS, silent)
        made.drop()
        like = made.schema.replace("_", r"\_") + "%"
        with store.maintenance() as conn:
            assert conn.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE %s", [like]).fetchall() == []
            assert conn.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE %s", [like]).fetchall() == []


def test_creating_again_replaces_what_an_interrupted_run_left(store: Store) -> None:
    for _ in range(2):
        made = Silo(store)
        assert made.create(READERS, silent).rows == 120
    made.drop()


@pytest.mark.parametrize("index", [Index("ivfflat", lists=2), HALF_EXPRESSION, HALF_COLUMN, Index(m=8)])
def test_every_kind_of_index_is_used_and_finds_the_nearest(store: Store, corpus: Corpus, index: Index) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    made = Pool(store, index)
    made.create(READERS, silent)
    try:
        with made.connect() as conn, made.session(conn, ALL) as reading:
            scan = Scan(ef_search=100, probes=2)
            assert explain(made, reading, vector, scan).type == f"{index.method} index scan"
            found = [hit.id for hit in search(made, reading, vector, scan)]
            assert len(set(found) & {hit.id for hit in exact(made, reading, vector)}) >= 9
    finally:
        made.drop()


def test_half_precision_halves_the_index(store: Store) -> None:
    def vectors(index: Index) -> int:
        made = Pool(store, index)
        made.create(READERS, silent)
        size = made.sizes().vectors
        made.drop()
        return size

    assert vectors(HALF_EXPRESSION) < 0.7 * vectors(HNSW)


def test_a_silo_refuses_a_reader_with_one_grant_too_many(store: Store) -> None:
    made = Silo(store)
    made.create(READERS, silent)
    try:
        with store.maintenance() as conn:
            conn.execute(f"GRANT {made.home('apples')} TO {made.role_of(ONE)}".encode())
        with made.connect() as conn:
            with (
                pytest.raises(RoleCanBypass, match="may read 2 tables of tenants, expected 1"),
                made.session(conn, ONE),
            ):
                pass
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"SELECT * FROM {made.table_holding('apples')}".encode())
    finally:
        made.drop()


def test_a_bridge_refuses_a_shared_table_without_row_security(store: Store) -> None:
    made = Bridge(store)
    made.create(READERS, silent)
    try:
        with store.maintenance() as conn:
            conn.execute(f"ALTER TABLE {made.shared} DISABLE ROW LEVEL SECURITY".encode())
        with made.connect() as conn, pytest.raises(RoleCanBypass, match="no row policy binds"), made.session(conn, ONE):
            pass
    finally:
        made.drop()


def test_a_superuser_may_take_no_reading_of_a_pool(store: Store) -> None:
    made = Pool(store)
    made.create(READERS, silent)
    try:
        with store.maintenance() as conn, pytest.raises(RoleCanBypass), made.session(conn, ONE):
            pass
    finally:
        made.drop()


def test_no_missing_predicate_exposes_a_row_and_a_missing_policy_exposes_what_is_shared(layout: Layout) -> None:
    singles = [reader for reader in READERS if len(reader.tenants) == 1]
    found = {row.mistake: row for row in exposures(layout, singles)}
    assert (found["no_predicate"].rows_most, found["no_principal"].rows_most) == (0, 0)
    shared = {"pool": 90, "partitions": 90, "silo": 0, "bridge": 60}
    assert found["no_policy"].rows_most == shared[layout.name]
    granted = {"pool": 0, "partitions": 30, "silo": 30, "bridge": 30}
    assert found["one_grant"].rows_most == granted[layout.name]
    assert found["no_predicate"].readers == 4


def test_a_predicate_the_planner_knows_leaves_partitions_out_and_one_it_does_not_know_does_not(
    store: Store, corpus: Corpus
) -> None:
    made = Partitions(store)
    made.create(READERS, silent)
    try:
        with made.connect() as conn, made.session(conn, ONE) as reading:
            found = {row.form: row for row in prunings(made, reading, corpus.query_vectors(corpus.queries[:1])[0])}
            text = "\n".join(plan_text(made, reading, corpus.vectors()[0], Scan(), tenants=ONE.tenants))
    finally:
        made.drop()
    assert {form: row.when for form, row in found.items()} == {
        "none": "never",
        "equals_parameter": "planning",
        "in_list": "planning",
        "any_parameter": "planning",
        "setting": "execution",
        "setting_array": "never",
        "subquery": "never",
    }
    assert {row.returned for row in found.values()} == {10}
    assert text.count("Index Scan") == 1 and "zeroth_" not in text


def test_large_tenants_are_the_fewest_that_hold_the_share() -> None:
    assert large({"a": 1, "b": 5, "c": 4}, 0.5) == ["b"]
    assert large({"a": 1, "b": 5, "c": 4}, 0.51) == ["b", "c"]
    assert large({"b": 2, "a": 2}, 0.5) == ["a"]


def test_results_out_of_order_are_counted() -> None:
    hits = [dense.Hit("x", "d", "t", distance) for distance in (0.1, 0.3, 0.2, 0.2, 0.1)]
    assert (inversions(hits), inversions(hits[:2]), inversions([])) == (2, 0, 0)


@pytest.mark.parametrize(
    ("index", "scan", "message"),
    [
        (HNSW, Scan(ef_search=5), "raise ef_search or scan iteratively"),
        (HNSW, Scan(ef_search=1001), "pgvector takes 1 to 1000"),
        (Index("ivfflat"), Scan(iterative="strict_order"), "IVFFlat has no strict_order"),
    ],
)
def test_a_scan_that_pgvector_would_cut_or_refuse_is_told_in_words(
    store: Store, index: Index, scan: Scan, message: str
) -> None:
    with pytest.raises(HarnessError, match=message):
        scan.check(index, 10)
