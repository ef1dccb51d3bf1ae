"""What a table says of readings: means over questions and builds, with intervals; times apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.capture.api import Figure
from harness.corpus.model import Corpus
from harness.evaluation.bootstrap import mean_interval
from harness.measuring.layouts.measure import Taken
from harness.measuring.trials import Cell


def population(corpus: Corpus, questions: int) -> dict[str, int]:
    """Return what the store holds and how many questions are asked in a cell."""
    sizes = Counter(chunk.tenant for chunk in corpus.chunks)
    return {
        "chunks": len(corpus.chunks),
        "documents": len(corpus.documents),
        "tenants": len(sizes),
        "questions": questions,
        "smallest_tenant": min(sizes.values()),
        "largest_tenant": max(sizes.values()),
    }


def cell_rows(corpus: Corpus, cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return one row a cell: how many questions, of how many principals, and how much each of them sees."""
    sizes = Counter(chunk.tenant for chunk in corpus.chunks)
    found = []
    for cell in cells:
        visible = [sum(sizes[tenant] for tenant in asking.principal.tenants) for asking in cell.askings]
        found.append(
            {
                "cell": cell.label,
                "tenants": cell.size,
                "mode": cell.mode,
                "n": len(cell.askings),
                "principals": len({asking.principal.name for asking in cell.askings}),
                "visible_share": float(np.mean(visible)) / len(corpus.chunks),
            }
        )
    return found


def measured(taken: Taken, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that may differ from build to build.

    `recall` with a 95% bootstrap interval over questions of their mean over builds; counts as the mean over builds
    with the smallest and the largest of them. `empty`: questions with no result; `short`: with fewer than exact
    search finds; `unordered`: whose results were not in the order of their distances.
    """
    interval = mean_interval(taken.recall.mean(axis=0).tolist(), resamples=params["resamples"], seed=params["seed"])
    return {
        "recall": interval.mean,
        "interval": [interval.low, interval.high],
        "recall_by_build": taken.recall.mean(axis=1).tolist(),
        **_over_builds("empty", (taken.kept == 0).sum(axis=1)),
        **_over_builds("short", (taken.kept < taken.wanted).sum(axis=1)),
        **_over_builds("returned", taken.kept.mean(axis=1)),
        **_over_builds("unordered", (taken.inversions > 0).sum(axis=1)),
        **_over_askings("scans", taken.scans),
        "plans": dict(sorted(taken.plans.items())),
    }


def latency(taken: Taken) -> dict[str, Any]:
    """Return the median and the 5th and 95th percentile over all builds, in milliseconds."""
    p05, p50, p95 = np.percentile(taken.milliseconds, [5, 50, 95])
    return {"n": taken.milliseconds.size, "p05": round(p05, 3), "p50": round(p50, 3), "p95": round(p95, 3)}


def reader(cell: str) -> str:
    """Return a cell in words: "home3" becomes "reader of 3 tenants, home questions"."""
    if cell == "all":
        return "reader of everything"
    mode = cell.rstrip("0123456789")
    if mode not in ("home", "away"):
        return cell
    size = cell.removeprefix(mode)
    return f"reader of {size} tenant{'' if size == '1' else 's'}, {mode} questions"


COUNTS = (
    ("empty", "questions with no result", 0),
    ("short", "questions with fewer results than exact search finds", 0),
    ("returned", "results returned on average", 1),
    ("unordered", "questions whose results were out of order", 0),
)


def reading_figures(
    name: str, said: str, row: Mapping[str, Any], at: str, counts: Sequence[str] = ("empty", "short", "returned")
) -> dict[str, Figure]:
    """Return `recall_NAME` and a figure for each of `counts`; `at` is the pointer of the row's `measured`."""
    part, n = row["measured"], row["n"]
    found = {
        f"recall_{name}": Figure(
            part["recall"], "", f"recall@10, {said}", 3, n, tuple(part["interval"]), f"{at}/recall", volatile=True
        )
    }
    for key, label, digits in COUNTS:
        if key in counts:
            low, high = part[f"{key}_range"]
            found[f"{key}_{name}"] = Figure(
                part[key], "", f"{label}, {said}", digits, n, (low, high), f"{at}/{key}", volatile=True
            )
    return found


def latency_figure(said: str, row: Mapping[str, Any], at: str) -> Figure:
    """Return a median time with the 5th and 95th percentile as its interval."""
    label = f"median time, {said} (interval: 5th to 95th percentile)"
    return Figure(row["p50"], "ms", label, 2, row["n"], (row["p05"], row["p95"]), f"{at}/p50", volatile=True)


def population_figures(found: Mapping[str, int]) -> dict[str, Figure]:
    """Return the counts of the population."""
    labels = {
        "chunks": "chunks in the store",
        "documents": "documents in the store",
        "tenants": "tenants in the store",
        "questions": "questions asked in each cell",
        "smallest_tenant": "chunks of the smallest tenant",
        "largest_tenant": "chunks of the largest tenant",
    }
    return {name: Figure(found[name], "", label, at=f"/result/population/{name}") for name, label in labels.items()}


def _over_askings(name: str, values: NDArray[Any]) -> dict[str, Any]:
    return {name: float(values.mean()), f"{name}_range": [float(values.min()), float(values.max())]}


def _over_builds(name: str, values: NDArray[Any]) -> dict[str, Any]:
    return {name: float(values.mean()), f"{name}_range": [float(values.min()), float(values.max())]}
