"""A share of passages with an interval over documents: passages of one document are no independent draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LEVEL = 0.95


def share_interval(hits: Sequence[int], of: Sequence[int], resamples: int, seed: int) -> tuple[float, float, float]:
    """(share, low, high): Σ hits / Σ of, with the 95% percentile interval when documents are drawn with replacement.

    One entry a document. The cluster bootstrap of Davison and Hinkley (1997), section 3.8, one stage.
    """
    top, bottom = np.asarray(hits, dtype=np.float64), np.asarray(of, dtype=np.float64)
    if len(top) != len(bottom) or not len(top) or bottom.sum() <= 0 or (top > bottom).any():
        raise ValueError(f"{len(top)} counts of {len(bottom)} documents: expected one a document, none above its total")
    generator = np.random.default_rng(seed)
    shares = np.empty(resamples)
    for n in range(resamples):
        drawn = generator.integers(0, len(top), size=len(top))
        shares[n] = top[drawn].sum() / max(bottom[drawn].sum(), 1)
    low, high = np.quantile(shares, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(top.sum() / bottom.sum()), float(low), float(high)
