"""Lloyd's k-means with a seed, and the assignment of points to their nearest centroid.

Lloyd, "Least squares quantization in PCM" (1982). First centroids are distinct points drawn at random, as FAISS does;
the rival, k-means++, draws them apart and costs a pass over the points for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_BLOCK = 8_192
"""Points compared with all centroids at once: bounds memory."""


@dataclass(frozen=True)
class Clusters:
    """``centroids``, shape (k, d), and the mean squared distance of the points to theirs before each update."""

    centroids: Floats
    errors: tuple[float, ...]


def kmeans(points: Floats, k: int, *, seed: int, iterations: int = 10, spherical: bool = False) -> Clusters:
    """``k`` centroids of ``points``, shape (n, d); equal arguments give equal centroids on one machine.

    ``spherical``: centroids are scaled to length 1, so that for unit vectors the nearest is the one of largest cosine.
    A centroid without points takes the place of the point that is farthest from its own. ``ValueError`` for fewer
    points than centroids.
    """
    if len(points) < k:
        raise ValueError(f"{len(points)} points for {k} centroids; expected at least as many points")
    rng = np.random.default_rng(seed)
    centroids = _scaled(points[np.sort(rng.choice(len(points), k, replace=False))].astype(np.float32), spherical)
    errors = []
    for _ in range(iterations):
        nearest, distances = assign(points, centroids)
        errors.append(float(distances.mean()))
        centroids = _scaled(_means(points, nearest, distances, k), spherical)
    return Clusters(centroids, tuple(errors))


def assign(points: Floats, centroids: Floats) -> tuple[NDArray[np.int64], Floats]:
    """For each point the number of its nearest centroid (the lower of two that tie) and the squared distance to it."""
    nearest = np.empty(len(points), dtype=np.int64)
    distances = np.empty(len(points), dtype=np.float32)
    squares = np.einsum("ij,ij->i", centroids, centroids)
    turned = np.ascontiguousarray(-2 * centroids.T)
    for start in range(0, len(points), _BLOCK):
        block = points[start : start + _BLOCK]
        # |x - c|² = |x|² + |c|² - 2⟨x, c⟩; the first term is the same for every centroid
        without = block @ turned
        without += squares
        best = without.argmin(axis=1)
        nearest[start : start + len(block)] = best
        least = without[np.arange(len(block)), best] + np.einsum("ij,ij->i", block, block)
        distances[start : start + len(block)] = np.maximum(least, 0)
    return nearest, distances


def _means(points: Floats, nearest: NDArray[np.int64], distances: Floats, k: int) -> Floats:
    order = np.argsort(nearest, kind="stable")
    counts = np.bincount(nearest, minlength=k)
    filled = np.flatnonzero(counts)
    starts = np.concatenate(([0], np.cumsum(counts)))[filled]
    sums = np.add.reduceat(points[order].astype(np.float64), starts, axis=0)
    means = np.empty((k, points.shape[1]), dtype=np.float32)
    means[filled] = sums / counts[filled, None]
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        means[empty] = points[np.argsort(-distances, kind="stable")[: len(empty)]]
    return means


def _scaled(centroids: Floats, spherical: bool) -> Floats:
    if not spherical:
        return centroids
    lengths = np.maximum(np.linalg.norm(centroids, axis=1, keepdims=True), 1e-12)
    scaled: Floats = (centroids / lengths).astype(np.float32)
    return scaled
