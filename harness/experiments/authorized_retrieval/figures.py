"""The scalars of `authorized_retrieval` that prose may cite, and the rows that its tables hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from harness.capture.api import Figure, JsonObject
from harness.evaluation.bootstrap import mean_interval
from harness.measuring.labelled.measure import Taken, Way

REASONS = {
    "home": "questions about a document that the reader may see",
    "tenant": "questions about a document of another tenant",
    "classification": "questions about a document above the reader's clearance",
    "barrier": "questions about a document behind the barrier",
}
WAYS = {
    "plain": "a list of fixed length",
    "fetch1": "over-fetched by the visible share",
    "fetch2": "over-fetched by twice the visible share",
    "fetch4": "over-fetched by four times the visible share",
    "columns_own": "planner's choice, policies on columns",
    "both_own": "planner's choice, policies on columns and overlap in the statement",
    "array_own": "planner's choice, policy by overlap of groups",
}


def measured(taken: Taken, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that may differ from build to build, with 95% intervals over questions.

    `short_share`: questions with fewer rows than exact search finds.
    """
    short = taken.kept < taken.wanted
    recall, rate = (_interval(values.mean(axis=0).tolist(), params) for values in (taken.recall, short.astype(float)))
    return {
        "recall": recall.pop("mean"),
        "interval": recall.pop("bounds"),
        "short_share": rate.pop("mean"),
        "short_interval": rate.pop("bounds"),
        "short": float(short.sum(axis=1).mean()),
        "empty": float((taken.kept == 0).sum(axis=1).mean()),
        "returned": float(taken.kept.mean()),
        "plans": dict(sorted(taken.plans.items())),
    }


def _interval(values: list[float], params: Mapping[str, Any]) -> dict[str, Any]:
    found = mean_interval(values, resamples=params["resamples"], seed=params["seed"])
    return {"mean": found.mean, "bounds": [found.low, found.high]}


def fetched(taken: Taken, cap: int) -> dict[str, Any]:
    """Return how many candidates were asked for, and for how many questions the cap cut them."""
    one = taken.fetched[0]
    return {"fetched": float(one.mean()), "capped": int((one >= cap).sum())}


def latency(taken: Taken) -> dict[str, Any]:
    """Return the median and the 5th and 95th percentile over all builds, in milliseconds."""
    return spread(taken.milliseconds.ravel().tolist())


def spread(milliseconds: list[float]) -> dict[str, Any]:
    """Return n, median and 5th and 95th percentile."""
    p05, p50, p95 = np.percentile(milliseconds, [5, 50, 95])
    return {"n": len(milliseconds), "p05": round(p05, 3), "p50": round(p50, 3), "p95": round(p95, 3)}


def who(cell: str) -> str:
    """Return a cell in words: "tenant_10" becomes "reader of 10 tenants, questions about …"."""
    mode, _, size = cell.partition("_")
    many = "all tenants" if size == "all" else "1 tenant" if size == "1" else f"{size} tenants"
    return f"reader of {many}, {REASONS[mode]}"


