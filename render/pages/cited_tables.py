"""The figures of a dataset as its page shows them: one table per declaration, each figure's anchor on its cell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from render.model import FigureRef
from render.reading.source import Dataset
from render.views.figures import figure_ref
from render.views.rows import heading

LONG = 30


@dataclass(frozen=True)
class CitedColumn:
    """A column: what its numbers are, their unit, and the part of their names that they share."""

    label: str
    unit: str
    name: str


@dataclass(frozen=True)
class CitedRow:
    """A row: what it is, its part of the names of its figures, on how many observations they rest, and the figures."""

    label: str
    key: str
    n: str
    cells: tuple[FigureRef | None, ...]


@dataclass(frozen=True)
class CitedTable:
    """One declaration as a table; a table of a single row without a key prints as a list of figures."""

    id: str
    title: str
    columns: tuple[CitedColumn, ...]
    rows: tuple[CitedRow, ...]

    @property
    def figures(self) -> tuple[FigureRef, ...]:
        """Every figure of the table."""
        return tuple(cell for row in self.rows for cell in row.cells if cell)

    @property
    def single(self) -> bool:
        """Whether this is a list of figures."""
        return len(self.rows) == 1 and not self.rows[0].key

    @property
    def long(self) -> bool:
        """Whether it is folded away."""
        return len(self.rows) > LONG


def cited_tables(dataset: Dataset) -> tuple[CitedTable, ...]:
    """The declared tables of a dataset, in their order; those of one pointer are told apart by number."""
    made: list[CitedTable] = []
    for table in dataset.data.get("tables", ()):
        ident = table["rows"].strip("/").replace("/", "-")
        again = sum(one.id.partition("--")[0] == ident for one in made)
        made.append(_table(dataset, table, f"{ident}--{again + 1}" if again else ident))
    return tuple(made)


def listed_figures(dataset: Dataset) -> tuple[FigureRef, ...]:
    """The figures that stand alone, as datasets of the earlier form hold all of theirs."""
    return tuple(figure_ref(dataset, name) for name in dataset.data.get("figures", {}))


def _table(dataset: Dataset, table: Mapping[str, Any], ident: str) -> CitedTable:
    known = dataset.figures
    rows = []
    for _, row in known.rows(table):
        names = [known.name_of(table, column, row) for column in table["columns"]]
        cells = tuple(figure_ref(dataset, name) if name in known else None for name in names)
        label = known.label_of(table, row)
        n = next((cell.n for cell in cells if cell and cell.n), "")
        rows.append(CitedRow(label, known.key_of(table, row), n, cells))
    columns = tuple(CitedColumn(_head(known.head_of(c)), c.get("unit", ""), c["name"]) for c in table["columns"])
    title = table.get("title") or heading(table["rows"].rpartition("/")[2])
    return CitedTable(ident, title, columns, tuple(rows))


def _head(label: str) -> str:
    """What a column holds in every row: its label without the row's."""
    parts = (part.strip(" ,;:") for part in label.split("{row}"))
    return re.sub(r"\{[^}]*\}", "…", ", ".join(part for part in parts if part))
