"""Line and scatter charts as inline SVG, each with a title, a description and its data table beside it.

Pure functions: values in, ``Markup`` out. The drawing is 480 × 290 units and scales with its column; colours and
dashes come from classes, so they follow the reader's theme. A series with a role looks as that role does everywhere;
others (sizes, settings) share one hue that no role has, from weak to strong, and are named at the end of their line.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from render.kit import Bar, Cell, Col, bars, table
from render.marks import SHAPES, caption
from render.numbers import number_text

WIDTH, HEIGHT = 480, 290
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 12, 48

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
class _Scale:
    low: float
    high: float
    log: bool
    start: float
    end: float

    def __call__(self, value: float) -> float:
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = math.log(low), math.log(high), math.log(value)
        share = (at - low) / (high - low) if high > low else 0.5
        return round(self.start + share * (self.end - self.start), 1)


def _scale(axis: Axis, values: Sequence[float], start: float, end: float) -> _Scale:
    low = axis.low if axis.low is not None else min(values)
    high = axis.high if axis.high is not None else max(values)
    if axis.log and low <= 0:
        raise ValueError(f"axis “{axis.label}”: a logarithmic axis from {low}; it must start above 0")
    if low > high:
        raise ValueError(f"axis “{axis.label}”: starts at {low}, ends at {high}")
    return _Scale(low, high, axis.log, start, end)


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


def _log_ticks(values: Sequence[float]) -> list[float]:
    """On a logarithmic axis the measured positions, thinned so that labels keep apart."""
    kept: list[float] = []
    for value in sorted(set(values)):
        if not kept or value / kept[-1] >= 1.5:
            kept.append(value)
    return kept


def _tick_text(value: float, digits: int | None) -> str:
    return number_text(value, digits)


def _frame(x: Axis, y: Axis, sx: _Scale, sy: _Scale, xs: Sequence[float], right: float = WIDTH - RIGHT) -> Markup:
    x_ticks = list(x.ticks) or (_log_ticks(xs) if x.log else ticks(sx.low, sx.high))
    y_ticks = list(y.ticks) or (_log_ticks([sy.low, sy.high]) if y.log else ticks(sy.low, sy.high))
    parts = []
    for tick in y_ticks:
        at = sy(tick)
        parts.append(Markup('<path class="grid" d="M{} {}H{}"></path>').format(LEFT, at, right))
        parts.append(_text(LEFT - 8, at + 4, "end", _tick_text(tick, y.digits)))
    base = HEIGHT - BOTTOM
    parts.append(Markup('<path class="axis" d="M{} {}H{}"></path>').format(LEFT, base, right))
    for tick in x_ticks:
        at = sx(tick)
        parts.append(Markup('<path class="axis" d="M{} {}V{}"></path>').format(at, base, base + 5))
        parts.append(_text(at, base + 19, "middle", _tick_text(tick, x.digits)))
    parts.append(_text((LEFT + right) / 2, HEIGHT - 8, "middle", x.label))
    return Markup("").join(parts)


def _text(x: float, y: float, anchor: str, text: str) -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(round(x, 1), round(y, 1), anchor, text)


def _looks(series: Sequence[Series]) -> list[tuple[str, Markup]]:
    """(class, mark) of each series: its role's, or its place among those without one, spread from weak to strong."""
    free = sum(1 for one in series if not one.role)
    looks, seen = [], 0
    for one in series:
        if one.role:
            looks.append((one.role, Markup(SHAPES[one.role if one.role in SHAPES else "dense"])))
            continue
        step = (round(seen * 5 / (free - 1)) if free > 1 else 5) % len(_STEPS)
        looks.append((f"s{step + 1}", Markup(_STEPS[step])))
        seen += 1
    return looks


def _points(series: Series, look: tuple[str, Markup], sx: _Scale, sy: _Scale) -> Markup:
    return Markup("").join(_symbol(look, sx(px) - 4.5, sy(py) - 4.5) for px, py in series.points)


def _symbol(look: tuple[str, Markup], x: float, y: float) -> Markup:
    return Markup('<svg class="point {}" x="{}" y="{}" width="9" height="9" viewBox="0 0 10 10">{}</svg>').format(
        look[0], round(x, 1), round(y, 1), look[1]
    )


def _line(series: Series, look: tuple[str, Markup], sx: _Scale, sy: _Scale) -> Markup:
    path = "M" + "L".join(f"{sx(px)} {sy(py)}" for px, py in series.points)
    return Markup('<path class="line {}" d="{}"></path>').format(look[0], path)


@dataclass(frozen=True)
class _Tag:
    """The name of a series beside the end of its line, broken into short lines."""

    lines: Sequence[str]
    series: Series

    @property
    def height(self) -> float:
        return 14.0 * len(self.lines) + 4


