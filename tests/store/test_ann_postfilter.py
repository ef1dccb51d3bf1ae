"""The headline capture on a small corpus: who asks what, what counts as found, and what comes out."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.capture.api import Payload
from harness.corpus.model import Corpus
from harness.experiments.ann_postfilter.capture import CAPTURE
from harness.experiments.ann_postfilter.cases import excerpt
from harness.measuring.readings import recall
from harness.measuring.trials import cells, principals_in, principals_of_size
from harness.retrieval.dense import Hit
from harness.store import Store
from tests.captures import captured, standing_figures

from .conftest import TENANTS


def hit(name: str, distance: float) -> Hit:
    return Hit(name, "doc", "tenant", distance)


def test_home_questions_are_put_to_principals_who_see_their_tenant_and_away_questions_are_not(corpus: Corpus) -> None:
    for cell in cells(TENANTS, corpus.queries, [1, 3], seed=1):
        assert len(cell.askings) == len(corpus.queries)
        for asking in cell.askings:
            sees = corpus.queries[asking.query].tenant in asking.principal.tenants
            assert sees == (cell.mode == "home")
            assert len(asking.principal.tenants) == cell.size


def test_with_everything_visible_there_is_no_away(corpus: Corpus) -> None:
    labels = [cell.label for cell in cells(TENANTS, corpus.queries, [1, 3, 10], seed=1)]
    assert labels == ["home1", "away1", "home3", "away3", "all"]


def test_every_tenant_is_seen_by_equally_many_principals() -> None:
    names = [f"t{i:02d}" for i in range(16)]
    for size in (1, 3, 10):
        seen = Counter(t for p in principals_of_size(names, size, seed=3) for t in p.tenants)
        assert set(seen.values()) == {size} and len(seen) == 16


def test_the_same_seed_gives_the_same_design(corpus: Corpus) -> None:
    one, two = (cells(TENANTS, corpus.queries, [1, 3], seed=5) for _ in range(2))
    assert one == two
    assert [p.name for p in principals_in(one)][-1] == "all"


def test_recall_counts_a_chunk_that_ties_for_the_last_place_as_found() -> None:
    exact = [hit("a", 0.1), hit("b", 0.2)]
    assert recall([hit("a", 0.1), hit("c", 0.2)], exact) == 1.0
    assert recall([hit("a", 0.1), hit("d", 0.3)], exact) == 0.5
    assert recall([], exact) == 0.0
    with pytest.raises(ValueError, match="at least one row"):
        recall([], [])


def test_an_excerpt_has_at_most_300_characters_and_ends_with_a_word() -> None:
    assert excerpt("one\n  two") == "one two"
    cut = excerpt("word " * 100)
    assert len(cut) <= 300 and cut.endswith("word…")


@pytest.fixture(scope="module")
def payload(store: Store, corpus: Corpus) -> Payload:
    return captured(CAPTURE, corpus, store)


@pytest.mark.database
def test_every_figure_stands_where_it_says(payload: Payload) -> None:
    assert standing_figures(payload)


@pytest.mark.database
def test_every_reading_is_an_index_scan_and_says_what_the_planner_would_have_done(payload: Payload) -> None:
    for row in payload.result["readings"]:
        assert row["plans"]["forced"] == {"hnsw index scan": row["n"]}
        assert sum(row["plans"]["own"].values()) == row["n"]


@pytest.mark.database
def test_away_questions_lose_more_than_home_questions_and_a_long_candidate_list_loses_least(payload: Payload) -> None:
    found = {(r["cell"], r["ef_search"]): r["forced"]["recall"] for r in payload.result["readings"]}
    assert found["away1", 10] < 0.1 < 0.5 < found["home1", 10]
    assert found["away1", 100] > found["away1", 10]


@pytest.mark.database
def test_lexical_and_exact_search_lose_nothing_under_the_policy(payload: Payload) -> None:
    assert payload.result["lexical"]["total"]["share"] == 1
    assert all(row["full"] == row["n"] for row in payload.result["ceiling"])


@pytest.mark.database
def test_a_case_shows_every_slot_and_keeps_the_permitted_ones(payload: Payload) -> None:
    assert [case["id"] for case in payload.result["cases"]] == ["away", "home", "all"]
    for case in payload.result["cases"]:
        assert [slot["slot"] for slot in case["slots"]] == list(range(1, len(case["slots"]) + 1))
        kept = [slot["id"] for slot in case["slots"] if slot["permitted"]][:10]
        assert kept == [row["id"] for row in case["returned"]]
        assert {row["doc"] for row in (*case["slots"], *case["exact"])} <= payload.result["sources"].keys()
        assert all(len(row["excerpt"]) <= 300 for row in case["exact"])
