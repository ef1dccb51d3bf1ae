"""Percentiles by one named method; means, ranges and differences of readings."""

from __future__ import annotations

import numpy as np
import pytest

from harness.evaluation.bootstrap import mean_interval
from harness.measuring import intervals

PARAMS = {"resamples": 500, "seed": 20}


def test_a_percentile_interpolates_at_n_minus_one_parts() -> None:
    assert intervals.METHOD == "linear"
    assert intervals.percentile([4.0, 1.0, 2.0, 3.0], 50) == 2.5
    assert intervals.percentile([10.0, 20.0], 5) == pytest.approx(10.5)
    assert intervals.percentile([7.0], 95) == 7.0
    with pytest.raises(ValueError, match="no value"):
        intervals.percentile([], 50)


def test_times_are_over_all_builds_with_three_decimals() -> None:
    assert intervals.times(np.array([[1.00004, 2.0], [3.0, 4.0]])) == {"n": 4, "p05": 1.15, "p50": 2.5, "p95": 3.85}


def test_an_interval_resamples_questions_and_not_builds() -> None:
    values = np.array([[0.0, 1.0, 1.0, 0.5], [1.0, 1.0, 0.0, 0.5]])
    expected = mean_interval([0.5, 1.0, 0.5, 0.5], resamples=500, seed=20)
    row = intervals.with_interval("recall", values, PARAMS)
    assert row == {
        "recall": 0.625, "interval": [expected.low, expected.high], "recall_by_build": [0.625, 0.625],
    }  # fmt: skip


def test_a_range_has_the_smallest_and_largest_build() -> None:
    assert intervals.with_range("empty", np.array([3, 1, 2])) == {"empty": 2.0, "empty_range": [1.0, 3.0]}
    assert intervals.over_builds([3, 1]) == {"mean": 2.0, "by_build": [3.0, 1.0]}


def test_a_difference_is_paired_by_question() -> None:
    one, other = np.array([[0.0, 1.0, 0.5]]), np.array([[0.5, 1.0, 1.0], [0.5, 1.0, 1.0]])
    found = intervals.difference(one, other, PARAMS)
    assert (found.better, found.same, found.worse) == (2, 1, 0)
    assert found.interval.mean == pytest.approx(1 / 3)