def figures(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    """Return every figure of the dataset, each pointing at the place where it stands."""
    found: dict[str, Figure] = {}
    _population(found, result)
    for i, row in enumerate(result["conditions"]["counts"]):
        name = "_".join(row["without"]) or "nothing"
        words = " and ".join(row["without"]) or "no condition"
        found[f"seen_without_{name}"] = Figure(
            row["chunks"], "", f"chunks seen on average with {words} removed", 0, row["readers"],
            at=f"/result/conditions/counts/{i}/chunks",
        )  # fmt: skip
    for i, row in enumerate(result["conditions"]["questions"]):
        said, at = f"{REASONS[row['condition']]}", f"/result/conditions/questions/{i}"
        shows = {"all": "all conditions", "removed": "that condition removed", "alone": "that condition alone"}
        found[f"asked_{row['condition']}"] = Figure(row["n"], "", said, at=f"{at}/n")
        for key, word in shows.items():
            found[f"shown_{key}_{row['condition']}"] = Figure(
                row[key], "", f"{said}: source document among the exact ten with {word}", 0, row["n"], at=f"{at}/{key}"
            )
    for i, row in enumerate(result["cells"]):
        found[f"n_{row['cell']}"] = Figure(row["n"], "", f"askings: {who(row['cell'])}", at=f"/result/cells/{i}/n")
        found[f"visible_{row['cell']}"] = Figure(
            row["visible_share"], "", f"mean share of chunks visible, {who(row['cell'])}", 4, row["n"],
            at=f"/result/cells/{i}/visible_share",
        )  # fmt: skip
    for i, row in enumerate(result["needed"]):
        depths = {
            "asked_median": ("median of k divided by the visible share", 0),
            "needed_median": ("median of candidates that an exact ranking needs until ten are visible", 0),
            "ratio_median": ("median of candidates needed, as a multiple of k divided by the visible share", 2),
        }
        for key, (word, digits) in depths.items():
            found[f"{key}_{row['cell']}"] = Figure(
                row[key], "", f"{word}; {who(row['cell'])}", digits, row["n"], at=f"/result/needed/{i}/{key}"
            )
    _readings(found, result, timings)
    return found


def _population(found: dict[str, Figure], result: JsonObject) -> None:
    labels = {
        "chunks": "chunks in the store",
        "documents": "documents in the store",
        "tenants": "tenants in the store",
        "questions": "golden questions with a document",
        "readers": "readers: sets of tenants with a clearance and a side",
    }
    for name, label in labels.items():
        found[name] = Figure(result["population"][name], "", label, at=f"/result/population/{name}")
    for i, row in enumerate(result["levels"]):
        for key in ("documents", "chunks"):
            found[f"{key}_{row['level']}"] = Figure(row[key], "", f"{key} labelled {row['level']}",
                                                    at=f"/result/levels/{i}/{key}")  # fmt: skip
    words = {
        "rows": "rows returned and checked against the rules",
        "searches": "searches whose rows were checked",
        "foreign": "rows returned that the reader may not see",
        "asked_tenant_rows": "rows of the asked tenant returned for questions about another tenant",
    }
    for name, label in words.items():
        found[f"checked_{name}"] = Figure(result["checked"][name], "", label, at=f"/result/checked/{name}")


def _readings(found: dict[str, Figure], result: JsonObject, timings: JsonObject) -> None:
    for i, (row, time) in enumerate(zip(result["readings"], timings["searches"], strict=True)):
        name, said, at = (
            f"{row['way']}_{row['cell']}",
            f"{WAYS[row['way']]}; {who(row['cell'])}",
            f"/result/readings/{i}",
        )
        part, n = row["measured"], row["n"]
        found[f"recall_{name}"] = Figure(
            part["recall"], "", f"recall@10 against exact search, {said}", 3, n, tuple(part["interval"]),
            f"{at}/measured/recall", volatile=True,
        )  # fmt: skip
        found[f"short_{name}"] = Figure(
            part["short_share"], "", f"share of questions with fewer rows than exact search, {said}", 3, n,
            tuple(part["short_interval"]), f"{at}/measured/short_share", volatile=True,
        )  # fmt: skip
        if row["mode"] != "home":
            continue
        found[f"latency_{name}"] = _time(time, f"median time, {said}", f"/timings/searches/{i}/p50")
        if row["way"].startswith("fetch"):
            for key, word in (("fetched", "candidates asked for"), ("capped", "questions cut by the cap")):
                found[f"{key}_{name}"] = Figure(row[key], "", f"{word}, {said}", 0, n, at=f"{at}/{key}")
    for i, time in enumerate(timings["exact"]):
        if time["cell"].startswith("home"):
            said = f"median time of exact search, {who(time['cell'])}"
            found[f"latency_exact_{time['cell']}"] = _time(time, said, f"/timings/exact/{i}/p50")


def _time(row: Mapping[str, Any], said: str, at: str) -> Figure:
    label = f"{said} (interval: 5th to 95th percentile)"
    return Figure(row["p50"], "ms", label, 1, row["n"], (row["p05"], row["p95"]), at, volatile=True)


def ways(factors: list[float], ef: int) -> list[Way]:
    """Return the ways that search through the index: a fixed list, then one for each factor."""
    return [Way("plain", ef_search=ef), *(Way(f"fetch{factor:g}", fetch=factor) for factor in factors)]
