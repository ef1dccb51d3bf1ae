"""Arithmetic and predicates over figures: parsed to a tree and walked, never handed to the interpreter."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Value = float | int | bool | str
Lookup = Callable[[str], Value]
Select = Callable[[str], list[Any]]

FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": abs,
    "ceil": math.ceil,
    "exp": math.exp,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "max": max,
    "min": min,
    "round": round,
    "sqrt": math.sqrt,
}
OVER: dict[str, Callable[[list[Any]], Any]] = {
    "at": lambda values: values[0],
    "count": len,
    "max": max,
    "mean": lambda values: sum(values) / len(values),
    "min": min,
    "sum": sum,
}
"""Functions of the values that a selector names, written as its one quoted argument: ``sum("/result/rows/n")``."""
ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Value, Value], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
LARGEST_EXPONENT = 64


class ExpressionError(ValueError):
    """An expression that cannot be read or computed; the message says which part."""


@dataclass(frozen=True)
class Name:
    """A dotted name in an expression and the characters it takes up."""

    dotted: str
    start: int
    end: int


@dataclass(frozen=True)
class _Names:
    """What the names of an expression mean, and the values that its selectors name."""

    value: Lookup
    select: Select | None


def parse(source: str) -> ast.expr:
    """The syntax tree of one expression; raises ExpressionError where it is not one."""
    try:
        return ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ExpressionError(f"`{source}` is not an expression") from error


def names(source: str) -> list[Name]:
    """The dotted names of an expression, in the order they stand in ``source.strip()``."""
    text = source.strip().encode()
    found = []
    stack: list[ast.AST] = [parse(source)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Attribute | ast.Name):
            start, end = node.col_offset, node.end_col_offset or 0
            found.append(Name(_dotted(node), len(text[:start].decode()), len(text[:end].decode())))
        elif isinstance(node, ast.Call):
            stack.extend(node.args)
        else:
            stack.extend(ast.iter_child_nodes(node))
    return sorted(found, key=lambda name: name.start)


def evaluate(source: str, lookup: Lookup, select: Select | None = None) -> Value:
    """The value of an expression; ``lookup`` gives the value of a dotted name and may raise its own error.

    ``select`` gives the values that a selector names, for ``OVER``; without it none may stand in the expression.
    """
    try:
        return _value(parse(source), _Names(lookup, select))
    except (ArithmeticError, TypeError, ValueError) as error:
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(f"`{source}` cannot be computed: {error}") from error


def _value(node: ast.expr, lookup: _Names) -> Value:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() as constant):
            return constant
        case ast.Attribute():
            return lookup.value(_dotted(node))
        case ast.Name(id=name) if lookup.select is not None:
            return lookup.value(name)
        case ast.BinOp():
            return _arithmetic(node, lookup)
        case ast.UnaryOp(op=ast.Not()):
            return not _value(node.operand, lookup)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            number = _number(node.operand, lookup)
            return -number if isinstance(node.op, ast.USub) else number
        case ast.BoolOp():
            values = [bool(_value(part, lookup)) for part in node.values]
            return all(values) if isinstance(node.op, ast.And) else any(values)
        case ast.Compare():
            return _comparison(node, lookup)
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str() as selector)]) if name in OVER:
            found: Value = _over(name, selector, lookup)
            return found
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_number(argument, lookup) for argument in node.args))
    shown = ast.unparse(node)
    allowed = (
        "numbers, dataset.figure and .low or .high of its interval, + - * / // % **, comparisons, "
        f"and, or, not, {', '.join(FUNCTIONS)}"
    )
    raise ExpressionError(f"`{shown}` is not allowed in an expression: expected {allowed}")


def _number(node: ast.expr, lookup: _Names) -> float | int:
    value = _value(node, lookup)
    if isinstance(value, str):
        raise ExpressionError(f"`{ast.unparse(node)}` is the text {value!r}, not a number")
    return value


def _arithmetic(node: ast.BinOp, lookup: _Names) -> float:
    left, right = _number(node.left, lookup), _number(node.right, lookup)
    if isinstance(node.op, ast.Pow):
        if abs(right) > LARGEST_EXPONENT:
            raise ExpressionError(f"the exponent {right} is beyond {LARGEST_EXPONENT}")
        return float(left**right) if isinstance(left, float) or right < 0 else left**right
    if type(node.op) not in ARITHMETIC:
        raise ExpressionError(f"`{ast.unparse(node)}` uses an operator that is not arithmetic")
    return ARITHMETIC[type(node.op)](left, right)


def _comparison(node: ast.Compare, lookup: _Names) -> bool:
    left = _value(node.left, lookup)
    for op, part in zip(node.ops, node.comparators, strict=True):
        right = _value(part, lookup)
        if type(op) not in COMPARISONS:
            raise ExpressionError(f"`{ast.unparse(node)}` uses a comparison other than < <= > >= == !=")
        if not COMPARISONS[type(op)](left, right):
            return False
        left = right
    return True


def _over(name: str, selector: str, lookup: _Names) -> Any:
    if lookup.select is None:
        raise ExpressionError(f"no dataset is at hand for `{selector}`")
    values = lookup.select(selector)
    if name != "at" and len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    if name == "at" and len(values) != 1:
        raise ExpressionError(f"`{selector}` names {len(values)} values: expected one")
    return OVER[name](values)


def _dotted(node: ast.Attribute | ast.Name) -> str:
    parts: list[str] = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        raise ExpressionError(f"`{ast.unparse(node)}` is not a dataset.figure name")
    return ".".join(reversed([*parts, inner.id]))
