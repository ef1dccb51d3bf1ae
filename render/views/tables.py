"""The ``{table}`` directive: chosen columns of captured records, each number with its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from render.numbers import number_text, percent_text, unit_text
from render.reading.library import dataset_ref, pick
from render.reading.source import Dataset
from render.views.figures import data_value
from render.views.option_forms import COUNT, DIGITS, KEY, LIST, MAPPING, TEXT, TRUTH, fitting
from render.views.rows import Row, columns_of, heading

MOST_ROWS = 60
OPTIONS = {"columns": LIST, "caption": TEXT, "where": MAPPING, "limit": COUNT}
COLUMN = {"key": KEY, "label": TEXT, "digits": DIGITS, "unit": TEXT, "percent": TRUTH}


@dataclass(frozen=True)
class Column:
    """One column of a table: which key, how it is headed and how its numbers print."""

    key: str
    label: str
    digits: int | None = None
    unit: str = ""
    percent: bool = False

    @classmethod
    def read(cls, entry: Any) -> Column:
        """A column as written: a key, or a mapping with ``key`` and what to change; raises ValueError."""
        if isinstance(entry, str):
            return cls(entry, heading(entry))
        if not isinstance(entry, Mapping) or "key" not in entry:
            raise ValueError(f"{entry!r} is no column: expected a key or {{key, label, …}}")
        for name in entry:
            pick("column option", str(name), COLUMN)
        return cls(**{"label": heading(str(entry["key"])), **fitting(entry, COLUMN)})


def data_table(dataset: Dataset, rows: list[Row], options: Mapping[str, Any], rel: str) -> Markup:
    """Records as a table in the site's figure markup; raises ValueError or UnknownName on unfit options."""
    known = dict.fromkeys(columns_of(rows))
    options = fitting(options, OPTIONS)
    columns = [Column.read(entry) for entry in options.get("columns") or list(known)]
    for column in columns:
        pick("column", column.key, known)
    kept = _where(rows, options.get("where") or {}, known)
    limit = options.get("limit", MOST_ROWS)
    caption = str(options.get("caption") or dataset.data.get("title", dataset.name))
    head = Markup("").join(_head(column, kept) for column in columns)
    body = Markup("\n").join(_row(row, columns) for row in kept[:limit])
    more = f" {limit} of {len(kept)} rows." if len(kept) > limit else ""
    ref = dataset_ref(dataset)
    return Markup(
        '<figure class="table">\n'
        '<div class="table-scroll" tabindex="0" role="region" aria-label="{caption}">\n'
        "<table>\n<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
        '</table>\n</div>\n<figcaption>From <a href="{url}">{title}</a>.{more}</figcaption>\n</figure>\n'
    ).format(caption=caption, head=head, body=body, url=rel + ref.url, title=ref.title, more=more)


def _where(rows: list[Row], wanted: Mapping[Any, Any], known: Mapping[str, None]) -> list[Row]:
    for key in wanted:
        pick("column", str(key), known)
    kept = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    if not kept:
        raise ValueError(f"no row has {', '.join(f'{key} = {value!r}' for key, value in wanted.items())}")
    return kept


def is_number(value: Any) -> bool:
    """Whether a cell's value is a number (truth values are words here)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _head(column: Column, rows: list[Row]) -> Markup:
    numeric = any(is_number(row.get(column.key)) for row in rows)
    unit = f" ({column.unit})" if column.unit and not unit_text(column.unit) else ""
    kind = Markup(' class="num-cell"') if numeric else Markup("")
    return Markup('<th scope="col"{}>{}{}</th>').format(kind, column.label, unit)


def _row(row: Row, columns: list[Column]) -> Markup:
    first, *rest = columns
    cells = [Markup('<th scope="row">{}</th>').format(_content(row.get(first.key), first))]
    for column in rest:
        value = row.get(column.key)
        kind = Markup(' class="num-cell"') if is_number(value) else Markup("")
        cells.append(Markup("<td{}>{}</td>").format(kind, _content(value, column)))
    return Markup("<tr>{}</tr>").format(Markup("").join(cells))


def _content(value: Any, column: Column) -> Markup | str:
    if value is None:
        return "–"
    if not is_number(value):
        return number_text(value)
    if column.percent:
        return data_value(value, percent_text(value, column.digits)) + unit_text("%")
    return data_value(value, number_text(value, column.digits)) + unit_text(column.unit)
