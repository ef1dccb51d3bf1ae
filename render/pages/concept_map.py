"""The concept map: the prerequisite graph in layers, drawn as SVG at build, and the same as a list.

A page stands one layer after the latest of its prerequisites. Order within a layer follows the neighbours in the
layer before (their mean place), ties by reading order, so that few lines cross and a build repeats itself.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.model import PageRef
from render.pages.renderer import Rendered, Renderer
from render.reading.library import Library

PATH = "map/index.html"
WIDTH, GAP_X, GAP_Y, LINE, PAD = 208, 72, 18, 18, 11
LETTERS = 24  # of a line inside a box: what fits at the font size of the stylesheet


@dataclass(frozen=True)
class Node:
    """A page on the map: layer from 0, the corner and height of its box, its title in lines."""

    page: PageRef
    layer: int
    x: float
    y: float
    height: float
    lines: tuple[str, ...]


def map_page(renderer: Renderer) -> Rendered:
    """The page with the drawing and, beside it, the same in words."""
    library = renderer.library
    layers = layered(library)
    rel = "../" * PATH.count("/")
    levels = [
        [
            {"page": library.page_ref(slug), "needs": library.written(library.pages[slug].prerequisites)}
            for slug in layer
        ]
        for layer in layers
    ]
    intro = (
        "Which page builds on which. A line runs from a page to those that need it; start with any page on the left."
    )
    text = renderer.page(
        "map.html.j2",
        PATH,
        kind="map",
        title="Concept map",
        description=intro,
        drawing=drawing(library, layers, rel) if layers else Markup(""),
        levels=levels,
    )
    return Rendered(PATH, text)


def layered(library: Library) -> list[list[str]]:
    """Slugs by layer; pages that neither need nor unlock another stand last in the first layer."""
    order = [slug for slug in library.config.order if slug in library.pages]
    depth = _depths(library, order)
    used = {
        other for page in library.pages.values() for other in (page.prerequisites and (page.slug, *page.prerequisites))
    }
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for slug in order:
        layers[depth[slug]].append(slug)
    if layers:
        layers[0].sort(key=lambda slug: slug not in used)
    for level in range(1, len(layers)):
        before = {slug: at for at, slug in enumerate(layers[level - 1])}
        layers[level].sort(key=lambda slug: _mean_place(library, slug, before))
    return layers


def _depths(library: Library, order: Sequence[str]) -> dict[str, int]:
    """The layer of every page. In a circle, which is reported elsewhere, a page counts as of the first."""
    depth: dict[str, int] = {}
    for start in order:
        way = [start]  # pages whose prerequisites are being placed
        on_way = {start}
        while way:
            slug = way[-1]
            needed = [other for other in library.pages[slug].prerequisites if other in library.pages]
            missing = next((other for other in needed if other not in depth and other not in on_way), None)
            if missing is not None:
                way.append(missing)
                on_way.add(missing)
                continue
            depth.setdefault(slug, 1 + max((depth.get(other, 0) for other in needed), default=-1))
            on_way.discard(way.pop())
    return depth


def _mean_place(library: Library, slug: str, before: Mapping[str, int]) -> float:
    places = [before[other] for other in library.pages[slug].prerequisites if other in before]
    return sum(places) / len(places) if places else len(before)


def nodes(library: Library, layers: Sequence[Sequence[str]]) -> dict[str, Node]:
    """Every page with its box; layers run from left to right, each centred on the tallest."""
    placed: dict[str, Node] = {}
    lines = {slug: tuple(textwrap.wrap(library.pages[slug].title, LETTERS)) for layer in layers for slug in layer}
    heights = {slug: PAD * 2 + LINE * len(text) for slug, text in lines.items()}
    tallest = max(_height(layer, heights) for layer in layers)
    for level, layer in enumerate(layers):
        y = (tallest - _height(layer, heights)) / 2 if level else 0.0
        for slug in layer:
            x = float(level * (WIDTH + GAP_X))
            placed[slug] = Node(library.page_ref(slug), level, x, round(y, 1), heights[slug], lines[slug])
            y += heights[slug] + GAP_Y
    return placed


def _height(layer: Sequence[str], heights: Mapping[str, float]) -> float:
    return sum(heights[slug] for slug in layer) + GAP_Y * (len(layer) - 1)


def drawing(library: Library, layers: Sequence[Sequence[str]], rel: str) -> Markup:
    """The graph: boxes that are links, and lines from each prerequisite to what needs it."""
    placed = nodes(library, layers)
    width = len(layers) * (WIDTH + GAP_X) - GAP_X + 4
    height = max(node.y + node.height for node in placed.values()) + 4
    lines = Markup("").join(
        _edge(placed[other], node)
        for slug, node in placed.items()
        for other in library.pages[slug].prerequisites
        if other in placed
    )
    boxes = Markup("").join(_box(node, rel) for node in placed.values())
    return Markup(
        '<svg class="map" viewBox="-2 -2 {w} {h}" width="{w}" height="{h}" role="group" '
        'aria-label="Pages as boxes, with lines from each page to those that need it">'
        '<g aria-hidden="true">{}</g>{}</svg>'
    ).format(lines, boxes, w=f"{width:g}", h=f"{height:g}")


def _edge(start: Node, end: Node) -> Markup:
    x1, y1 = start.x + WIDTH, start.y + start.height / 2
    x2, y2 = end.x, end.y + end.height / 2
    bend = GAP_X * 0.6
    return Markup('<path class="map-edge" d="M{:g} {:g}C{:g} {:g} {:g} {:g} {:g} {:g}l-8 -4m8 4l-8 4"></path>').format(
        x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2
    )


def _box(node: Node, rel: str) -> Markup:
    text = Markup("").join(
        Markup('<tspan x="{:g}" dy="{}">{}{}</tspan>').format(node.x + 12, LINE if at else 0, line, end)
        for at, line in enumerate(node.lines)
        for end in [" " if at + 1 < len(node.lines) else ""]
    )
    return Markup(
        '<a class="map-node" href="{}" data-slug="{}"><rect x="{:g}" y="{:g}" width="{}" height="{:g}" rx="4"></rect>'
        '<text x="{:g}" y="{:g}">{}</text></a>'
    ).format(
        rel + node.page.url, node.page.slug, node.x, node.y, WIDTH, node.height, node.x + 12, node.y + PAD + 13, text
    )
