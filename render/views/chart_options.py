"""A chart as the ``{chart}`` directive asks for it: flat records and named options to lines, points or bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.views.axes import Axis
from render.views.chart import Series, line_chart, scatter
from render.views.kit import Bar, bars
from render.views.option_forms import DIGITS, KEY, KEYS, MAPPING, NUMBER, PAIR, TEXT, TRUTH, Form, fitting

OPTIONS: Mapping[str, Form] = {
    "x": KEY, "y": KEYS, "series": KEY, "interval": PAIR, "roles": MAPPING,
    **dict.fromkeys(("kind", "title", "desc", "note", "unit", "x_label", "y_label"), TEXT),
    **dict.fromkeys(("maximum", "x_low", "x_high", "y_low", "y_high"), NUMBER),
    **dict.fromkeys(("digits", "x_digits"), DIGITS),
    **dict.fromkeys(("x_log", "y_log"), TRUTH),
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
    unknown = sorted(set(options) - OPTIONS.keys())
    if unknown:
        raise ValueError(f"a chart has no option {unknown[0]!r}; it has {', '.join(sorted(OPTIONS))}")
    options = fitting(options, OPTIONS)
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
    x, y = axis(options, "x"), axis(options, "y")
    text = {"title": str(options["title"]), "desc": str(options["desc"]), "note": str(options.get("note", ""))}
    return draw(grouped(rows, options), x=x, y=y, **text)


def axis(options: Mapping[str, Any], name: str) -> Axis:
    """The axis ``x`` or ``y`` of a chart's options: its label (else its key), ends, digits and scale."""
    key = options.get(name, "")
    label = str(options.get(f"{name}_label", "" if isinstance(key, list) else str(key).replace("_", " ")))
    digits = options.get("digits" if name == "y" else "x_digits")
    low, high = options.get(f"{name}_low"), options.get(f"{name}_high")
    return Axis(label, digits, low, high, bool(options.get(f"{name}_log")))


def _value(row: Mapping[str, Any], key: str) -> float:
    value = row.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"column {key!r} holds {value!r}, no number; the rows have {', '.join(row)}")
    return value


def grouped(rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> list[Series]:
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
