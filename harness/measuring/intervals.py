"""What is said of readings: percentiles by one method, means with a bootstrap interval, ranges over builds.

Arrays have the shape (builds, askings). An interval of a mean is a percentile bootstrap over questions of their mean
over builds (`harness.evaluation.bootstrap`); what differs from build to build comes with its smallest and largest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.evaluation.bootstrap import Difference, Interval, mean_interval, paired_difference

#: Linear interpolation between the two nearest of the ordered values, at position (n − 1) · x / 100 from 0: definition
#: 7 of Hyndman and Fan (1996). The 50th percentile is the median as everyone computes it.
METHOD: Final = "linear"

Row = dict[str, Any]
Values = NDArray[np.float64]


def percentile(values: ArrayLike, at: float) -> float:
    """Return the percentile `at` (0 to 100) of all values, by METHOD. ValueError for no values."""
    every = np.asarray(values, dtype=np.float64)
    if every.size == 0:
        raise ValueError("no value to take a percentile of")
    return float(np.percentile(every, at, method=METHOD))


def times(milliseconds: ArrayLike) -> Row:
    """Return n, the median and the 5th and 95th percentile, in milliseconds with three decimals."""
    p05, p50, p95 = (round(percentile(milliseconds, at), 3) for at in (5, 50, 95))
    return {"n": int(np.size(milliseconds)), "p05": p05, "p50": p50, "p95": p95}


def interval(values: Values, params: Mapping[str, Any]) -> Interval:
    """Return the mean over builds and askings with its interval; `params` has `resamples` and `seed`."""
    by_asking = values.mean(axis=0) if values.ndim > 1 else values
    return mean_interval(by_asking.tolist(), resamples=params["resamples"], seed=params["seed"])


def difference(a: Values, b: Values, params: Mapping[str, Any]) -> Difference:
    """Return b − a, question by question, of means over builds."""
    first, second = (values.mean(axis=0).tolist() for values in (a, b))
    return paired_difference(first, second, resamples=params["resamples"], seed=params["seed"])


def with_interval(name: str, values: Values, params: Mapping[str, Any], bounds: str = "interval") -> Row:
    """Return a mean with its interval, and the mean of each build: keys `name`, `bounds`, `name_by_build`."""
    found = interval(values, params)
    return {name: found.mean, bounds: [found.low, found.high], f"{name}_by_build": values.mean(axis=1).tolist()}


def mean(values: Values, params: Mapping[str, Any]) -> Row:
    """Return the same under the keys `mean`, `interval` and `by_build`."""
    found = interval(values, params)
    return {"mean": found.mean, "interval": [found.low, found.high], "by_build": values.mean(axis=1).tolist()}


def with_range(name: str, values: ArrayLike) -> Row:
    """Return a mean with the smallest and the largest value: keys `name` and `name_range`."""
    every = np.asarray(values, dtype=np.float64)
    return {name: float(every.mean()), f"{name}_range": [float(every.min()), float(every.max())]}


def over_builds(values: Sequence[float]) -> Row:
    """Return one value a build, and their mean: keys `mean` and `by_build`."""
    return {"mean": float(np.mean(values)), "by_build": [float(value) for value in values]}
