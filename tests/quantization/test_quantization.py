"""Codes and lists against brute force: tables of distances, nearest centroids, and searches that leave nothing out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.quantization.inverted import Inverted, Lists, coded_part, rerank, training_rows
from harness.quantization.kmeans import Floats, assign, kmeans
from harness.quantization.product import ProductQuantizer, distortion, scores
from harness.quantization.rotation import learn_rotation

PROBES = (1, 3, 7, 12)


def unit(n: int, d: int = 24, seed: int = 5) -> Floats:
    """Clustered unit vectors whose dimensions differ in spread, as those of text do."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(15, d)) * np.linspace(2, 0.3, d)
    rows = centres[rng.integers(0, 15, n)] + 0.7 * rng.normal(size=(n, d))
    found: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return found


VECTORS, QUERIES = unit(600), unit(20, seed=6)


@pytest.fixture(scope="module")
def lists() -> Lists:
    return Lists.build(VECTORS, 12, seed=1, sample=400)


@pytest.fixture(scope="module")
def quantizer(lists: Lists) -> ProductQuantizer:
    return ProductQuantizer.train(coded_part(VECTORS, lists, residual=True, rotation=None), 6, centroids=16, seed=1)


@pytest.fixture(scope="module")
def coded(lists: Lists, quantizer: ProductQuantizer) -> Inverted:
    return Inverted.coded(VECTORS, lists, quantizer)


def brute_nearest(points: Floats, centroids: Floats) -> list[int]:
    """The nearest centroid of each point by its definition, one distance at a time."""
    wide = centroids.astype(np.float64)
    return [min(range(len(wide)), key=lambda j: (float(((p - wide[j]) ** 2).sum()), j)) for p in points]


def test_each_point_is_assigned_to_the_centroid_that_is_nearest_by_definition() -> None:
    centroids = kmeans(VECTORS, 12, seed=2).centroids
    nearest, distances = assign(VECTORS, centroids)
    assert nearest.tolist() == brute_nearest(VECTORS, centroids)
    by_definition = ((VECTORS - centroids[nearest]) ** 2).sum(axis=1)
    assert np.allclose(distances, by_definition, atol=1e-5)


def test_k_means_never_gets_worse_and_ends_in_means() -> None:
    found = kmeans(VECTORS, 9, seed=3, iterations=40)
    assert all(after <= before + 1e-6 for before, after in itertools.pairwise(found.errors))
    nearest, _ = assign(VECTORS, found.centroids)
    means = np.stack([VECTORS[nearest == i].mean(axis=0) for i in range(9)])
    assert np.allclose(means, found.centroids, atol=1e-3)


def test_k_means_finds_clusters_that_lie_apart() -> None:
    centres = 10 * np.eye(4, 8, dtype=np.float32)
    points = np.repeat(centres, 25, axis=0) + np.random.default_rng(0).normal(0, 0.1, (100, 8)).astype(np.float32)
    best = min((kmeans(points, 4, seed=seed) for seed in range(8)), key=lambda found: found.errors[-1])
    assert np.allclose(np.sort(best.centroids.max(axis=1)), 10, atol=0.2)


def test_the_same_seed_gives_the_same_centroids_and_another_seed_others() -> None:
    one, same, other = (kmeans(VECTORS, 8, seed=seed).centroids for seed in (1, 1, 2))
    assert np.array_equal(one, same) and not np.array_equal(one, other)


def test_a_centroid_without_points_is_put_where_the_error_is_largest() -> None:
    points = np.array([[0.0, 0], [0, 0], [0, 0], [0, 0], [9, 9]], dtype=np.float32)
    for seed in range(6):
        found = kmeans(points, 2, seed=seed, iterations=4)
        assert sorted(found.centroids[:, 0].tolist()) == [0, 9]


def test_fewer_points_than_centroids_are_refused() -> None:
    with pytest.raises(ValueError, match="3 points for 4 centroids"):
        kmeans(VECTORS[:3], 4, seed=1)


