"""How often an outsider guesses right whether a hidden document answers the question: two attackers, chance one half.

`single`: sees one observation and compares it with a threshold, learnt on other questions (two folds, so no question
helps to judge itself). `paired`: sees the observation of both worlds, in an order it does not know, and names the one
that speaks for a hidden answer; equal observations are a coin toss and count one half. That is the attacker who asked
the same question yesterday.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.evaluation.bootstrap import Interval, mean_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Guessed:
    """Accuracies with intervals over questions, and how many questions have observations that differ at all."""

    single: Interval
    paired: Interval
    differs: int

    @property
    def established(self) -> bool:
        """Whether either attacker is better than chance with its whole interval."""
        return self.single.low > 0.5 or self.paired.low > 0.5


def guess(present: Sequence[float], absent: Sequence[float], *, higher: bool, resamples: int, seed: int) -> Guessed:
    """Return what both attackers reach. `higher`: whether a larger value speaks for a hidden answer.

    Raises ValueError for lists of different length or of fewer than two questions.
    """
    if len(present) != len(absent) or len(present) < 2:
        raise ValueError(f"{len(present)} and {len(absent)} observations; expected as many of each, at least two")
    with_, without = np.asarray(present, dtype=np.float64), np.asarray(absent, dtype=np.float64)
    sign = 1.0 if higher else -1.0
    right = np.where(with_ == without, 0.5, (sign * with_ > sign * without).astype(np.float64))
    single = mean_interval(single_scores(with_, without).tolist(), resamples=resamples, seed=seed)
    paired = mean_interval(right.tolist(), resamples=resamples, seed=seed)
    return Guessed(single, paired, int((with_ != without).sum()))


def single_scores(present: Floats, absent: Floats) -> Floats:
    """Return per question the share of its two observations that a threshold from the other fold judges rightly."""
    fold = np.arange(len(present)) % 2
    scores = np.zeros(len(present))
    for side in (0, 1):
        threshold, above = learn(present[fold != side], absent[fold != side])
        judged = fold == side
        hits = (present[judged] > threshold) == above
        rejects = (absent[judged] > threshold) != above
        scores[judged] = (hits.astype(np.float64) + rejects.astype(np.float64)) / 2
    return scores


def learn(present: Floats, absent: Floats) -> tuple[float, bool]:
    """Return the threshold, and whether values above it mean "hidden", with most right guesses; the lowest of equals.

    With nothing to tell the worlds apart it lies below every value: the guess is then always the same.
    """
    values = np.unique(np.concatenate([present, absent]))
    cuts = np.concatenate([[values[0] - 1.0], (values[:-1] + values[1:]) / 2])
    ordered = (np.sort(present), np.sort(absent))
    over = [len(part) - np.searchsorted(part, cuts, side="right") for part in ordered]
    above = over[0] + (len(absent) - over[1])
    below = (len(present) - over[0]) + over[1]
    if above.max() >= below.max():
        return float(cuts[int(above.argmax())]), True
    return float(cuts[int(below.argmax())]), False
