"""The chart view: lines, points or bars over captured records, as named series or one per key or value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.views.chart_options import OPTIONS, chart
from render.views.option_forms import Form
from render.views.series import Series
from render.views.view import Asked, View, as_number
from render.views.wording import Teller, plain

_TEXTS = ("title", "desc", "note", "unit", "x_label", "y_label")
_SERIES = ("name", "of", "x", "y", "role")


def _chart(asked: Asked) -> Markup:
    options = {**asked.options}
    for name in _TEXTS:
        if name in options:
            options[name] = asked.plain(name)
    options.pop("when", None)
    if isinstance(options.get("series"), list):
        rows, options = _listed(asked, options)
    else:
        rows = [_flat(row.teller, _keys(options)) for row in asked.rows]
    return chart(rows, options, "chart")


def _keys(options: Mapping[str, Any]) -> list[str]:
    """The values of a record that a chart reads."""
    named = [options.get("x"), *_many(options.get("y")), options.get("series"), *_many(options.get("interval"))]
    return [str(name) for name in named if name]


def _many(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _flat(teller: Teller, keys: Sequence[str]) -> dict[str, Any]:
    """The record by exactly these keys; what a record has not is left out."""
    bound = teller.bound
    return {key: bound.value(key) for key in keys if not key.isidentifier() or bound.knows(key)}


def _listed(asked: Asked, options: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows of series that are written out, each over its own records, under the keys "x", "y" and "series"."""
    every = series_of(asked)
    rows = [{"series": one.name, "x": x, "y": y} for one in every for x, y in one.points]
    labels = {"x_label": options.get("x", "x"), "y_label": options.get("y", "y")}
    roles = {one.name: one.role for one in every}
    return rows, {**labels, **options, "x": "x", "y": "y", "series": "series", "roles": roles}


def series_of(asked: Asked) -> list[Series]:
    """The series that are written out as ``{name, of, x, y, role}``; what is left out is that of the view."""
    return [_series(asked, entry) for entry in asked.options["series"]]


def _series(asked: Asked, entry: Any) -> Series:
    if not isinstance(entry, Mapping) or "name" not in entry or not set(entry) <= set(_SERIES):
        raise ValueError(f"{entry!r} is no series: expected {{{', '.join(_SERIES)}}}")
    x, y = (str(entry.get(axis) or asked.options.get(axis, "")) for axis in ("x", "y"))
    points = []
    for node in asked.teller.bound.records(str(entry.get("of") or asked.selector)):
        bound = asked.teller.at(node).bound
        points.append((as_number(bound.value(x), x), as_number(bound.value(y), y)))
    return Series(plain(asked.teller.text(str(entry["name"]))), points, str(entry.get("role", "")))


def _needs_records(value: Any) -> bool:
    return isinstance(value, str | list)


CHART = View(
    "chart", "Lines, points or bars over captured records, with their table.", "records",
    {**OPTIONS, "series": Form("a key, or a list of {name, of, x, y, role}", _needs_records)}, _chart,
)  # fmt: skip
