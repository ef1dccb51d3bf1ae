"""What is kept of a graph and of the walks through it: only the nodes that a shown search met, and their links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.corpus.model import Query, Vectors
from harness.retrieval.hnsw_graph import Graph, Opening, Walk, faults, nearest, reachable

Plane = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shown:
    """A question shown in full: its vector, the rule that chose it, and its walk by ef."""

    query: Query
    vector: Vectors
    why: str
    walks: Mapping[int, Walk]


@dataclass(frozen=True)
class Projection:
    """Two principal components: rows of ``axes`` (2 × d), the ``mean`` taken off, the variance share of each."""

    axes: Plane
    mean: Plane
    shares: tuple[float, float]

    @classmethod
    def of(cls, vectors: Vectors) -> Projection:
        """The first two components of ``vectors`` (n × d); each axis points where its largest weight is positive."""
        values = vectors.astype(np.float64)
        mean = values.mean(axis=0)
        _, spread, axes = np.linalg.svd(values - mean, full_matrices=False)
        axes, power = axes[:2], spread**2
        signs = [1.0 if axis[np.argmax(np.abs(axis))] > 0 else -1.0 for axis in axes]
        shares = power[:2] / power.sum()
        return cls(axes * np.array(signs)[:, None], mean, (float(shares[0]), float(shares[1])))

    def __call__(self, vector: Vectors) -> dict[str, float]:
        """The place of one vector on the page."""
        x, y = (vector.astype(np.float64) - self.mean) @ self.axes.T
        return {"x": round(float(x), 3), "y": round(float(y), 3)}


def structure(graph: Graph) -> dict[str, Any]:
    """The graph's layers with their sizes and links, how much of layer zero can be reached, and what breaks it."""
    layers = []
    for layer in range(max(graph.levels) + 1):
        members = graph.members(layer)
        degrees = [len(graph.links[node][layer]) for node in members]
        layers.append(
            {
                "layer": layer,
                "nodes": len(members),
                "most_links_allowed": graph.bound(layer),
                "most_links": max(degrees),
                "mean_links": sum(degrees) / len(degrees),
            }
        )
    return {
        "entry": graph.entry,
        "layers": layers,
        "reachable": reachable(graph),
        "faults": len(list(faults(graph))),
    }


def met(graph: Graph, shown: Sequence[Shown], k: int) -> list[int]:
    """The nodes worth keeping: measured or opened in a shown walk, among its exact ``k``, or above layer one."""
    nodes = set(graph.members(2)) | {graph.entry}
    for one in shown:
        nodes |= {node for _, node in nearest(graph, one.vector, k)}
        for walk in one.walks.values():
            nodes |= {node for step in walk.openings for _, node in step.measured}
    return sorted(nodes)


def links(graph: Graph, shown: Sequence[Shown]) -> list[dict[str, Any]]:
    """All links of every node that a shown walk opened, layer by layer."""
    opened = {(step.layer, step.node) for one in shown for walk in one.walks.values() for step in walk.openings}
    return [
        {"layer": layer, "node": node, "links": graph.links[node][layer]}
        for layer, node in sorted(opened, reverse=True)
    ]


def walked(graph: Graph, one: Shown, place: Projection, k: int) -> dict[str, Any]:
    """One question: its exact neighbours, each distance that was measured, and for each ef what was opened."""
    exact = nearest(graph, one.vector, k)
    distances = {node: distance for distance, node in exact}
    for walk in one.walks.values():
        distances |= {step.node: step.distance for step in walk.openings}
        distances |= {node: distance for step in walk.openings for distance, node in step.measured}
    return {
        "query": one.query.id,
        "question": one.query.text,
        "tenant": one.query.tenant,
        "why": one.why,
        **place(one.vector),
        "exact": [node for _, node in exact],
        "distances": [{"node": node, "distance": distances[node]} for node in sorted(distances)],
        "by_ef": [_by_ef(ef, walk, {node for _, node in exact}, k) for ef, walk in sorted(one.walks.items())],
    }


def _by_ef(ef: int, walk: Walk, exact: set[int], k: int) -> dict[str, Any]:
    found = [node for _, node in walk.found]
    return {
        "ef": ef,
        "distances": walk.distances,
        "opened": len(walk.openings),
        "opened_on_layer_0": sum(step.layer == 0 for step in walk.openings),
        "list": found,
        "worst": walk.found[-1][0],
        "unopened": None if walk.unopened is None else {"node": walk.unopened[1], "distance": walk.unopened[0]},
        "hits": len(exact & set(found[:k])),
        "openings": [_opening(step) for step in walk.openings],
    }


def _opening(step: Opening) -> dict[str, Any]:
    """What was measured, what of it entered the list, and the list's length and worst distance afterwards."""
    return {
        "layer": step.layer,
        "node": step.node,
        "measured": [node for _, node in step.measured],
        "kept": list(step.kept),
        "length": len(step.after),
        "worst": step.after[-1][0],
    }
