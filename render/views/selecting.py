"""What selectors find: the values that a path leads to among captured records, for the names at hand."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from render.reading import expressions
from render.reading.expressions import Value
from render.reading.library import Library
from render.reading.source import Dataset
from render.views.derived import with_derived
from render.views.kinds.explain import read_plan
from render.views.selector import Condition, SelectionError, Selector, Step, conditions, is_selector, literal, parse

__all__ = ["Bindings", "Node", "SelectionError", "expand", "is_selector", "parse"]

_ORDERED = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


@dataclass(frozen=True)
class Node:
    """A captured value, the pointer that leads to it, and its position in its list, from 1.

    ``record`` tells an item of a list from a value that was reached by its key: a mapping that is an item is one row.
    """

    pointer: str
    value: Any
    place: int = 1
    record: bool = False


@dataclass(frozen=True)
class Bindings:
    """What the names of a selector mean: the dataset at hand, declared names, and the record at hand (``item``).

    ``words`` are the words for values that a walkthrough declares, for ``render.views.wording``; ``defaults`` its
    options by view.
    """

    library: Library
    dataset: Dataset | None = None
    names: Mapping[str, str | Node] = field(default_factory=dict)
    words: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    item: Node | None = None
    known: dict[str, list[Node]] = field(default_factory=dict, compare=False)

    def at(self, item: Node) -> Bindings:
        """The same with another record at hand."""
        return replace(self, item=item)

    def bind(self, name: str, node: Node) -> Bindings:
        """The same with one more name."""
        return replace(self, names={**self.names, name: node}, known={})

    def nodes(self, text: str) -> list[Node]:
        """Every value that a selector names, in order; raises SelectionError where a step leads nowhere."""
        selector = parse(text)
        found = self._begin(selector)
        for step in selector.steps:
            found = self._go(found, step, text)
        return found

    def node(self, text: str) -> Node:
        """The one value that a selector names; raises SelectionError for none and for several."""
        found = self.nodes(text)
        if len(found) != 1:
            raise SelectionError(f"`{text}` names {len(found)} values: expected one")
        return found[0]

    def records(self, text: str) -> list[Node]:
        """The rows of a list, of a mapping of records or scalars, or the records that a filter left."""
        return [item for node in self.nodes(text) for item in _items(node)]

    def dataset_of(self, text: str) -> Dataset | None:
        """The dataset that a selector goes into; None for a name, or where none is at hand."""
        selector = parse(text) if text else None
        return self.library.dataset(selector.dataset) if selector and selector.dataset else self.dataset

    def value(self, text: str) -> Any:
        """The value of a selector or of an expression over selected values."""
        plain = text.strip()
        if is_selector(plain) or (self.item and isinstance(self.item.value, Mapping) and plain in self.item.value):
            return self._own(plain)
        return self.evaluated(plain)

    def evaluated(self, source: str) -> Value:
        """The value of an expression whose names and selectors are those at hand."""
        return expressions.evaluate(source, self.operand, lambda inner: [node.value for node in self.nodes(inner)])

    def operand(self, dotted: str) -> Value:
        """The value of a dotted name in an expression: of the record at hand, a declared name, or a figure."""
        first, _, rest = dotted.partition(".")
        if not self.knows(first):
            return self.library.operand(dotted)
        value: Value = self.node(f"{first}/{rest.replace('.', '/')}" if rest else first).value
        return value

    def knows(self, name: str) -> bool:
        """Whether a name means something here."""
        return name in self._here() or name in self.names

    def meets(self, text: str) -> bool:
        """Whether all conditions of a text hold for the names and the record at hand."""
        return all(self._holds(condition, self)[0] for condition in conditions(text))

    def _own(self, text: str) -> Any:
        item = self.item
        if item is not None and isinstance(item.value, Mapping) and text in item.value:
            return item.value[text]
        return self.node(text).value

    def _here(self) -> Mapping[str, Any]:
        if self.item is None:
            return {}
        own = self.item.value if isinstance(self.item.value, Mapping) else {}
        return {"here": self.item.value, "place": self.item.place, **own}

    def _begin(self, selector: Selector) -> list[Node]:
        if selector.name:
            return self._named(selector.name)
        dataset = self.library.dataset(selector.dataset) if selector.dataset else self.dataset
        if dataset is None:
            raise SelectionError("no dataset is at hand here: write `dataset:/path`")
        return [Node(f"{dataset.name}:", with_derived(dataset))]

    def _named(self, name: str) -> list[Node]:
        here = self._here()
        if self.item is not None and name in here:
            return [self.item if name == "here" else Node(f"{self.item.pointer}/{name}", here[name])]
        if name not in self.names:
            near = difflib.get_close_matches(name, [*here, *self.names], n=1, cutoff=0.4)
            raise SelectionError(f"nothing is called `{name}` here" + (f"; did you mean `{near[0]}`?" if near else ""))
        meant = self.names[name]
        if isinstance(meant, Node):
            return [meant]
        if name not in self.known:
            outer = replace(self, item=None)
            self.known[name] = outer.nodes(meant) if is_selector(meant) else [Node(name, outer.value(meant))]
        return self.known[name]

    def _go(self, nodes: list[Node], step: Step, text: str) -> list[Node]:
        if step.key:
            return [found for node in nodes for found in _below(node, step.key, text)]
        if step.verb == "explain":
            return [item for node in nodes for item in _plan_nodes(node)]
        inner = [item for node in nodes for item in _items(node)]
        if step.conditions:
            return self._filtered(inner, step.conditions, text)
        if step.verb in ("first", "last"):
            count = int(self.value(step.of))
            return inner[:count] if step.verb == "first" else inner[-count:]
        return self._ordered(inner, step)

    def _filtered(self, nodes: list[Node], tests: tuple[Condition, ...], text: str) -> list[Node]:
        kept = nodes
        for condition in tests:
            results = [(node, *self.at(node)._holds(condition, self)) for node in kept]
            if kept and not any(found for _, _, found in results):
                keys = ", ".join(sorted({str(key) for node in kept for key in _keys(node.value)})[:20])
                raise SelectionError(f"`{text}`: no record has `{condition.path}`; they have {keys}")
            kept = [node for node, holds, _ in results if holds]
        return kept

    def _holds(self, condition: Condition, outer: Bindings) -> tuple[bool, bool]:
        """Whether a condition holds, and whether there is anything at its path; ``outer`` gives ``$`` its meaning."""
        try:
            value, found = self._own(condition.path), True
        except SelectionError:
            value, found = None, False
        if not condition.op:
            return bool(value) != condition.negated, found
        wanted = condition.value.strip()
        if condition.op in _ORDERED:
            limit = outer._meant(wanted)
            return value is not None and bool(_ORDERED[condition.op](value, limit)), found
        among = any(_same(value, outer._meant(one)) for one in wanted.split("|"))
        return among == (condition.op == "="), found

    def _meant(self, text: str) -> Any:
        """What stands behind an operator: ``$selector``, or a literal."""
        plain = text.strip()
        return self.value(plain[1:]) if plain.startswith("$") else literal(plain)

    def _ordered(self, nodes: list[Node], step: Step) -> list[Node]:
        falling = step.of.startswith("-")
        keyed = [(self.at(node).value(step.of.removeprefix("-")), node) for node in nodes]
        known = sorted(((key, node) for key, node in keyed if key is not None), key=lambda pair: pair[0])
        ranked = [node for _, node in (known[::-1] if falling else known)]
        if step.verb == "sort":
            return ranked + [node for key, node in keyed if key is None]
        if not ranked:
            raise SelectionError(f"`[{step.verb} {step.of}]` has no record to choose from")
        return ranked[-1:] if step.verb == "max" else ranked[:1]


def expand(node: Node) -> list[Node]:
    """The items of a list; of a mapping its records, each with its key as ``name``, or its scalars with ``value``."""
    if isinstance(node.value, list):
        return [Node(f"{node.pointer}/{at}", item, at + 1, True) for at, item in enumerate(node.value)]
    if isinstance(node.value, Mapping):
        return [
            Node(f"{node.pointer}/{key}", {"name": key, **_record(item)}, at, True)
            for at, (key, item) in enumerate(node.value.items(), 1)
        ]
    raise SelectionError(f"{node.pointer} is {node.value!r}, no list of records")


def _record(item: Any) -> Mapping[str, Any]:
    return item if isinstance(item, Mapping) else {"value": item}


def _plan_nodes(node: Node) -> list[Node]:
    """The nodes of a captured plan, outermost first: totals over all loops, and ``filter`` where they have one."""
    return [
        Node(f"{node.pointer}[explain]", {
            "name": one.name, "filter": any(key == "Filter" for key, _ in one.details), "loops": one.loops,
            "rows": _whole(one.total(one.rows)), "removed": _whole(one.total(one.removed)),
            "estimated": _whole(one.estimated), "depth": depth,
        }, place, True)
        for place, (depth, one) in enumerate(read_plan(node.value).walk(), 1)
    ]  # fmt: skip


def _whole(value: float | None) -> float | int | None:
    return int(value) if value is not None and float(value).is_integer() else value


def _items(node: Node) -> list[Node]:
    """What a filter looks through: the items of a list or mapping; a record, or a scalar, by itself."""
    many = isinstance(node.value, list) or (isinstance(node.value, Mapping) and not node.record)
    return expand(node) if many else [node]


def _below(node: Node, key: str, text: str) -> list[Node]:
    """The value under a key: an item of a list by its position from 0 (from the end: -1), or the key of every item."""
    if isinstance(node.value, Mapping) and key in node.value:
        return [Node(f"{node.pointer}/{key}", node.value[key], node.place)]
    if key == "place" and node.record:
        return [Node(f"{node.pointer}/place", node.place)]
    if isinstance(node.value, list):
        if not re.fullmatch(r"-?\d+", key):
            return [found for item in expand(node) for found in _below(item, key, text)]
        at = int(key) if int(key) >= 0 else len(node.value) + int(key)
        if 0 <= at < len(node.value):
            return [Node(f"{node.pointer}/{at}", node.value[at], at + 1, True)]
    has = ", ".join(sorted(map(str, node.value))[:20]) if isinstance(node.value, Mapping) else ""
    holds = f"the keys {has}" if has else f"{len(node.value)} items" if isinstance(node.value, list) else "one value"
    hint = "; in arithmetic write dots between names" if " " in key else ""
    raise SelectionError(f"`{text}`: {node.pointer} has {holds}, not {key!r}{hint}")


def _same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _keys(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {"here": value}
