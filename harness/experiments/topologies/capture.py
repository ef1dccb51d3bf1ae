"""Pool, partitions, silo and bridge over the same rows: what each takes, gives, and lets one mistake expose.

All four answer the same questions of the same readers, with the same kind of index. A pool can also scan
iteratively, so every layout is read both ways. The mistakes of `exposures` are made for real, inside a transaction
that is rolled back, and the rows of other tenants that a reader then sees are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from harness.capture.api import Capture, Determinism, Figure, JsonObject, Payload, Run
from harness.corpus.model import Vectors
from harness.measuring.layouts.measure import Taken, Way, asked, exact_results, take, warm_up
from harness.measuring.layouts.summary import (
    cell_rows,
    latency,
    latency_figure,
    measured,
    population,
    population_figures,
    reader,
    reading_figures,
)
from harness.measuring.trials import Cell, Principal, cells, principals_in
from harness.retrieval.dense import Hit
from harness.store import Store
from harness.store.layouts import HNSW, Bridge, Built, Layout, Partitions, Pool, Scan, Silo, Sizes
from harness.store.layouts.exposure import MISTAKES, exposures

Truths = dict[str, list[list[Hit]]]


def capture(run: Run) -> Payload:
    """Make each layout in turn, measure it, make every mistake in it, and drop it."""
    params, corpus, store = run.params, run.corpus, run.database()
    questions = asked(corpus, params["questions"])
    vectors = corpus.query_vectors(questions)
    tenants = sorted({document.tenant for document in corpus.documents.values()})
    design = cells(tenants, questions, params["sizes"], params["seed"])
    singles = [Principal(f"only:{tenant}", (tenant,)) for tenant in tenants]
    readers = list({p.name: p for p in (*principals_in(design), *singles)}.values())
    store.grant({p.name: p.tenants for p in readers})
    layouts, rows, exposed, bridge = [], [], [], {}
    builds: list[JsonObject] = []
    times: list[JsonObject] = []
    truths: Truths = {}
    same = {"searches": 0, "same": 0}
    for layout in _layouts(store, params["large_share"]):
        made, seconds, sizes, taken, found = _measure(run, layout, design, readers, vectors)
        truths = truths or found
        for label, results in found.items():
            same["searches"] += len(results)
            same["same"] += sum(_ids(a) == _ids(b) for a, b in zip(results, truths[label], strict=True))
        layouts.append({"layout": layout.name, "tables": made.tables, **_bytes(sizes)})
        builds.append(_seconds(layout.name, made, seconds))
        exposed += [asdict(row) | {"what": MISTAKES[row.mistake]} for row in exposures(layout, singles)]
        if isinstance(layout, Bridge):
            bridge = _bridge(layout)
        layout.drop()
        for cell in design:
            for way, readings in taken[cell.label].items():
                key = {"layout": layout.name, "cell": cell.label, "way": way.id, "plan": way.scan.plan}
                rows.append(
                    {**key, "iterative": way.scan.iterative, "tenants": cell.size, "mode": cell.mode}
                    | {"n": len(cell.askings), "measured": measured(readings, params)}
                )
                times.append({**key, **latency(readings)})
    result: dict[str, Any] = {
        "population": population(corpus, len(questions)),
        "cells": cell_rows(corpus, design),
        "layouts": layouts,
        "bridge": bridge,
        "readings": rows,
        "exact_agreement": same,
        "exposures": exposed,
    }
    timings = {"searches": times, "builds": builds}
    return Payload(result, _figures(result, timings), timings)


def _layouts(store: Store, large_share: float) -> list[Layout]:
    return [Pool(store), Partitions(store), Silo(store), Bridge(store, large_share=large_share)]


def ways(ef: int) -> list[Way]:
    """Return the ways: forced with and without iterative scan, and the planner's own choice; all with the predicate."""
    plan = (HNSW.plan,)
    return [
        Way("forced", Scan(ef_search=ef), True, plan),
        Way("relaxed", Scan(ef_search=ef, iterative="relaxed_order"), True, plan),
        Way("own", Scan(ef_search=ef, plan="own"), True),
    ]