def _tags(series: Sequence[Series]) -> list[_Tag]:
    """Names to print beside the lines: those of series without a role, where there are several to tell apart."""
    free = [one for one in series if not one.role]
    if len(free) < 2:
        return []
    tags = []
    for one in free:
        lines = textwrap.wrap(one.name, 12, break_long_words=False)
        tags.append(_Tag(lines if len(lines) < 3 else textwrap.wrap(one.name, 16, break_long_words=False), one))
    return tags


def _margin(tags: Sequence[_Tag]) -> float:
    """Room on the right for the names, in drawing units, enough for the larger letters of narrow screens."""
    return max((20 + 7.4 * len(line) for tag in tags for line in tag.lines), default=RIGHT)


def _order(series: Series, sy: _Scale) -> tuple[int, float]:
    """From top to bottom by the end of the line; lines that end close together by their course."""
    heights = [sy(y) for _, y in series.points]
    return int(heights[-1] // 15), sum(heights) / len(heights)


def _draw_tags(tags: Sequence[_Tag], right: float, sx: _Scale, sy: _Scale) -> Markup:
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
        for i, line in enumerate(tag.lines):
            text = Markup('<text class="tag" x="{}" y="{}">{}</text>')
            parts.append(text.format(round(right + 8, 1), round(top + 13 + 14 * i, 1), line))
    return Markup("").join(parts)


def _names(series: Sequence[Series]) -> Markup:
    """The series by name with their marks, above the drawing; none where a single series needs no telling apart."""
    if len(series) < 2:
        return Markup("")
    entries = []
    for one, (cls, drawn) in zip(series, _looks(series), strict=True):
        symbol = Markup('<svg class="point {}" width="11" height="11" viewBox="0 0 10 10" aria-hidden="true">{}</svg>')
        entries.append(
            Markup('<li><span class="series {}">{}{}</span></li>').format(cls, symbol.format(cls, drawn), one.name)
        )
    return Markup('<ul class="legend" aria-label="Series">{}</ul>').format(Markup("").join(entries))


def _drawing(title: str, desc: str, inner: Markup) -> Markup:
    """The SVG, named and described without ids, so that one chart may stand twice on a page."""
    return Markup(
        '<svg class="drawing" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" aria-label="{title}. {desc}">'
        "<title>{title}</title><desc>{desc}</desc>{inner}</svg>"
    ).format(w=WIDTH, h=HEIGHT, title=title, desc=desc, inner=inner)


def _figure(title: str, y_label: str, names: Markup, drawing: Markup, data: Markup, note: str | Markup) -> Markup:
    return Markup(
        '<figure class="chart"><p class="chart-title">{}</p>{}<p class="chart-y">{}</p>{}'
        '<details class="chart-data"><summary>Data table</summary>{}</details>{}</figure>'
    ).format(title, names, y_label, drawing, data, caption(note))


def _check(series: Sequence[Series], title: str) -> None:
    if not series or any(not s.points for s in series):
        raise ValueError(f"chart “{title}”: a series without points")


def line_chart(
    series: Sequence[Series],
    *,
    title: str,
    desc: str,
    x: Axis,
    y: Axis,
    note: str | Markup = "",
) -> Markup:
    """Lines over a common x, with the same values in a table.

    Example: ``line_chart([Series("with the policy", [(10, .6), (40, .83)], "approx")], title="Recall@10 by ef_search",
    desc="Recall rises with ef_search and stays below exact search.", x=Axis("ef_search", log=True),
    y=Axis("recall@10", 2, low=0, high=1))``

    Raises ``ValueError`` for an empty series or a logarithmic axis that reaches 0.
    """
    _check(series, title)
    xs = [px for s in series for px, _ in s.points]
    ys = [py for s in series for _, py in s.points]
    tags = _tags(series)
    right = round(WIDTH - _margin(tags), 1)
    sx = _scale(x, xs, LEFT + 10, right - 10)
    sy = _scale(y, ys, HEIGHT - BOTTOM, TOP)
    looks = zip(series, _looks(series), strict=True)
    marks = Markup("").join(_line(s, look, sx, sy) + _points(s, look, sx, sy) for s, look in looks)
    drawing = _drawing(title, desc, _frame(x, y, sx, sy, xs, right) + _draw_tags(tags, right, sx, sy) + marks)
    return _figure(title, y.label, _names(series), drawing, _wide_table(series, title, x, y), note)


def _wide_table(series: Sequence[Series], title: str, x: Axis, y: Axis) -> Markup:
    """One row per x, one column per series; a series without that x reads "none"."""
    lookup = [dict(s.points) for s in series]
    rows: list[list[Cell]] = []
    for at in sorted({px for values in lookup for px in values}):
        rows.append([_tick_text(at, x.digits), *(values.get(at) for values in lookup)])
    cols = [Col(x.label), *(Col(s.name, y.digits, numeric=True) for s in series)]
    return table(cols, rows, title=f"{title}: {y.label}")


def scatter(
    series: Sequence[Series],
    *,
    title: str,
    desc: str,
    x: Axis,
    y: Axis,
    note: str | Markup = "",
) -> Markup:
    """Points without lines (a projection, a cost against a gain), a shape a series, with the values in a table."""
    _check(series, title)
    xs = [px for s in series for px, _ in s.points]
    ys = [py for s in series for _, py in s.points]
    sx = _scale(x, xs, LEFT + 10, WIDTH - RIGHT - 10)
    sy = _scale(y, ys, HEIGHT - BOTTOM, TOP)
    looks = zip(series, _looks(series), strict=True)
    marks = Markup("").join(_points(s, look, sx, sy) for s, look in looks)
    drawing = _drawing(title, desc, _frame(x, y, sx, sy, xs) + marks)
    rows: list[list[Cell]] = [[s.name, px, py] for s in series for px, py in s.points]
    columns = [Col("series"), Col(x.label, x.digits, numeric=True), Col(y.label, y.digits, numeric=True)]
    return _figure(title, y.label, _names(series), drawing, table(columns, rows, title=title), note)


_OPTIONS = {
    "kind", "x", "y", "series", "title", "desc", "note", "roles", "maximum", "digits", "unit", "interval",
    "x_label", "y_label", "x_digits", "x_log", "y_log", "x_low", "x_high", "y_low", "y_high",
}  # fmt: skip


def chart(rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any], ident: str) -> Markup:
    """A chart of flat records, as the ``{chart}`` directive asks for it.

    ``options``: kind (line, scatter or bars), x (key), y (key, or a list of keys: a series each), title; for lines
    and points also desc (what the drawing shows, in a sentence), series (key whose values name the series),
    x_label, y_label, x_log, y_log, x_digits, digits (of y), x_low, x_high, y_low, y_high; for bars maximum, unit,
    interval ([low key, high key]); for all roles ({series or label: role}) and note.

    ``ident`` is a prefix for ids; the drawing needs none today.

    Raises ``ValueError`` with a sentence for an unknown or missing option and for a column the rows do not have.
    """
    unknown = sorted(set(options) - _OPTIONS)
    if unknown:
        raise ValueError(f"a chart has no option {unknown[0]!r}; it has {', '.join(sorted(_OPTIONS))}")
    for name in ("kind", "x", "y", "title"):
        if not options.get(name):
            raise ValueError(f"a chart needs {name!r}")
    kind = options["kind"]
    if kind == "bars":
        return _bars_of(rows, options)
    if kind not in ("line", "scatter"):
        raise ValueError(f"no chart of kind {kind!r}; there are line, scatter and bars")
    if not options.get("desc"):
        raise ValueError("a drawing needs 'desc': one sentence that says what it shows")
    draw = line_chart if kind == "line" else scatter
    x = _axis(options, "x", options["x"], options.get("x_digits"))
    y = _axis(options, "y", "" if isinstance(options["y"], list) else options["y"], options.get("digits"))
    text = {"title": str(options["title"]), "desc": str(options["desc"]), "note": str(options.get("note", ""))}
    return draw(_series_of(rows, options), x=x, y=y, **text)


