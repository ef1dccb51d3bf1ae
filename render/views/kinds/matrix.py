"""Matrix: a table whose cells are the control, with a readout of the cell, of its row and of its column.

A heat map is a matrix shaded by value. The table keeps its meaning as a table; one cell is in focus at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from render.views.kinds.kind import Kind
from render.views.kit import Cell, Col, table

KIND = Kind(
    "matrix",
    "Matrix",
    "Every pair of two things with its value, read along the row and along the column.",
    control="cells",
    state="cell",
    states=(4, 64),
)


def readout(
    down: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    values: Sequence[Sequence[Cell]],
    at: tuple[int, int],
    *,
    what: str,
    digits: int | None = None,
) -> Markup:
    """The row and the column of the cell ``at`` (row, column), that cell marked in both.

    ``down`` and ``across`` are an axis's name and the words of its values; ``what`` names a value. Shape of
    ``values``: ``len(down[1])`` × ``len(across[1])``.

    Raises ``ValueError`` where the shape is another.
    """
    if len(values) != len(down[1]) or any(len(row) != len(across[1]) for row in values):
        raise ValueError(f"a matrix of {what}: not {len(down[1])} × {len(across[1])} values")
    row, column = at
    along = _line(f"Along the row: {down[1][row]}", across, values[row], column, what, digits)
    below = [line[column] for line in values]
    across_name = f"Down the column: {across[0]} {across[1][column]}"
    return Markup('<div class="pair">{}{}</div>').format(along, _line(across_name, down, below, row, what, digits))


def _line(
    title: str, axis: tuple[str, Sequence[str]], values: Sequence[Cell], at: int, what: str, digits: int | None
) -> Markup:
    rows = [[name, value] for name, value in zip(axis[1], values, strict=True)]
    classes = ["is-on" if i == at else "" for i in range(len(rows))]
    numeric = any(isinstance(value, int | float) or str(value).startswith("<data") for value in values)
    return table([axis[0], Col(what, digits, numeric=numeric)], rows, title=title, row_classes=classes)
