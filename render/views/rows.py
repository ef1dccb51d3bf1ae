"""Tables out of captured results: a list of flat records, or a mapping, as rows with named columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]


def is_scalar(value: Any) -> bool:
    """Whether a value fits into one cell."""
    return value is None or isinstance(value, str | int | float | bool)


def rows_of(value: Any) -> list[Row] | None:
    """The rows of a list of records, a mapping of records (their key as ``name``) or a mapping of scalars.

    Values that fit into no cell are left out (see ``left_out``). None where the value is no table.
    """
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return [_flat(item) for item in value]
    if isinstance(value, Mapping) and value:
        if all(isinstance(item, Mapping) for item in value.values()):
            return [{"name": key, **_flat(item)} for key, item in value.items()]
        if all(is_scalar(item) for item in value.values()):
            return [{"name": key, "value": item} for key, item in value.items()]
    return None


def left_out(value: Any) -> list[str]:
    """The keys of records whose values fit into no cell, in the order of first appearance."""
    records = value if isinstance(value, list) else list(value.values()) if isinstance(value, Mapping) else []
    keys: dict[str, None] = {}
    for record in records:
        if isinstance(record, Mapping):
            keys.update({key: None for key, item in record.items() if not is_scalar(item)})
    return list(keys)


def columns_of(rows: list[Row]) -> list[str]:
    """Every column that some row fills, in the order of first appearance."""
    return list(dict.fromkeys(key for row in rows for key in row))


def heading(key: str) -> str:
    """A column's key as a heading: ``recall_at_10`` becomes "recall at 10"."""
    return key.replace("_", " ")


def _flat(record: Mapping[str, Any]) -> Row:
    return {key: item for key, item in record.items() if is_scalar(item)}
