"""Sweep: one dial or two over captured settings, with a figure for each setting.

The whole grid stands as a table of links above its figures; the script turns the dials into sliders and shows the
figure of the setting they stand at. Nothing between two captured settings can be reached.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TypeVar

from render.views.kinds.kind import Kind

KIND = Kind(
    "sweep",
    "Sweep",
    "What a result is at every captured setting of one dial or two.",
    control="dials",
    state="setting",
    states=(4, 64),
)
T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")


def grid(down: Sequence[T], across: Sequence[U], draw: Callable[[T, U], V]) -> list[V]:
    """What ``draw`` makes of every pair, the second turning fastest, as a walkthrough with two dials needs it."""
    return [draw(one, other) for one, other in itertools.product(down, across)]


def tone(value: float, low: float, high: float) -> int:
    """The shade of a cell, 0 (weakest, at ``low``) to 4 (strongest, at ``high``); ``high`` may be the smaller one.

    >>> tone(1, 11, 1), tone(11, 11, 1), tone(5, 0, 10)
    (4, 0, 2)
    """
    if low == high:
        return 0
    return round(4 * max(0.0, min(1.0, (value - low) / (high - low))))
