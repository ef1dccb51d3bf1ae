"""Options of a directive: each value has the form that its name asks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

MOST_DIGITS = 12


class Form(NamedTuple):
    """What an option may be, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: Any, least: int, most: float) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_list_of_keys(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(key, str) for key in value)


KEY = Form("the name of a column", lambda value: isinstance(value, str))
KEYS = Form("the name of a column, or a list of them", lambda value: isinstance(value, str) or _is_list_of_keys(value))
PAIR = Form("[low column, high column]", lambda value: _is_list_of_keys(value) and len(value) == 2)
INTERVAL = Form("a selector of [low, high], or a list of two", lambda value: isinstance(value, str) or PAIR.fits(value))
TEXT = Form("text", lambda value: isinstance(value, str) or _is_number(value))
NUMBER = Form("a number", _is_number)
DIGITS = Form(f"a whole number from 0 to {MOST_DIGITS}", lambda value: _is_whole(value, 0, MOST_DIGITS))
COUNT = Form("a whole number from 1", lambda value: _is_whole(value, 1, math.inf))
VALUE = Form("a selector or expression", lambda value: isinstance(value, str | int | float | bool))
LABEL = Form("a selector, or a text with roles", lambda value: isinstance(value, str | int | float))
CONDITIONS = Form("conditions", lambda value: isinstance(value, str))
WORDS = Form("a group of words", lambda value: isinstance(value, str))
ROLE = Form("a role, a group of words that gives one, or a selector", lambda value: isinstance(value, str))
EACH = Form("`name in selector`", lambda value: isinstance(value, str))
TRUTH = Form("true or false", lambda value: isinstance(value, bool))
ANY_INTERVAL = Form(
    "a selector of [low, high], or a list of two", lambda value: isinstance(value, str) or PAIR.fits(value)
)
TEXT = Form("text", lambda value: isinstance(value, str | int | float | bool))
MAPPING = Form("{name: value}", lambda value: isinstance(value, Mapping))
LIST = Form("a list", lambda value: isinstance(value, list))


def fitting(options: Mapping[str, Any], forms: Mapping[str, Form]) -> dict[str, Any]:
    """The options that hold something; raises ValueError with the name and form of the first that does not fit.

    Every name must be known: who reads the options says so of an unknown one in its own words.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name, value in given.items():
        if not forms[name].fits(value):
            raise ValueError(f"`{name}` is {value!r}: expected {forms[name].words}")
    return given
