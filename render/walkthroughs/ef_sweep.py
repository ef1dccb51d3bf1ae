"""Index and list length over their captured grid: recall, answers, time and bytes: dataset ``ef_sweep``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import Bar, bars, data, mark, stats
from render.views.walkthrough import Dial, Step, Walkthrough

Row = Mapping[str, Any]
DEFAULT, HALF = "default", "half"


def _indexes(dataset: Dataset) -> list[Row]:
    """From the fewest links to the most; of equals the half-precision one first."""
    rows: list[Row] = dataset.at("/result/indexes")
    return sorted(rows, key=lambda row: (row["m"], row["half"] == "no"))


def _name(row: Row) -> str:
    return f"m {row['m']}" + ("" if row["half"] == "no" else ", half precision")


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (
        Dial("index", tuple(_name(row) for row in _indexes(dataset))),
        Dial("ef_search", tuple(str(ef) for ef in dataset.params["ef_search"])),
    )


def _steps(dataset: Dataset) -> list[Step]:
    readings = {(row["index"], row["ef_search"]): row for row in dataset.at("/result/readings")}
    times = {(row["index"], row["ef_search"]): row for row in dataset.timings["searches"]}
    lowest = min(row["measured"]["recall"]["mean"] for row in readings.values())

    def draw(index: Row, ef: int) -> Step:
        key = index["index"], ef
        return _setting(dataset, index, readings[key], times[key], lowest)

    return sweep.grid(_indexes(dataset), [int(ef) for ef in dataset.params["ef_search"]], draw)


def _setting(dataset: Dataset, index: Row, row: Row, time: Row, lowest: float) -> Step:
    part, ef, k = row["measured"], row["ef_search"], int(dataset.params["k"])
    exact, recall, difference = dataset.at("/result/exact"), part["recall"], part["hit_difference"]
    found = bars(
        [
            Bar(mark("approx"), recall["mean"], "approx", tuple(recall["interval"])),
            Bar(mark("exact"), 1, "exact", digits=0),
        ],
        title=f"recall@{k} against exact search, {row['n']} questions",
        digits=3,
        maximum=1,
    )
    answered = bars(
        [
            Bar(mark("approx"), part["hit"]["mean"], "approx", tuple(part["hit"]["interval"])),
            Bar(mark("exact"), exact["hit"], "exact"),
        ],
        title=f"hit@{k}: the passage with the answer is among the {k}",
        digits=3,
        maximum=1,
        note=f"By exact search and not by this index, in one build or more: {difference['worse']} of "
        f"{exact['labelled']} questions; the other way round: {difference['better']}.",
    )
    cost = stats(
        [
            ("median time", data(time["p50"], 2, "ms"), ""),
            ("95th percentile", data(time["p95"], 2, "ms"), ""),
            ("index, a vector", data(index["measured"]["bytes_per_vector"], 0, "bytes"), ""),
        ]
    )
    prefix = "" if index["index"] == DEFAULT else f"{index['index']}_"
    builds = "one build" if index["builds"] == 1 else f"mean of {index['builds']} builds"
    return Step(
        f"{index['index']}-ef-{ef}",
        f"{_name(index)}, ef_search {ef}: recall {number_text(recall['mean'], 3)}",
        f"ef_construction {index['ef_construction']}, {builds}.",
        found + answered + cost,
        (f"recall_{prefix}ef{ef}", f"latency_{prefix}ef{ef}", f"p95_{prefix}ef{ef}"),
        brief=number_text(recall["mean"], 3),
        tone=sweep.tone(recall["mean"], lowest, 1),
    )


WALKTHROUGH = Walkthrough(
    dataset="ef_sweep",
    kind=sweep.KIND,
    id="ef-sweep",
    title="What does a longer list buy, and do the answers notice?",
    intro=(
        "Four indexes over the same vectors, every row visible, at each list length: how much of the exact result "
        "comes back, whether the passage with the answer is in it, and what a search costs."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"{DEFAULT}-ef-{dataset.params['grid_ef']}",
    cells="recall@10 against exact search",
)
