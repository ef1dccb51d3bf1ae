"""Tenant AND classification AND barrier: labels by rule, and thousands of searches that return no row too many."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import psycopg
import pytest

from harness.corpus.model import Chunk, Corpus, Document, Query, Vectors
from harness.entitlements.classification import LEVELS, SIDES, Label, by_rule, labels, rule_of
from harness.entitlements.readers import CONDITIONS, Reader
from harness.entitlements.table import Entitled, overlap
from harness.measuring.labelled.design import MODES, Census, cells
from harness.measuring.labelled.measure import Guard, over_fetch
from harness.retrieval.dense import Hit
from harness.store import RoleCanBypass, Store, open_store
from harness.store.layouts import HNSW, Scan, exact, explain, search
from harness.store.server import Server
from tests.store.conftest import MakeCorpus

SEED = 5
RANDOM = 1_200
TENANTS = ("apples", "bees", "cedar")
CATEGORIES = ("Standards Track", "Informational", "Experimental", "Best Current Practice")


def document(ident: str, text: str = "", tenant: str = "t", title: str = "T", pages: int | None = None) -> Document:
    return Document(ident, title, f"https://example.org/{ident}", "0" * 64, tenant, tenant, "CC0-1.0", pages, text)


@pytest.fixture(scope="module")
def corpus(make_corpus: MakeCorpus) -> Corpus:
    """Three tenants of eight RFCs each, one of each category on either side, five chunks a document."""
    embed = make_corpus("unused")._embed
    rng = np.random.default_rng(SEED)
    documents, chunks, queries = [], [], []
    for number, (tenant, place) in enumerate(itertools.product(TENANTS, range(8))):
        doc = f"rfc{100 + number}"
        # Places 0 and 1 share a category, and stand on the two sides.
        text = f"Network Working Group\nCategory: {CATEGORIES[place // 2]}      J. Doe\n"
        documents.append(document(doc, text, tenant))
        for ordinal in range(5):
            words = " ".join(rng.choice(["leaf", "hive", "bark", "silt", "ring", "well"], 6))
            passage = f"{tenant} {words} {number} {ordinal}"
            chunks.append(Chunk(f"{doc}:{ordinal:04d}", doc, tenant, ordinal, 0, 1, passage, 9, None, None, ""))
        queries.append(
            Query(f"q{number:02d}", f"{tenant} leaf {number}", tenant, "fact", doc, None, None, None, "hand")
        )
    return Corpus("labelled", documents, chunks, queries, embed)


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> dict[str, Label]:
    return labels(corpus)


@pytest.fixture(scope="module")
def store(server: Server, data: object, corpus: Corpus) -> Store:
    return open_store(corpus, lambda message: None, data)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def readers() -> list[Reader]:
    """Every set of tenants but the empty one, with every clearance, on either side and on both."""
    sets = [s for size in (1, 2, 3) for s in itertools.combinations(TENANTS, size)]
    sides = [("north",), ("south",), SIDES]
    return [
        Reader(f"r{number}", tenants, clearance, side)
        for number, (tenants, clearance, side) in enumerate(itertools.product(sets, range(3), sides))
    ]


@pytest.fixture(scope="module")
def layout(store: Store, found: dict[str, Label], readers: list[Reader]) -> Iterator[Entitled]:
    made = Entitled(store, labels=found)
    made.create((), lambda message: None)
    made.grant(readers)
    yield made
    made.drop()


@pytest.mark.parametrize(
    ("doc", "rule"),
    [
        (document("rfc1", "Category: Standards Track   May 2001"), "rfc_standard"),
        (document("rfc1", "  Category: Best Current Practice\n"), "rfc_standard"),
        (document("rfc1", "Category: Informational\n"), "rfc_informational"),
        (document("rfc1", "Category: Historic\n"), "rfc_other"),
        (document("rfc1", "the Category: Informational of it"), "rfc_unpaged"),
        (document("rfc1", "x" * 3_000 + "\nCategory: Informational", pages=9), "rfc_printed"),
        (document("cuad-a", "the fee is [***] dollars, confidential"), "contract_redacted"),
        (document("cuad-a", "Confidential Treatment Requested"), "contract_redacted"),
        (document("cuad-a", "CONFIDENTIALITY. Each party"), "contract_confidential"),
        (document("cuad-a", "no such clause"), "contract_plain"),
        (document("sec-a", title="A: annual report (Form 10-K), fiscal year 2024"), "filing_latest"),
        (document("sec-a", title="A: annual report (Form 10-K), fiscal year 2023"), "filing_earlier"),
        (document("memo-1", "Category: Informational"), "other"),
    ],
)
def test_the_first_rule_that_holds_decides_the_level(doc: Document, rule: str) -> None:
    assert rule_of(doc, "2024") == rule


def test_sides_alternate_within_a_tenant_and_rules_account_for_every_document(
    corpus: Corpus, found: dict[str, Label]
) -> None:
    for tenant in TENANTS:
        own = sorted(doc for doc, d in corpus.documents.items() if d.tenant == tenant)
        assert [found[doc].side for doc in own] == ["north", "south"] * 4
    rows = by_rule(found, (chunk.doc for chunk in corpus.chunks))
    assert {row["rule"]: (row["level"], row["documents"], row["chunks"]) for row in rows} == {
        "rfc_standard": ("open", 12, 60),
        "rfc_informational": ("internal", 6, 30),
        "rfc_other": ("restricted", 6, 30),
    }


def test_groups_overlap_exactly_when_all_three_conditions_hold(readers: list[Reader]) -> None:
    met = 0
    for reader, tenant, level, side in itertools.product(readers, TENANTS, range(len(LEVELS)), SIDES):
        label = Label(level, side, "")
        meets = bool(set(label.groups(tenant)) & set(reader.groups()))
        assert meets == reader.sees(tenant, label)
        met += meets
    assert 0 < met < len(readers) * 18


def test_a_question_is_away_for_one_reason_or_left_out() -> None:
    reader = Reader("r", ("apples",), 1, ("north",))
    assert reader.mode("apples", Label(1, "north", "")) == "home"
    assert reader.mode("bees", Label(0, "north", "")) == "tenant"
    assert reader.mode("apples", Label(2, "north", "")) == "classification"
    assert reader.mode("apples", Label(0, "south", "")) == "barrier"
    assert reader.mode("bees", Label(2, "north", "")) is None


def test_every_asking_of_a_cell_is_of_its_kind(corpus: Corpus, found: dict[str, Label]) -> None:
    design = cells(corpus, found, corpus.queries, [1, 2], 100, 3, SEED)
    assert {cell.mode for cell in design} == set(MODES)
    assert [cell.label for cell in design if cell.everything] == ["home_all", "classification_all", "barrier_all"]
    census = Census(corpus, found)
    for cell in design:
        for asking in cell.askings:
            query = corpus.queries[asking.query]
            assert query.doc and query.tenant
            assert asking.principal.mode(query.tenant, found[query.doc]) == cell.mode
            assert asking.visible == census.visible(asking.principal) >= 3


def test_over_fetching_takes_what_the_share_asks_for_and_no_more_than_the_cap() -> None:
    assert over_fetch(10, 0.5, 1, 1_000) == 20
    assert over_fetch(10, 0.03, 1, 1_000) == 334
    assert over_fetch(10, 0.03, 4, 1_000) == 1_000
    assert over_fetch(10, 1.0, 0.5, 1_000) == 10
    with pytest.raises(ValueError, match="a visible share of 0"):
        over_fetch(10, 0.0, 1, 1_000)


def test_a_guard_stops_at_a_row_that_fails_any_condition() -> None:
    guard = Guard({"d": Label(1, "north", "")})
    hit = Hit("d:0", "d", "apples", 0.1)
    guard.check(Reader("r", ("apples",), 1, ("north",)), [hit])
    assert (guard.rows, guard.searches) == (1, 1)
    for reader in (
        Reader("r", ("bees",), 1, ("north",)),
        Reader("r", ("apples",), 0, ("north",)),
        Reader("r", ("apples",), 1, ("south",)),
    ):
        with pytest.raises(RuntimeError, match="was given d:0"):
            guard.check(reader, [hit])


@pytest.mark.database
@pytest.mark.parametrize("form", ["columns", "array"])
def test_random_searches_return_no_row_of_another_tenant_level_or_side(
    layout: Entitled, corpus: Corpus, found: dict[str, Label], readers: list[Reader], form: str
) -> None:
    layout.police("array" if form == "array" else "columns")
    rng = np.random.default_rng([SEED, len(form)])
    vectors = corpus.query_vectors(corpus.queries)
    census, returned, away = Census(corpus, found), 0, 0
    with layout.connect() as conn:
        for _ in range(RANDOM):
            reader = readers[int(rng.integers(len(readers)))]
            query = int(rng.integers(len(vectors)))
            where = overlap(reader) if rng.random() < 0.3 else ""
            with layout.session(conn, reader) as reading:
                if rng.random() < 0.3:
                    hits = exact(layout, reading, vectors[query], k=10, where=where)
                    assert len(hits) == min(10, census.visible(reader))
                else:
                    mode = ("off", "strict_order", "relaxed_order")[int(rng.integers(3))]
                    scan = Scan(int(rng.integers(10, 60)), mode)  # type: ignore[arg-type]
                    hits = search(layout, reading, vectors[query], scan, k=10, where=where)
            for hit in hits:
                label = found[hit.doc]
                assert hit.tenant in reader.tenants
                assert label.level <= reader.clearance
                assert label.side in reader.sides
            returned += len(hits)
            away += corpus.queries[query].tenant not in reader.tenants
    layout.police("columns")
    assert returned > RANDOM and away > RANDOM / 5


@pytest.mark.database
def test_both_mechanisms_show_every_reader_the_same_rows(
    layout: Entitled, corpus: Corpus, found: dict[str, Label], readers: list[Reader]
) -> None:
    owner = {doc: d.tenant for doc, d in corpus.documents.items()}
    expected = {r.name: {c.id for c in corpus.chunks if r.sees(owner[c.doc], found[c.doc])} for r in readers}
    for form in ("columns", "array"):
        layout.police(form)
        with layout.connect() as conn:
            for reader in readers:
                with layout.session(conn, reader) as reading:
                    seen = {row[0] for row in reading.conn.execute("SELECT id FROM chunk")}
                    beside = {
                        row[0] for row in reading.conn.execute(f"SELECT id FROM chunk WHERE {overlap(reader)}".encode())
                    }
                assert seen == beside == expected[reader.name], (form, reader)
    layout.police("columns")


@pytest.mark.database
@pytest.mark.parametrize("form", ["columns", "array"])
def test_a_stranger_and_nobody_see_nothing_and_cannot_read_the_list(layout: Entitled, form: str) -> None:
    layout.police("array" if form == "array" else "columns")
    stranger = Reader("stranger", TENANTS, 2, SIDES)
    # A stranger whom the tenant list knows, but not the list of clearances.
    layout.store.grant({"half-known": TENANTS})
    with layout.connect() as conn:
        for reader in (stranger, replace(stranger, name="half-known")):
            with layout.session(conn, reader) as reading:
                assert reading.conn.execute("SELECT count(*) FROM chunk").fetchone() == (0,)
        assert conn.execute("SELECT count(*) FROM chunk").fetchone() == (0,)
        for table in ("entitlement", "label"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"SELECT * FROM {layout.schema}.{table}".encode())
    layout.police("columns")


@pytest.mark.database
def test_a_condition_left_out_shows_what_it_alone_hid_and_comes_back(
    layout: Entitled, corpus: Corpus, found: dict[str, Label], readers: list[Reader]
) -> None:
    census, reader = Census(corpus, found), readers[0]
    with layout.store.maintenance() as conn:
        for dropped in [(), *[(one,) for one in CONDITIONS], CONDITIONS]:
            with layout.dropping(conn, dropped), layout.session(conn, reader):
                row = conn.execute("SELECT count(*) FROM chunk").fetchone()
            assert row == (census.visible(reader, dropped),)
        policies = conn.execute("SELECT count(*) FROM pg_policies WHERE schemaname = %s", [layout.schema]).fetchone()
    assert policies == (3,)
    assert census.visible(reader, CONDITIONS) == len(corpus.chunks)


@pytest.mark.database
def test_a_role_that_can_bypass_takes_no_reading(layout: Entitled, readers: list[Reader]) -> None:
    with layout.store.maintenance() as conn:
        conn.execute(f"SET search_path = {layout.schema}, {layout.store.schema}, public".encode())
        with pytest.raises(RoleCanBypass, match="SUPERUSER"), layout.session(conn, readers[0]):
            pass


@pytest.mark.database
def test_a_table_can_leave_out_documents_and_a_side(store: Store, corpus: Corpus, found: dict[str, Label]) -> None:
    gone = frozenset(sorted(corpus.documents)[:2])
    made = Entitled(store, labels=found, without=gone, only="north", suffix="part")
    try:
        made.create((), lambda message: None)
        with store.maintenance() as conn:
            held = {row[0] for row in conn.execute(f"SELECT DISTINCT doc FROM {made.schema}.chunk".encode())}
        assert held == {doc for doc, label in found.items() if label.side == "north"} - gone
    finally:
        made.drop()


@pytest.mark.database
def test_the_index_is_the_one_that_is_forced(layout: Entitled, corpus: Corpus, readers: list[Reader]) -> None:
    vector: Vectors = corpus.query_vectors(corpus.queries[:1])[0]
    with layout.connect() as conn, layout.session(conn, readers[-1]) as reading:
        assert explain(layout, reading, vector, Scan(40)).type == HNSW.plan
