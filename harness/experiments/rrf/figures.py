"""The scalars of ``rrf`` that prose may cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure
from harness.measuring.pointed import difference_figures, pointed, quality_figures, relevant


def figures(result: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of the dataset."""
    n, top = result["overlap"]["n"], params["overlap"]
    found = {
        "n_chunks": pointed(result, "/result/population/chunks", "chunks searched"),
        "n_queries": pointed(result, "/result/population/queries", "golden questions"),
        "n_queries_source": pointed(result, "/result/population/queries_source", "questions with a source document"),
        "n_queries_evidence": pointed(
            result, "/result/population/queries_evidence", "questions whose evidence sentence stands whole in a chunk"
        ),
        f"overlap_top{top}_mean": pointed(
            result, "/result/overlap/mean", f"results that the top {top} of both lists share, mean", 1, "", n
        ),
        f"overlap_top{top}_none": pointed(
            result, "/result/overlap/none", f"questions whose top {top} share nothing", n=n
        ),
        "missing_as_zero_changed": pointed(
            result, "/result/missing_as_zero/changed", "top tens that change when a missing rank counts as 0", n=n
        ),
        "missing_as_zero_first_changed": pointed(
            result, "/result/missing_as_zero/first_changed",
            "first results that change when a missing rank counts as 0", n=n,
        ),
    }  # fmt: skip
    for number, row in enumerate(result["by_k"]):
        at = f"/result/by_k/{number}"
        found[f"k{row['k']}_changed"] = pointed(
            result, f"{at}/changed", f"top tens that differ from those of k = {params['k']} at k = {row['k']}", n=n
        )
        found[f"k{row['k']}_mrr10_evidence"] = pointed(
            result, f"{at}/MRR@10 evidence", f"MRR@10 of fusion at k = {row['k']}, {relevant('evidence')}", 3,
            "", result["population"]["queries_evidence"],
        )  # fmt: skip
    return found | _example_figures(result) | difference_figures(result) | quality_figures(result)


def _example_figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    if result["agreement"] is None:
        return {}
    found = {}
    for place in ("above", "below"):
        for key, words, digits in (
            ("rank", "fused rank", 0), ("lexical", "lexical rank", 0), ("dense", "dense rank", 0), ("score", "score", 5)
        ):  # fmt: skip
            found[f"agreement_{place}_{key}"] = pointed(
                result,
                f"/result/agreement/{place}/{key}",
                f"{words} of the {place} result of the agreement example",
                digits,
            )
    return found
