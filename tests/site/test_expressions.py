"""Arithmetic over figures."""

from __future__ import annotations

import math

import pytest

from render.reading.expressions import ExpressionError, evaluate, names

FIGURES: dict[str, float | str] = {"rrf.k": 60, "a.b": 0.5, "a.c": 0.25, "a.name": "text"}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("1/(60+3) + 1/(60+11)", 1 / 63 + 1 / 71),
        ("1/(rrf.k+3)", 1 / 63),
        ("log2(8) - sqrt(4)", 1.0),
        ("2**10", 1024),
        ("max(a.b, a.c)", 0.5),
        ("-a.b", -0.5),
        ("a.b >= 2 * a.c", True),
        ("a.c < a.b < 1 and not a.b == a.c", True),
        ("a.name == 'text'", True),
        ("ceil(7 / 2)", 4),
    ],
)
def test_an_expression_has_the_value_a_hand_would_get(source: str, value: object) -> None:
    assert evaluate(source, FIGURES.__getitem__) == value


@pytest.mark.parametrize(
    "source",
    [
        "__import__('os')",
        "open('x')",
        "[1][0]",
        "(lambda: 1)()",
        "a.b if a.b else a.c",
        "9**9**9",
        "1/0",
        "a.name + 1",
        "1 +",
        "f'{1}'",
        "sqrt(-1)",
        "a.b.__class__()",
        "10.0**64 * 1j",
    ],
)
def test_what_is_no_arithmetic_is_refused(source: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(source, FIGURES.__getitem__)


def test_names_come_with_the_characters_they_take_up() -> None:
    found = names(" a.b + log2(a.c) ")
    assert [(name.dotted, name.start, name.end) for name in found] == [("a.b", 0, 3), ("a.c", 11, 14)]


def test_division_is_exact_enough_to_print() -> None:
    assert math.isclose(float(evaluate("1/3", FIGURES.__getitem__)), 0.333333333, rel_tol=1e-8)
