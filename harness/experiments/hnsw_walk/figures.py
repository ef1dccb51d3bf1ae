"""The scalars of ``hnsw_walk`` that prose may cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure
from harness.measuring.pointed import pointed


def figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of the dataset."""
    n = result["population"]["queries"]
    found = {
        "sample": pointed(result, "/result/population/sample", "passages in the graph"),
        "n_queries": pointed(result, "/result/population/queries", "questions asked"),
        "layers": Figure(len(result["graph"]["layers"]), "", "layers of the graph"),
        "reachable": pointed(result, "/result/graph/reachable", "nodes of layer zero that the entry's links lead to"),
        "faults": pointed(result, "/result/graph/faults", "links that break the structure of the graph"),
        "variance_share": pointed(
            result, "/result/projection/variance_share", "share of the variance that the drawing's two axes hold", 2
        ),
    }
    for i, row in enumerate(result["graph"]["layers"]):
        at, layer = f"/result/graph/layers/{i}", row["layer"]
        found[f"layer{layer}_nodes"] = pointed(result, f"{at}/nodes", f"nodes on layer {layer}")
        found[f"layer{layer}_most_links"] = pointed(result, f"{at}/most_links", f"most links of a node, layer {layer}")
    for i, row in enumerate(result["by_ef"]):
        at, ef = f"/result/by_ef/{i}", row["ef"]
        found[f"recall_ef{ef}"] = Figure(
            row["recall"], "", f"recall@10 against brute force in our graph, ef {ef}, mean of the builds", 3, n,
            (row["low"], row["high"]), f"{at}/recall",
        )  # fmt: skip
        found[f"distances_ef{ef}"] = pointed(
            result, f"{at}/distances", f"distances computed a search in our graph, ef {ef}, mean", 0, "", n
        )
        found[f"share_ef{ef}"] = pointed(
            result, f"{at}/share", f"distances computed a search as a share of the nodes, ef {ef}", 2, "", n
        )
    for i, walk in enumerate(result["walks"]):
        for j, row in enumerate(walk["by_ef"]):
            at, name = f"/result/walks/{i}/by_ef/{j}", f"walk{i + 1}_ef{row['ef']}"
            what = f"question {i + 1} shown, ef {row['ef']}"
            found[f"{name}_hits"] = pointed(result, f"{at}/hits", f"of the exact ten found, {what}")
            found[f"{name}_distances"] = pointed(result, f"{at}/distances", f"distances computed, {what}")
            found[f"{name}_opened"] = pointed(result, f"{at}/opened_on_layer_0", f"nodes opened on layer zero, {what}")
    return found
