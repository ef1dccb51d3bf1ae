"""The scalars of ``tenants`` that prose may cite, each pointing at the place in the result where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure
from harness.measuring.layouts.summary import population_figures, reader, reading_figures

SAID = {
    "semantic": "the documents' own tenants",
    "documents": "documents dealt by hash",
    "chunks": "chunks dealt by hash",
    "orthogonal": "made-up orthogonal tenants",
}


def figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    """Return every figure of the dataset."""
    made = population_figures(result["population"]) | _fold(result["fold"])
    for i, row in enumerate(result["arrangements"]):
        made |= _arrangement(row, result["population"]["questions"], f"/result/arrangements/{i}")
    for i, row in enumerate(result["readings"]):
        name = f"{row['arrangement']}_{row['cell']}"
        said = f"{SAID[row['arrangement']]}, {reader(row['cell'])}"
        made |= reading_figures(name, said, row, f"/result/readings/{i}/measured")
        made[f"visible_{name}"] = Figure(
            row["visible_share"], "", f"mean share of chunks visible, {said}", 4, row["n"],
            at=f"/result/readings/{i}/visible_share",
        )  # fmt: skip
    for i, row in enumerate(result["families"]):
        part, name = row["measured"], row["family"].replace(" ", "_").lower()
        made[f"recall_home_{name}"] = Figure(
            part["recall"], "", f"recall@10 of home questions about {row['family']}, their own tenants", 3, row["n"],
            tuple(part["interval"]), f"/result/families/{i}/measured/recall", volatile=True,
        )  # fmt: skip
        made[f"n_home_{name}"] = Figure(
            row["n"], "", f"home questions about {row['family']}", at=f"/result/families/{i}/n"
        )
    return made


def _fold(fold: Mapping[str, Any]) -> dict[str, Figure]:
    labels = {
        "least": "chunks that a tenant must have",
        "tenants_before": "tenants before small ones joined a sibling",
        "tenants_after": "tenants after small ones joined a sibling",
        "small_before": "tenants below the limit before joining",
        "small_after": "tenants below the limit after joining",
        "one_document_before": "tenants of a single document before joining",
        "one_document_after": "tenants of a single document after joining",
        "folded": "documents whose tenant is not the one they came with",
    }
    return {f"fold_{key}": Figure(fold[key], "", label, at=f"/result/fold/{key}") for key, label in labels.items()}


def _arrangement(row: Mapping[str, Any], n: int, at: str) -> dict[str, Figure]:
    name, said = row["arrangement"], SAID[row["arrangement"]]
    made = {}
    for key, label, digits in (
        ("within", "mean cosine of two chunks of one tenant, mean over tenants", 3),
        ("across", "mean cosine of chunks of different tenants, mean over pairs of tenants", 3),
        ("apart", "tenants closer within than to any other tenant", 0),
        ("smallest", "chunks of the smallest tenant", 0),
        ("largest", "chunks of the largest tenant", 0),
    ):
        made[f"{key}_{name}"] = Figure(row[key], "", f"{label}, {said}", digits, row["tenants"], at=f"{at}/{key}")
    for key, label, digits in (
        ("own_among", "rows of the question's tenant among the nearest of a candidate list's length, mean", 2),
        ("own_by_chance", "the same if rows of a tenant lay anywhere", 2),
        ("without_own", "questions with no row of their tenant that near", 0),
    ):
        made[f"{key}_{name}"] = Figure(row[key], "", f"{label}, {said}", digits, n, at=f"{at}/{key}")
    return made
