"""Curve with threshold: a captured curve, a threshold that moves among captured points, what falls on either side.

Each state is the same curve with the threshold at one point and the counts of that point. Counts are captured, or
counted from captured records by ``cut_at``; nothing between two points can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.chart import Axis, Series, line_chart
from render.kinds.kind import Kind
from render.kit import Cell, Col, data, table

KIND = Kind(
    "curve",
    "Curve with threshold",
    "What a threshold puts on either side, and how much of it is right.",
    control="dials",
    state="threshold",
    states=(4, 24),
)


@dataclass(frozen=True)
class Group:
    """One kind of record on both sides of a threshold: how many, and on which side it counts as right.

    ``low`` are the records at or below the threshold, ``high`` those above. ``right`` is ``low`` or ``high``.
    """

    name: str | Markup
    low: int
    high: int
    right: str


def cut_at(name: str | Markup, values: Iterable[float | None], at: float, right: str) -> Group:
    """The group that captured values make at a threshold; None (never reached) lies above every threshold."""
    found = list(values)
    low = sum(value is not None and value <= at for value in found)
    return Group(name, low, len(found) - low, right)


def state(
    series: Sequence[Series],
    groups: Sequence[Group],
    *,
    at: float,
    word: str,
    sides: tuple[str, str],
    title: str,
    desc: str,
    x: Axis,
    y: Axis,
) -> Markup:
    """The curve with its threshold at ``at``, and the table of what lies on either side.

    ``word`` stands beside the threshold; ``sides`` names what lies at or below it and what lies above.

    Raises ``ValueError`` for a threshold that is no captured point of any series.
    """
    if not any(px == at for one in series for px, _ in one.points):
        raise ValueError(f"curve “{title}”: {at} is no captured point")
    drawing = line_chart(series, title=title, desc=desc, x=x, y=y, cut=(at, word))
    rows: list[list[Cell]] = [
        [group.name, _side(group.low, group.right == "low"), _side(group.high, group.right == "high")]
        for group in groups
    ]
    columns: list[str | Col] = ["", *(Col(side, numeric=True) for side in sides)]
    return drawing + table(columns, rows, title=f"On either side of {word}")


def _side(count: int, right: bool) -> Markup:
    role, mark, words = ("permitted", "✓", "right") if right else ("discarded", "✕", "wrong")
    return Markup('<span class="verdict-count {}">{} <span aria-hidden="true">{}</span> {}</span>').format(
        role, data(count), mark, words
    )
