"""A rotation learnt for product quantisation, so that the parts share the variance better.

Ge, He, Ke and Sun, "Optimized product quantization" (IEEE TPAMI 36(4), 2014), the non-parametric form: the codes of
the rotated vectors and the rotation are bettered in turn. For fixed codes the best rotation is that of an orthogonal
Procrustes problem, given by a singular value decomposition. Inner products do not change under a rotation of both
sides, so a search rotates its query and is otherwise the same.
"""

from __future__ import annotations

import numpy as np

from harness.quantization.kmeans import Floats
from harness.quantization.product import LARGEST, ProductQuantizer, distortion


def learn_rotation(
    points: Floats, parts: int, *, centroids: int = LARGEST, seed: int = 0, rounds: int = 8, iterations: int = 4
) -> tuple[Floats, tuple[float, ...]]:
    """An orthogonal matrix, shape (d, d), to multiply vectors with from the right; and the distortion at each round.

    It starts from no rotation; codebooks are trained anew in each round. The best round's matrix is returned.
    """
    rotation = np.eye(points.shape[1], dtype=np.float32)
    found: list[tuple[float, Floats]] = []
    for _ in range(rounds):
        turned = points @ rotation
        quantizer = ProductQuantizer.train(turned, parts, centroids=centroids, seed=seed, iterations=iterations)
        found.append((distortion(quantizer, turned), rotation))
        coded = quantizer.decode(quantizer.encode(turned))
        left, _, right = np.linalg.svd(points.astype(np.float64).T @ coded.astype(np.float64))
        rotation = (left @ right).astype(np.float32)
    best = min(found, key=lambda pair: pair[0])
    return best[1], tuple(error for error, _ in found)