def test_spherical_centroids_have_length_one_and_the_nearest_has_the_largest_cosine() -> None:
    centroids = kmeans(VECTORS, 12, seed=2, spherical=True).centroids
    assert np.allclose(np.linalg.norm(centroids, axis=1), 1, atol=1e-6)
    assert assign(VECTORS, centroids)[0].tolist() == (VECTORS @ centroids.T).argmax(axis=1).tolist()


def test_each_part_of_a_vector_is_coded_by_its_nearest_centroid(quantizer: ProductQuantizer) -> None:
    codes = quantizer.encode(VECTORS[:50])
    assert codes.dtype == np.uint8 and codes.shape == (6, 50)
    for part, book, code in zip(np.split(VECTORS[:50], 6, axis=1), quantizer.codebooks, codes, strict=True):
        assert code.tolist() == brute_nearest(part, book)


def test_the_table_gives_the_inner_product_with_what_the_codes_stand_for(quantizer: ProductQuantizer) -> None:
    codes = quantizer.encode(VECTORS)
    for query in QUERIES:
        assert np.allclose(scores(quantizer.table(query), codes), quantizer.decode(codes) @ query, atol=1e-5)


def test_a_score_is_a_sum_of_look_ups(quantizer: ProductQuantizer) -> None:
    query, codes = QUERIES[0], quantizer.encode(VECTORS[:5])
    for number in range(5):
        parts = [
            float(quantizer.codebooks[m, codes[m, number]] @ query[4 * m : 4 * m + 4]) for m in range(quantizer.parts)
        ]
        assert scores(quantizer.table(query), codes)[number] == pytest.approx(sum(parts), abs=1e-5)


def test_decoding_and_coding_again_changes_nothing(quantizer: ProductQuantizer) -> None:
    codes = quantizer.encode(VECTORS)
    assert np.array_equal(quantizer.encode(quantizer.decode(codes)), codes)


def test_longer_codes_lose_less() -> None:
    errors = [distortion(ProductQuantizer.train(VECTORS, parts, centroids=16, seed=1), VECTORS) for parts in (2, 6, 24)]
    assert errors == sorted(errors, reverse=True) and errors[0] > 2 * errors[-1]


