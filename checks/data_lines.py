"""Where in a JSON file a value stands: JSON pointer → line and column, for messages that people can click."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from provenance.canonical import escape, segments

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def line_of(text: str, pointer: str) -> tuple[int, int]:
    """Line and column (from 1) of the key or item that a JSON pointer names.

    When nothing stands there, those of the nearest parent; (0, 0) for a text that is no JSON.
    """
    try:
        places = _places(text)
    except (ValueError, IndexError, RecursionError):
        return 0, 0
    parts = [escape(part) for part in segments(pointer)]
    for length in range(len(parts), -1, -1):
        offset = places.get("".join(f"/{part}" for part in parts[:length]))
        if offset is not None:
            before = text[:offset]
            return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1
    return 0, 0


@lru_cache(maxsize=2)
def _places(text: str) -> dict[str, int]:
    found: dict[str, int] = {"": _skip(text, 0)}
    _value(text, found[""], "", found)
    return found


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, pointer: str, found: dict[str, int]) -> int:
    """Notes everything below the value at ``at``; returns the offset behind it."""
    if text[at] == "{":
        return _members(text, at + 1, pointer, found)
    if text[at] == "[":
        return _items(text, at + 1, pointer, found)
    return _DECODER.raw_decode(text, at)[1]


def _members(text: str, at: int, pointer: str, found: dict[str, int]) -> int:
    at = _skip(text, at)
    while text[at] != "}":
        start = at
        key, at = _DECODER.raw_decode(text, at)
        here = f"{pointer}/{escape(key)}"
        found[here] = start
        at = _skip(text, _skip(text, at) + 1)
        at = _after(text, _value(text, at, here, found))
    return at + 1


def _items(text: str, at: int, pointer: str, found: dict[str, int]) -> int:
    at, index = _skip(text, at), 0
    while text[at] != "]":
        here = f"{pointer}/{index}"
        found[here] = at
        at = _after(text, _value(text, at, here, found))
        index += 1
    return at + 1


def _after(text: str, at: int) -> int:
    at = _skip(text, at)
    return _skip(text, at + 1) if text[at] == "," else at
