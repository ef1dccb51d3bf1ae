"""Reading executed PostgreSQL plans, in either form that EXPLAIN gives, into one tree of nodes.

``from_json`` reads EXPLAIN (ANALYZE, FORMAT JSON), ``from_text`` the lines that EXPLAIN prints; what a plan does not
say (estimates with COSTS OFF, times with TIMING OFF) stays ``None``. Source: PostgreSQL documentation, "Using EXPLAIN".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

HEADER = re.compile(r"^(?P<indent> *)(?P<arrow>-> +)?(?P<name>[A-Z].*?) {1,2}\((?P<facts>(?:cost|actual|never).*)\)$")
PART = re.compile(r"^(?:InitPlan|SubPlan|CTE) \S.*$")
REMOVED = ("Rows Removed by Filter", "Rows Removed by Index Recheck", "Rows Removed by Join Filter")
BUFFERS = ("Shared Hit Blocks", "Shared Read Blocks")


@dataclass
class Node:
    """One node. Counts are per loop as PostgreSQL prints them; ``None`` where the plan does not say.

    ``part`` is what the node computes beside the main plan ("InitPlan 1"). ``ms`` is the time of the node with its
    children, per loop; ``buffers`` the blocks it and its children touched.
    """

    name: str
    estimated: float | None = None
    rows: float | None = None
    loops: int = 1
    removed: float | None = None
    ms: float | None = None
    buffers: int | None = None
    part: str = ""
    details: list[tuple[str, str]] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Node]]:
        """The node and all below it with their depth, in the order that EXPLAIN prints."""
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)

    def total(self, per_loop: float | None) -> float | None:
        """A count over all loops."""
        return None if per_loop is None else per_loop * self.loops


def read_plan(captured: Any) -> Node:
    """The plan in either form that datasets hold it in: the lines of EXPLAIN, or its JSON."""
    lines = isinstance(captured, list) and all(isinstance(line, str) for line in captured)
    return from_text(captured) if lines else from_json(captured)


def from_json(document: Any) -> Node:
    """The plan of EXPLAIN (FORMAT JSON): its list of one, the object in it, or a plan node itself."""
    if isinstance(document, Sequence):
        document = document[0]
    return _from_mapping(document.get("Plan", document))


def _from_mapping(plan: Mapping[str, Any]) -> Node:
    name = str(plan["Node Type"])
    if "Index Name" in plan:
        name += f" using {plan['Index Name']}"
    if "Relation Name" in plan:
        name += f" on {plan['Relation Name']}"
    removed = [plan[key] for key in REMOVED if key in plan]
    blocks = [plan[key] for key in BUFFERS if key in plan]
    shown = [
        (key, plan.get(key)) for key in ("Order By", "Index Cond", "Recheck Cond", "Filter", "Sort Key", "Sort Method")
    ]
    return Node(
        name=name,
        estimated=plan.get("Plan Rows"),
        rows=plan.get("Actual Rows"),
        loops=plan.get("Actual Loops", 1),
        removed=sum(removed) if removed else None,
        ms=plan.get("Actual Total Time"),
        buffers=sum(blocks) if blocks else None,
        part=str(plan.get("Subplan Name", "")),
        details=[(key, ", ".join(v) if isinstance(v, list) else str(v)) for key, v in shown if v is not None],
        children=[_from_mapping(child) for child in plan.get("Plans", ())],
    )


def from_text(lines: Sequence[str]) -> Node:
    """The plan of EXPLAIN's text form; ValueError for a text without a first node."""
    stack: list[tuple[int, Node]] = []
    top: Node | None = None
    part = ""
    for line in lines:
        header = HEADER.match(line)
        if header:
            node = _from_header(header["name"], header["facts"], part)
            part = ""
            indent = len(header["indent"]) if header["arrow"] else -1
            stack = [(at, one) for at, one in stack if at < indent]
            if stack:
                stack[-1][1].children.append(node)
            top = top or node
            stack.append((indent, node))
        elif PART.match(line.strip()):
            part = line.strip()
        elif stack and line.startswith(" "):
            _property(stack[-1][1], *line.strip().partition(":")[::2])
    if top is None:
        raise ValueError(f"no plan node in {lines[:1]!r}: expected the lines of EXPLAIN")
    return top


def _from_header(name: str, facts: str, part: str) -> Node:
    cost = re.search(r"cost=\S+ rows=(\d+)", facts)
    actual = re.search(r"actual (?:time=[\d.]+\.\.([\d.]+) )?rows=([\d.]+) loops=(\d+)", facts)
    node = Node(name, part=part, estimated=float(cost[1]) if cost else None)
    if actual:
        node.ms = float(actual[1]) if actual[1] else None
        node.rows, node.loops = float(actual[2]), int(actual[3])
    elif "never executed" in facts:
        node.loops = 0
    return node


def _property(node: Node, key: str, value: str) -> None:
    key, value = key.strip(), value.strip()
    if key in REMOVED:
        node.removed = (node.removed or 0) + float(value)
    elif key == "Buffers":
        node.buffers = sum(int(found) for found in re.findall(r"(?:hit|read)=(\d+)", value))
    elif value:
        node.details.append((key, value))
