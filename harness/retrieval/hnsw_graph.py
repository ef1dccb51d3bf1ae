"""A hierarchical navigable small world graph that can be read, checked and watched: plain Python over numpy.

Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using hierarchical navigable small
world graphs" (2020), algorithms 1 (insert), 2 (search a layer), 4 (choose links, keeping pruned ones) and 5 (search).
It is not the index that answers queries here: pgvector's is. It is small, seeded, and records every node it opens.

Distances are cosine distances of unit vectors (1 − cosine, 0 to 2), rounded to six decimals so that processors that
differ in the last bits walk alike; equal distances fall by node number. Equal vectors stay separate nodes.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from harness.corpus.model import Vectors

Doubles = npt.NDArray[np.float64]
Found = list[tuple[float, int]]
"""(distance, node), nearest first."""

DECIMALS = 6


@dataclass(frozen=True)
class Opening:
    """One node opened on a layer: its links that were not measured yet on that layer, and the list afterwards.

    ``measured`` pairs are (distance, node) in the order of the links; ``kept`` are those that entered the list.
    """

    layer: int
    node: int
    distance: float
    measured: tuple[tuple[float, int], ...]
    kept: tuple[int, ...]
    after: tuple[tuple[float, int], ...]


@dataclass(frozen=True)
class Walk:
    """One search: the nodes opened in order, what was found (nearest first), and how many distances it computed.

    ``unopened`` is the nearest node of layer zero that was left unopened when the search stopped, if there was one.
    """

    openings: tuple[Opening, ...]
    found: tuple[tuple[float, int], ...]
    distances: int
    unopened: tuple[float, int] | None


@dataclass
class Graph:
    """The graph: ``links[node][layer]`` are node numbers, for each layer from 0 to the node's own ``levels[node]``."""

    vectors: Doubles
    m: int
    levels: list[int]
    links: list[list[list[int]]] = field(default_factory=list)
    entry: int = 0

    def bound(self, layer: int) -> int:
        """The most links that a node may have on a layer: ``m``, on layer zero twice that."""
        return self.m if layer else 2 * self.m

    def members(self, layer: int) -> list[int]:
        """The nodes of a layer."""
        return [node for node, level in enumerate(self.levels[: len(self.links)]) if level >= layer]

    def distances(self, query: Doubles, nodes: Sequence[int]) -> list[float]:
        """Cosine distances from a unit vector to nodes, rounded."""
        values: list[float] = np.round(1.0 - self.vectors[list(nodes)] @ query, DECIMALS).tolist()
        return values


def draw_levels(n: int, m: int, seed: int) -> list[int]:
    """The top level of each of ``n`` nodes: ⌊−ln(u) / ln(m)⌋ with u uniform, so a share 1/m reaches the next layer."""
    uniform = 1.0 - np.random.default_rng(seed).random(n)  # (0, 1]: the logarithm exists
    return [int(-math.log(u) / math.log(m)) for u in uniform]


def build(vectors: Vectors, *, m: int, ef_construction: int, seed: int) -> Graph:
    """Insert the rows of ``vectors`` (n × d, length 1) one after another in their order.

    Raises ``ValueError`` for no vectors, or an ``m`` below 2.
    """
    if len(vectors) == 0 or m < 2:
        raise ValueError(f"{len(vectors)} vectors and m = {m}: expected at least one vector and two links")
    graph = Graph(vectors.astype(np.float64), m, draw_levels(len(vectors), m, seed))
    for node in range(len(vectors)):
        _insert(graph, node, ef_construction)
    return graph


def _insert(graph: Graph, node: int, ef: int) -> None:
    level = graph.levels[node]
    graph.links.append([[] for _ in range(level + 1)])
    if node == 0:
        return
    query = graph.vectors[node]
    top = graph.levels[graph.entry]
    near: Found = [(graph.distances(query, [graph.entry])[0], graph.entry)]
    for layer in range(top, level, -1):
        near = _search_layer(graph, query, near, 1, layer, [])[0]
    for layer in range(min(top, level), -1, -1):
        near = _search_layer(graph, query, near, ef, layer, [])[0]
        graph.links[node][layer] = choose(graph, near, graph.bound(layer))
        for other in graph.links[node][layer]:
            _link_back(graph, other, node, layer)
    if level > top:
        graph.entry = node


def _link_back(graph: Graph, node: int, other: int, layer: int) -> None:
    links = [*graph.links[node][layer], other]
    if len(links) > graph.bound(layer):
        near = sorted(zip(graph.distances(graph.vectors[node], links), links, strict=True))
        links = choose(graph, near, graph.bound(layer))
    graph.links[node][layer] = links


