"""Graph: a walk through layers of nodes and links, drawn layer over layer with the table of visited nodes beside it.

A node keeps its place on every layer and in every step; what changes from step to step is its state. Give every step
the same ``bounds`` and ``layers``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.views.kinds.drawing import WIDTH, drawing, figure, number, path, text
from render.views.kinds.kind import Kind

KIND = Kind("graph", "Graph", "A walk through the nodes and links of a graph, with every visited node in a table.")

#: What a node can be in a step and what the legend calls it, drawn in this order; each has a shape of its own.
STATES: dict[str, str] = {
    "other": "not met",
    "left": "measured, not kept",
    "waiting": "in the list, not opened",
    "opened": "opened",
    "current": "opened now",
    "exact": "nearest by brute force, found",
    "missed": "nearest by brute force, missed",
    "query": "the question",
}
SHAPES: dict[str, str] = {
    "other": '<circle cx="0" cy="0" r="1.6"></circle>',
    "left": '<path d="M-2.6-2.6 2.6 2.6M-2.6 2.6 2.6-2.6"></path>',
    "waiting": '<circle cx="0" cy="0" r="3.6"></circle>',
    "opened": '<circle cx="0" cy="0" r="4"></circle>',
    "current": '<path d="M0-7.5 7.5 0 0 7.5-7.5 0Z"></path>',
    "exact": '<path d="M0-6V6M-6 0H6"></path>',
    "missed": '<path d="M-5.5-5.5H5.5V5.5H-5.5Z"></path>',
    "query": '<path d="M0-9V9M-9 0H9M-6.4-6.4 6.4 6.4M-6.4 6.4 6.4-6.4"></path>',
}
LINKS = ("looked", "walked", "down")
GAP, LABEL, PAD = 10, 20, 12


@dataclass(frozen=True)
class Node:
    """A node at (x, y) on a layer, in one of ``STATES``. ``label`` is printed beside it: give it to few."""

    id: int | str
    x: float
    y: float
    layer: int
    state: str
    label: str = ""


@dataclass(frozen=True)
class Link:
    """A link of a layer between two nodes drawn there: ``looked`` at, ``walked``, or ``down`` to the layer below."""

    a: int | str
    b: int | str
    layer: int
    state: str = "looked"


@dataclass(frozen=True)
class Layer:
    """A layer by number, what is printed on it ("layer 2 · 31 nodes"), and its height in drawing units."""

    number: int
    label: str
    height: float = 84.0


@dataclass(frozen=True)
class Bounds:
    """The rectangle of positions that every layer shows."""

    left: float
    right: float
    low: float
    high: float

    @classmethod
    def of(cls, points: Sequence[tuple[float, float]]) -> Bounds:
        """The smallest rectangle around points; one point or a line still has an extent."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return cls(min(xs), max(xs) or 1.0, min(ys), max(ys) or 1.0) if points else cls(0, 1, 0, 1)


class _Place:
    """From positions to drawing units, layer by layer from the highest down."""

    def __init__(self, layers: Sequence[Layer], bounds: Bounds) -> None:
        self.bounds = bounds
        self.tops: dict[int, tuple[float, float]] = {}
        top = 0.0
        for layer in sorted(layers, key=lambda layer: -layer.number):
            self.tops[layer.number] = (top, layer.height)
            top += layer.height + GAP
        self.height = top - GAP

    def __call__(self, x: float, y: float, layer: int) -> tuple[float, float]:
        top, height = self.tops[layer]
        across = (x - self.bounds.left) / ((self.bounds.right - self.bounds.left) or 1.0)
        up = (y - self.bounds.low) / ((self.bounds.high - self.bounds.low) or 1.0)
        room = height - LABEL - 2 * PAD
        return PAD + across * (WIDTH - 2 * PAD), top + LABEL + PAD + (1 - up) * room


def graph(
    nodes: Sequence[Node],
    links: Sequence[Link],
    *,
    layers: Sequence[Layer],
    bounds: Bounds,
    title: str,
    desc: str,
    table: Markup,
    query: tuple[float, float] | None = None,
    words: dict[str, str] | None = None,
    note: str | Markup = "",
) -> Markup:
    """Layers of nodes and links with their ``table`` of visited nodes beside the drawing (below it on narrow screens).

    ``query`` marks a position on every layer that has a visited node. ``words`` renames states in the legend.

    Raises ``ValueError`` for an unknown state or layer, and for a link to a node that is not drawn on its layer.
    """
    place = _Place(layers, bounds)
    _check(nodes, links, place, title)
    at = {(node.id, node.layer): place(node.x, node.y, node.layer) for node in nodes}
    parts = [_plane(layer, place) for layer in layers]
    parts += [_link(link, at) for state in LINKS for link in links if link.state == state]
    order = list(STATES)
    for node in sorted(nodes, key=lambda node: order.index(node.state)):
        x, y = at[node.id, node.layer]
        parts.append(_mark(node.state, x, y))
        if node.label:
            parts.append(text(x + 8, y - 5, node.label, cls="tag"))
    if query is not None:
        for level in sorted({node.layer for node in nodes if node.state != "other"}):
            parts.append(_mark("query", *place(*query, level)))
    svg = drawing(WIDTH, place.height, title=title, desc=desc, inner=Markup("").join(parts))
    states = [state for state in STATES if any(node.state == state for node in nodes)]
    legend = _legend(states + (["query"] if query is not None else []), {**STATES, **(words or {})})
    both = Markup('<div class="k-beside"><div>{}{}</div>{}</div>').format(legend, svg, table)
    return figure("k-graph", title, [both], note=note)


def _check(nodes: Sequence[Node], links: Sequence[Link], place: _Place, title: str) -> None:
    drawn = {(node.id, node.layer) for node in nodes}
    for node in nodes:
        if node.state not in STATES or node.layer not in place.tops:
            raise ValueError(f"graph “{title}”: node {node.id} is {node.state!r} on layer {node.layer}")
    for link in links:
        ends = ((link.a, link.layer), (link.b, link.layer - 1 if link.state == "down" else link.layer))
        lost = [f"{node} on layer {layer}" for node, layer in ends if (node, layer) not in drawn]
        if lost or link.state not in LINKS:
            raise ValueError(f"graph “{title}”: a link {link.state!r} of {' and '.join(lost) or 'drawn nodes'}")


def _plane(layer: Layer, place: _Place) -> Markup:
    top, height = place.tops[layer.number]
    plane = Markup('<rect class="plane" x=".5" y="{}" width="{}" height="{}" rx="3"></rect>')
    return plane.format(number(top + 0.5), WIDTH - 1, number(height - 1)) + text(8, top + 15, layer.label)


def _link(link: Link, at: dict[tuple[int | str, int], tuple[float, float]]) -> Markup:
    (x, y), (to_x, to_y) = at[link.a, link.layer], at[link.b, link.layer - (link.state == "down")]
    return path(f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}", f"l-{link.state}")


def _mark(state: str, x: float, y: float) -> Markup:
    return Markup('<g class="n-{}" transform="translate({} {})">{}</g>').format(
        state, number(x), number(y), Markup(SHAPES[state])
    )


def _legend(states: Sequence[str], words: dict[str, str]) -> Markup:
    entries = Markup("").join(
        Markup(
            '<li><svg class="k-swatch" viewBox="-10 -10 20 20" width="18" height="18" aria-hidden="true" '
            'focusable="false">{}</svg>{}</li>'
        ).format(_mark(state, 0, 0), words[state])
        for state in states
    )
    return Markup('<ul class="legend" aria-label="Legend">{}</ul>').format(entries)
