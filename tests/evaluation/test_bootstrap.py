"""The bootstrap over queries."""

from __future__ import annotations

import numpy as np
import pytest

from harness.evaluation.bootstrap import mean_interval, paired_difference, resampled_means


def test_the_interval_of_a_share_agrees_with_the_normal_approximation() -> None:
    values = [1.0] * 120 + [0.0] * 80
    interval = mean_interval(values, seed=1)
    half = 1.96 * (0.6 * 0.4 / 200) ** 0.5
    assert interval.mean == pytest.approx(0.6)
    assert interval.low == pytest.approx(0.6 - half, abs=0.01)
    assert interval.high == pytest.approx(0.6 + half, abs=0.01)


def test_the_interval_covers_the_true_mean_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(4)
    covered = 0
    for trial in range(300):
        interval = mean_interval(list(generator.normal(0.3, 1, 60)), resamples=400, seed=trial)
        covered += interval.low <= 0.3 <= interval.high
    assert 0.90 <= covered / 300 <= 0.98


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    values = [0.0, 1.0, 0.5, 0.25, 1.0]
    assert mean_interval(values, seed=3) == mean_interval(values, seed=3)
    assert resampled_means(values, 50, 3).tolist() != resampled_means(values, 50, 4).tolist()


def test_a_constant_gain_on_every_query_has_an_interval_of_no_width() -> None:
    a = [0.1, 0.5, 0.9]
    found = paired_difference(a, [value + 0.25 for value in a])
    assert found.interval.low == pytest.approx(0.25) == pytest.approx(found.interval.high)
    assert found.interval.excludes_zero
    assert (found.better, found.same, found.worse) == (3, 0, 0)


def test_pairing_is_tighter_than_comparing_two_separate_intervals() -> None:
    generator = np.random.default_rng(0)
    difficulty = generator.random(100)
    a, b = list(difficulty), list(difficulty * 0.98 + 0.02 + generator.normal(0, 0.001, 100))
    paired = paired_difference(a, b).interval
    alone = mean_interval(a)
    assert paired.high - paired.low < 0.2 * (alone.high - alone.low)
    assert paired.excludes_zero


def test_better_same_and_worse_count_queries() -> None:
    found = paired_difference([0, 1, 1, 0], [1, 1, 0, 1], resamples=10)
    assert (found.better, found.same, found.worse) == (2, 1, 1)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="no value"):
        mean_interval([])
    with pytest.raises(ValueError, match="2 values against 1"):
        paired_difference([1, 2], [1])
    with pytest.raises(ValueError, match="level is 95"):
        mean_interval([1.0], level=95)
