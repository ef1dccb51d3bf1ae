"""The captures ``bm25`` and ``rrf`` on the small built-in corpus, and the helpers they stand on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from harness.capture.api import Capture, Figure, Run
from harness.capture.block import payload_of
from harness.capture.canary_corpus import canary_corpus
from harness.corpus.model import Corpus
from harness.evaluation.relevance import answerable, best_rank, judgments
from harness.experiments.bm25 import capture as bm25
from harness.experiments.rrf import capture as rrf
from harness.experiments.rrf import fusion
from harness.measuring.excerpts import excerpt, passages
from harness.retrieval.bm25 import Hit
from harness.retrieval.rrf import fuse
from provenance.canonical import canonical_bytes

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return canary_corpus()


def captured(capture: Capture, corpus: Corpus) -> dict[str, Any]:
    params = {**capture.params, **capture.canary_params}
    return payload_of(capture.capture(Run.over(corpus, params)))


@pytest.fixture(scope="module")
def words(corpus: Corpus) -> dict[str, Any]:
    return captured(bm25.CAPTURE, corpus)


@pytest.fixture(scope="module")
def fused(corpus: Corpus) -> dict[str, Any]:
    return captured(rrf.CAPTURE, corpus)


def test_contributions_of_every_shown_result_sum_to_its_score(words: dict[str, Any]) -> None:
    for query in words["result"]["queries"]:
        for row in query["top"] + query["unclamped"]:
            assert len(row["contribution"]) == len(query["terms"])
            assert sum(row["contribution"]) == pytest.approx(row["score"], abs=1e-5)
    audit = words["result"]["audit"]
    assert audit["exact"] == audit["explained"] > 0


def test_a_term_contributes_exactly_where_the_chunk_holds_it(words: dict[str, Any]) -> None:
    for query in words["result"]["queries"]:
        for row in query["top"]:
            assert [tf > 0 for tf in row["tf"]] == [part > 0 for part in row["contribution"]]


def test_only_terms_in_more_than_half_of_the_chunks_weigh_below_zero(words: dict[str, Any]) -> None:
    common = words["result"]["common_terms"]
    assert all(row["df_share"] > 0.5 and row["idf_unclamped"] < 0 < row["idf"] for row in common)
    rest = [term for query in words["result"]["queries"] for term in query["terms"] if term["df_share"] <= 0.5]
    assert all(term["idf_unclamped"] is None or term["idf_unclamped"] >= 0 for term in rest)


def test_the_grid_holds_the_shown_top_ten_at_the_default_dials(words: dict[str, Any]) -> None:
    axes = words["result"]["grid_axes"]
    at = axes["k1"].index(bm25.CAPTURE.params["k1"]), axes["b"].index(bm25.CAPTURE.params["b"])
    for query in words["result"]["queries"]:
        cell = query["grid"]["cells"][at[0]][at[1]]
        assert [query["grid"]["pool"][place] for place in cell] == [row["id"] for row in query["top"]]


def test_every_chunk_named_has_its_passage_or_its_place(words: dict[str, Any], fused: dict[str, Any]) -> None:
    known = {row["id"] for row in words["result"]["passages"] + words["result"]["pool"]}
    for query in words["result"]["queries"]:
        assert set(query["grid"]["pool"]) | {row["id"] for row in query["unclamped"]} <= known
    known = {row["id"] for row in fused["result"]["passages"]}
    for query in fused["result"]["queries"]:
        assert set(query["by_k"]["ids"]) <= known


def test_fused_rows_are_the_sums_of_their_parts(fused: dict[str, Any]) -> None:
    assert fused["result"]["queries"]
    for query in fused["result"]["queries"]:
        for row in query["fused"]:
            parts = [Fraction(row[name]["fraction"]) for name in ("lexical", "dense") if row[name] is not None]
            assert sum(parts) == Fraction(row["fraction"])
            assert all(
                Fraction(1, 60 + row[n]["rank"]) == Fraction(row[n]["fraction"]) for n in ("lexical", "dense") if row[n]
            )


def test_the_textbook_pair_stands_in_the_dataset(fused: dict[str, Any]) -> None:
    agreed, strong = fused["result"]["worked"]
    assert (agreed["fraction"], strong["fraction"]) == ("2/63", "131/4270")
    assert agreed["score"] > strong["score"]


def test_ranks_by_k_hold_from_the_stated_k_up_to_the_next_row() -> None:
    lists = {"lexical": list("abcdefghij"), "dense": list("jihgfedcba")}
    rows = fusion.orders_by_k(lists, ["a", "e"], 50)
    for k in range(1, 51):
        held = [row for row in rows if row["from_k"] <= k][-1]
        at = {result.id: result.rank for result in fuse(lists, k)}
        assert held["ranks"] == [at["a"], at["e"]]


def test_taking_a_missing_rank_for_zero_puts_single_list_results_on_top() -> None:
    lists = {"lexical": ["both", "one"], "dense": ["x", "both"]}
    assert fuse(lists)[0].id == "both"
    assert fusion.missing_as_zero(lists, 60, 3)[-1] == "both"


def test_an_agreement_example_has_a_first_rank_below_two_middling_ones() -> None:
    lists = {"lexical": ["strong", "n", "agreed"], "dense": ["m", "p", "agreed", "q", "strong"]}
    lists["dense"] = ["m", "p", "agreed", *[f"f{n}" for n in range(20)], "strong"]
    found = fusion.agreement({"q": fuse(lists)}, 20, 60)
    assert found is not None
    assert (found["above"]["id"], found["below"]["id"]) == ("agreed", "strong")
    assert fusion.agreement({"q": fuse({"lexical": ["a"], "dense": ["a"]})}, 20, 60) is None


def test_figures_carry_the_value_they_point_at(words: dict[str, Any], fused: dict[str, Any]) -> None:
    for payload in (words, fused):
        for name, figure in payload["figures"].items():
            value: Any = payload
            for part in figure.get("at", "").split("/")[1:]:
                value = value[int(part)] if isinstance(value, list) else value[part]
            assert "at" not in figure or value == figure["value"], name


def test_quality_has_every_retriever_under_both_labels_with_an_interval_around_the_mean(fused: dict[str, Any]) -> None:
    rows = fused["result"]["quality"]
    assert {(row["retriever"], row["label"]) for row in rows} == {
        (name, label)
        for name in ("lexical", "dense", "fused", "fused_missing_as_zero")
        for label in ("source", "evidence")
    }
    assert all(row["low"] <= row["mean"] <= row["high"] for row in rows)


def test_captures_are_the_same_twice(corpus: Corpus, words: dict[str, Any]) -> None:
    assert canonical_bytes(captured(bm25.CAPTURE, corpus)) == canonical_bytes(words)


def test_the_evidence_label_is_stricter_than_the_source_label(corpus: Corpus) -> None:
    source, evidence = judgments(corpus, "source"), judgments(corpus, "evidence")
    assert evidence
    for query, chunks in evidence.items():
        assert set(chunks) <= set(source[query])
    unanswerable = {query.id for query in corpus.queries} - {query.id for query in answerable(corpus)}
    assert unanswerable
    assert not unanswerable & set(source)


def test_the_best_rank_of_a_label_is_none_when_the_list_lacks_it() -> None:
    hits = [Hit("a", 1, 2.0), Hit("b", 2, 1.0)]
    assert best_rank([hit.id for hit in hits], {"b": 1}) == 2
    assert best_rank([hit.id for hit in hits], {"c": 1}) is None


def test_an_excerpt_is_short_and_shows_the_term_asked_for(corpus: Corpus) -> None:
    text = "alpha " * 100 + "the max-age directive " + "omega " * 100
    shown = excerpt(text, ["nowhere", "max-age"], 120)
    assert "max-age" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= 120
    assert excerpt("short  text\n", ["x"]) == "short text"
    wanted = {chunk.id: ["protocol"] for chunk in corpus.chunks}
    for row in passages(corpus, wanted):
        assert len(row["excerpt"]) <= 300
        assert row["doc"] and row["title"] and row["url"] and row["licence"]


def test_a_figure_of_a_capture_is_a_figure(words: dict[str, Any]) -> None:
    assert words["figures"]["hit10_bm25"].keys() >= {"value", "unit", "label", "digits", "n", "interval", "at"}
    assert Figure(1, "", "one").as_dict()["value"] == 1