def _measure(
    run: Run, layout: Layout, design: Sequence[Cell], readers: Sequence[Principal], vectors: Vectors
) -> tuple[Built, list[float], list[Sizes], dict[str, dict[Way, Taken]], Truths]:
    """Create the layout and read every cell over several builds of its indexes."""
    params = run.params
    made = layout.create(readers, run.log)
    seconds, sizes = [made.index_seconds], [layout.sizes()]
    with layout.connect() as conn:
        truths = {cell.label: exact_results(layout, conn, cell, vectors, params["k"]) for cell in design}
        every = ways(params["ef_search"])
        taken = {label: {way: Taken.empty(params["builds"], truth) for way in every} for label, truth in truths.items()}
        for build in range(params["builds"]):
            if build:
                seconds.append(layout.rebuild(run.log))
                sizes.append(layout.sizes())
            warm_up(layout, conn, design[-1], vectors, Scan(), params["k"], predicate=True)
            for cell in design:
                run.log(f"{layout.name}, build {build + 1} of {params['builds']}: {cell.label}")
                take(layout, conn, cell, vectors, truths[cell.label], taken[cell.label], build, params["k"])
    return made, seconds, sizes, taken, truths


def _ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.id for hit in hits]


def _bytes(sizes: Sequence[Sizes]) -> JsonObject:
    """Megabytes (10^6 bytes). Vector indexes, and with them the total, may differ from build to build."""
    vectors = [one.vectors / 1e6 for one in sizes]
    rows, keys = sizes[0].rows / 1e6, sizes[0].keys / 1e6
    measured = {
        "vectors": float(np.mean(vectors)),
        "vectors_range": [min(vectors), max(vectors)],
        "total": float(np.mean(vectors)) + rows + keys,
        "total_range": [min(vectors) + rows + keys, max(vectors) + rows + keys],
    }
    return {"rows_mb": rows, "keys_mb": keys, "measured": measured}


def _seconds(name: str, made: Built, seconds: Sequence[float]) -> JsonObject:
    return {
        "layout": name,
        "copy_seconds": made.copy_seconds,
        "index_seconds": float(np.mean(seconds)),
        "index_seconds_range": [min(seconds), max(seconds)],
        "builds": len(seconds),
        "workers": made.workers,
    }


def _bridge(layout: Bridge) -> dict[str, Any]:
    owned, small = layout.owned(), layout.small()
    held = sum(layout.sizes_of[tenant] for tenant in owned)
    return {
        "large": owned,
        "large_tenants": len(owned),
        "large_share": held / sum(layout.sizes_of.values()),
        "small_tenants": len(small),
    }


