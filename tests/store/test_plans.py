"""Plans: what the planner did is told apart, counted, and printed without what differs between runs."""

from __future__ import annotations

import pytest

from harness.corpus.model import Corpus
from harness.errors import HarnessError
from harness.retrieval import dense
from harness.store import Store, as_principal, plans
from harness.store.choices import FORMS, plan_choices, variant

from .conftest import TENANTS

pytestmark = pytest.mark.database


def test_a_forced_search_is_an_index_scan_that_counts_what_the_policy_removed(store: Store, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    with store.application() as conn, as_principal(conn, "only:delta") as session:
        plan = dense.hnsw_plan(session, vector, ef_search=20)
        hits = dense.hnsw_search(session, vector, ef_search=20)
    assert plan.type == plans.HNSW
    assert plan.returned == len(hits) < 10
    assert plan.removed == 20 - len(hits)


def test_a_candidate_list_does_not_depend_on_who_asks(store: Store, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    with store.application() as conn:
        with as_principal(conn, "all") as session:
            everything = dense.candidate_list(session, vector, ef_search=40)
        with as_principal(conn, "two") as session:
            permitted = dense.candidate_list(session, vector, ef_search=40)
    assert len(everything) == 40
    assert permitted == [hit for hit in everything if hit.tenant in TENANTS[:2]]


def test_an_away_question_returns_nothing_although_rows_are_visible(store: Store, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    assert corpus.queries[0].tenant == "apples"
    with store.application() as conn, as_principal(conn, "only:delta") as session:
        assert dense.hnsw_search(session, vector, ef_search=10) == []
        assert len(dense.exact_search(session, vector)) == 10


def test_the_planners_own_choice_may_be_an_exact_scan(store: Store, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    with store.application() as conn, as_principal(conn, "all") as session:
        plan = dense.hnsw_plan(session, vector, ef_search=800, plan="own", analyse=False)
        assert plan.type == plans.SEQUENTIAL
        assert (plan.returned, plan.removed) == (None, None)
        own = dense.hnsw_search(session, vector, ef_search=800, plan="own")
        assert own == dense.exact_search(session, vector)


def test_plan_text_leaves_out_costs_times_and_vectors(store: Store, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    with store.application() as conn, as_principal(conn, "only:apples") as session:
        text = "\n".join(dense.hnsw_plan_text(session, vector, ef_search=40))
        exact = "\n".join(dense.exact_plan_text(session, vector))
    assert "Index Scan using chunk_embedding_hnsw on chunk" in text
    assert "Order By: (embedding <=> '[…]'::vector)" in text
    assert "Seq Scan on chunk" in exact and "Rows Removed by Filter: 90" in exact
    for word in ("cost=", "time", "Memory", "zeroth_"):
        assert word not in text + exact


@pytest.mark.parametrize(("ef", "k"), [(0, 1), (1001, 10), (40, 100)])
def test_a_search_that_pgvector_would_silently_cut_is_refused(store: Store, corpus: Corpus, ef: int, k: int) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    with (
        store.application() as conn,
        as_principal(conn, "all") as session,
        pytest.raises(HarnessError, match=r"ef_search is|raise ef_search"),
    ):
        dense.hnsw_search(session, vector, ef_search=ef, k=k)


def test_settings_of_a_reading_end_with_it(store: Store, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    with store.application() as conn:
        with as_principal(conn, "all") as session:
            dense.hnsw_search(session, vector, ef_search=123)
        assert conn.execute("SHOW enable_seqscan").fetchone() == ("on",)
        assert conn.execute("SHOW hnsw.ef_search").fetchone() == ("40",)


def test_every_form_of_the_policy_shows_the_same_rows_and_leaves_the_store_as_it_was(store: Store) -> None:
    def condition() -> object:
        with store.maintenance() as conn:
            return conn.execute("SELECT policyname, qual, tablename FROM pg_policies ORDER BY 1, 2, 3").fetchall()

    before = condition()
    for form in FORMS:
        with store.maintenance() as conn, variant(conn, store.schema, form, btree=True):
            conn.execute("SELECT set_config('zeroth.tenants', 'apples,bees', true)")
            with as_principal(conn, "two") as session:
                rows = session.conn.execute("SELECT DISTINCT tenant FROM chunk ORDER BY tenant").fetchall()
            assert rows == [("apples",), ("bees",)]
    assert condition() == before


def test_only_a_policy_that_the_planner_can_estimate_is_estimated(store: Store, corpus: Corpus) -> None:
    vector = corpus.query_vectors(corpus.queries[:1])[0]
    found = plan_choices(store, {"only:bees": ["bees"], "all": TENANTS}, vector, [10])
    estimates = {(c.form, c.principal): c.estimated for c in found if not c.btree}
    assert (estimates["array_setting", "only:bees"], estimates["array_setting", "all"]) == (30, 120)
    assert estimates["definer_subquery", "only:bees"] == estimates["definer_subquery", "all"]


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ({"Node Type": "Index Scan", "Order By": "x"}, plans.HNSW),
        ({"Node Type": "Index Scan"}, plans.BTREE),
        ({"Node Type": "Bitmap Heap Scan"}, plans.BITMAP),
        ({"Node Type": "Seq Scan"}, plans.SEQUENTIAL),
        ({"Node Type": "Gather Merge", "Plans": [{"Node Type": "Seq Scan"}]}, plans.PARALLEL),
        ({"Node Type": "Result"}, plans.OTHER),
        (
            {
                "Node Type": "Limit",
                "Plans": [
                    {"Node Type": "Seq Scan", "Parent Relationship": "InitPlan"},
                    {"Node Type": "Index Scan", "Order By": "x"},
                ],
            },
            plans.HNSW,
        ),
    ],
)
def test_a_plan_is_named_by_how_it_finds_its_rows(node: plans.Node, expected: str) -> None:
    assert plans.plan_type(node) == expected
