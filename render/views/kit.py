"""Parts of a figure as pure functions from captured values to HTML: tables, bars, ranks, slots, legends.

Every function returns ``Markup`` that is complete without script, keeps to phrasing and flow rules (explicit end
tags and ``<tbody>``), and carries no inline style: sizes are SVG attributes, looks are classes of ``site.css``.
Marks and their legend come from ``render.views.marks`` and are at hand here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from render.views.kinds.rank_flow import Rank, rank_list
from render.views.marks import ROLES, caption, class_attribute, data, legend, mark, shape

__all__ = [
    "ROLES",
    "Bar",
    "Cell",
    "Col",
    "Rank",
    "Slot",
    "arithmetic",
    "bars",
    "data",
    "excerpt",
    "heat",
    "legend",
    "mark",
    "pair",
    "rank_list",
    "shape",
    "slots",
    "stats",
    "table",
]

Cell = str | int | float | Markup | None

#: Labels of rows up to this many characters stay on one line.
SHORT_LABEL = 16


@dataclass(frozen=True)
class Col:
    """A column: its heading, the digits of its numbers (``None``: as they are) and a unit for the heading.

    ``numeric`` aligns to the end in the figures' face; a column given ``digits`` is numeric by itself.
    """

    label: str
    digits: int | None = None
    unit: str = ""
    numeric: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether the cells of the column are set as numbers."""
        return self.numeric or self.digits is not None


def _cell(value: Cell, column: Col, *, head: bool) -> Markup:
    if value is None:
        inner: Markup | str = Markup('<span class="note-inline">none</span>')
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        inner = data(value, None if isinstance(value, int) else column.digits)
    else:
        inner = escape(value)
    tag = "th" if head else "td"
    attributes = Markup(' scope="row"') if head else Markup("")
    if head and not column.is_numeric:
        attributes += _short(value)
    if column.is_numeric:
        attributes += Markup(' class="num-cell"')
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(tag), attributes, inner)


def _short(label: Cell) -> Markup:
    """The class that keeps a short label of a row on one line, so that rows of one table stay equally high."""
    plain = Markup(label).striptags() if isinstance(label, Markup) else str(label)
    return class_attribute("short" if len(plain) <= SHORT_LABEL else "")


def table(
    columns: Sequence[str | Col],
    rows: Sequence[Sequence[Cell]],
    *,
    title: str,
    note: str | Markup = "",
    row_classes: Sequence[str] = (),
) -> Markup:
    """A table in a scrollable region; the first cell heads its row. ``None`` prints as the word "none".

    ``row_classes`` gives each row a class: a role, or ``is-on`` for the row that a step is about.

    >>> str(table(["list", Col("recall", 2)], [["dense", 0.5]], title="Recall"))[:22]
    '<figure class="table">'
    """
    cols = [column if isinstance(column, Col) else Col(column) for column in columns]
    for row in rows:
        if len(row) != len(cols):
            raise ValueError(f"table “{title}”: a row of {len(row)} cells under {len(cols)} columns")
    head = Markup("").join(_head(column) for column in cols)
    body = Markup("").join(
        _row(row, cols, row_classes[i] if i < len(row_classes) else "") for i, row in enumerate(rows)
    )
    return Markup(
        '<figure class="table"><div class="table-scroll" tabindex="0" role="region" aria-label="{0}">'
        "<table><caption>{0}</caption><thead><tr>{1}</tr></thead><tbody>{2}</tbody></table></div>{3}</figure>"
    ).format(title, head, body, caption(note))


def _head(column: Col) -> Markup:
    unit = Markup(' <span class="unit">({})</span>').format(column.unit) if column.unit else Markup("")
    numeric = Markup(' class="num-cell"') if column.is_numeric else Markup("")
    return Markup('<th scope="col"{}>{}{}</th>').format(numeric, column.label, unit)


def _row(row: Sequence[Cell], cols: Sequence[Col], cls: str) -> Markup:
    cells = Markup("").join(_cell(v, c, head=i == 0) for i, (v, c) in enumerate(zip(row, cols, strict=True)))
    return Markup("<tr{}>{}</tr>").format(class_attribute(cls), cells)


@dataclass(frozen=True)
class Bar:
    """One bar: its label (text or a ``mark``), value, role, and optionally an interval and a remark.

    ``digits`` overrides the digits of the whole figure for this bar.
    """

    label: str | Markup
    value: float
    role: str = ""
    interval: tuple[float, float] | None = None
    remark: str = ""
    digits: int | None = None


