"""The graph draws each node and link where it was told, keeps places from step to step, and refuses what it cannot."""

from __future__ import annotations

import re

import pytest
from markupsafe import Markup

from checks.html import check
from render.views.kinds.graph import SHAPES, STATES, Bounds, Layer, Link, Node, graph
from render.views.kit import table

LAYERS = [Layer(1, "layer 1 · 2 nodes"), Layer(0, "layer 0 · 5 nodes", 160)]
BOUNDS = Bounds(-1.0, 1.0, -1.0, 1.0)
NODES = [
    Node("a", -1.0, 1.0, 1, "opened"), Node("a", -1.0, 1.0, 0, "opened"), Node("b", 0.0, 0.0, 0, "current"),
    Node("c", 1.0, -1.0, 0, "missed"), Node("d", 0.5, 0.5, 0, "left"), Node("e", 0.5, 0.2, 1, "other"),
]  # fmt: skip
LINKS = [Link("a", "a", 1, "down"), Link("a", "b", 0, "walked"), Link("b", "d", 0)]


def drawn(nodes: list[Node] = NODES, links: list[Link] = LINKS, query: tuple[float, float] | None = None) -> str:
    beside = table(["node"], [["a"], ["b"]], title="Visited")
    return str(
        graph(nodes, links, layers=LAYERS, bounds=BOUNDS, title="A walk", desc="D.", table=Markup(beside), query=query)
    )


def places(html: str, state: str) -> list[str]:
    picture = html[html.index('<svg class="drawing"') :].partition("</figure>")[0]
    return re.findall(rf'<g class="n-{state}" transform="translate\(([^)]+)\)"', picture)


def test_every_node_and_link_is_drawn_with_a_table_beside() -> None:
    html = drawn(query=(0.0, 0.0))
    assert [len(places(html, state)) for state in STATES] == [1, 1, 0, 2, 1, 0, 1, 2]
    assert [html.count(f'class="l-{state}"') for state in ("looked", "walked", "down")] == [1, 1, 1]
    assert "<title>A walk</title><desc>D.</desc>" in html and "Visited" in html
    page = f'<!doctype html><html lang="en"><head><title>x</title></head><body>{html}</body></html>'
    assert check(page, "graph.html") == []


def test_a_node_stands_at_one_place_across_layers_and_states() -> None:
    upper, lower = places(drawn(), "opened")
    assert upper.split()[0] == lower.split()[0]
    later = [Node(n.id, n.x, n.y, n.layer, "opened") for n in NODES]
    assert set(places(drawn(), "current")) <= set(places(drawn(later), "opened"))


def test_up_is_up_and_the_higher_layer_stands_above() -> None:
    (top, first), (low, second) = (
        (float(y) for y in p.split()) for p in [*places(drawn(), "opened")[1:], *places(drawn(), "missed")]
    )
    assert top < low and first < second
    assert float(places(drawn(), "opened")[0].split()[1]) < 84


def test_the_question_is_marked_only_on_layers_that_were_visited() -> None:
    unvisited = [node for node in NODES if node.layer == 0 or node.state == "other"]
    assert len(places(drawn(unvisited, [], query=(0, 0)), "query")) == 1


def test_no_two_states_share_a_shape() -> None:
    assert set(SHAPES) == set(STATES) and len(set(SHAPES.values())) == len(SHAPES)


def test_one_point_still_has_bounds() -> None:
    bounds = Bounds.of([(0.5, 0.5)])
    assert (bounds.left, bounds.high) == (0.5, 0.5)
    graph([Node(1, 0.5, 0.5, 0, "opened")], [], layers=LAYERS, bounds=bounds, title="T", desc="D.", table=Markup(""))


@pytest.mark.parametrize(
    ("nodes", "links", "message"),
    [
        ([Node("a", 0, 0, 0, "lost")], [], "node a is 'lost'"),
        ([Node("a", 0, 0, 7, "opened")], [], "on layer 7"),
        ([Node("a", 0, 0, 1, "opened")], [Link("a", "a", 1, "down")], "of a on layer 0"),
        ([Node("a", 0, 0, 0, "opened")], [Link("a", "b", 0)], "of b on layer 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(nodes: list[Node], links: list[Link], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        drawn(nodes, links)
