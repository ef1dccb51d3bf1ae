"""Thousands of random searches in every layout: nobody gets a row of another tenant, however they ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psycopg
import pytest

from harness.capture.canary_corpus import canary_corpus
from harness.corpus.model import Corpus, Vectors
from harness.store import Store, open_store
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
    search,
)
from harness.store.server import Server

pytestmark = [pytest.mark.database, pytest.mark.model]

SEED = 4
CASES = 150
LAYOUTS = (Pool, Partitions, Silo, Bridge)
INDEXES = {"hnsw": HNSW, "ivfflat": Index("ivfflat", lists=4), "half": HALF_EXPRESSION, "half column": HALF_COLUMN}
#: 4 layouts × 4 indexes × 150 cases: 2,400 searches.
MADE = [pytest.param(layout, index, id=f"{layout.name}, {index}") for layout in LAYOUTS for index in INDEXES]


@dataclass(frozen=True)
class Reader:
    name: str
    tenants: tuple[str, ...]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return canary_corpus()


@pytest.fixture(scope="module")
def store(server: Server, data: Path, corpus: Corpus) -> Store:
    return open_store(corpus, lambda message: None, data)


@pytest.fixture(scope="module")
def readers(store: Store, corpus: Corpus) -> list[Reader]:
    """Random sets of tenants, one reader of everything, and a stranger whom nobody granted anything."""
    rng, tenants = np.random.default_rng(SEED), sorted({d.tenant for d in corpus.documents.values()})
    sets = [tuple(sorted(rng.choice(tenants, rng.integers(1, 4), replace=False).tolist())) for _ in range(8)]
    found = [Reader(f"random:{i}", chosen) for i, chosen in enumerate(sets)]
    found += [Reader("everyone", tuple(tenants)), Reader("stranger", ())]
    store.grant({reader.name: reader.tenants for reader in found})
    return found


@pytest.fixture(scope="module")
def vectors(corpus: Corpus) -> Vectors:
    """The golden questions, as many random directions, and every hundredth chunk itself."""
    questions = corpus.query_vectors(corpus.queries)
    random = np.random.default_rng(SEED).normal(size=questions.shape).astype(np.float32)
    return np.concatenate([questions, random, corpus.vectors()[::10]])


@pytest.fixture
def layout(store: Store, readers: list[Reader], request: pytest.FixtureRequest) -> Iterator[Layout]:
    kind, index = request.param
    made: Layout = kind(store, INDEXES[index])
    made.create(readers, lambda message: None)
    yield made
    made.drop()


def draw_scan(rng: np.random.Generator, index: Index) -> Scan:
    orders = ["off", "relaxed_order", *(["strict_order"] if index.method == "hnsw" else [])]
    return Scan(
        ef_search=int(rng.choice([10, 40, 200])),
        iterative=str(rng.choice(orders)),  # type: ignore[arg-type]
        max_scan_tuples=int(rng.choice([1, 50, 20_000])),
        probes=int(rng.choice([1, 4])),
        plan=str(rng.choice(["own", "forced", "exact"])),  # type: ignore[arg-type]
    )


def draw_predicate(rng: np.random.Generator, reader: Reader, tenants: list[str]) -> list[str] | None:
    """No predicate, the reader's own tenants, everyone else's, all, or any."""
    others = [tenant for tenant in tenants if tenant not in reader.tenants]
    some = rng.choice(tenants, rng.integers(1, 4), replace=False).tolist()
    choices: list[list[str] | None] = [None, None, list(reader.tenants), others, list(tenants), some]
    return choices[int(rng.integers(len(choices)))]


@pytest.mark.parametrize("layout", [(p.values[0], p.values[1]) for p in MADE], ids=[p.id for p in MADE], indirect=True)
def test_no_random_search_returns_a_row_of_another_tenant(
    layout: Layout, readers: list[Reader], vectors: Vectors, corpus: Corpus
) -> None:
    rng, tenants = np.random.default_rng([SEED, 1]), sorted({d.tenant for d in corpus.documents.values()})
    rows = refused = 0
    with layout.connect() as conn:
        for _ in range(CASES):
            reader = readers[int(rng.integers(len(readers)))]
            vector = vectors[int(rng.integers(len(vectors)))]
            scan, predicate = draw_scan(rng, layout.index), draw_predicate(rng, reader, tenants)
            where = str(rng.choice(["", "tenant IS NOT NULL OR true"]))
            k = int(rng.integers(1, 11))
            try:
                with layout.session(conn, reader) as reading:
                    hits = search(layout, reading, vector, scan, k=k, tenants=predicate, where=where)
            except psycopg.errors.InsufficientPrivilege:
                # A silo's statement names tables: another tenant's table is refused as a whole.
                assert isinstance(layout, Silo) and not set(predicate or ()) <= set(reader.tenants)
                refused += 1
                continue
            allowed = set(reader.tenants) if predicate is None else set(reader.tenants) & set(predicate)
            assert {hit.tenant for hit in hits} <= allowed, (reader, scan, predicate)
            rows += len(hits)
    assert rows > CASES
    assert (refused > 0) == isinstance(layout, Silo)


WRITES = (
    "INSERT INTO {0} SELECT * FROM {0} LIMIT 1",
    "UPDATE {0} SET tenant = tenant",
    "DELETE FROM {0}",
    "TRUNCATE {0}",
)
MAY_WRITE = """
SELECT format('%I.%I', relnamespace::regnamespace, relname) FROM pg_class
WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
  AND CASE WHEN relkind = 'S' THEN has_sequence_privilege(oid, 'USAGE, UPDATE')
      ELSE has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
        OR has_any_column_privilege(oid, 'INSERT, UPDATE') END
"""


@pytest.mark.parametrize("layout", [(kind, "hnsw") for kind in LAYOUTS], ids=[k.name for k in LAYOUTS], indirect=True)
def test_no_reader_may_write_anything_anywhere(store: Store, layout: Layout, readers: list[Reader]) -> None:
    """Asked of the catalog for every table of the database, and tried on the reader's own."""
    with store.maintenance() as conn:
        assert {table for (table,) in conn.execute(MAY_WRITE).fetchall()} >= set(layout.tables())
    with layout.connect() as conn:
        for reader in readers[:2] + readers[-2:]:
            with layout.session(conn, reader) as reading:
                assert [table for (table,) in reading.conn.execute(MAY_WRITE).fetchall()] == []
            tables = sorted({layout.table_holding(tenant) for tenant in reader.tenants})
            for statement in (write.format(table) for table in tables for write in WRITES):
                with pytest.raises(psycopg.errors.InsufficientPrivilege), layout.session(conn, reader) as reading:
                    reading.conn.execute(statement.encode())
