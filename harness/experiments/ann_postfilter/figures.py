"""The scalars of `ann_postfilter` that prose may cite, each pointing at the place in the result where it
stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture.api import Figure

REACHED = 0.95


def figures(result: Mapping[str, Any], timings: Mapping[str, Any]) -> dict[str, Figure]:
    """Return every figure of the dataset."""
    return {
        **_counts(result),
        **_cells(result["cells"]),
        **_readings(result["readings"]),
        **_turning_points(result["readings"]),
        **_controls(result),
        **_timings(timings),
    }


def _reader(cell: str) -> str:
    """A cell in words: "home3" becomes "reader of 3 tenants, home questions", "all" becomes "reader of everything"."""
    if cell == "all":
        return "reader of everything"
    mode = cell.rstrip("0123456789")
    size = cell.removeprefix(mode)
    return f"reader of {size} tenant{'' if size == '1' else 's'}, {mode} questions"


def _counts(result: Mapping[str, Any]) -> dict[str, Figure]:
    labels = {
        "chunks": "chunks in the store",
        "documents": "documents in the store",
        "tenants": "tenants (working groups, kinds of contract, companies)",
        "queries": "questions asked in each cell",
        "smallest_tenant": "chunks of the smallest tenant",
        "largest_tenant": "chunks of the largest tenant",
    }
    population = result["population"]
    return {
        name: Figure(population[name], "", label, at=f"/result/population/{name}") for name, label in labels.items()
    }


def _cells(cells: Sequence[Mapping[str, Any]]) -> dict[str, Figure]:
    found = {}
    for i, cell in enumerate(cells):
        label, at = cell["cell"], f"/result/cells/{i}"
        found[f"n_{label}"] = Figure(cell["n"], "", f"questions put to: {_reader(label)}", at=f"{at}/n")
        found[f"principals_{label}"] = Figure(
            cell["principals"], "", f"principals pooled: {_reader(label)}", at=f"{at}/principals"
        )
        found[f"visible_{label}"] = Figure(
            cell["visible_share"],
            "",
            f"mean share of chunks visible, {_reader(label)}",
            3,
            cell["n"],
            at=f"{at}/visible_share",
        )
    return found


def _readings(readings: Sequence[Mapping[str, Any]]) -> dict[str, Figure]:
    found: dict[str, Figure] = {}
    for i, row in enumerate(readings):
        where = f"{_reader(row['cell'])}, ef_search {row['ef_search']}"
        name = f"ef{row['ef_search']}_{row['cell']}"
        for mode, prefix, how in (("forced", "", "HNSW scan"), ("own", "own_", "planner's own choice")):
            part, at = row[mode], f"/result/readings/{i}/{mode}"
            found[f"{prefix}recall_{name}"] = Figure(
                part["recall"], "", f"recall@10, {where}, {how}", 3, row["n"], tuple(part["interval"]),
                f"{at}/recall", volatile=True,
            )  # fmt: skip
            found[f"{prefix}empty_{name}"] = Figure(
                part["empty"], "questions", f"questions with no result, {where}, {how}", 0, row["n"],
                tuple(part["empty_range"]), f"{at}/empty", volatile=True,
            )  # fmt: skip
        part, at = row["forced"], f"/result/readings/{i}/forced"
        by_build = part["recall_by_build"]
        low, high = min(by_build), max(by_build)
        for which, value in (("worst", low), ("best", high)):
            found[f"{which}_build_{name}"] = Figure(
                value, "", f"recall@10 of the {which} build, {where}", 4, row["n"], (low, high), volatile=True
            )
        for key, label, digits in (
            ("short", "questions with fewer than 10 results", 0),
            ("returned", "results returned on average", 1),
            ("removed", "candidates removed by the policy on average", 1),
        ):
            found[f"{key}_{name}"] = Figure(
                part[key], "", f"{label}, {where}", digits, row["n"], tuple(part[f"{key}_range"]),
                f"{at}/{key}", volatile=True,
            )  # fmt: skip
    return found


def _turning_points(readings: Sequence[Mapping[str, Any]]) -> dict[str, Figure]:
    """The smallest ef_search with recall 0.95 for each cell, and where the planner leaves the index."""
    found = {}
    for label in dict.fromkeys(row["cell"] for row in readings):
        rows = [row for row in readings if row["cell"] == label]
        by_build = [
            next((row["ef_search"] for row in rows if row["forced"]["recall_by_build"][b] >= REACHED), None)
            for b in range(len(rows[0]["forced"]["recall_by_build"]))
        ]
        mean = next((row["ef_search"] for row in rows if row["forced"]["recall"] >= REACHED), None)
        last = rows[-1]["ef_search"]
        span = [ef or last for ef in by_build]
        found[f"ef_for_95_{label}"] = Figure(
            mean if mean is not None else f"more than {last}", "",
            f"smallest ef_search measured with recall@10 of at least {REACHED}, {_reader(label)}", 0, rows[0]["n"],
            (min(span), max(span)), volatile=True,
        )  # fmt: skip
        leaves = next((row["ef_search"] for row in rows if set(row["plans"]["own"]) != {"hnsw index scan"}), None)
        found[f"own_leaves_hnsw_{label}"] = Figure(
            leaves if leaves is not None else f"more than {last}", "",
            f"smallest ef_search measured at which the planner leaves the index, {_reader(label)}", 0, rows[0]["n"],
        )  # fmt: skip
    return found


def _controls(result: Mapping[str, Any]) -> dict[str, Figure]:
    found = {}
    total = result["lexical"]["total"]
    for key, label in (("agree", "lexical top tens equal to the filtered list"), ("n", "lexical top tens compared")):
        found[f"lexical_{key}"] = Figure(total[key], "", label, n=total["n"], at=f"/result/lexical/total/{key}")
    found["lexical_agreement"] = Figure(
        total["share"], "", "share of lexical top tens that lose nothing", 3, total["n"],
        at="/result/lexical/total/share",
    )  # fmt: skip
    for i, row in enumerate(result["ceiling"]):
        found[f"exact_full_{row['cell']}"] = Figure(
            row["full"], "questions", f"exact searches that return all ten, {_reader(row['cell'])}", 0, row["n"],
            at=f"/result/ceiling/{i}/full",
        )  # fmt: skip
    return found


def _timings(timings: Mapping[str, Any]) -> dict[str, Figure]:
    found = {}
    for part, what in (("hnsw", "HNSW search"), ("exact", "exact search")):
        for i, row in enumerate(timings[part]):
            name = f"latency_{part}_{row['cell']}" if part == "exact" else f"latency_ef{row['ef_search']}_{row['cell']}"
            suffix = "" if part == "exact" else f", ef_search {row['ef_search']}"
            found[name] = Figure(
                row["p50"], "ms",
                f"{what}, median, {_reader(row['cell'])}{suffix} (interval: 5th to 95th percentile)", 1,
                row["n"], (row["p05"], row["p95"]), f"/timings/{part}/{i}/p50", volatile=True,
            )  # fmt: skip
    return found