def bars(
    entries: Sequence[Bar],
    *,
    title: str,
    unit: str = "",
    digits: int | None = None,
    maximum: float | None = None,
    note: str | Markup = "",
) -> Markup:
    """Horizontal bars on one scale from 0 to ``maximum`` (default: the largest value), as a table that is its own data.

    Values are non-negative. An interval is drawn as a whisker and printed behind its value.

    Example: ``bars([Bar(mark("lexical"), 0.71, "lexical")], title="Recall@10", digits=2, maximum=1)``
    """
    tops = [entry.interval[1] if entry.interval else entry.value for entry in entries]
    top = maximum if maximum is not None else max([*tops, 0.0])
    if any(entry.value < 0 for entry in entries):
        raise ValueError(f"bars “{title}”: a negative value; use line_chart or table")
    rows = Markup("").join(_bar_row(entry, top or 1.0, digits, unit) for entry in entries)
    return Markup(
        '<figure class="bars table"><div class="table-scroll" tabindex="0" role="region" aria-label="{0}"><table>'
        '<caption>{0}</caption><thead class="visually-hidden"><tr><th scope="col">What</th><th scope="col">Bar</th>'
        '<th scope="col">Value</th></tr></thead><tbody>{1}</tbody></table></div>{2}</figure>'
    ).format(title, rows, caption(note))


def _bar_row(entry: Bar, top: float, digits: int | None, unit: str) -> Markup:
    digits = digits if entry.digits is None else entry.digits
    width = round(200 * min(1.0, entry.value / top), 2)
    whisker = Markup("")
    interval = Markup("")
    if entry.interval:
        low, high = (round(200 * min(1.0, max(0.0, end / top)), 2) for end in entry.interval)
        whisker = Markup('<path class="whisker" d="M{0} 8H{1}M{0} 4V12M{1} 4V12"></path>').format(low, high)
        interval = Markup(' <span class="interval">[{}, {}]</span>').format(
            data(entry.interval[0], digits), data(entry.interval[1], digits)
        )
    svg = Markup(
        '<svg viewBox="0 0 200 16" width="200" height="16" preserveAspectRatio="none" aria-hidden="true" '
        'focusable="false"><rect class="bar-base" x="0" y="0" width="200" height="16"></rect>'
        '<rect class="fill {}" x="0" y="2" width="{}" height="12"></rect>{}</svg>'
    ).format(entry.role, width, whisker)
    remark = Markup(' <span class="note-inline">{}</span>').format(entry.remark) if entry.remark else Markup("")
    return Markup(
        '<tr><th scope="row"{}>{}{}</th><td class="bar-cell">{}</td><td class="num-cell">{}{}</td></tr>'
    ).format(_short(entry.label), entry.label, remark, svg, data(entry.value, digits, unit), interval)


@dataclass(frozen=True)
class Slot:
    """A place in a candidate list: a role (``permitted``, ``discarded`` …), or ``empty`` where nothing came."""

    state: str
    label: str = ""


#: Up to this many slots are printed as boxes with labels; more are drawn as small cells.
LABELLED_SLOTS = 40


def slots(entries: Sequence[Slot], *, title: str, note: str | Markup = "") -> Markup:
    """A candidate list place by place, the discarded and the empty ones left visibly so, with the count of each.

    Example: ``slots([Slot("permitted", "rfc8446:0012"), Slot("discarded"), Slot("empty")], title="The index's ten")``
    """
    counts = {state: sum(1 for entry in entries if entry.state == state) for state in _states(entries)}
    said = Markup("").join(
        Markup("<li>{} {}</li>").format(mark(state) if state in ROLES else Markup("<span>empty</span>"), data(count))
        for state, count in counts.items()
    )
    drawn = _slot_boxes(entries) if len(entries) <= LABELLED_SLOTS else _slot_cells(entries, title)
    return Markup(
        '<figure class="slots"><p class="pair-title">{}</p>{}<ul class="legend" aria-label="Count of each">{}</ul>{}'
        "</figure>"
    ).format(title, drawn, said, caption(note))


def _states(entries: Sequence[Slot]) -> list[str]:
    order = [*ROLES, "empty"]
    return sorted({entry.state for entry in entries}, key=order.index)


def _slot_boxes(entries: Sequence[Slot]) -> Markup:
    boxes = Markup("").join(
        Markup('<li class="slot {}"><span class="slot-n"><span>{}</span>{}</span><span>{}</span></li>').format(
            entry.state,
            place,
            shape(entry.state) if entry.state in ROLES else "",
            entry.label or ROLES.get(entry.state, "empty"),
        )
        for place, entry in enumerate(entries, start=1)
    )
    return Markup('<ol class="slot-list">{}</ol>').format(boxes)


