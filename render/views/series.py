"""Series of a chart: how each looks, its marks, its line, its name above the drawing and at the end of the line.

A series with a role looks as that role does everywhere; others (sizes, settings) share one hue that no role has, from
weak to strong.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.views.axes import BOTTOM, HEIGHT, Scale
from render.views.marks import SHAPES

#: Room on the right for names at the ends of lines; narrow screens cut it off and keep the list above (figures.css).
TAGS = 110

#: Marks of series without a role, in a 10 × 10 box, weak to strong; none of them is the shape of a role.
_STEPS = (
    '<circle class="stroke" cx="5" cy="5" r="3.8"></circle>',
    '<path d="M.2 .8H9.8L5 9.5Z"></path>',
    '<path class="stroke" d="M5 0V10"></path>',
    '<path d="M5 .2 9.8 3.7 8 9.4H2L.2 3.7Z"></path>',
    '<path d="M1 .5H9L1 9.5H9Z"></path>',
    '<path d="M2.5 0H7.5V10H2.5Z"></path>',
)


@dataclass(frozen=True)
class Series:
    """A named run of points (x, y). ``role`` gives its colour and mark; without one it is a step of a sequence."""

    name: str
    points: Sequence[tuple[float, float]]
    role: str = ""


def looks(series: Sequence[Series]) -> list[tuple[str, Markup]]:
    """(class, mark) of each series: its role's, or its place among those without one, spread from weak to strong."""
    free = sum(1 for one in series if not one.role)
    found, seen = [], 0
    for one in series:
        if one.role:
            found.append((one.role, Markup(SHAPES[one.role if one.role in SHAPES else "dense"])))
            continue
        step = (round(seen * 5 / (free - 1)) if free > 1 else 5) % len(_STEPS)
        found.append((f"s{step + 1}", Markup(_STEPS[step])))
        seen += 1
    return found


def points(series: Series, look: tuple[str, Markup], sx: Scale, sy: Scale) -> Markup:
    """The marks of a series at its points."""
    return Markup("").join(_symbol(look, sx(px) - 4.5, sy(py) - 4.5) for px, py in series.points)


def _symbol(look: tuple[str, Markup], x: float, y: float) -> Markup:
    return Markup('<svg class="point {}" x="{}" y="{}" width="9" height="9" viewBox="0 0 10 10">{}</svg>').format(
        look[0], round(x, 1), round(y, 1), look[1]
    )


def line(series: Series, look: tuple[str, Markup], sx: Scale, sy: Scale) -> Markup:
    """The line through the points of a series."""
    path = "M" + "L".join(f"{sx(px)} {sy(py)}" for px, py in series.points)
    return Markup('<path class="line {}" d="{}"></path>').format(look[0], path)


@dataclass(frozen=True)
class Tag:
    """The name of a series beside the end of its line, broken into short lines."""

    lines: Sequence[str]
    series: Series

    @property
    def height(self) -> float:
        """Height in drawing units."""
        return 14.0 * len(self.lines) + 4


def tags(series: Sequence[Series]) -> list[Tag]:
    """Names to print beside the lines: those of series without a role, where there are several to tell apart."""
    free = [one for one in series if not one.role]
    if len(free) < 2:
        return []
    found = []
    for one in free:
        lines = textwrap.wrap(one.name, 12, break_long_words=False)
        found.append(Tag(lines if len(lines) < 3 else textwrap.wrap(one.name, 16, break_long_words=False), one))
    return found


def _order(series: Series, sy: Scale) -> tuple[int, float]:
    """From top to bottom by the end of the line; lines that end close together by their course."""
    heights = [sy(y) for _, y in series.points]
    return int(heights[-1] // 15), sum(heights) / len(heights)


def draw_tags(tags: Sequence[Tag], right: float, sx: Scale, sy: Scale) -> Markup:
    """Each name level with the end of its line; where lines meet, in the order in which they arrive, moved apart."""
    ordered = sorted(tags, key=lambda tag: _order(tag.series, sy))
    tops: list[float] = []
    for tag in ordered:
        wanted = sy(tag.series.points[-1][1]) - tag.height / 2
        tops.append(max(wanted, tops[-1] + ordered[len(tops) - 1].height if tops else 0.0))
    floor = float(HEIGHT - BOTTOM + 8)
    for i in reversed(range(len(ordered))):
        tops[i] = min(tops[i], floor - ordered[i].height)
        floor = tops[i]
    parts = []
    for tag, top in zip(ordered, tops, strict=True):
        end_x, end_y = (scale(value) for scale, value in zip((sx, sy), tag.series.points[-1], strict=True))
        lead = Markup('<path class="lead-line" d="M{} {}L{} {}"></path>')
        parts.append(lead.format(end_x + 5, end_y, right + 6, round(top + tag.height / 2, 1)))
        for i, words in enumerate(tag.lines):
            line_of_text = Markup('<text class="tag" x="{}" y="{}">{}</text>')
            parts.append(line_of_text.format(round(right + 8, 1), round(top + 13 + 14 * i, 1), words))
    return Markup('<g class="tags">{}</g>').format(Markup("").join(parts)) if parts else Markup("")


def names(series: Sequence[Series]) -> Markup:
    """The series by name with their marks, above the drawing; none where a single series needs no telling apart."""
    if len(series) < 2:
        return Markup("")
    entries = []
    for one, (cls, drawn) in zip(series, looks(series), strict=True):
        symbol = Markup('<svg class="point {}" width="11" height="11" viewBox="0 0 10 10" aria-hidden="true">{}</svg>')
        entries.append(
            Markup('<li><span class="series {}">{}{}</span></li>').format(cls, symbol.format(cls, drawn), one.name)
        )
    return Markup('<ul class="legend" aria-label="Series">{}</ul>').format(Markup("").join(entries))
