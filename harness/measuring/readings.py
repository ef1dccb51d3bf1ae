"""Readings: named columns over builds and askings, and the plan and the result of every search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.measuring.intervals import Row, times, with_interval, with_range
from harness.retrieval.dense import Hit

Values = NDArray[np.float64]


def recall(found: Sequence[Hit], exact: Sequence[Hit]) -> float:
    """Return the share of the exact result that was found, 0 to 1.

    A chunk counts when it is no farther than the last of the exact result: chunks of equal text have equal
    vectors, and either of two that tie for the last place is right. (The rival convention compares ids.)
    """
    if not exact:
        raise ValueError("recall needs an exact result with at least one row")
    limit = exact[-1].distance
    return min(sum(hit.distance <= limit for hit in found), len(exact)) / len(exact)


class Readings:
    """What one way gave for some askings over some builds.

    `readings["recall"]` has the shape (builds, askings), NaN where nothing was read. The loop fills `recall` (share),
    `kept` and `wanted` (rows returned, rows of the exact result), `unordered` (rows nearer than the one before),
    `removed` (rows that a filter dropped until the limit was reached), `scans` (tables scanned), `ef_search` and
    `milliseconds` (as the client sees it). `plans[build][asking]` is the type of the plan, `results` what came back.
    """

    def __init__(self, builds: int, askings: int) -> None:
        self.shape = builds, askings
        self.plans: list[list[str]] = [[""] * askings for _ in range(builds)]
        self.results: list[list[list[Hit]]] = [[[] for _ in range(askings)] for _ in range(builds)]
        self._columns: dict[str, Values] = {}

    def put(self, build: int, asking: int, plan: str, hits: Sequence[Hit], **values: float) -> None:
        """Keep one reading."""
        self.plans[build][asking], self.results[build][asking] = plan, list(hits)
        for name, value in values.items():
            self._columns.setdefault(name, np.full(self.shape, np.nan))[build, asking] = value

    def __getitem__(self, name: str) -> Values:
        return self._columns[name]

    def counted_plans(self) -> dict[str, int]:
        """Return how many readings had each type of plan, in the order of their names."""
        return dict(sorted(Counter(plan for build in self.plans for plan in build if plan).items()))

    def distances(self) -> list[list[float]]:
        """Return the sorted distances of every result: of two chunks that tie for the last place either is right."""
        return [sorted(hit.distance for hit in hits) for build in self.results for hits in build]

    def quality(self, params: Mapping[str, Any]) -> Row:
        """Return everything that may differ from build to build.

        `recall` with a 95% bootstrap interval over questions; counts as the mean over builds with the smallest and the
        largest. `empty`: questions with no result; `short`: with fewer than exact search finds; `unordered`: whose
        results were not in the order of their distances.
        """
        kept = self["kept"]
        return {
            **with_interval("recall", self["recall"], params),
            **with_range("empty", (kept == 0).sum(axis=1)),
            **with_range("short", (kept < self["wanted"]).sum(axis=1)),
            **with_range("returned", kept.mean(axis=1)),
            **with_range("unordered", (self["unordered"] > 0).sum(axis=1)),
            **with_range("scans", self["scans"]),
            "plans": self.counted_plans(),
        }

    def latency(self) -> Row:
        """Return n, the median and the 5th and 95th percentile over all builds, in milliseconds."""
        return times(self["milliseconds"])
