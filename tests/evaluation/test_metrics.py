"""Measures against hand-worked values and against ir_measures."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import ir_measures
import pytest

from harness.evaluation import metrics
from harness.evaluation.cli import lexical_rankings
from harness.evaluation.collections import Collection
from harness.retrieval.bm25 import Settings
from harness.retrieval.terms import ENGLISH_STOP_WORDS, Tokeniser

THEIRS = {
    "hit": ir_measures.Success,
    "recall": ir_measures.R,
    "precision": ir_measures.P,
    "MRR": ir_measures.RR,
    "AP": ir_measures.AP,
    "nDCG": ir_measures.nDCG,
}


def disagreement(
    rankings: Mapping[str, Sequence[str]], judgments: Mapping[str, Mapping[str, int]], cutoffs: Sequence[int]
) -> float:
    """The largest difference to ir_measures over every measure, cut-off and judged query with a result."""
    qrels = [ir_measures.Qrel(q, d, grade) for q, judged in judgments.items() for d, grade in judged.items()]
    run = [ir_measures.ScoredDoc(q, d, float(-at)) for q, ids in rankings.items() for at, d in enumerate(ids)]
    worst = 0.0
    for name, theirs in THEIRS.items():
        for k in cutoffs:
            ours = metrics.metric(f"{name}@{k}")
            for value in ir_measures.iter_calc([theirs @ k], qrels, run):
                query = value.query_id
                worst = max(worst, abs(ours(rankings[query], judgments[query]) - value.value))
    return worst


def random_run(seed: int, queries: int = 40) -> tuple[dict[str, list[str]], dict[str, dict[str, int]]]:
    rng = random.Random(seed)
    ids = [f"d{number}" for number in range(60)]
    judgments = {
        f"q{q}": {d: rng.choice([0, 0, 1, 2, 3]) for d in rng.sample(ids, rng.randint(2, 25))} | {"d0": 1}
        for q in range(queries)
    }
    rankings = {query: rng.sample(ids, rng.randint(1, 50)) for query in judgments}
    return rankings, judgments


def test_ndcg_of_a_relevant_second_and_fourth_result_is_the_worked_value() -> None:
    ranking, judged = ["a", "b", "c", "d"], {"b": 1, "d": 1}
    assert metrics.dcg([0, 1, 0, 1]) == pytest.approx(1.06161, abs=5e-6)
    assert metrics.dcg([1, 1, 0, 0]) == pytest.approx(1.63093, abs=5e-6)
    assert metrics.metric("nDCG@4")(ranking, judged) == pytest.approx(0.65092, abs=5e-6)


def test_hit_and_recall_differ_when_a_query_has_several_relevant_passages() -> None:
    ranking, judged = ["a", "b", "c"], {"b": 1, "x": 1, "y": 2, "z": 1}
    assert metrics.metric("hit@3")(ranking, judged) == 1.0
    assert metrics.metric("recall@3")(ranking, judged) == 0.25


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("MRR@10", 1 / 3),
        ("MRR@2", 0.0),
        ("hit@2", 0.0),
        ("hit@3", 1.0),
        ("precision@10", 0.1),
        ("AP@3", 1 / 6),
    ],
)
def test_a_first_relevant_result_at_rank_three_counts_as_worked_by_hand(typed: str, expected: float) -> None:
    value = metrics.metric(typed)(["a", "b", "c"], {"c": 1, "missing": 1})
    assert value == pytest.approx(expected)


def test_a_query_without_any_result_counts_as_zero_in_the_mean() -> None:
    chosen = [metrics.metric("hit@10")]
    values = metrics.evaluate(chosen, {"q1": ["a"]}, {"q1": {"a": 1}, "q2": {"b": 1}})
    assert metrics.mean(values["hit@10"]) == 0.5


def test_a_query_with_nothing_relevant_scores_zero_under_every_measure() -> None:
    assert {m.compute(["a"], {"a": 0}, 10, 1) for m in metrics.MEASURES.values()} == {0.0}


def test_a_measure_reads_and_prints_as_it_is_typed() -> None:
    assert [str(metrics.metric(t)) for t in ("ndcg@10", "RR@5", "Success@3")] == ["nDCG@10", "MRR@5", "hit@3"]


@pytest.mark.parametrize("typed", ["nDCG", "nDCG@0", "bleu@10", "@3", "nDCG@ten"])
def test_an_unknown_measure_is_refused_with_the_known_names(typed: str) -> None:
    with pytest.raises(ValueError, match=r"expected NAME@k.*nDCG"):
        metrics.metric(typed)


def test_a_ranking_that_holds_an_id_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        metrics.metric("recall@3")(["a", "a"], {"a": 1})


def test_every_measure_is_declared_in_full() -> None:
    for measure in metrics.MEASURES.values():
        assert all((measure.says, measure.formula, measure.rival, measure.source)), measure.name


@pytest.mark.parametrize("seed", range(3))
def test_measures_agree_with_ir_measures_on_random_runs(seed: int) -> None:
    rankings, judgments = random_run(seed)
    assert disagreement(rankings, judgments, (1, 3, 10, 100)) < 1e-9


@pytest.mark.parametrize("name", ["cranfield", "scifact"])
def test_measures_agree_with_ir_measures_on_a_public_collection(
    name: str, collection: Callable[[str], Collection]
) -> None:
    chosen = collection(name)
    rankings = lexical_rankings(chosen, Tokeniser(ENGLISH_STOP_WORDS), Settings(), depth=100)
    assert disagreement(rankings, chosen.judgments, (10, 100)) < 1e-9


def test_recall_never_falls_as_k_grows() -> None:
    rankings, judgments = random_run(7)
    for query, ranking in rankings.items():
        values = [metrics.metric(f"recall@{k}")(ranking, judgments[query]) for k in range(1, 60)]
        assert all(earlier <= later for earlier, later in pairwise(values))
