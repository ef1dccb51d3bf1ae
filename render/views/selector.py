"""Selectors: paths into captured data that pick records by what they hold, as content writes them.

A selector is a JSON pointer with filters: ``/result/rows[order=after,n>10]/recall``. A step below a list goes into each
of its records, so a selector names a list of values; who wants one value says so and gets an error for none or several.
It begins with ``/`` (the dataset at hand), ``name:/`` (another dataset) or a name: a key of the record at hand, a name
that the walkthrough declares, ``here`` (the record or value at hand) or ``place`` (its position in its list, from 1).
The arithmetic of ``render.reading.expressions`` takes the same names, with dots between them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_START = re.compile(r"(?:(?P<dataset>[a-z]\w*):)?(?=/)|(?P<name>[A-Za-z_][\w-]*)(?=$|[/\[])")
_STEP = re.compile(r"/(?P<key>[^/\[\]]+)|\[(?P<filter>[^\]]*)\]")
_VERB = re.compile(r"(?P<verb>sort|max|min|first|last)\s+(?P<of>.+)|(?P<plan>explain)")
_CONDITION = re.compile(r"(?P<path>[^=!<>]+?)\s*(?P<op>!=|<=|>=|=|<|>)\s*(?P<value>.*)")


class SelectionError(ValueError):
    """A selector that cannot be read, leads nowhere, or finds another number of values than is asked for."""


@dataclass(frozen=True)
class Condition:
    """A test of a record: the value at ``path`` compared with ``value``, or whether it is true where ``op`` is ""."""

    path: str
    op: str = ""
    value: str = ""
    negated: bool = False


@dataclass(frozen=True)
class Step:
    """One step of a selector: a ``key``, or what stands in brackets: a ``verb`` with its argument, or conditions."""

    key: str = ""
    verb: str = ""
    of: str = ""
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Selector:
    """A selector that was read: the dataset it names, the name it begins with (both may be ""), its steps."""

    dataset: str
    name: str
    steps: tuple[Step, ...]


def is_selector(text: str) -> bool:
    """Whether a text is a selector rather than arithmetic: it begins with a path, or is one name."""
    return _START.match(text.strip()) is not None


@lru_cache(maxsize=4096)
def parse(text: str) -> Selector:
    """The selector in a text; raises SelectionError."""
    plain = text.strip()
    start = _START.match(plain)
    if start is None:
        raise SelectionError(f"`{text}` is no selector: expected /path, name/path or dataset:/path")
    place, steps = start.end(), []
    while place < len(plain):
        found = _STEP.match(plain, place)
        if found is None:
            raise SelectionError(f"`{text}` cannot be read from `{plain[place:]}` on: expected /key or [filter]")
        key = found["key"]
        steps.append(Step(key.replace("~1", "/").replace("~0", "~")) if key else _bracket(found["filter"]))
        place = found.end()
    return Selector(start["dataset"] or "", start["name"] or "", tuple(steps))


def _bracket(text: str) -> Step:
    verb = _VERB.fullmatch(text.strip())
    return Step(verb=verb["verb"] or verb["plan"], of=verb["of"] or "") if verb else Step(conditions=conditions(text))


@lru_cache(maxsize=4096)
def conditions(text: str) -> tuple[Condition, ...]:
    """The conditions of a filter, all of which must hold: ``order=after,n>=10,!found``; raises SelectionError."""
    found = []
    for part in text.split(","):
        plain = part.strip()
        compared = _CONDITION.fullmatch(plain)
        if compared:
            found.append(Condition(compared["path"], compared["op"], compared["value"]))
        elif plain.lstrip("!"):
            found.append(Condition(plain.lstrip("!").strip(), negated=plain.startswith("!")))
        else:
            raise SelectionError(f"`[{text}]` has an empty condition: expected key=value, key, or !key")
    return tuple(found)


def literal(text: str) -> Any:
    """A value as it is written behind ``=``: a number, true, false or null as JSON, anything else as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
