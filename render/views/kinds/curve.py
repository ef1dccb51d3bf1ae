"""Curve with threshold: a captured curve, a threshold that moves among captured points, what falls on either side.

Each state is the same curve with the threshold at one point and the counts of that point. Counts are captured, or
counted from captured records by ``cut_at``; nothing between two points can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.views.chart import Axis, Series, line_chart
from render.views.kinds.kind import Kind
from render.views.kit import Cell, Col, data, table

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
    verdicts: tuple[str, str] = ("right", "wrong"),
) -> Markup:
    """The curve with its threshold at ``at``, and the table of what lies on either side.

    ``word`` stands at the threshold; ``sides`` names what lies at or below it and what lies above; ``verdicts`` are the
    words for a record on its right and on its wrong side.

    Raises ``ValueError`` for a threshold that is no captured point of any series.
    """
    if not any(px == at for one in series for px, _ in one.points):
        raise ValueError(f"curve “{title}”: {at} is no captured point")
    drawing = line_chart(series, title=title, desc=desc, x=x, y=y, cut=(at, word))
    rows: list[list[Cell]] = [
        [
            group.name,
            _side(group.low, group.right == "low", verdicts),
            _side(group.high, group.right == "high", verdicts),
        ]
        for group in groups
    ]
    columns: list[str | Col] = ["", *(Col(side, numeric=True) for side in sides)]
    return drawing + table(columns, rows, title=f"On either side of the threshold, {word}")


def _side(count: int, right: bool, verdicts: tuple[str, str]) -> Markup:
    mark, word = ("✓", verdicts[0]) if right else ("✕", verdicts[1])
    return Markup('{} <span aria-hidden="true">{}</span> {}').format(data(count), mark, word)