@pytest.mark.parametrize(("parts", "centroids", "message"), [(5, 16, "do not split"), (6, 257, "what a byte can name")])
def test_codes_that_cannot_be_made_are_refused(parts: int, centroids: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ProductQuantizer.train(VECTORS, parts, centroids=centroids)


def test_every_vector_stands_in_one_list_that_of_its_nearest_centroid(lists: Lists) -> None:
    assert sorted(lists.rows.tolist()) == list(range(len(VECTORS)))
    nearest = brute_nearest(VECTORS, lists.centroids)
    assert [nearest[row] for row in lists.rows] == lists.owner.tolist()
    assert int(lists.sizes.sum()) == len(VECTORS)


def test_lists_are_probed_from_the_nearest_centroid_on(lists: Lists) -> None:
    for query in QUERIES:
        values = (lists.centroids @ query)[lists.order(query)]
        assert all(before >= after for before, after in itertools.pairwise(values.tolist()))


def test_all_lists_of_full_vectors_give_the_exact_result(lists: Lists) -> None:
    flat = Inverted.flat(VECTORS, lists)
    for query in QUERIES:
        exact = np.lexsort((np.arange(len(VECTORS)), -(VECTORS @ query)))[:10]
        assert set(flat.scan(query).best(10, 12).tolist()) == set(exact.tolist())


@pytest.mark.parametrize("probes", PROBES)
def test_fewer_probes_are_a_prefix_of_the_whole_scan(coded: Inverted, probes: int) -> None:
    for query in QUERIES:
        alone, whole = coded.scan(query, probes), coded.scan(query)
        end = int(whole.ends[probes - 1])
        assert len(alone.rows) == end and np.array_equal(alone.rows, whole.rows[:end])
        assert np.array_equal(alone.best(10, probes), whole.best(10, probes))


@pytest.mark.parametrize("residual", [True, False])
def test_scores_are_inner_products_with_the_vectors_rebuilt_from_list_and_code(lists: Lists, residual: bool) -> None:
    part = coded_part(VECTORS, lists, residual=residual, rotation=None)
    quantizer = ProductQuantizer.train(part, 6, centroids=16, seed=1)
    index = Inverted.coded(VECTORS, lists, quantizer, residual=residual)
    assert index.codes is not None
    rebuilt = quantizer.decode(index.codes) + (lists.centroids[lists.owner] if residual else 0)
    by_row = dict(zip(lists.rows.tolist(), rebuilt, strict=True))
    for query in QUERIES[:5]:
        scan = index.scan(query)
        expected = [float(by_row[int(row)] @ query) for row in scan.rows]
        assert np.allclose(scan.scores, expected, atol=1e-5)


def test_rows_that_tie_for_the_last_place_fall_by_their_number(lists: Lists) -> None:
    same = np.repeat(VECTORS[:1], 40, axis=0)
    one = Lists(lists.centroids[:1], np.arange(40, dtype=np.int32)[::-1].copy(), np.array([0, 40]))
    assert Inverted.flat(same, one).scan(VECTORS[0]).best(10, 1).tolist() == list(range(10))


def test_reranking_everything_is_exact_search(coded: Inverted) -> None:
    for query in QUERIES:
        every = coded.scan(query).best(len(VECTORS), 12)
        exact = np.lexsort((np.arange(len(VECTORS)), -np.round(VECTORS.astype(np.float64) @ query, 6)))[:10]
        assert rerank(VECTORS, query, every, 10).tolist() == exact.tolist()


def test_a_learnt_rotation_keeps_inner_products_and_lowers_the_distortion() -> None:
    rotation, errors = learn_rotation(VECTORS, 6, centroids=16, seed=1, rounds=10)
    assert np.allclose(rotation @ rotation.T, np.eye(24), atol=1e-5)
    assert np.allclose((VECTORS @ rotation) @ (QUERIES @ rotation).T, VECTORS @ QUERIES.T, atol=1e-5)
    assert min(errors) < 0.95 * errors[0]


def test_a_rotated_index_scores_as_the_vectors_rebuilt_and_turned_back(lists: Lists) -> None:
    part = coded_part(VECTORS, lists, residual=True, rotation=None)
    rotation, _ = learn_rotation(part, 6, centroids=16, seed=1, rounds=3)
    quantizer = ProductQuantizer.train(part @ rotation, 6, centroids=16, seed=1)
    index = Inverted.coded(VECTORS, lists, quantizer, rotation=rotation)
    assert index.codes is not None
    rebuilt = quantizer.decode(index.codes) @ rotation.T + lists.centroids[lists.owner]
    scan = index.scan(QUERIES[0])
    by_row = dict(zip(lists.rows.tolist(), rebuilt, strict=True))
    assert np.allclose(scan.scores, [float(by_row[int(row)] @ QUERIES[0]) for row in scan.rows], atol=1e-5)


def test_bytes_are_those_of_the_arrays(coded: Inverted, lists: Lists) -> None:
    assert coded.bytes() == {
        "stored": 600 * 6,
        "rows": 600 * 4,
        "shared": 12 * 24 * 4 + 13 * 8 + 6 * 16 * 4 * 4,
    }
    assert Inverted.flat(VECTORS, lists).bytes()["stored"] == 600 * 24 * 4


@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_a_training_sample_is_drawn_without_replacement(count: int, sample: int, seed: int) -> None:
    rows = training_rows(count, sample, seed)
    assert len(set(rows.tolist())) == len(rows) == min(count, sample)
    assert rows.min() >= 0 and rows.max() < count
