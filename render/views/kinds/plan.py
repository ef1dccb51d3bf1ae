"""Plan viewer: an executed PostgreSQL plan as nested nodes, with the rows passed on and those a filter threw away.

Plans are read by :mod:`render.views.kinds.explain`. What a plan does not say is left out of the drawing, never shown
as 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from render.numbers import number_text
from render.views.kinds.drawing import figure, folded, number
from render.views.kinds.explain import Node
from render.views.kinds.kind import Kind
from render.views.kit import Cell, Col, table
from render.views.marks import class_attribute, data, legend, mark

KIND = Kind("plan", "Plan viewer", "An executed query plan: what each node passes on, and what its filter throws away.")

#: Up to so many rows read, each row is a cell of its own; more are drawn as shares of a bar.
CELLS = 120


def plan(
    top: Node, *, title: str, note: str | Markup = "", on: Sequence[str] = (), words: Mapping[str, str] | None = None
) -> Markup:
    """The tree, outermost node first, each with its rows as cells or a bar, and all counts in a table.

    ``on``: nodes whose name begins with one of these stand out. ``words``: what a node does in plain words, by the
    beginning of its name ({"Limit": "stops after ten rows"}).
    """
    nodes = list(top.walk())
    filtered = any(node.removed for _, node in nodes)
    tree = Markup('<ol class="plan" aria-label="{}">{}</ol>').format(title, _item(top, tuple(on), words or {}))
    roles = [("permitted", "passed on")] + ([("discarded", "removed by a filter")] if filtered else [])
    return figure("k-plan", title, [legend(roles), tree, folded(_table(nodes, title))], note=note)


def _item(node: Node, on: tuple[str, ...], words: Mapping[str, str]) -> Markup:
    marked = any(node.name.startswith(name) for name in on)
    said = next((text for name, text in words.items() if node.name.startswith(name)), "")
    part = Markup('<span class="plan-part">{}</span> ').format(node.part) if node.part else ""
    says = Markup('<p class="plan-says">{}</p>').format(said) if said else ""
    facts = Markup("").join(Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(k, v) for k, v in node.details)
    details = Markup('<dl class="plan-facts">{}</dl>').format(facts) if facts else ""
    below = Markup("").join(_item(child, on, words) for child in node.children)
    children = Markup("<ol>{}</ol>").format(below) if below else ""
    return Markup('<li><div class="plan-box{}"><p class="plan-name">{}{}</p>{}{}{}{}</div>{}</li>').format(
        " is-on" if marked else "", part, node.name, says, _counts(node), _rows(node), details, children
    )


def _counts(node: Node) -> Markup:
    """What the node passed on, threw away and was expected to yield, in words."""
    if node.loops == 0:
        return Markup('<p class="plan-counts">never executed</p>')
    parts = []
    if node.rows is not None:
        parts.append(mark("permitted", "passed on") + Markup(" ") + data(_whole(node.rows * node.loops)))
    if node.removed is not None:
        parts.append(mark("discarded", "removed by filter") + Markup(" ") + data(_whole(node.removed * node.loops)))
    if node.estimated is not None:
        parts.append(Markup("expected {}").format(data(_whole(node.estimated * max(node.loops, 1)))))
    if node.loops > 1:
        parts.append(Markup("in {} loops").format(data(node.loops)))
    if node.ms is not None:
        parts.append(data(node.ms, 2, "ms"))
    if node.buffers is not None:
        parts.append(Markup("{} blocks").format(data(node.buffers)))
    return Markup('<p class="plan-counts">{}</p>').format(
        Markup("").join(Markup("<span>{}</span>").format(part) for part in parts)
    )


def _rows(node: Node) -> Markup:
    """The rows that the node read: those passed on filled, those removed hollow and low."""
    kept, removed = round(node.total(node.rows) or 0), round(node.total(node.removed) or 0)
    if not kept + removed or not node.loops:
        return Markup("")
    said = f"{number_text(kept)} of {number_text(kept + removed)} rows passed on"
    if kept + removed <= CELLS:
        boxes = [("permitted", i) for i in range(kept)] + [("discarded", kept + i) for i in range(removed)]
        inner = Markup("").join(_cell(state, i) for state, i in boxes)
        width, height = 8 * min(kept + removed, 40), 14 * ((kept + removed + 39) // 40)
        cls = "plan-cells"
    else:
        share = max(2.0, 320 * kept / (kept + removed)) if kept else 0.0
        inner = Markup(
            '<rect class="fill permitted" x="0" y="1" width="{}" height="12"></rect>'
            '<rect class="fill discarded" x="{}" y="4" width="{}" height="6"></rect>'
        ).format(number(share), number(share), number(320 - share if removed else 0))
        width, height, cls = 320, 14, "plan-cells plan-cells--bar"
    return Markup(
        '<svg class="{}" viewBox="0 0 {w} {h}" width="{w}" height="{h}" preserveAspectRatio="{ratio}" role="img" '
        'aria-label="{said}">'
        "<title>{said}</title>{inner}</svg>"
    ).format(cls, w=width, h=height, ratio="none" if "--bar" in cls else "xMinYMid", said=said, inner=inner)


def _cell(state: str, i: int) -> Markup:
    y, height = (1, 12) if state == "permitted" else (4, 6)
    return Markup('<rect class="fill {}" x="{}" y="{}" width="5" height="{}"></rect>').format(
        state, 8 * (i % 40) + 1.5, 14 * (i // 40) + y, height
    )


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


_COLUMNS: tuple[tuple[str, str, int | None, str], ...] = (
    ("estimated", "rows expected", None, ""),
    ("rows", "rows passed on", None, ""),
    ("removed", "rows removed", None, ""),
    ("ms", "time", 2, "ms"),
    ("buffers", "blocks", None, ""),
)


def _table(nodes: Sequence[tuple[int, Node]], title: str) -> Markup:
    """Every node with its totals over all loops; a count that the plan does not hold has no column."""
    used = [column for column in _COLUMNS if any(getattr(node, column[0]) is not None for _, node in nodes)]
    columns: list[str | Col] = ["node", *(Col(label, digits, unit, numeric=True) for _, label, digits, unit in used)]
    rows: list[list[Cell]] = []
    for depth, node in nodes:
        name = Markup("<span{}>{}</span>").format(class_attribute(f"plan-in{min(depth, 4)}"), node.name)
        rows.append([name, *(_total(node, key) for key, *_ in used)])
    return table(columns, rows, title=f"{title}: every node", note="Counts are totals over all loops.")


def _total(node: Node, key: str) -> Cell:
    value = getattr(node, key)
    return None if value is None else _whole(value if key == "buffers" else value * node.loops)
