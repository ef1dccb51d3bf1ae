"""The readable HNSW: its structure, its search against brute force, and that it records what it did."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.corpus.model import Vectors
from harness.retrieval.hnsw_graph import Graph, build, choose, draw_levels, faults, nearest, reachable, search


def unit(n: int, d: int = 16, seed: int = 3) -> Vectors:
    """Clustered unit vectors, as text gives them: twenty directions with noise."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(20, d))
    rows = centres[random.integers(0, 20, n)] + 0.6 * random.normal(size=(n, d))
    unit_rows: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit_rows


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build(unit(400), m=6, ef_construction=48, seed=7)


def recall(graph: Graph, queries: Vectors, ef: int, k: int = 10) -> float:
    hits = 0
    for query in queries:
        exact = {node for _, node in nearest(graph, query, k)}
        hits += len(exact & {node for _, node in search(graph, query, ef=ef).found[:k]})
    return hits / (k * len(queries))


def test_no_node_has_too_many_links_or_one_to_a_layer_where_the_other_is_not(graph: Graph) -> None:
    assert list(faults(graph)) == []
    for lower, upper in itertools.pairwise(range(max(graph.levels) + 1)):
        assert set(graph.members(upper)) < set(graph.members(lower))


def test_faults_are_found_where_there_are_some() -> None:
    broken = build(unit(60), m=4, ef_construction=16, seed=1)
    low = broken.levels.index(0)
    broken.links[0][0] = list(range(1, 10))
    broken.links[1][0] = [1, 2, 2]
    broken.links[broken.entry][1] = [low]
    said = "\n".join(faults(broken))
    assert "9 links, at most 8" in said and "itself or the same link twice" in said
    assert f"a link to {low}, which ends on layer 0" in said


def test_every_node_can_be_reached(graph: Graph) -> None:
    assert reachable(graph) == 400


def test_recall_rises_with_the_list_and_reaches_brute_force(graph: Graph) -> None:
    queries = unit(20, seed=11)
    few, some, many = (recall(graph, queries, ef) for ef in (10, 40, 400))
    assert few < some <= many == 1.0
    assert some > 0.95


def test_what_is_found_is_in_order_with_true_distances(graph: Graph) -> None:
    query = unit(1, seed=5)[0]
    found = search(graph, query, ef=25).found
    assert list(found) == sorted(found) and len(found) == 25
    for distance, node in found:
        assert distance == pytest.approx(1 - float(graph.vectors[node] @ query), abs=1e-6)


def test_a_walk_records_each_step_so_that_it_can_be_retold(graph: Graph) -> None:
    query = unit(1, seed=5)[0]
    walk = search(graph, query, ef=12)
    layers = [step.layer for step in walk.openings]
    assert layers == sorted(layers, reverse=True) and layers[-1] == 0 and walk.openings[0].node == graph.entry
    kept: list[tuple[float, int]] = []
    for step in walk.openings:
        if step.layer == 0:
            kept = kept or [(step.distance, step.node)]
            kept = sorted(kept + [pair for pair in step.measured if pair[1] in step.kept])[:12]
            assert list(step.after) == kept
    assert tuple(kept) == walk.found
    assert walk.distances == 1 + sum(len(step.measured) for step in walk.openings)


def test_a_search_stops_only_when_the_nearest_unopened_is_farther_than_the_worst_of_a_full_list(graph: Graph) -> None:
    for query in unit(20, seed=13):
        walk = search(graph, query, ef=10)
        assert walk.unopened is None or (len(walk.found) == 10 and walk.unopened > walk.found[-1])


def test_above_layer_zero_every_move_is_to_a_nearer_node(graph: Graph) -> None:
    for query in unit(20, seed=13):
        upper = [step.distance for step in search(graph, query, ef=10).openings if step.layer > 0]
        assert upper == sorted(upper, reverse=True)


def test_a_share_of_one_in_m_reaches_the_next_layer() -> None:
    levels = draw_levels(40_000, 8, seed=1)
    for layer in (1, 2):
        share = sum(level >= layer for level in levels) / sum(level >= layer - 1 for level in levels)
        assert share == pytest.approx(1 / 8, rel=0.1)


def test_links_point_in_different_directions_before_they_point_to_the_nearest() -> None:
    angles = np.radians([0, 10, 12, -40])  # the node, two behind each other, one to the other side
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    graph = build(vectors, m=2, ef_construction=4, seed=1)
    near = nearest(graph, vectors[0], 4)[1:]
    assert [node for _, node in near] == [1, 2, 3]
    assert choose(graph, near, 2) == [1, 3]
    assert choose(graph, near, 3) == [1, 3, 2]


def test_one_seed_gives_one_graph_and_another_seed_another() -> None:
    first, again, other = (build(unit(150), m=4, ef_construction=16, seed=seed) for seed in (1, 1, 2))
    assert (first.links, first.entry) == (again.links, again.entry)
    assert first.levels != other.levels


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 60), st.integers(2, 6), st.integers(1, 20), st.integers(0, 1000))
def test_any_size_gives_a_sound_graph_whose_full_list_is_brute_force(n: int, m: int, ef: int, seed: int) -> None:
    vectors = unit(n, d=6, seed=seed)
    graph = build(vectors, m=m, ef_construction=ef, seed=seed)
    assert list(faults(graph)) == []
    found = search(graph, vectors[0], ef=n).found
    assert found[: len(found)] == tuple(sorted(found))
    assert found[0][0] <= 1e-6 or reachable(graph) < n


def test_equal_vectors_and_a_single_one_are_no_trouble() -> None:
    same = np.tile(unit(1), (30, 1))
    graph = build(same, m=3, ef_construction=8, seed=1)
    assert list(faults(graph)) == []
    assert len(search(graph, same[0], ef=5).found) == 5
    assert search(build(unit(1), m=2, ef_construction=4, seed=1), unit(1)[0], ef=3).found == ((0.0, 0),)


@pytest.mark.parametrize(("n", "m"), [(0, 4), (5, 1)])
def test_what_makes_no_graph_is_refused(n: int, m: int) -> None:
    with pytest.raises(ValueError, match="expected at least"):
        build(unit(max(n, 1))[:n], m=m, ef_construction=4, seed=1)


def test_a_list_without_a_place_is_refused(graph: Graph) -> None:
    with pytest.raises(ValueError, match="at least one place"):
        search(graph, unit(1)[0], ef=0)