def choose(graph: Graph, near: Sequence[tuple[float, int]], most: int) -> list[int]:
    """Up to ``most`` links out of candidates, nearest first: those that point in different directions before others.

    A candidate nearer to a link already chosen than to the node itself is put off; what was put off fills the rest.
    """
    nodes = [node for _, node in near]
    between = np.round(1.0 - graph.vectors[nodes] @ graph.vectors[nodes].T, DECIMALS).tolist()
    chosen: list[int] = []
    put_off: list[int] = []
    for i, (distance, _) in enumerate(near):
        if len(chosen) == most:
            break
        (chosen if all(distance < between[i][j] for j in chosen) else put_off).append(i)
    return [nodes[i] for i in chosen + put_off[: most - len(chosen)]]


def search(graph: Graph, query: Vectors, *, ef: int) -> Walk:
    """Walk from the entry down to layer zero and return the list of the best ``ef`` found there, with every step.

    Raises ``ValueError`` for an ``ef`` below 1.
    """
    if ef < 1:
        raise ValueError(f"ef is {ef}: the list needs at least one place")
    vector = query.astype(np.float64)
    openings: list[Opening] = []
    near: Found = [(graph.distances(vector, [graph.entry])[0], graph.entry)]
    for layer in range(graph.levels[graph.entry], 0, -1):
        near = _search_layer(graph, vector, near, 1, layer, openings)[0]
    found, unopened = _search_layer(graph, vector, near, ef, 0, openings)
    return Walk(tuple(openings), tuple(found), 1 + sum(len(step.measured) for step in openings), unopened)


def _search_layer(
    graph: Graph, query: Doubles, enter: Found, ef: int, layer: int, openings: list[Opening]
) -> tuple[Found, tuple[float, int] | None]:
    """The best ``ef`` nodes of a layer, nearest first, and the nearest unopened one; each opening is recorded."""
    seen = {node for _, node in enter}
    waiting = list(enter)
    heapq.heapify(waiting)
    best = [(-distance, -node) for distance, node in enter]  # the worst of the list on top
    heapq.heapify(best)
    while waiting:
        distance, node = waiting[0]
        if len(best) >= ef and (distance, node) > (-best[0][0], -best[0][1]):
            return _nearest_first(best), (distance, node)
        heapq.heappop(waiting)
        fresh = [link for link in graph.links[node][layer] if link not in seen]
        seen.update(fresh)
        measured = tuple(zip(graph.distances(query, fresh), fresh, strict=True)) if fresh else ()
        kept = []
        for pair in measured:
            if len(best) < ef or pair < (-best[0][0], -best[0][1]):
                heapq.heappush(waiting, pair)
                heapq.heappush(best, (-pair[0], -pair[1]))
                kept.append(pair[1])
                if len(best) > ef:
                    heapq.heappop(best)
        openings.append(Opening(layer, node, distance, measured, tuple(kept), tuple(_nearest_first(best))))
    return _nearest_first(best), None


def _nearest_first(best: Sequence[tuple[float, int]]) -> Found:
    return sorted((-distance, -node) for distance, node in best)


def nearest(graph: Graph, query: Vectors, k: int) -> Found:
    """Brute force with the same distances: the ``k`` nearest nodes, ties by node number."""
    distances = graph.distances(query.astype(np.float64), range(len(graph.links)))
    return sorted((distance, node) for node, distance in enumerate(distances))[:k]


def faults(graph: Graph) -> Iterator[str]:
    """What breaks the structure: a link to itself, twice, to a node not on that layer, or more links than allowed."""
    for node, layers in enumerate(graph.links):
        if len(layers) != graph.levels[node] + 1:
            yield f"node {node}: links on {len(layers)} layers, drawn for {graph.levels[node] + 1}"
        for layer, links in enumerate(layers):
            if len(links) > graph.bound(layer):
                yield f"node {node}, layer {layer}: {len(links)} links, at most {graph.bound(layer)} allowed"
            if node in links or len(set(links)) != len(links):
                yield f"node {node}, layer {layer}: a link to itself or the same link twice"
            for link in links:
                if graph.levels[link] < layer:
                    yield f"node {node}, layer {layer}: a link to {link}, which ends on layer {graph.levels[link]}"
    if graph.levels[graph.entry] != max(graph.levels):
        yield f"the entry {graph.entry} is on layer {graph.levels[graph.entry]}, the highest is {max(graph.levels)}"


def reachable(graph: Graph, layer: int = 0) -> int:
    """How many nodes of a layer the entry's links lead to on that layer, itself included."""
    seen, waiting = {graph.entry}, [graph.entry]
    while waiting:
        for link in graph.links[waiting.pop()][layer]:
            if link not in seen:
                seen.add(link)
                waiting.append(link)
    return len(seen)
