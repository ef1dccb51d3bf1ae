"""One byte sequence for one JSON value: what every digest of Zeroth is taken over, and paths into such
values."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# Values below this keep significant digits, not decimals: a small p-value must not become nothing.
_SMALL = 1e-3
# Floats with integral values are written as integers up to here, where a float still tells neighbours apart.
_INTEGRAL = 2.0**53


class NotCanonical(ValueError):
    """A value that has no canonical form. The message begins with the JSON pointer of the offender."""


def canonical_bytes(value: Any) -> bytes:
    """The canonical form: UTF-8 JSON, keys sorted by code point, no white space, shortest float repr.

    A float with an integral value is written as an integer, because JSON has one number type and another tool
    may write it either way. Raises :class:`NotCanonical` for NaN, infinities, non-string keys and anything
    JSON lacks.
    """
    text = json.dumps(_plain(value, ""), sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8")


def sha256_bytes(data: bytes) -> str:
    """The SHA-256 of some bytes as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def sha256_json(value: Any) -> str:
    """The SHA-256 of the canonical form of a JSON value."""
    return sha256_bytes(canonical_bytes(value))


def _plain(value: Any, path: str) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _utf8(value, path)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotCanonical(f"{path or '/'}: {value} has no JSON form")
        return int(value) if value.is_integer() and abs(value) <= _INTEGRAL else value
    if isinstance(value, dict):
        return {_key(key, path): _plain(item, f"{path}/{escape(key)}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{path}/{index}") for index, item in enumerate(value)]
    raise NotCanonical(f"{path or '/'}: {type(value).__name__} has no JSON form")


def _utf8(value: str, path: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotCanonical(f"{path or '/'}: a lone surrogate has no UTF-8 form") from error
    return value


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise NotCanonical(f"{path or '/'}: key {key!r} is {type(key).__name__}, expected a string")
    return _utf8(key, path)


def rounded(value: Any, places: int = 6) -> Any:
    """A JSON-ready copy with floats rounded: what a capture returned becomes what is written.

    Floats get ``places`` decimals (below 0.001: ``places`` significant digits); ``-0.0`` becomes ``0.0``.
    Tuples become lists; scalars and arrays of numerical libraries become Python values. NaN and infinities
    are left as they are, so that :func:`canonical_bytes` can name them. Rounding twice changes nothing.
    """
    if isinstance(value, dict):
        return {key: rounded(item, places) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item, places) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if not isinstance(value, float):
        convert = getattr(value, "tolist", None)  # NumPy scalars and arrays
        return rounded(convert(), places) if callable(convert) else value
    if not math.isfinite(value):
        return value
    if 0 < abs(value) < _SMALL:
        return float(f"{value:.{places}g}")
    return round(float(value), places) + 0.0


def escape(segment: str) -> str:
    """One segment of a JSON pointer, escaped (RFC 6901, section 3)."""
    return str(segment).replace("~", "~0").replace("/", "~1")


def segments(pointer: str) -> list[str]:
    """The unescaped segments of a JSON pointer; "" is the whole value. Raises ValueError when malformed."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"JSON pointer {pointer!r}: expected a leading '/'")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def resolve(value: Any, pointer: str) -> Any:
    """The value a JSON pointer leads to (RFC 6901). Raises KeyError naming the first segment that leads
    nowhere."""
    here = ""
    for part in segments(pointer):
        here = f"{here}/{escape(part)}"
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise KeyError(f"nothing at {here}")
    return value


def without(value: Any, patterns: Iterable[str]) -> Any:
    """A copy without the paths that match any pattern: JSON pointers in which ``*`` stands for one segment.

    A key is removed; a list item becomes null, so that its neighbours keep their indices; a list under a
    final ``*`` becomes empty. A pattern that matches nothing is no error.
    """
    return _without(value, [segments(pattern) for pattern in patterns])


def _without(value: Any, patterns: Sequence[list[str]]) -> Any:
    if not patterns or not isinstance(value, dict | list):
        return value
    if isinstance(value, list):
        if ["*"] in patterns:
            return []
        return [_below(item, str(index), patterns, None) for index, item in enumerate(value)]
    kept = {key: _below(item, key, patterns, _GONE) for key, item in value.items()}
    return {key: item for key, item in kept.items() if item is not _GONE}


_GONE = object()


def _below(item: Any, name: str, patterns: Sequence[list[str]], gone: Any) -> Any:
    rest = [pattern[1:] for pattern in patterns if pattern and pattern[0] in ("*", name)]
    return gone if [] in rest else _without(item, rest)


def walk(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every (JSON pointer, value) of a JSON value, parents before children, in order."""
    yield pointer, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from walk(item, f"{pointer}/{escape(key)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from walk(item, f"{pointer}/{index}")


def pretty(value: Any, width: int = 100) -> str:
    """JSON for people and diffs: one space of indent, what fits into ``width`` on one line, key order
    kept."""
    return _pretty(value, 0, width) + "\n"


def _pretty(value: Any, depth: int, width: int) -> str:
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not isinstance(value, dict | list) or len(line) + depth <= width or not value:
        return line
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        parts = [
            f"{pad}{json.dumps(key, ensure_ascii=False)}: {_pretty(item, depth + 1, width)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * depth + "}"
    parts = [pad + _pretty(item, depth + 1, width) for item in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * depth + "]"
