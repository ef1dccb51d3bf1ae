"""The capture ``filter_remedies`` on a small corpus: what is exact stays exact, and the rules that name a remedy."""

from __future__ import annotations

from typing import Any

import pytest

from harness.corpus.model import Corpus
from harness.experiments.filter_remedies import crossover
from harness.experiments.filter_remedies.capture import CAPTURE
from harness.experiments.filter_remedies.layout import Partial, Remedied
from harness.experiments.filter_remedies.remedies import NO_REMEDY, STAGES, WORDS, plainest, remedies
from harness.measuring.trials import Principal
from harness.store import Store
from harness.store.layouts import Scan, exact, explain
from harness.store.plans import BITMAP, BTREE, HNSW, SEQUENTIAL
from harness.store.scans import Hit
from tests.captures import captured, declared
from tests.store.conftest import TENANTS

pytestmark = pytest.mark.database
Payload = dict[str, Any]


@pytest.fixture(scope="module")
def found(store: Store, corpus: Corpus) -> Payload:
    return declared(CAPTURE, captured(CAPTURE, corpus, store))


def test_every_remedy_is_read_in_every_cell_and_each_name_resolves(found: Payload) -> None:
    pairs = {(row["way"], row["cell"]) for row in found["result"]["readings"]}
    assert pairs == {(way, cell) for way in WORDS for cell in ("home1", "away1", "home3", "away3", "all")}
    for way in WORDS:
        assert f"recall_{way}_away1" in found["figures"] and f"latency_{way}_away1" in found["figures"]
    assert found["figures"]["plainest_remedy"]["value"] in WORDS


def test_the_visible_rows_first_lose_nothing_and_never_ask_the_graph(found: Payload) -> None:
    for row in [*found["result"]["readings"], *found["result"]["crossover"]]:
        if row["way"] == "btree_cte":
            assert row["measured"]["recall"] == 1.0 and row["measured"]["short"] == 0
            assert set(row["measured"]["plans"]) <= {SEQUENTIAL, BTREE, BITMAP}


def test_a_policy_alone_loses_rows_that_each_tenant_s_own_index_finds(found: Payload) -> None:
    by = {(row["way"], row["cell"]): row["measured"] for row in found["result"]["readings"]}
    assert by["policy", "away1"]["recall"] <= by["partial", "away1"]["recall"]
    assert by["partial", "away3"]["scans"] == 3 and by["partial", "all"]["plans"]


def test_indexes_and_builds_are_counted(found: Payload) -> None:
    builds = {row["index"]: row["builds"] for row in found["result"]["indexes"]}
    assert builds == {"hnsw": 2, "btree": 3, "partial": 2, "partitions": 1}
    assert all(row["measured"]["mb"] > 0 for row in found["result"]["indexes"])


def test_every_way_has_words_and_a_stage() -> None:
    made = remedies(CAPTURE.params)
    assert {one.way.id for one in made} == set(WORDS) and {one.stage for one in made} == set(STAGES)
    assert {one.way.id: one.way.words for one in made} == {way: WORDS[way] for way in WORDS}


def test_the_plainest_remedy_is_the_first_that_loses_nothing_in_any_cell() -> None:
    def row(way: str, recall: float, short: float = 0) -> Payload:
        return {"way": way, "measured": {"recall": recall, "short": short}}

    rows = [row("policy", 1.0), row("partial", 1.0), row("btree_predicate", 1.0), row("btree_predicate", 0.5)]
    assert plainest(rows, 0.99) == "partial"
    assert plainest([row("relaxed", 1.0, short=0.5), row("strict", 0.98)], 0.99) == "none"
    assert set(NO_REMEDY) <= set(WORDS) and plainest([row("policy", 1.0)], 0.99) == "none"


def test_readers_are_granted_about_as_many_rows_as_wanted() -> None:
    sizes = {f"t{i:02d}": 10 * (i + 1) for i in range(20)}
    for wanted in (50, 300, 1000):
        for reader in crossover.granted(sizes, wanted, 4, 20):
            assert 0.8 * wanted <= sum(sizes[tenant] for tenant in reader.tenants) <= 1.1 * wanted
    assert crossover.granted(sizes, 50, 4, 20) == crossover.granted(sizes, 50, 4, 20)
    assert [reader.tenants for reader in crossover.granted(sizes, 2100, 4, 20)] == [tuple(sorted(sizes))]
    assert crossover.granted(sizes, 5, 4, 20) == []


def test_the_turning_point_is_where_the_graph_begins_and_where_nothing_else_is_left() -> None:
    def row(rows: int, graph: int) -> Payload:
        plans = {name: count for name, count in ((HNSW, graph), (BITMAP, 4 - graph)) if count}
        return {"reader": str(rows), "rows": rows, "ef_search": 40, "n": 4, "measured": {"plans": plans}}

    rows = [row(10, 0), row(20, 0), row(30, 2), row(40, 0), row(50, 4), row(60, 4)]
    assert crossover.turning(rows, [40])[0]["measured"] == {"exact_up_to": 20, "graph_from": 50}
    assert crossover.turning(rows[:2], [40])[0]["measured"] == {"exact_up_to": 20, "graph_from": None}


def test_another_policy_and_a_b_tree_come_and_go_and_show_the_same_rows(store: Store, corpus: Corpus) -> None:
    layout, reader = Remedied(store), Principal("only:bees", ("bees",))
    store.grant({reader.name: reader.tenants})
    layout.create([reader], lambda message: None)
    vector = corpus.query_vectors(corpus.queries[:1])[0]

    def seen() -> tuple[list[Hit], int]:
        with layout.connect() as conn, layout.session(conn, reader) as reading:
            return exact(layout, reading, vector), explain(layout, reading, vector, Scan(40)).estimated

    try:
        before = seen()
        assert layout.add_btree().bytes > 0
        layout.estimable(True)
        hits, estimated = seen()
        assert hits == before[0] and estimated == 30
        layout.estimable(False)
        layout.drop_btree()
        assert seen() == before
    finally:
        layout.drop()


def test_an_index_per_tenant_holds_that_tenant_and_no_index_holds_all(store: Store) -> None:
    layout = Partial(store)
    layout.create([], lambda message: None)
    try:
        layout.rebuild(lambda message: None)
        with store.maintenance() as conn:
            rows = conn.execute(
                "SELECT indexdef FROM pg_indexes WHERE schemaname = %s AND indexdef LIKE '%%hnsw%%' ORDER BY indexname",
                [layout.schema],
            ).fetchall()
    finally:
        layout.drop()
    assert [row[0].rpartition("WHERE ")[2] for row in rows] == [f"(tenant = '{tenant}'::text)" for tenant in TENANTS]
