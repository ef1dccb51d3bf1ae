"""A deleted document is gone from every surface, stays gone, and a forgotten surface is found."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import psycopg
import pytest

from harness.capture.api import Payload
from harness.corpus.model import Corpus
from harness.deletion import tables
from harness.deletion.reconcile import reconcile, repair
from harness.deletion.remains import remains, standing, vacuum
from harness.deletion.remove import delete
from harness.deletion.snapshot import Snapshot
from harness.errors import HarnessError
from harness.experiments.deletion.capture import CAPTURE
from harness.retrieval import lexical
from harness.store import Connection, Store
from harness.store.server import APPLICATION_ROLE
from tests.captures import captured, standing_figures

pytestmark = pytest.mark.database

DOC = "bees-1"


@pytest.fixture
def conn(store: Store, corpus: Corpus) -> Iterator[Connection]:
    tables.create(store, [(doc, f"sum of {doc}") for doc in corpus.documents], lambda message: None)
    with tables.connect(store) as opened:
        tables.cache(opened, "q-quoted", "hive", [("bees-1:0000", DOC, True), ("cedar-1:0000", "cedar-1", False)])
        tables.cache(opened, "q-context", "bark", [("bees-1:0001", DOC, False), ("cedar-1:0000", "cedar-1", True)])
        tables.cache(opened, "q-other", "bark", [("cedar-1:0000", "cedar-1", True)])
        yield opened
    tables.drop(store)


def count(conn: Connection, table: str) -> int:
    row = conn.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    return int((row or (0,))[0])


def test_a_deletion_empties_every_surface_and_leaves_a_tombstone(conn: Connection) -> None:
    before = {table: count(conn, table) for table in tables.TABLES.values()}
    receipt = delete(conn, DOC, "asked for")
    assert receipt.rows == {"vectors": 30, "lexical": 30, "answers": 2}
    assert {t: before[t] - count(conn, t) for t in before} == {"vector_row": 30, "lexical_row": 30, "answer": 2}
    assert reconcile(conn) == [] and count(conn, "tombstone") == 1


def test_an_answer_goes_when_the_document_was_only_in_its_context(conn: Connection) -> None:
    delete(conn, DOC, "asked for")
    assert [row[0] for row in conn.execute("SELECT question FROM answer")] == ["q-other"]


@pytest.mark.parametrize(("surface", "rows"), [("vectors", 30), ("lexical", 30), ("answers", 2)])
def test_a_forgotten_surface_is_found_and_repaired(conn: Connection, surface: str, rows: int) -> None:
    delete(conn, DOC, "asked for", skip=[surface])
    found = reconcile(conn)
    assert [(one.surface, one.doc, one.rows, one.why) for one in found] == [(surface, DOC, rows, "tombstone")]
    assert repair(conn, found) == rows and reconcile(conn) == []


def test_an_index_outside_of_the_database_is_found_until_its_rows_are_hidden(conn: Connection, corpus: Corpus) -> None:
    snapshot = Snapshot(lexical.index(corpus.chunks))
    delete(conn, DOC, "asked for")
    found = reconcile(conn, snapshot)
    assert [(one.surface, one.rows) for one in found] == [("snapshot", 30)]
    assert repair(conn, found, snapshot) == 30 and reconcile(conn, snapshot) == []
    assert snapshot.search("bees", 10) == [] and snapshot.df("bees") == 30


def test_rows_without_listing_or_tombstone_are_reported_and_left_alone(conn: Connection) -> None:
    conn.execute("DELETE FROM document WHERE id = %s", [DOC])
    found = reconcile(conn)
    assert {(one.surface, one.why) for one in found} == {
        ("vectors", "orphan"), ("lexical", "orphan"), ("answers", "orphan"),
    }  # fmt: skip
    assert repair(conn, found) == 0 and reconcile(conn) == found


def test_a_deletion_that_fails_half_way_changes_nothing(conn: Connection) -> None:
    conn.execute("CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$")
    conn.execute("CREATE TRIGGER no BEFORE DELETE ON answer FOR EACH ROW EXECUTE FUNCTION no()")
    with pytest.raises(psycopg.errors.RaiseException):
        delete(conn, DOC, "asked for")
    assert (count(conn, "tombstone"), count(conn, "vector_row"), count(conn, "document")) == (0, 120, 4)


def test_what_was_deleted_may_not_come_back(conn: Connection) -> None:
    delete(conn, DOC, "asked for")
    for statement in (
        "INSERT INTO document VALUES ('bees-1', 'another sum')",
        "INSERT INTO document VALUES ('bees-2', 'sum of bees-1')",
        "INSERT INTO lexical_row VALUES ('bees-1:0000', 'bees-1', to_tsvector('hive'))",
        "UPDATE lexical_row SET doc = 'bees-1' WHERE chunk = 'cedar-1:0000'",
    ):
        with pytest.raises(psycopg.errors.CheckViolation, match="was deleted and may not come back"):
            conn.execute(statement.encode())
    with pytest.raises(psycopg.errors.CheckViolation):
        tables.cache(conn, "q-late", "hive", [("bees-1:0000", DOC, True)])
    assert conn.execute("SELECT 1 FROM answer WHERE question = 'q-late'").fetchone() is None


def test_a_writer_that_began_before_the_deletion_is_waited_for(conn: Connection, store: Store) -> None:
    with tables.connect(store) as writer, writer.transaction(force_rollback=True):
        writer.execute("INSERT INTO lexical_row VALUES ('bees-1:9999', 'bees-1', to_tsvector('late'))")
        conn.execute("SET lock_timeout = '200ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            delete(conn, DOC, "asked for")
    conn.execute("SET lock_timeout = 0")
    assert delete(conn, DOC, "asked for").rows["lexical"] == 30


@pytest.mark.parametrize(("doc", "skip", "said"), [("none-1", [], "no such document"), (DOC, ["cache"], "no surface")])
def test_a_mistake_is_told_in_one_line(conn: Connection, doc: str, skip: list[str], said: str) -> None:
    with pytest.raises(HarnessError, match=said):
        delete(conn, doc, "asked for", skip=skip)
    assert count(conn, "tombstone") == 0


def test_the_restricted_role_can_read_and_not_delete(conn: Connection, store: Store) -> None:
    with tables.connect(store, user=APPLICATION_ROLE) as reader:
        assert count(reader, "vector_row") == 120
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute("DELETE FROM vector_row")


def test_the_bytes_of_a_deleted_vector_stand_in_the_files_until_the_table_is_rewritten(
    conn: Connection, corpus: Corpus
) -> None:
    own = corpus.vectors()[[i for i, chunk in enumerate(corpus.chunks) if chunk.doc == DOC]]
    assert remains(conn, "vector_row", own).vectors == remains(conn, tables.HNSW, own).vectors == 30
    delete(conn, DOC, "asked for")
    assert remains(conn, "vector_row", own).vectors == remains(conn, tables.HNSW, own).vectors == 30
    vacuum(conn, "vector_row")
    assert remains(conn, tables.HNSW, own).vectors == 0
    vacuum(conn, "vector_row", full=True)
    assert remains(conn, "vector_row", own).vectors == remains(conn, tables.HNSW, own).vectors == 0


def test_an_index_is_searched_for_the_vector_as_it_holds_it(conn: Connection, corpus: Corpus) -> None:
    long = (corpus.vectors()[:1] * np.float32(1.7)).astype(np.float32)
    conn.execute("INSERT INTO vector_row VALUES ('apples-1:9999', 'apples-1', 'long', %s)", [long[0]])
    assert remains(conn, "vector_row", long).vectors == remains(conn, tables.HNSW, long).vectors == 1


def test_a_vector_counts_as_standing_only_when_all_of_it_does() -> None:
    vectors = np.random.default_rng(1).normal(size=(3, 8)).astype("<f4")
    data = b"page" + vectors[0].tobytes() + b"1234" + vectors[1, :7].tobytes() + b"\0\0\0\0"
    assert standing(data, vectors.view("<u4")) == {0}


@pytest.fixture(scope="module")
def payload(store: Store, corpus: Corpus) -> Payload:
    return captured(CAPTURE, corpus, store)


def test_every_figure_of_deletion_stands_where_it_says(payload: Payload) -> None:
    assert standing_figures(payload)


def test_no_search_returns_a_row_of_the_deleted_document(payload: Payload) -> None:
    assert [row["own"] for row in payload.result["searches"]] == [None, 0, 0, 0]


def test_each_forgotten_surface_still_gives_the_document_and_the_others_do_not(payload: Payload) -> None:
    for row in payload.result["skips"]:
        given = {surface for surface, questions in row["shown"].items() if questions}
        everything = {"vectors", "lexical", "answers", "snapshot"}
        expected = everything if row["skipped"] == "everything" else everything & {row["skipped"]}
        assert given == expected, row["skipped"]
        assert (row["left"] == 0) == (row["skipped"] != "everything")


def test_all_ways_back_but_a_changed_copy_are_refused(payload: Payload) -> None:
    assert [row["way"] for row in payload.result["returns"] if not row["refused"]] == ["reworded"]