def _figures(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    found = population_figures(result["population"])
    builds = timings["builds"][0]["builds"]
    for i, row in enumerate(result["cells"]):
        found[f"visible_{row['cell']}"] = Figure(
            row["visible_share"], "", f"mean share of chunks visible, {reader(row['cell'])}", 3, row["n"],
            at=f"/result/cells/{i}/visible_share",
        )  # fmt: skip
    for i, row in enumerate(result["layouts"]):
        name, at, part = row["layout"], f"/result/layouts/{i}", row["measured"]
        found[f"tables_{name}"] = Figure(row["tables"], "tables", f"tables that hold rows, {name}", at=f"{at}/tables")
        for key, label in (("rows", "rows"), ("keys", "primary keys")):
            found[f"mb_{key}_{name}"] = Figure(
                row[f"{key}_mb"], "MB", f"{label} on disk, {name}", 1, at=f"{at}/{key}_mb"
            )
        for key, label in (("vectors", "vector indexes"), ("total", "rows and indexes")):
            found[f"mb_{key}_{name}"] = Figure(
                part[key], "MB", f"{label} on disk, {name}", 1, builds, tuple(part[f"{key}_range"]),
                f"{at}/measured/{key}", volatile=True,
            )  # fmt: skip
    for i, row in enumerate(timings["builds"]):
        name, at = row["layout"], f"/timings/builds/{i}"
        copied = row["copy_seconds"]
        found[f"copy_{name}"] = Figure(
            copied, "s", f"copying the rows once, {name}", 1, 1, (copied, copied),
            f"{at}/copy_seconds", volatile=True,
        )  # fmt: skip
        found[f"build_{name}"] = Figure(
            row["index_seconds"], "s", f"building the vector indexes, {name}, mean over builds", 1, row["builds"],
            tuple(row["index_seconds_range"]), f"{at}/index_seconds", volatile=True,
        )  # fmt: skip
    for i, (row, time) in enumerate(zip(result["readings"], timings["searches"], strict=True)):
        name = f"{row['layout']}_{row['cell']}_{row['way']}"
        how = {"forced": "index scans forced", "relaxed": "relaxed iterative scan", "own": "the planner's own choice"}
        said = f"{row['layout']}, {reader(row['cell'])}, {how[row['way']]}"
        found |= reading_figures(name, said, row, f"/result/readings/{i}/measured", ("empty", "short"))
        found[f"latency_{name}"] = latency_figure(said, time, f"/timings/searches/{i}")
    for i, row in enumerate(result["exposures"]):
        name, at = f"{row['layout']}_{row['mistake']}", f"/result/exposures/{i}"
        said = f"{row['layout']}: {row['what']}"
        for key, label, digits in (
            ("rows_mean", "other tenants' chunks that a reader sees, mean over readers", 0),
            ("rows_most", "other tenants' chunks that a reader sees, at most", 0),
            ("tenants_mean", "other tenants of which a reader sees chunks, mean over readers", 1),
            ("exposed", "readers who see another tenant's chunks", 0),
            ("refused", "readers whose statement was refused", 0),
        ):
            found[f"{key}_{name}"] = Figure(row[key], "", f"{label}; {said}", digits, row["readers"], at=f"{at}/{key}")
    for key, label in (("searches", "exact searches compared between layouts"), ("same", "of them with equal results")):
        found[f"exact_{key}"] = Figure(result["exact_agreement"][key], "", label, at=f"/result/exact_agreement/{key}")
    for key, label, digits in (
        ("large_tenants", "tenants with a table of their own in the bridge", 0),
        ("large_share", "share of all chunks that they hold", 3),
        ("small_tenants", "tenants that share a table in the bridge", 0),
    ):
        found[f"bridge_{key}"] = Figure(result["bridge"][key], "", label, digits, at=f"/result/bridge/{key}")
    return found


CAPTURE = Capture(
    name="topologies",
    title="Pool, partitions, silo and bridge on the same rows",
    describes=(
        "Bytes on disk, build time, recall@10 against exact search and search time of four layouts of the same chunks "
        "in PostgreSQL (one table under row-level security, a partition a tenant, a schema and role a tenant, and a "
        "bridge of the two), and how many chunks of other tenants a reader of one tenant sees after four mistakes."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={
        "sizes": [1, 3],
        "ef_search": 40,
        "max_scan_tuples": 20_000,
        "large_share": 0.5,
        "questions": 100,
        "k": 10,
        "builds": 2,
        "predicate": "every statement names the reader's tenants, or in a silo its tables",
        "seed": 20,
        "resamples": 10_000,
        "warm_up": "every question is searched once after a build; the ways of one question follow each other",
    },
    canary_params={"ef_search": 10, "builds": 1, "resamples": 1_000},
    caveats=(
        "Recall says what the indexes lose against exact search with the same embedder, not whether the chunks answer "
        "the question.",
        "Means over two builds of the indexes; intervals of recall are 95% bootstrap intervals over questions, those "
        "of counts the smallest and largest build.",
        "Bytes count rows, primary keys and vector indexes; the full-text index is left out of every layout.",
        "The bridge gives a table of its own to each of the fewest tenants that together hold half of the chunks.",
        "A silo's reader becomes a role on a shared connection; a login a tenant needs a pool each.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=2, statistic="mean"),
    volatile=("/timings", "/result/readings/*/measured", "/result/layouts/*/measured"),
    minutes=10.0,
)
