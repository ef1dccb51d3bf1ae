"""Line and scatter charts as inline SVG, each with a title, a description and its data table beside it.

Pure functions: values in, ``Markup`` out. The drawing scales with its column (``render.views.axes`` has its measures);
colours and dashes come from classes, so they follow the reader's theme.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from render.numbers import number_text
from render.views.axes import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Axis, Scale, frame, scale, text, ticks
from render.views.kit import Cell, Col, table
from render.views.marks import caption
from render.views.series import TAGS, Series, draw_tags, line, looks, names, points, tags

__all__ = ["Axis", "Series", "line_chart", "scatter", "ticks"]


def _drawing(title: str, desc: str, inner: Markup, tagged: bool = False) -> Markup:
    """The SVG, named and described without ids, so that one chart may stand twice on a page."""
    return Markup(
        '<div class="plot{tagged}"><svg class="drawing" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
        'aria-label="{title}. {desc}">'
        "<title>{title}</title><desc>{desc}</desc>{inner}</svg></div>"
    ).format(tagged=" plot--tagged" if tagged else "", w=WIDTH, h=HEIGHT, title=title, desc=desc, inner=inner)


def _figure(title: str, y_label: str, legend: Markup, drawing: Markup, data: Markup, note: str | Markup) -> Markup:
    return Markup(
        '<figure class="chart"><p class="chart-title">{}</p>{}<p class="chart-y">{}</p>{}'
        '<details class="chart-data"><summary>Data table</summary>{}</details>{}</figure>'
    ).format(title, legend, y_label, drawing, data, caption(note))


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
    cut: tuple[float, str] | None = None,
) -> Markup:
    """Lines over a common x, with the same values in a table.

    Example: ``line_chart([Series("with the policy", [(10, .6), (40, .83)], "approx")], title="Recall@10 by ef_search",
    desc="Recall rises with ef_search and stays below exact search.", x=Axis("ef_search", log=True),
    y=Axis("recall@10", 2, low=0, high=1))``

    ``cut`` draws an upright at a value of x with a word to it, such as a threshold; what lies beyond it is shaded.

    Raises ``ValueError`` for an empty series or a logarithmic axis that reaches 0.
    """
    _check(series, title)
    xs = [px for s in series for px, _ in s.points]
    ys = [py for s in series for _, py in s.points]
    ends = tags(series)
    right = WIDTH - (TAGS if ends else RIGHT)
    sx = scale(x, xs, LEFT + 10, right - 10)
    sy = scale(y, ys, HEIGHT - BOTTOM, TOP)
    drawn = zip(series, looks(series), strict=True)
    marks = Markup("").join(line(s, look, sx, sy) + points(s, look, sx, sy) for s, look in drawn)
    behind = _cut(cut, sx, right) + frame(x, y, sx, sy, xs, right)
    drawing = _drawing(title, desc, behind + draw_tags(ends, right, sx, sy) + marks, bool(ends))
    return _figure(title, y.label, names(series), drawing, _wide_table(series, title, x, y), note)


def _cut(cut: tuple[float, str] | None, sx: Scale, right: float) -> Markup:
    """The threshold: what lies beyond it shaded, an upright, and its word on the side with more room."""
    if cut is None:
        return Markup("")
    at, base = sx(cut[0]), HEIGHT - BOTTOM
    beyond = Markup('<rect class="beyond" x="{0}" y="{1}" width="{2}" height="{3}"></rect>').format(
        at, TOP, round(right - at, 1), base - TOP
    )
    upright = Markup('<path class="cut" d="M{} {}V{}"></path>').format(at, TOP, base + 5)
    on_left = at > (LEFT + right) / 2
    word = text(at + 4 if on_left else at - 4, TOP - 4, "end" if on_left else "start", cut[1])
    return beyond + upright + Markup('<g class="cut-word">{}</g>').format(word)


def _wide_table(series: Sequence[Series], title: str, x: Axis, y: Axis) -> Markup:
    """One row per x, one column per series; a series without that x reads "none"."""
    lookup = [dict(s.points) for s in series]
    rows: list[list[Cell]] = []
    for at in sorted({px for values in lookup for px in values}):
        rows.append([number_text(at, x.digits), *(values.get(at) for values in lookup)])
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
    sx = scale(x, xs, LEFT + 10, WIDTH - RIGHT - 10)
    sy = scale(y, ys, HEIGHT - BOTTOM, TOP)
    marks = Markup("").join(points(s, look, sx, sy) for s, look in zip(series, looks(series), strict=True))
    drawing = _drawing(title, desc, frame(x, y, sx, sy, xs) + marks)
    rows: list[list[Cell]] = [[s.name, px, py] for s in series for px, py in s.points]
    columns = [Col("series"), Col(x.label, x.digits, numeric=True), Col(y.label, y.digits, numeric=True)]
    return _figure(title, y.label, names(series), drawing, table(columns, rows, title=title), note)
