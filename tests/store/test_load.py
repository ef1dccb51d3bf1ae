"""Loading: all of a corpus or nothing of it, and nothing twice."""

from __future__ import annotations

import numpy as np
import pytest

from harness.__main__ import main
from harness.corpus.model import Corpus
from harness.store import Store, as_principal, load, schema
from harness.store.server import Connection, Server

from .conftest import MakeCorpus

pytestmark = pytest.mark.database


def silent(message: str) -> None:
    pass


def texts(conn: Connection, name: str) -> list[str]:
    return [str(row[0]) for row in conn.execute(f"SELECT text FROM zeroth_{name}.chunk ORDER BY id".encode())]


def test_every_chunk_and_vector_comes_back_as_it_was_copied(store: Store, corpus: Corpus) -> None:
    with store.application() as conn, as_principal(conn, "all") as session:
        rows = session.conn.execute(
            "SELECT id, doc, tenant, ordinal, text, embedding FROM chunk ORDER BY id"
        ).fetchall()
    assert [row[:5] for row in rows] == [(c.id, c.doc, c.tenant, c.ordinal, c.text) for c in corpus.chunks]
    assert np.array_equal(np.stack([row[5].to_numpy() for row in rows]), corpus.vectors())


def test_loading_the_same_corpus_again_does_nothing(server: Server, make_corpus: MakeCorpus) -> None:
    with server.connect() as conn:
        assert load.load_corpus(conn, make_corpus("twice"), silent)
        oid = conn.execute("SELECT 'zeroth_twice.chunk'::regclass::oid").fetchone()
        assert not load.load_corpus(conn, make_corpus("twice"), silent)
        assert conn.execute("SELECT 'zeroth_twice.chunk'::regclass::oid").fetchone() == oid


def test_a_changed_corpus_replaces_the_one_before(server: Server, make_corpus: MakeCorpus) -> None:
    with server.connect() as conn:
        load.load_corpus(conn, make_corpus("changed"), silent)
        changed = make_corpus("changed", chunks=3, note=" again")
        assert load.load_corpus(conn, changed, silent)
        assert texts(conn, "changed") == [chunk.text for chunk in changed.chunks]


def test_another_embedder_is_another_load(make_corpus: MakeCorpus) -> None:
    one, other = make_corpus(), make_corpus()
    other.models.append({"role": "embedder", "name": "another", "sha256": "1" * 64})
    assert load.load_key(one) == load.load_key(make_corpus())
    assert load.load_key(one) != load.load_key(other)


def test_an_interrupted_load_leaves_no_table_and_the_next_one_succeeds(
    server: Server, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    with server.connect() as conn:
        with monkeypatch.context() as patch:
            patch.setattr(load, "build_hnsw", interrupted)
            with pytest.raises(KeyboardInterrupt):
                load.load_corpus(conn, make_corpus("cut"), silent)
        assert conn.execute("SELECT to_regnamespace('zeroth_cut')").fetchone() == (None,)
        assert load.load_corpus(conn, make_corpus("cut"), silent)
        assert len(texts(conn, "cut")) == len(make_corpus("cut").chunks)


def test_an_interrupted_reload_leaves_the_corpus_before_it(
    server: Server, make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = make_corpus("kept", chunks=3)

    def interrupted(*args: object, **options: object) -> None:
        raise RuntimeError("the power went")

    with server.connect() as conn:
        load.load_corpus(conn, before, silent)
        monkeypatch.setattr(load, "build_hnsw", interrupted)
        with pytest.raises(RuntimeError, match="the power went"):
            load.load_corpus(conn, make_corpus("kept", chunks=4), silent)
        assert texts(conn, "kept") == [chunk.text for chunk in before.chunks]
        assert load.loaded_key(conn, "zeroth_kept") == load.load_key(before)


def test_rebuilding_the_index_keeps_its_settings_and_every_row(store: Store) -> None:
    def index() -> list[tuple[object, ...]]:
        with store.maintenance() as conn:
            return conn.execute(
                "SELECT reloptions, relname FROM pg_class WHERE oid = to_regclass(%s)", [schema.HNSW_INDEX]
            ).fetchall()

    before = index()
    store.rebuild_hnsw(silent, workers=0)
    assert index() == before == [(["m=16", "ef_construction=64"], schema.HNSW_INDEX)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("rfc", "zeroth_rfc"), ("Small One", "zeroth_small_one"), ('x"; DROP', "zeroth_x___drop"), ("é", "zeroth__")],
)
def test_a_schema_name_needs_no_quoting(name: str, expected: str) -> None:
    assert schema.schema_name(name) == expected


def test_a_database_url_that_cannot_be_used_is_one_line(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "no address")
    monkeypatch.setattr("harness.corpus.load.load_corpus", lambda log, name="rfc": corpus)
    assert main(["prepare"]) == 1
    said = capsys.readouterr().err
    assert "PostgreSQL refused to load the corpus: " in said
    assert "DATABASE_URL must name a server" in said
