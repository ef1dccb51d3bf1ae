"""The axes of a chart: positions on a scale, round ticks, and the frame they are drawn in.

Drawing units: a chart is ``WIDTH`` × ``HEIGHT``, its plot stands within the margins. Letters grow on narrow screens
(``figures.css``), so the margins leave room for the largest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from render.numbers import number_text

WIDTH, HEIGHT = 480, 290
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 12, 50


@dataclass(frozen=True)
class Axis:
    """An axis: label, digits of its tick labels and table cells, bounds, and whether it is logarithmic.

    Bounds default to the data's; ``ticks`` overrides the chosen tick positions.
    """

    label: str
    digits: int | None = None
    low: float | None = None
    high: float | None = None
    log: bool = False
    ticks: Sequence[float] = field(default=())


@dataclass(frozen=True)
class Scale:
    """Positions of values between ``start`` and ``end`` in drawing units, equal steps or equal ratios."""

    low: float
    high: float
    log: bool
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The position of a value, to a tenth of a unit."""
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = math.log(low), math.log(high), math.log(value)
        share = (at - low) / (high - low) if high > low else 0.5
        return round(self.start + share * (self.end - self.start), 1)


def scale(axis: Axis, values: Sequence[float], start: float, end: float) -> Scale:
    """The scale of an axis over its values; ValueError for a logarithmic axis from 0 or reversed bounds."""
    low = axis.low if axis.low is not None else min(values)
    high = axis.high if axis.high is not None else max(values)
    if axis.log and low <= 0:
        raise ValueError(f"axis “{axis.label}”: a logarithmic axis from {low}; it must start above 0")
    if low > high:
        raise ValueError(f"axis “{axis.label}”: starts at {low}, ends at {high}")
    return Scale(low, high, axis.log, start, end)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round values within [low, high] at steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if high <= low:
        return [low]
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def log_ticks(values: Sequence[float]) -> list[float]:
    """On a logarithmic axis the measured positions, thinned so that labels keep apart."""
    kept: list[float] = []
    for value in sorted(set(values)):
        if not kept or value / kept[-1] >= 1.5:
            kept.append(value)
    return kept


def frame(x: Axis, y: Axis, sx: Scale, sy: Scale, xs: Sequence[float], right: float = WIDTH - RIGHT) -> Markup:
    """Both axes with grid lines, ticks and the label of x; y is named above the drawing."""
    x_ticks = list(x.ticks) or (log_ticks(xs) if x.log else ticks(sx.low, sx.high))
    y_ticks = list(y.ticks) or (log_ticks([sy.low, sy.high]) if y.log else ticks(sy.low, sy.high))
    parts = []
    for tick in y_ticks:
        at = sy(tick)
        parts.append(Markup('<path class="grid" d="M{} {}H{}"></path>').format(LEFT, at, right))
        parts.append(text(LEFT - 8, at + 4, "end", number_text(tick, y.digits)))
    base = HEIGHT - BOTTOM
    parts.append(Markup('<path class="axis" d="M{} {}H{}"></path>').format(LEFT, base, right))
    for tick in x_ticks:
        at = sx(tick)
        parts.append(Markup('<path class="axis" d="M{} {}V{}"></path>').format(at, base, base + 5))
        parts.append(text(at, base + 19, "middle", number_text(tick, x.digits)))
    parts.append(text((LEFT + right) / 2, HEIGHT - 8, "middle", x.label))
    return Markup("").join(parts)


def text(x: float, y: float, anchor: str, words: str) -> Markup:
    """A line of lettering; ``anchor`` is start, middle or end."""
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(round(x, 1), round(y, 1), anchor, words)