def _axis(options: Mapping[str, Any], name: str, key: str, digits: int | None) -> Axis:
    label = str(options.get(f"{name}_label", key.replace("_", " ")))
    low, high = options.get(f"{name}_low"), options.get(f"{name}_high")
    return Axis(label, digits, low, high, bool(options.get(f"{name}_log")))


def _value(row: Mapping[str, Any], key: str) -> float:
    value = row.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"column {key!r} holds {value!r}, no number; the rows have {', '.join(row)}")
    return value


def _series_of(rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> list[Series]:
    """One series a y key, or one a value of the ``series`` column, in the order of first appearance."""
    roles = options.get("roles") or {}
    keys = options["y"] if isinstance(options["y"], list) else [options["y"]]
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        for key in keys:
            name = str(row.get(options["series"], "")) if options.get("series") else key.replace("_", " ")
            if row.get(key) is not None:
                found.setdefault(name, []).append((_value(row, options["x"]), _value(row, key)))
    ordered = options["kind"] == "line"
    return [Series(n, sorted(pts) if ordered else pts, str(roles.get(n, ""))) for n, pts in found.items()]


def _bars_of(rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Markup:
    roles = options.get("roles") or {}
    low, high = options.get("interval") or ("", "")
    entries = []
    for row in rows:
        label = str(row.get(options["x"], ""))
        span = (_value(row, low), _value(row, high)) if low and high else None
        entries.append(Bar(label, _value(row, options["y"]), str(roles.get(label, "")), span))
    return bars(
        entries,
        title=str(options["title"]),
        unit=str(options.get("unit", "")),
        digits=options.get("digits"),
        maximum=options.get("maximum"),
        note=str(options.get("note", "")),
    )
