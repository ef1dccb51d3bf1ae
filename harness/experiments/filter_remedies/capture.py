"""Capture ``filter_remedies``: the remedies for an HNSW search behind a row policy, held against each other.

One table, one HNSW index over it, one policy: a filter that runs after an approximate index drops what it found. Every
remedy is read for the same readers and questions as in ``iterative_scan``, by the plan that the planner chooses, and
the plan of every reading is kept: a remedy that hangs on the planner is only as good as its choice, which weighs cost
and knows nothing of recall. `STAGES` says what each remedy needs beside the table; `WORDS` orders them from the
plainest.

The second half asks from which number of visible rows on the planner leaves the B-tree for the graph, what that does to
recall, and what the exact way costs there instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.capture.api import Capture, Determinism, JsonObject, Payload, Run
from harness.experiments.filter_remedies import crossover
from harness.experiments.filter_remedies.layout import Partial, Remedied
from harness.experiments.filter_remedies.remedies import WORDS, Remedy, crossing, plainest, remedies
from harness.experiments.filter_remedies.tables import TABLES
from harness.measuring.intervals import with_range
from harness.measuring.loop import Place, Task
from harness.measuring.population import cell_rows, population, sizes_in
from harness.measuring.sweep import Group, Sweep
from harness.measuring.trials import Cell, Principal, asked, cells, principals_in, tenants_of
from harness.measuring.ways import Way
from harness.store.layouts import Layout, Partitions, plan_text


@dataclass
class Bench:
    """What all stages share: the sweep over the cells, which remedy belongs to which stage, and the indexes built."""

    sweep: Sweep
    remedies: Sequence[Remedy]
    seconds: dict[str, list[float]] = field(default_factory=dict)
    bytes: dict[str, list[int]] = field(default_factory=dict)

    def built(self, index: str, seconds: float, size: int) -> None:
        """Keep what one build of an index took."""
        self.seconds.setdefault(index, []).append(seconds)
        self.bytes.setdefault(index, []).append(size)

    def read(self, place: Place, stage: str, build: int) -> None:
        """Read every cell in the ways of a stage."""
        self.sweep.read(place, build, [one.way for one in self.remedies if one.stage == stage])


def capture(run: Run) -> Payload:
    """Read every remedy over several builds, then the crossover in the last of them."""
    params, corpus, store = run.params, run.corpus, run.database()
    questions, tenants = asked(corpus, params["questions"]), tenants_of(corpus)
    design = cells(tenants, questions, params["sizes"], params["seed"])
    task = Task(corpus.query_vectors(questions), params["k"])
    every_way = remedies(params)
    groups = [Group(cell.label, cell.askings, task) for cell in design]
    bench = Bench(Sweep(groups, [one.way for one in every_way], params["builds"], run.log), every_way)
    readers = principals_in(design)
    table = Remedied(store)
    made = table.create(readers, run.log)
    every = [*readers, *crossover.choosers(table.sizes_of, params)]
    every += [one for found in crossover.readers(table.sizes_of, params).values() for one in found]
    store.grant({reader.name: reader.tenants for reader in every})
    bench.built("hnsw", made.index_seconds, table.sizes().vectors)
    with table.connect() as conn:
        place = Place(table, conn)
        bench.sweep.prepare(place)
        for build in range(params["builds"]):
            if build:
                bench.built("hnsw", table.rebuild(run.log), table.sizes().vectors)
            _stages(bench, table, place, build)
        run.log("crossover")
        bench.built("btree", *vars(table.add_btree()).values())
        rows, times = crossover.read(place, task, questions, crossing(params), params)
        choices = crossover.choices(place, task.vectors, params)
        shown = _plans(place, design, task, crossing(params))
    table.drop()
    _others(bench, [Partial(store), Partitions(store)], readers)
    readings, searches = _rows(bench, design, params), bench.sweep.times()
    best = plainest(readings, params["least_recall"])
    result: JsonObject = {
        "population": population(corpus, len(questions)),
        "cells": cell_rows(sizes_in(corpus), design),
        "readings": readings,
        "summary": [_summary(way, readings) for way in WORDS],
        "verdict": {"remedy": best, "words": WORDS.get(best, "no remedy"), "least_recall": params["least_recall"]},
        "indexes": [_index(name, sizes) for name, sizes in bench.bytes.items()],
        "crossover": rows,
        "choices": choices,
        "turning": crossover.turning(choices, params["choice_ef"]),
        "plans": shown,
    }
    timings: JsonObject = {
        "searches": searches,
        "slowest": [_slowest(way, searches) for way in WORDS],
        "builds": [{"index": name, "builds": len(spent), **with_range("seconds", spent)}
                   for name, spent in bench.seconds.items()],
        "crossover": times,
    }  # fmt: skip
    return Payload(result, timings=timings)


def _stages(bench: Bench, table: Remedied, place: Place, build: int) -> None:
    """Read one graph alone, beside a B-tree, and beside a B-tree under a policy that can be estimated."""
    bench.read(place, "plain", build)
    bench.built("btree", *vars(table.add_btree()).values())
    bench.read(place, "btree", build)
    table.estimable(True)
    bench.read(place, "estimable", build)
    table.estimable(False)
    table.drop_btree()


def _others(bench: Bench, layouts: Sequence[Layout], readers: Sequence[Principal]) -> None:
    """Make, read and drop the tables with an index per tenant; the same readers find the same rows in them."""
    log, builds = bench.sweep.log, bench.sweep.builds
    for layout in layouts:
        made = layout.create(readers, log)
        bench.built(layout.name, made.index_seconds, layout.sizes().vectors)
        once = all(one.way.once for one in bench.remedies if one.stage == layout.name)
        with layout.connect() as conn:
            for build in range(builds - 1 if once else 0, builds):
                if build and not once:
                    bench.built(layout.name, layout.rebuild(log), layout.sizes().vectors)
                bench.read(Place(layout, conn), layout.name, build)
        layout.drop()


def _rows(bench: Bench, design: Sequence[Cell], params: Mapping[str, Any]) -> list[JsonObject]:
    cells_by = {cell.label: cell for cell in design}
    once = {one.way.id for one in bench.remedies if one.way.once}
    return [
        row
        | {"tenants": cells_by[row["cell"]].size, "mode": cells_by[row["cell"]].mode}
        | {"builds": 1 if row["way"] in once else bench.sweep.builds}
        for row in bench.sweep.rows(params)
    ]


def _summary(way: str, rows: Sequence[Mapping[str, Any]]) -> JsonObject:
    """The cell in which a way is worst, and what it loses over all cells."""
    own = [row for row in rows if row["way"] == way]
    worst = min(own, key=lambda row: row["measured"]["recall"])
    measured = {
        "recall": worst["measured"]["recall"],
        "interval": worst["measured"]["interval"],
        "cell": worst["cell"],
    }
    for name in ("empty", "short"):
        measured[name] = sum(row["measured"][name] for row in own)
        ranges = [row["measured"][f"{name}_range"] for row in own]
        measured[f"{name}_range"] = [sum(bounds[side] for bounds in ranges) for side in (0, 1)]
    return {"way": way, "n": worst["n"], "askings": sum(row["n"] for row in own), "measured": measured}


def _slowest(way: str, times: Sequence[Mapping[str, Any]]) -> JsonObject:
    """The times of the cell whose median is largest."""
    worst = max((row for row in times if row["way"] == way), key=lambda row: row["p50"])
    return dict(worst)


def _index(name: str, sizes: Sequence[int]) -> JsonObject:
    return {"index": name, "builds": len(sizes), "measured": with_range("mb", [size / 1e6 for size in sizes])}


def _plans(place: Place, design: Sequence[Cell], task: Task, ways: Sequence[Way]) -> list[JsonObject]:
    """The executed plans of the first away question of one tenant."""
    cell = next((cell for cell in design if cell.label == "away1"), design[0])
    asking, found = cell.askings[0], []
    for way in ways:
        with place.layout.session(place.conn, asking.principal) as reading:
            lines = plan_text(
                place.layout, reading, task.vectors[asking.query], way.scan_for(asking), k=task.k,
                tenants=reading.tenants if way.predicate else None, form=way.form,
            )  # fmt: skip
        found.append({"way": way.id, "cell": cell.label, "principal": asking.principal.name, "lines": lines})
    return found


CAPTURE = Capture(
    name="filter_remedies",
    title="Remedies for filtering after an approximate index",
    describes=(
        "Recall@10 against exact search, missing results, time, plans, index size and build time of the remedies for "
        "an HNSW search in PostgreSQL under row-level security (iterative scans, a B-tree on the tenant with the "
        "tenants named, the visible rows first, a policy that the planner can estimate, an HNSW index per tenant, "
        "partitions), for readers of 1, 3, 10 and all tenants, home and away questions apart; and by how many rows "
        "are visible."
    ),
    kind="measured",
    capture=capture,
    tables=TABLES,
    corpus="full",
    params={
        "sizes": [1, 3, 10],
        "ef_search": 40,
        "max_scan_tuples": 20_000,
        "far_scan_tuples": 100_000,
        "mem_multiplier": 8,
        "questions": 120,
        "k": 10,
        "builds": 3,
        "visible": [500, 1_000, 2_000, 5_000, 10_000, 20_000, 40_000],
        "readers": 6,
        "crossover_questions": 40,
        "choice_ef": [40, 100, 400],
        "choice_rows": [3_000, 4_000, 5_000, 6_000, 8_000, *range(10_000, 20_000, 2_000), 20_000, 25_000, 30_000],
        "choice_questions": 5,
        "least_recall": 0.99,
        "seed": 20,
        "resamples": 10_000,
        "plan": "the planner chooses, without parallel workers",
        "warm_up": "every search is executed once untimed, right before; the ways of a question take turns to be first",
    },
    canary_params={
        "sizes": [1, 3],
        "ef_search": 10,
        "max_scan_tuples": 50,
        "far_scan_tuples": 1_000,
        "builds": 2,
        "visible": [30, 60],
        "readers": 2,
        "crossover_questions": 6,
        "choice_ef": [10, 40],
        "choice_rows": [60],
        "choice_questions": 2,
        "resamples": 1_000,
    },
    caveats=(
        "Recall says what the index and the policy lose against exact search with the same embedder, not whether the "
        "chunks answer the question.",
        "Means over three builds of the HNSW index; partitions, the visible rows first, a policy that can be "
        "estimated, more memory, and everything by visible rows are of one build. Intervals of recall are 95% "
        "bootstrap intervals over questions, those of counts the smallest and largest build.",
        "The planner chooses by PostgreSQL's default costs, for a table in memory and without parallel workers; other "
        "costs move the crossover.",
        "Tenants are those of the corpus; sets of tenants of a wanted size are drawn by seed.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=3, statistic="mean"),
    volatile=(
        "/timings", "/result/readings/*/measured", "/result/summary/*/measured", "/result/indexes/*/measured",
        "/result/crossover/*/measured", "/result/choices/*/measured", "/result/turning/*/measured", "/result/plans",
    ),
    minutes=11.0,
)  # fmt: skip
