"""The chart view: lines, points or bars over captured records, as named series or one per key or value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.views.chart_options import OPTIONS, chart
from render.views.option_forms import Form
from render.views.view import Asked, View
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
    rows: list[dict[str, Any]] = []
    roles: dict[str, str] = {}
    for entry in options["series"]:
        if not isinstance(entry, Mapping) or "name" not in entry or not set(entry) <= set(_SERIES):
            raise ValueError(f"{entry!r} is no series: expected {{{', '.join(_SERIES)}}}")
        name = plain(asked.teller.text(str(entry["name"])))
        roles[name] = str(entry.get("role", ""))
        x, y = (str(entry.get(axis) or options.get(axis, "")) for axis in ("x", "y"))
        for node in asked.teller.bound.records(str(entry.get("of") or asked.selector)):
            point = asked.teller.at(node).bound
            rows.append({"series": name, "x": point.value(x), "y": point.value(y)})
    labels = {"x_label": options.get("x", "x"), "y_label": options.get("y", "y")}
    return rows, {**labels, **options, "x": "x", "y": "y", "series": "series", "roles": roles}


def _needs_records(value: Any) -> bool:
    return isinstance(value, str | list)


CHART = View(
    "chart", "Lines, points or bars over captured records, with their table.", "records",
    {**OPTIONS, "series": Form("a key, or a list of {name, of, x, y, role}", _needs_records)}, _chart,
)  # fmt: skip
