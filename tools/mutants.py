"""Mutants of a module: each changes one condition, and a test should notice.

A condition is replaced by True and by False; ``and`` and ``or`` are swapped and each of their operands dropped;
comparisons are turned round, and moved by one where they have an edge; ``not`` is taken off; ``any`` and ``all`` are
swapped; constant sets and tables lose one item at a time. An assertion is no condition of a guard, and text for
people is none either.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

_FLIPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_SWAPPED = {"any": "all", "all": "any"}
_WORDS = ("names", "_at", "_only")
_SETS = ("frozenset", "set", "fromkeys")
_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Mutant:
    """One change: where, in which function, what was written and what stands there instead."""

    path: str
    line: int
    function: str
    change: str
    inside: bool  # whether a function is around it, not only a class or the module
    apply: Callable[[], Callable[[], None]] = field(repr=False, compare=False)

    @property
    def key(self) -> str:
        """What names it in the list of equivalents: no line, so that the list outlives edits elsewhere."""
        return f"{self.path} {self.function}: {self.change}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line} in {self.function}: {self.change}"


class Module:
    """The syntax tree of one file, and what can be changed in it."""

    def __init__(self, root: Path, path: str) -> None:
        self.path = path
        self.file = root / path
        self.tree = ast.parse(self.file.read_text(encoding="utf-8"))
        self.mutants = list(_numbered(_found(self.tree, path)))

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[ast.Module]:
        """The tree with this one change in it."""
        undo = mutant.apply()
        try:
            yield ast.fix_missing_locations(self.tree)
        finally:
            undo()


def _numbered(mutants: Iterator[Mutant]) -> Iterator[Mutant]:
    """The mutants, those of a function that read alike told apart by a number."""
    seen: dict[str, int] = {}
    for one in mutants:
        count = seen[one.key] = seen.get(one.key, 0) + 1
        yield one if count == 1 else replace(one, change=f"{one.change} #{count}")


def _found(tree: ast.Module, path: str) -> Iterator[Mutant]:
    for node, function, inside in _walk(tree, "module", False):
        line = getattr(node, "lineno", getattr(getattr(node, "target", None), "lineno", 0))
        for change, apply in _changes(node):
            yield Mutant(path, line, function, change, inside, apply)


def _walk(node: ast.AST, name: str, inside: bool) -> Iterator[tuple[ast.AST, str, bool]]:
    """Every node with the qualified name around it and whether that is a function's; assertions are left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assert) or _is_main(child):
            continue
        around, function = name, inside
        if isinstance(child, _Named):
            around = child.name if name == "module" else f"{name}.{child.name}"
            function = not isinstance(child, ast.ClassDef)
        yield child, around, function
        yield from _walk(child, around, function)


def _is_main(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


_Change = tuple[str, Callable[[], Callable[[], None]]]


def _changes(node: ast.AST) -> Iterator[_Change]:
    if isinstance(node, ast.If | ast.IfExp):
        yield from (_replaced(node, "test", node.test, ast.Constant(value)) for value in (True, False))
    elif isinstance(node, ast.While) and not isinstance(node.test, ast.Constant):
        yield _replaced(node, "test", node.test, ast.Constant(False))
    elif isinstance(node, ast.comprehension):
        for index, test in enumerate(node.ifs):
            yield from (_item(node.ifs, index, test, ast.Constant(value)) for value in (True, False))
    elif isinstance(node, ast.BoolOp):
        yield from _bool_op(node)
    elif isinstance(node, ast.Compare):
        yield from _compare(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        twice = ast.UnaryOp(ast.Not(), node.operand)
        yield _replaced(node, "operand", node.operand, twice, f"{_told(node)} → {_told(node.operand)}")
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
        yield from _table(node.value)


def _bool_op(node: ast.BoolOp) -> Iterator[_Change]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    word = "or" if isinstance(other, ast.Or) else "and"
    yield _replaced(node, "op", node.op, other, f"{_told(node)} → with {word}")
    for index, value in enumerate(node.values):
        neutral = ast.Constant(isinstance(node.op, ast.And))
        yield _item(node.values, index, value, neutral, f"{_told(node)} → without {_told(value)}")


def _compare(node: ast.Compare) -> Iterator[_Change]:
    for index, operator in enumerate(node.ops):
        for flipped in _FLIPS[type(operator)]:
            yield _item(node.ops, index, operator, flipped(), f"{_told(node)} → with {flipped.__name__}")
    for operator, right in zip(node.ops, node.comparators, strict=True):
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.Set | ast.List):
            yield from _items(right)


def _call(node: ast.Call) -> Iterator[_Change]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if isinstance(node.func, ast.Name) and name in _SWAPPED:
        yield _replaced(node.func, "id", name, _SWAPPED[name], f"{_told(node)} → {_SWAPPED[name]}")
    elif name in _WORDS:
        for index, argument in enumerate(node.args):
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield from _words(node.args, index, argument.value)
    elif name in (*_SETS, "startswith", "endswith", "intersection"):
        for argument in node.args[:1]:
            if isinstance(argument, ast.Tuple | ast.Set | ast.List):
                yield from _items(argument)


def _words(arguments: list[ast.expr], index: int, text: str) -> Iterator[_Change]:
    words = text.split()
    for number, word in enumerate(words):
        left = " ".join(words[:number] + words[number + 1 :])
        start = f"{words[0]} …" if len(words) > 1 else words[0]
        yield _item(arguments, index, arguments[index], ast.Constant(left), f"{start!r} → without {word!r}")


def _items(node: ast.Tuple | ast.Set | ast.List) -> Iterator[_Change]:
    for index, item in enumerate(node.elts):
        if len(node.elts) > 1 and isinstance(item, ast.Constant):
            yield _dropped(node.elts, index, f"{_told(node)} → without {_told(item)}")


def _table(node: ast.Dict) -> Iterator[_Change]:
    """A table that is looked up: each key is a condition."""
    for index, key in enumerate(node.keys):
        if isinstance(key, ast.Constant):
            yield f"table → without {_told(key)}", partial(_take_out, node, index)


def _take_out(node: ast.Dict, index: int) -> Callable[[], None]:
    key, value = node.keys.pop(index), node.values.pop(index)

    def undo() -> None:
        node.keys.insert(index, key)
        node.values.insert(index, value)

    return undo


def _told(node: ast.AST) -> str:
    """The source, on one line and cut short."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:89]}…"


def _replaced(node: ast.AST, name: str, old: object, new: object, change: str = "") -> _Change:
    def apply() -> Callable[[], None]:
        setattr(node, name, new)
        return lambda: setattr(node, name, old)

    if not change and isinstance(old, ast.AST) and isinstance(new, ast.AST):
        change = f"{_told(old)} → {_told(new)}"
    return change, apply


def _item(items: list[Any], index: int, old: ast.AST, new: ast.AST, change: str = "") -> _Change:
    def apply() -> Callable[[], None]:
        items[index] = new

        def undo() -> None:
            items[index] = old

        return undo

    return change or f"{_told(old)} → {_told(new)}", apply


def _dropped(items: list[ast.expr], index: int, change: str) -> _Change:
    def apply() -> Callable[[], None]:
        old = items.pop(index)
        return lambda: items.insert(index, old)

    return change, apply
