"""Reciprocal rank fusion and exact search."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from harness.retrieval import exact
from harness.retrieval.rrf import contribution, fuse


def ranked(**places: int) -> list[str]:
    """A list with the named ids at the given ranks and fillers between."""
    at = {rank: id for id, rank in places.items()}
    return [at.get(rank, f"filler-{'-'.join(sorted(places))}-{rank}") for rank in range(1, max(at) + 1)]


def test_two_third_places_stand_above_a_first_and_a_tenth() -> None:
    lists = {"lexical": ranked(agreed=3, strong=1), "dense": [f"other{n}" for n in range(10)]}
    lists["dense"][2], lists["dense"][9] = "agreed", "strong"
    fused = {result.id: result for result in fuse(lists)}
    assert fused["agreed"].exact == Fraction(2, 63)
    assert fused["strong"].exact == Fraction(1, 61) + Fraction(1, 70)
    assert fused["agreed"].rank < fused["strong"].rank


def test_a_missing_rank_contributes_nothing() -> None:
    (found,) = [result for result in fuse({"a": ["x"], "b": ["y", "z"]}) if result.id == "z"]
    assert found.exact == Fraction(1, 62)
    assert [part.source for part in found.contributions] == ["b"]
    assert found.rank_in("a") is None
    assert found.rank_in("b") == 2


def test_contributions_sum_to_the_score_and_float_is_the_nearest() -> None:
    for result in fuse({"a": list("pqrs"), "b": list("srqt")}):
        assert sum((part.value for part in result.contributions), Fraction(0)) == result.exact
        assert result.score == float(result.exact)


def test_equal_scores_fall_by_id() -> None:
    assert [result.id for result in fuse({"a": ["z", "b"], "b": ["b", "z"]})] == ["b", "z"]
    assert [result.id for result in fuse({"a": ["z"], "b": ["c"]})] == ["c", "z"]


def test_the_order_of_the_lists_does_not_matter_and_the_limit_cuts() -> None:
    one, two = {"a": list("abcd"), "b": list("dcxy")}, {"b": list("dcxy"), "a": list("abcd")}
    assert [r.id for r in fuse(one)] == [r.id for r in fuse(two)]
    assert [r.id for r in fuse(one, limit=2)] == [r.id for r in fuse(one)][:2]


def test_a_small_k_favours_one_strong_rank_and_a_large_k_agreement() -> None:
    lists = {
        "lexical": ranked(strong=1, agreed=3),
        "dense": ["n1", "n2", "agreed", *map(str, range(6)), "strong"],
    }
    assert fuse(lists, k=0)[0].id in ("strong", "n1")
    assert fuse(lists, k=60)[0].id == "agreed"


def test_wrong_input_is_named() -> None:
    with pytest.raises(ValueError, match="'a' holds an id twice"):
        fuse({"a": ["x", "x"]})
    with pytest.raises(ValueError, match="ranks count from 1"):
        contribution(0)
    with pytest.raises(ValueError, match="k is -1"):
        contribution(1, -1)
    assert fuse({}) == [] == fuse({"a": []})


def test_exact_search_finds_the_nearest_and_orders_ties_by_id() -> None:
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1], [0.6, 0.8]], dtype=np.float32)
    hits = exact.search(vectors, np.array([0.6, 0.8], dtype=np.float32), ["a", "b", "c", "d"], 3)
    assert [(hit.id, hit.score) for hit in hits] == [("b", 1.0), ("d", 1.0), ("c", 0.8)]
    hidden = exact.search(vectors, vectors[1], ["a", "b", "c", "d"], 2, np.array([True, False, True, False]))
    assert [hit.id for hit in hidden] == ["c", "a"]


def test_searching_many_queries_at_once_equals_one_at_a_time() -> None:
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(50, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = [f"c{row:02}" for row in range(50)]
    many = exact.search_many(vectors, vectors[:40], ids, 5)
    assert many == [exact.search(vectors, row, ids, 5) for row in vectors[:40]]
