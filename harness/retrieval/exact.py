"""Exact nearest neighbours by cosine, with plain matrix products: the yardstick for every index.

Vectors are expected to have length 1, so that the dot product is the cosine. Products are summed in 64-bit
floats and rounded to ``DIGITS`` decimals before ranking: processors differ in the last bits of a float32
product, and equal passages should tie (and then fall by id) on all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from harness.retrieval.bm25 import Hit, Mask, best_rows

DIGITS = 6
_BLOCK = 32
"""Queries multiplied at once."""


def cosines(vectors: NDArray[np.float32], queries: NDArray[np.float32]) -> NDArray[np.float64]:
    """Rounded cosines, shape (queries, vectors)."""
    return np.round(queries.astype(np.float64) @ vectors.astype(np.float64).T, DIGITS)


def search(
    vectors: NDArray[np.float32],
    query: NDArray[np.float32],
    ids: Sequence[str],
    k: int,
    allowed: Mask | None = None,
) -> list[Hit]:
    """The ``k`` passages nearest to one query vector, cosine descending, then row (id) ascending.

    Row i of ``vectors`` belongs to ``ids[i]``, ids ascending. ``allowed`` hides rows before ranking.
    """
    values = cosines(vectors, query[None, :])[0]
    candidates = np.arange(len(ids)) if allowed is None else np.flatnonzero(allowed)
    return [
        Hit(ids[row], rank, float(values[row])) for rank, row in enumerate(best_rows(values, candidates, k), start=1)
    ]


def search_many(
    vectors: NDArray[np.float32], queries: NDArray[np.float32], ids: Sequence[str], k: int
) -> list[list[Hit]]:
    """For each query vector what :func:`search` returns, with fewer passes over the vectors."""
    wide = vectors.astype(np.float64).T
    candidates = np.arange(len(ids))
    found: list[list[Hit]] = []
    for start in range(0, len(queries), _BLOCK):
        for values in np.round(queries[start : start + _BLOCK].astype(np.float64) @ wide, DIGITS):
            best = best_rows(values, candidates, k)
            found.append([Hit(ids[row], rank, float(values[row])) for rank, row in enumerate(best, start=1)])
    return found
