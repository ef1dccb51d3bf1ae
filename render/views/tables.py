"""The table view: chosen columns of captured records, or rows written out, each number with its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from render.numbers import unit_text
from render.reading.library import dataset_ref, pick
from render.views import kit
from render.views.option_forms import CONDITIONS, COUNT, DIGITS, LIST, MAPPING, TEXT, TRUTH, VALUE, WORDS, fitting
from render.views.rows import columns_of, heading, is_scalar
from render.views.selecting import Node, SelectionError
from render.views.view import Asked, Row, View
from render.views.wording import Format, Teller, plain

MOST_ROWS = 60
COLUMN = {"key": VALUE, "label": TEXT, "digits": DIGITS, "unit": TEXT, "percent": TRUTH, "words": WORDS}


@dataclass(frozen=True)
class Column:
    """One column of a table: which value, how it is headed and how its numbers print."""

    key: str
    label: str
    digits: int | None = None
    unit: str = ""
    percent: bool = False
    words: str = ""

    @classmethod
    def read(cls, entry: Any) -> Column:
        """A column as written: a key, or a mapping with ``key`` and what to change; raises ValueError."""
        if isinstance(entry, str):
            return cls(entry, heading(entry))
        if not isinstance(entry, Mapping) or not {"key", "words"} & set(entry):
            raise ValueError(f"{entry!r} is no column: expected a key or {{key, label, …}}")
        for name in entry:
            pick("column option", str(name), COLUMN)
        given = fitting(entry, COLUMN)
        return cls(**{"key": "", "label": heading(str(entry.get("key", ""))), **given})

    @property
    def form(self) -> Format:
        """How its values print."""
        return Format(self.digits, self.percent, self.unit if unit_text(self.unit) else "", self.words)


def _table(asked: Asked) -> Markup:
    rows = asked.rows
    columns = [Column.read(entry) for entry in asked.options.get("columns") or _keys(rows)]
    kept = _kept(asked, [_with_cells(row, columns) for row in rows], columns)
    limit = asked.options.get("limit", MOST_ROWS)
    title = asked.plain("caption")
    cells = [[_cell(row, column) for column in columns] for row in kept[:limit]]
    heads = [_head(asked.teller, column, [line[at] for line in cells]) for at, column in enumerate(columns)]
    note = asked.text("note") + _source(asked, len(kept), limit)
    on = str(asked.options.get("shade", ""))
    classes = ["is-on" if on and row.teller.bound.meets(on) else "" for row in kept[:limit]]
    return kit.table(heads, cells, title=title or _title(asked), note=note, row_classes=classes)


def _keys(rows: list[Row]) -> list[str]:
    """Every key whose value fits into a cell, where the columns are not chosen."""
    values = [row.teller.bound.item.value for row in rows if row.teller.bound.item]
    records = [value for value in values if isinstance(value, Mapping)]
    return columns_of([{k: v for k, v in value.items() if is_scalar(v)} for value in records])


def _with_cells(row: Row, columns: list[Column]) -> Row:
    """A typed row as a record: its first cell is a text, the others are values or texts with roles."""
    if not row.typed:
        return row
    entry = row.options["entry"]
    if not isinstance(entry, list) or len(entry) != len(columns):
        raise ValueError(f"{entry!r} is no row of {len(columns)} cells")
    cells = [row.teller.text(str(entry[0])), *(_typed(row.teller, cell) for cell in entry[1:])]
    record = {column.key: cell for column, cell in zip(columns, cells, strict=True)}
    return Row(row.teller.at(Node("row", record, record=True)), row.options)


def _typed(teller: Teller, cell: Any) -> Any:
    return teller.key(cell) if isinstance(cell, str) and "}`" in cell else teller.bound.value(str(cell))


def _kept(asked: Asked, rows: list[Row], columns: list[Column]) -> list[Row]:
    """The rows that have what ``where`` says; raises ValueError where a column is nobody's, or no row is left."""
    wanted: Mapping[Any, Any] = asked.options.get("where") or {}
    known = dict.fromkeys(_keys(rows))
    for name in [*wanted, *(column.key for column in columns if column.key.isidentifier())]:
        if not any(row.teller.bound.knows(name) for row in rows):
            pick("column", str(name), known)
    kept = [row for row in rows if all(row.teller.bound.value(str(key)) == value for key, value in wanted.items())]
    if not kept:
        raise ValueError(f"no row has {', '.join(f'{key} = {value!r}' for key, value in wanted.items())}")
    return kept


def _cell(row: Row, column: Column) -> Markup | None:
    bound = row.teller.bound
    if column.words:
        return row.teller.word(column.words, bound.value(column.key) if column.key else None)
    optional = bound.item is not None and column.key.isidentifier() and not bound.knows(column.key)
    value = None if optional else bound.value(column.key)
    return value if value is None or isinstance(value, Markup) else row.teller.show(value, column.form)


def _head(teller: Teller, column: Column, cells: list[Markup | None]) -> kit.Col:
    numeric = any(cell is not None and cell.startswith("<data") for cell in cells)
    unit = column.unit if column.unit and not unit_text(column.unit) else ""
    return kit.Col(plain(teller.text(column.label)), unit=unit, numeric=numeric)


def is_number(value: Any) -> bool:
    """Whether a cell's value is a number (truth values are words here)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _title(asked: Asked) -> str:
    dataset = asked.teller.bound.dataset_of(asked.selector)
    if dataset is None:
        raise SelectionError("the table needs a `caption`")
    return str(dataset.data.get("title", dataset.name))


def _source(asked: Asked, count: int, limit: int) -> Markup:
    """On a page: the dataset, as a link. In a walkthrough the line below it names the dataset."""
    more = f" {limit} of {count} rows." if count > limit else ""
    dataset = asked.teller.bound.dataset_of(asked.selector) if asked.teller.bound.dataset is None else None
    if dataset is None:
        return Markup(more)
    ref = dataset_ref(dataset)
    return Markup('From <a href="{}">{}</a>.{}').format(asked.teller.scope.rel + ref.url, ref.title, more)


TABLE = View(
    "table", "Chosen columns of captured records.", "records",
    {"rows": LIST, "columns": LIST, "caption": TEXT, "where": MAPPING, "limit": COUNT, "shade": CONDITIONS,
     "note": TEXT},
    _table,
)  # fmt: skip
