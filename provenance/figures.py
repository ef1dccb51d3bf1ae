"""The numbers of a dataset that text may cite, by name: declared as columns of tables, found when asked for.

A dataset file holds its values once, in ``result`` and ``timings``. Its ``tables`` say which of them have names::

    {"rows": "/result/readings", "key": "ef{ef_search}_{cell}", "label": "{cell}, ef_search {ef_search}",
     "words": {"cell": {"home1": "reader of 1 tenant, home questions"}},
     "columns": [{"name": "recall", "path": "measured/recall", "label": "recall@10, {row}", "digits": 3,
                  "n": "n", "interval": "measured/interval"}]}

``rows`` points at a list of objects or at one object. Each row has a key, made of its fields, and each column a name:
``recall_ef40_home1`` is the column ``recall`` in the row of that key. Without ``key`` the column's name is the whole
name. ``{row}`` in a column's label is the row's label. ``words`` says how the value of a field reads in labels,
``keys`` how in keys (a value that stands in neither reads as it is; the value ``*`` is for all others, with ``{}`` for
the value). A column's label may also take a value from the top of the file: ``{/params/k}``. ``only`` keeps rows in
which a field has one of the values named.

Paths lead from the row, or with a leading slash from the top of the file. A row in which a path leads to nothing, or to
null, has no figure in that column. ``interval`` leads to a list, whose smallest and largest value are the bounds, or
names two paths. What stands under a pattern of ``volatile`` varies from run to run.

Datasets captured earlier hold every figure whole, in ``figures``; both forms read alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from provenance.canonical import resolve, segments

NAME = re.compile(r"[a-z][a-z0-9_]*")
OTHERS = "*"
_GONE = object()
_FIELD = re.compile(r"\{([a-z][a-z0-9_/]*)\}")
_TOP = re.compile(r"\{(/[a-z][a-z0-9_/]*)\}")

Json = Mapping[str, Any]


class TableFault(ValueError):
    """A declaration that names nothing, names it twice, or says something of a field that rows lack."""


@dataclass(frozen=True)
class Place:
    """Where a figure stands: its table, column and row, and the JSON pointer of its value."""

    table: Json
    column: Json
    row: Json
    at: str


class Figures(Mapping[str, Json]):
    """Every figure of a dataset: name → value, unit, label, digits, and n, interval, at, volatile where it has them.

    Names are worked out at the first question, a figure when it is asked for. Raises TableFault for a declaration that
    does not fit the rows, or a name that two places claim.
    """

    def __init__(self, dataset: Json) -> None:
        self._dataset = dataset
        self._whole: Json = dataset.get("figures", {})

    def __getitem__(self, name: str) -> Json:
        if name in self._whole:
            whole: Json = self._whole[name]
            return whole
        return self._figure(self.places[name])

    def __iter__(self) -> Iterator[str]:
        return iter((*self._whole, *self.places))

    def __len__(self) -> int:
        return len(self._whole) + len(self.places)

    @cached_property
    def places(self) -> dict[str, Place]:
        """Every name that the tables give, in their order, with the place where its value stands."""
        found: dict[str, Place] = {}
        for table in self._dataset.get("tables", ()):
            for name, place in self._named(table):
                other = found.get(name)
                if other is not None or name in self._whole:
                    raise TableFault(f"two figures are called {name}: {other.at if other else 'figures'}, {place.at}")
                if not NAME.fullmatch(name):
                    raise TableFault(f"{name!r}, of {place.at}, is no lower-case snake_case name")
                found[name] = place
        return found

    def rows(self, table: Json) -> list[tuple[str, Json]]:
        """The rows that a table keeps, each with its JSON pointer. Raises TableFault where there is none to keep."""
        pointer = table["rows"]
        try:
            held = resolve(self._dataset, pointer)
        except (KeyError, ValueError) as error:
            raise TableFault(f"table {pointer}: {error.args[0]}") from error
        every = [(pointer, held)] if isinstance(held, Mapping) else [(f"{pointer}/{i}", r) for i, r in enumerate(held)]
        return [(at, row) for at, row in every if _kept(row, table)]

    def label_of(self, table: Json, row: Json) -> str:
        """What a row is, in words."""
        return _filled(table.get("label", ""), row, table.get("words", {}), " and ")

    def head_of(self, column: Json) -> str:
        """A column's label with what it takes from the top of the file, such as ``{/params/k}``, in its place."""
        return _TOP.sub(lambda match: _text(resolve(self._dataset, match[1]), " and "), column["label"])

    def name_of(self, table: Json, column: Json, row: Json) -> str:
        """The name of the figure that a column has in a row."""
        return "_".join(part for part in (column["name"], self.key_of(table, row)) if part)

    def key_of(self, table: Json, row: Json) -> str:
        """A row's part of the names of its figures; empty in a table without one."""
        return _filled(table.get("key", ""), row, table.get("keys", {}), "_")

    def _named(self, table: Json) -> Iterator[tuple[str, Place]]:
        rows = self.rows(table)
        for at, row in rows:
            for column in table["columns"]:
                if self._value(row, column["path"]) is not None:
                    place = Place(table, column, row, _pointer(at, column["path"]))
                    yield self.name_of(table, column, row), place

    def _figure(self, place: Place) -> Json:
        table, column, row = place.table, place.column, place.row
        label = self.head_of(column).replace("{row}", self.label_of(table, row))
        made: dict[str, Any] = {
            "value": self._value(row, column["path"]),
            "unit": column.get("unit", ""),
            "label": _filled(label, row, table.get("words", {}), " and "),
            "digits": column.get("digits", 0),
        }
        n = column.get("n")
        if n is not None:
            made["n"] = n if isinstance(n, int) else self._value(row, n)
        if column.get("interval") is not None:
            made["interval"] = self._bounds(row, column["interval"])
        made["at"] = place.at
        if any(_under(place.at, pattern) for pattern in self._dataset.get("volatile", ())):
            made["volatile"] = True
        return {key: value for key, value in made.items() if value is not None}

    def _bounds(self, row: Json, said: Any) -> list[Any] | None:
        values = [self._value(row, path) for path in said] if isinstance(said, list) else self._value(row, said)
        return [min(values), max(values)] if values and None not in values else None

    def leads(self, row: Json, path: str) -> bool:
        """Whether a path leads to something from a row, be it null."""
        return self._value(row, path, _GONE) is not _GONE

    def _value(self, row: Json, path: str, gone: Any = None) -> Any:
        """What a path leads to; ``gone`` where it leads to nothing."""
        try:
            return resolve(self._dataset, path) if path.startswith("/") else resolve(row, f"/{path}")
        except KeyError:
            return gone


