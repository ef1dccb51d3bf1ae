"""Means over questions and builds with intervals, and the figures made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.capture.api import Figure
from harness.evaluation.bootstrap import mean_interval, paired_difference
from harness.measuring.indexes.searches import Asked, Reading

Row = dict[str, Any]


def spread(values: NDArray[np.float64], params: Mapping[str, Any]) -> Row:
    """The mean of values of the shape (builds, questions), its 95% interval over questions, and each build's mean."""
    interval = mean_interval(values.mean(axis=0).tolist(), resamples=params["resamples"], seed=params["seed"])
    return {"mean": interval.mean, "interval": [interval.low, interval.high], "by_build": values.mean(axis=1).tolist()}


def answers(asked: Asked, reading: Reading, params: Mapping[str, Any]) -> Row:
    """Hit and MRR against the labels, and what they differ by from exact search on the same questions."""
    builds = [asked.found(results) for results in reading.results]
    exact = asked.found(asked.truth)
    row: Row = {}
    for position, name in enumerate(("hit", "mrr")):
        values = np.array([build[position] for build in builds])
        row[name] = spread(values, params)
        found = paired_difference(
            exact[position], values.mean(axis=0).tolist(), resamples=params["resamples"], seed=params["seed"]
        )
        it = found.interval
        row[f"{name}_difference"] = {
            "mean": it.mean, "interval": [it.low, it.high],
            "better": found.better, "same": found.same, "worse": found.worse,
        }  # fmt: skip
    return row


def latency(milliseconds: NDArray[np.float64]) -> Row:
    """Median, 5th and 95th percentile of all searches, in milliseconds."""
    p05, p50, p95 = np.percentile(milliseconds, [5, 50, 95])
    return {"n": milliseconds.size, "p05": round(p05, 3), "p50": round(p50, 3), "p95": round(p95, 3)}


def spread_figure(row: Mapping[str, Any], label: str, n: int, at: str, digits: int = 3) -> Figure:
    """A mean with its interval over questions; it moves from build to build."""
    return Figure(row["mean"], "", label, digits, n, tuple(row["interval"]), f"{at}/mean", volatile=True)


def over_builds(values: Sequence[float]) -> Row:
    """One value a build, and their mean."""
    return {"mean": float(np.mean(values)), "by_build": [float(value) for value in values]}


def range_figure(row: Mapping[str, Any], unit: str, label: str, at: str, digits: int = 1) -> Figure:
    """A mean over builds (a row of ``over_builds``) with the smallest and the largest of them."""
    values = row["by_build"]
    span = (min(values), max(values))
    return Figure(row["mean"], unit, label, digits, len(values), span, f"{at}/mean", volatile=True)


def latency_figures(name: str, said: str, row: Mapping[str, Any], at: str) -> dict[str, Figure]:
    """``latency_NAME``: the median, its interval from the 5th to the 95th percentile; ``p95_NAME``."""
    span = (row["p05"], row["p95"])
    return {
        f"latency_{name}": Figure(
            row["p50"], "ms", f"median time, {said} (interval: 5th to 95th percentile)", 2, row["n"], span, f"{at}/p50",
            volatile=True,
        ),
        f"p95_{name}": Figure(
            row["p95"], "ms", f"95th percentile of time, {said} (interval: 5th to 95th percentile)", 2, row["n"], span,
            f"{at}/p95", volatile=True,
        ),
    }  # fmt: skip
