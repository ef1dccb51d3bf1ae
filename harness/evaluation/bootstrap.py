"""How sure a mean over queries is: the percentile bootstrap, plain and paired.

The **query** is the sampling unit: the question asked is how the mean would move if other queries of the same
kind had been written. Results of one query are never resampled apart from each other. The interval covers
that variation only; not mislabelled judgments, and not whether these queries resemble anyone's real ones.

Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), ch. 13; for retrieval: Sakai, SIGIR 2006. The
rival BCa interval corrects bias and skew; at some hundred queries and means away from 0 and 1 the two nearly
agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
LEVEL = 0.95
_BLOCK = 2_000_000
"""Drawn indices held at once: bounds memory to some 32 MB whatever the number of queries."""


@dataclass(frozen=True)
class Interval:
    """A mean and the bounds of its percentile interval at ``level``, over ``n`` queries."""

    mean: float
    low: float
    high: float
    n: int
    level: float = LEVEL
    resamples: int = RESAMPLES
    seed: int = 0

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside the interval."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Difference:
    """System b minus system a on the same queries, and how many queries went which way."""

    interval: Interval
    better: int
    same: int
    worse: int


def resampled_means(values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0) -> NDArray[np.float64]:
    """Means of ``resamples`` draws of n values out of n with replacement, shape (resamples,).

    Equal arguments give equal draws (PCG64). ``ValueError`` for no values.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0:
        raise ValueError("no value to resample; expected one a query")
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}; expected at least 1")
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    step = max(1, _BLOCK // sample.size)
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        drawn = generator.integers(0, sample.size, size=(stop - start, sample.size))
        means[start:stop] = sample[drawn].mean(axis=1)
    return means


def mean_interval(
    values: Sequence[float], *, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 0
) -> Interval:
    """The mean of one value a query with its percentile interval."""
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a number between 0 and 1, such as 0.95")
    means = resampled_means(values, resamples, seed)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    mean = float(np.mean(np.asarray(values, dtype=np.float64)))
    return Interval(mean, float(low), float(high), len(values), level, resamples, seed)


def paired_difference(
    a: Sequence[float],
    b: Sequence[float],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> Difference:
    """b − a query by query, with the interval of its mean; position i of both is the same query.

    ``ValueError`` when the lengths differ.
    """
    if len(a) != len(b):
        raise ValueError(f"{len(a)} values against {len(b)}; expected one of each a query")
    differences = [after - before for before, after in zip(a, b, strict=True)]
    interval = mean_interval(differences, resamples=resamples, level=level, seed=seed)
    better = sum(1 for difference in differences if difference > 0)
    worse = sum(1 for difference in differences if difference < 0)
    return Difference(interval, better, len(differences) - better - worse, worse)