def _slot_cells(entries: Sequence[Slot], title: str) -> Markup:
    """Small cells, forty a row: a filled one was permitted, a hollow one was thrown away or never came."""
    parts = []
    for i, entry in enumerate(entries):
        x, y = 10 * (i % 40), 12 * (i // 40)
        cell = Markup('<rect class="fill {}" x="{}" y="{}" width="8" height="10"></rect>')
        parts.append(cell.format(entry.state, x + 1, y + 1))
    height = 12 * ((len(entries) + 39) // 40)
    return Markup(
        '<svg class="cells" viewBox="0 0 400 {0}" width="400" height="{0}" role="img" aria-label="{1}">'
        "<title>{1}</title>{2}</svg>"
    ).format(height, title, Markup("").join(parts))


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    *,
    title: str,
    digits: int = 2,
    mark_row_max: bool = False,
    note: str | Markup = "",
) -> Markup:
    """A matrix as a table shaded in four steps of the dense colour; the numbers stay in the cells.

    ``mark_row_max`` outlines the largest value of each row (MaxSim). Shape: ``len(rows)`` × ``len(columns)``.
    """
    low = min(min(row) for row in values)
    high = max(max(row) for row in values)
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(column) for column in columns)
    body = Markup("").join(
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            name, Markup("").join(_heat_cell(v, low, high, digits, mark_row_max and v == max(row)) for v in row)
        )
        for name, row in zip(rows, values, strict=True)
    )
    return Markup(
        '<figure class="table heat"><div class="table-scroll" tabindex="0" role="region" aria-label="{0}"><table>'
        "<caption>{0}</caption><thead><tr><td></td>{1}</tr></thead><tbody>{2}</tbody></table></div>{3}</figure>"
    ).format(title, head, body, caption(note))


def _heat_cell(value: float, low: float, high: float, digits: int, is_max: bool) -> Markup:
    level = round(4 * (value - low) / (high - low)) if high > low else 0
    cls = f"h{level}" + (" is-max" if is_max else "")
    return Markup('<td class="{}">{}</td>').format(cls, data(value, digits))


def pair(left: Markup, right: Markup, *, titles: tuple[str | Markup, str | Markup]) -> Markup:
    """Two figures side by side on one scale (stacked on a narrow screen): the failure and its control.

    Example: ``pair(slots(a, title="…"), slots(b, title="…"), titles=("without the policy", "with the policy"))``
    """
    return Markup(
        '<div class="pair pair--titled"><div><p class="pair-title">{}</p><div>{}</div></div>'
        '<div><p class="pair-title">{}</p><div>{}</div></div></div>'
    ).format(titles[0], left, titles[1], right)


def stats(entries: Sequence[tuple[str, Markup | str, str]]) -> Markup:
    """A few large values with their names: ``stats([("recall@10", data(0.83, 2), "approx")])`` (label, value, role)."""
    cells = Markup("").join(
        Markup("<div><dt>{}{}</dt><dd{}>{}</dd></div>").format(
            shape(role) + Markup(" ") if role in ROLES else "", label, class_attribute(role), value
        )
        for label, value, role in entries
    )
    return Markup('<dl class="stats">{}</dl>').format(cells)


def arithmetic(value: Markup | str, expression: str) -> Markup:
    """A derived value that opens to its arithmetic: ``arithmetic(data(0.0325, 4), "1/(60+1) + 1/(60+2)")``.

    Flow content (a ``<details>``): use it in cells and bodies, not inside a paragraph.
    """
    return Markup('<details class="arith"><summary>{}</summary><code>= {}</code></details>').format(value, expression)


def excerpt(text: str, *, title: str, url: str, licence: str, place: str = "", role: str = "") -> Markup:
    """A short quotation of a source with its title, address and licence. Longer than 300 characters is an error."""
    if len(text) > 300:
        raise ValueError(f"an excerpt of {len(text)} characters from {title}; at most 300 may be quoted")
    where = Markup(", {}").format(place) if place else Markup("")
    return Markup(
        '<figure class="excerpt{}"><blockquote><p>{}</p></blockquote>'
        '<figcaption><a href="{}">{}</a>{}. Licence: {}</figcaption></figure>'
    ).format(f" {role}" if role else "", text, url, title, where, licence)
