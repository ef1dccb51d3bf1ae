"""The floor below which an answer is declined, chosen on labelled scores.

The floor taken is the one with the largest difference between two shares: questions that deserve an answer and get
one, and questions that deserve none and still get one (Youden, "Index for rating diagnostic tests", Cancer
1950). It weighs both errors alike, which is a choice: where a false answer costs more than a missing one, the floor
belongs higher.
"""

from __future__ import annotations

from collections.abc import Sequence


def answered(scores: Sequence[float], floor: float) -> float:
    """The share of ``scores`` at or above the floor; ``ValueError`` for none."""
    if not scores:
        raise ValueError("no score to count; expected one a question")
    return sum(score >= floor for score in scores) / len(scores)


def choose(wanted: Sequence[float], unwanted: Sequence[float]) -> float:
    """The floor that separates best, out of the scores themselves; of equally good ones the lowest."""
    candidates = sorted({*wanted, *unwanted})
    return max(candidates, key=lambda floor: (answered(wanted, floor) - answered(unwanted, floor), -floor))


def curve(wanted: Sequence[float], unwanted: Sequence[float], steps: int) -> list[dict[str, float]]:
    """Both shares at ``steps`` + 1 floors spread evenly from 0 to the largest score."""
    top = max([*wanted, *unwanted])
    floors = [top * step / steps for step in range(steps + 1)]
    return [
        {"floor": floor, "answered": answered(wanted, floor), "false": answered(unwanted, floor)} for floor in floors
    ]
