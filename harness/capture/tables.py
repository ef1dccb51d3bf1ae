"""Tables that a capture declares: which values of its result have names (:mod:`provenance.figures` says how)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Words = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Column:
    """A column of figures: each row with a value at ``path`` has the figure ``NAME_KEY``.

    ``path``: JSON pointer from the row, without its first slash. ``label``: a noun phrase, in which ``{row}`` is the
    row's label. ``n``: path of the number of observations, or that number. ``interval``: path of a list whose smallest
    and largest value are the bounds, or a path for each; say of what in the label or a caveat. A path that begins with
    a slash leads from the top of the dataset.
    """

    name: str
    path: str
    label: str
    digits: int = 0
    unit: str = ""
    n: str | int | None = None
    interval: str | tuple[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The column as JSON; keys that say nothing are left out."""
        made: dict[str, Any] = {"name": self.name, "path": self.path, "label": self.label}
        told = {"digits": self.digits, "unit": self.unit}
        made |= {key: value for key, value in told.items() if value}
        if self.n is not None:
            made["n"] = self.n
        if self.interval is not None:
            made["interval"] = self.interval if isinstance(self.interval, str) else list(self.interval)
        return made


@dataclass(frozen=True)
class Table:
    """Rows with their columns. ``rows``: JSON pointer to a list of objects, or to one object.

    ``key`` and ``label``: patterns of a row's part of the names, and of what it is, with fields of the row in braces.
    ``keys`` and ``words``: by field, what its values become in either; ``*`` is for all others. ``only``: by field, the
    values of the rows that count. ``title`` heads the table on the dataset's page.
    """

    rows: str
    columns: Sequence[Column]
    key: str = ""
    label: str = ""
    keys: Words = field(default_factory=dict)
    words: Words = field(default_factory=dict)
    only: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    title: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The table as JSON; keys that say nothing are left out."""
        parts = {"title": self.title, "key": self.key, "label": self.label}
        nested = {"keys": _plain(self.keys), "words": _plain(self.words), "only": _plain(self.only)}
        made = {"rows": self.rows, **{key: value for key, value in (parts | nested).items() if value}}
        return {**made, "columns": [column.as_dict() for column in self.columns]}


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: dict(item) if isinstance(item, Mapping) else list(item) for key, item in value.items()}


def counts(rows: str, labels: Mapping[str, str], prefix: str = "", **options: Any) -> Table:
    """A table of one object whose fields are figures of the same names, behind ``prefix``; ``options`` hold for all."""
    return Table(rows, [Column(f"{prefix}{name}", name, label, **options) for name, label in labels.items()])