def figures_of(dataset: Json) -> Figures:
    """Every figure of a parsed dataset file, of either form."""
    return Figures(dataset)


def table_faults(dataset: Json) -> list[tuple[str, str]]:
    """What is wrong with the tables of a dataset, as (JSON pointer, message): capture and build refuse it.

    A column that is in no row, a value that varies from run to run without n and interval, a value that is no scalar.
    """
    known = Figures(dataset)
    try:
        names = list(known.places)
    except TableFault as fault:
        return [("/tables", str(fault))]
    found = []
    for i, table in enumerate(dataset.get("tables", ())):
        rows = [row for _, row in known.rows(table)]
        for j, column in enumerate(table["columns"]):
            if rows and not any(known.leads(row, column["path"]) for row in rows):
                found.append((f"/tables/{i}/columns/{j}", f"{column['path']} is in no row of {table['rows']}"))
    for name in names:
        at = known.places[name].at
        try:
            figure = known[name]
        except TableFault as fault:
            found.append((at, f"{name}: {fault}"))
            continue
        if isinstance(figure["value"], bool) or not isinstance(figure["value"], int | float | str):
            found.append((at, f"{name} is no number and no text"))
        missing = [key for key in ("n", "interval") if key not in figure]
        if figure.get("volatile") and missing:
            found.append((at, f"{name} varies from run to run and has no {' and no '.join(missing)}"))
    return found


def _kept(row: Json, table: Json) -> bool:
    return all(_text(row.get(field), "_") in map(str, values) for field, values in table.get("only", {}).items())


def _filled(pattern: str, row: Json, words: Mapping[str, Mapping[str, str]], joint: str) -> str:
    """The pattern with the fields of a row in their places."""

    def one(match: re.Match[str]) -> str:
        field = match[1]
        try:
            text = _text(resolve(row, f"/{field}"), joint)
        except KeyError as error:
            raise TableFault(f"{pattern!r}: a row lacks {field}; it has {', '.join(row)}") from error
        known = words.get(field, {})
        if text in known:
            return known[text]
        return known[OTHERS].replace("{}", text) if OTHERS in known else text

    return _FIELD.sub(one, pattern)


def _text(value: Any, joint: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return joint.join(_text(item, joint) for item in value)
    return f"{value:g}" if isinstance(value, float) else json.dumps(value)


def _pointer(row: str, path: str) -> str:
    return path if path.startswith("/") else f"{row}/{path}"


def _under(pointer: str, pattern: str) -> bool:
    """Whether a pointer lies at or under what a pattern of ``volatile`` names."""
    here, there = segments(pointer), segments(pattern)
    return len(here) >= len(there) and all(b in ("*", a) for a, b in zip(here, there, strict=False))
