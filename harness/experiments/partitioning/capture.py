"""Partitions by tenant with an HNSW index each: what the explicit tenant predicate changes, and what it does not.

The row policy is the boundary. Without the predicate PostgreSQL scans every partition and the policy drops what
comes from the others: the same rows, later. With it, all partitions but the reader's are left out of the plan. Both
are read with exact scans priced out (`forced`) and with the planner's own choice (`own`): for one small partition
it prefers to compare every row.

A partition may hold fewer rows than `ef_search`; an index scan of it then visits all it can reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from harness.capture.api import Capture, Determinism, Figure, JsonObject, Payload, Run
from harness.corpus.model import Vectors
from harness.evaluation.bootstrap import paired_difference
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
from harness.measuring.trials import Cell, cells, principals_in
from harness.store import Connection
from harness.store.layouts import HNSW, Partitions, Scan, plan_text
from harness.store.layouts.pruning import prunings

Readings = dict[str, dict[Way, Taken]]
WITH, WITHOUT = "with", "without"


def capture(run: Run) -> Payload:
    """Read every cell with and without the predicate, over several builds of the indexes."""
    params, corpus, store = run.params, run.corpus, run.database()
    questions = asked(corpus, params["questions"])
    vectors = corpus.query_vectors(questions)
    tenants = sorted({document.tenant for document in corpus.documents.values()})
    design = cells(tenants, questions, params["sizes"], params["seed"])
    store.grant({p.name: p.tenants for p in principals_in(design)})
    layout = Partitions(store)
    layout.create(principals_in(design), run.log)
    with layout.connect() as conn:
        taken = _read(run, layout, conn, design, vectors)
        first = design[0].askings[0]
        with layout.session(conn, first.principal) as reading:
            forms = prunings(layout, reading, vectors[first.query], k=params["k"])
        shown = _plans(layout, conn, design[0], vectors, params["ef_search"])
    sizes = dict(layout.sizes_of)
    layout.drop()
    rows, times = [], []
    for cell in design:
        for way, found in taken[cell.label].items():
            key = {
                "cell": cell.label,
                "way": way.id,
                "plan": way.scan.plan,
                "predicate": WITH if way.predicate else WITHOUT,
                "ef_search": way.scan.ef_search,
            }
            rows.append(
                {**key, "tenants": cell.size, "mode": cell.mode, "n": len(cell.askings)}
                | {"measured": measured(found, params)}
            )
            times.append({**key, **latency(found)})
    result: dict[str, Any] = {
        "population": population(corpus, len(questions)),
        "cells": cell_rows(corpus, design),
        "partitions": [{"tenant": tenant, "rows": rows_in} for tenant, rows_in in sorted(sizes.items())],
        "readings": rows,
        "predicate": [_difference(cell, taken[cell.label], params) for cell in design],
        "small": _small(design, taken, sizes),
        "pruning": [asdict(row) | {"when": row.when} for row in forms],
        "plans": shown,
    }
    timings = {"searches": times}
    return Payload(result, _figures(result, timings), timings)


def ways(efs: Sequence[int], ef: int) -> list[Way]:
    """Return the ways: forced with the predicate at every ef_search, forced without it at one, and both own plans."""
    plan = (HNSW.plan,)
    found = [Way(f"with_ef{e}", Scan(ef_search=e), True, plan) for e in efs]
    found.append(Way(f"without_ef{ef}", Scan(ef_search=ef), False, plan))
    found.append(Way("own_with", Scan(ef_search=ef, plan="own"), True))
    found.append(Way("own_without", Scan(ef_search=ef, plan="own"), False))
    return found


def _read(run: Run, layout: Partitions, conn: Connection, design: Sequence[Cell], vectors: Vectors) -> Readings:
    """Take every reading; the planner's own choice in the last build only."""
    params = run.params
    run.log("exact search")
    truths = {cell.label: exact_results(layout, conn, cell, vectors, params["k"]) for cell in design}
    every = ways(params["efs"], params["ef_search"])
    builds = {way: 1 if way.scan.plan == "own" else params["builds"] for way in every}
    taken = {label: {way: Taken.empty(builds[way], truth) for way in every} for label, truth in truths.items()}
    for build in range(params["builds"]):
        if build:
            layout.rebuild(run.log)
        warm_up(layout, conn, design[-1], vectors, Scan(), params["k"])
        last = build == params["builds"] - 1
        for cell in design:
            run.log(f"build {build + 1} of {params['builds']}: {cell.label}")
            forced = {w: t for w, t in taken[cell.label].items() if w.scan.plan == "forced"}
            take(layout, conn, cell, vectors, truths[cell.label], forced, build, params["k"])
            own = {w: t for w, t in taken[cell.label].items() if w.scan.plan == "own"}
            if last:
                take(layout, conn, cell, vectors, truths[cell.label], own, 0, params["k"])
    return taken


def _difference(cell: Cell, taken: Mapping[Way, Taken], params: Mapping[str, Any]) -> dict[str, Any]:
    """With against without the predicate at the same ef_search: results that differ, and the paired gain in recall."""
    by_id = {way.id: found for way, found in taken.items()}
    ef = params["ef_search"]
    one, other = by_id[f"with_ef{ef}"], by_id[f"without_ef{ef}"]
    found = paired_difference(
        other.recall.mean(axis=0).tolist(),
        one.recall.mean(axis=0).tolist(),
        resamples=params["resamples"],
        seed=params["seed"],
    )
    return {
        "cell": cell.label,
        "ef_search": ef,
        "searches": len(one.found),
        "differing": sum(a != b for a, b in zip(one.found, other.found, strict=True)),
        "gain": found.interval.mean,
        "interval": [found.interval.low, found.interval.high],
    }


def _small(design: Sequence[Cell], taken: Readings, sizes: Mapping[str, int]) -> list[dict[str, Any]]:
    """Readers of one tenant whose partition holds no more rows than ef_search, by ef_search."""
    found = []
    for cell in (cell for cell in design if cell.size == 1):
        rows = np.array([sizes[asking.principal.tenants[0]] for asking in cell.askings])
        for way, readings in taken[cell.label].items():
            if way.scan.plan != "forced" or not way.predicate:
                continue
            ef = way.scan.ef_search
            chosen = rows <= ef
            by_build = readings.recall[:, chosen].mean(axis=1).tolist() if chosen.any() else []
            found.append(
                {
                    "cell": cell.label,
                    "ef_search": ef,
                    "partitions": sum(size <= ef for size in sizes.values()),
                    "askings": int(chosen.sum()),
                    "measured": {"recall": float(np.mean(by_build)) if by_build else None, "recall_by_build": by_build},
                }
            )
    return found


def _plans(layout: Partitions, conn: Connection, cell: Cell, vectors: Vectors, ef: int) -> list[dict[str, Any]]:
    """The executed plans of one question, before and after pruning, forced and own."""
    asking, found = cell.askings[0], []
    for way in ways([ef], ef):
        with layout.session(conn, asking.principal) as reading:
            tenants = reading.tenants if way.predicate else None
            lines = plan_text(layout, reading, vectors[asking.query], way.scan, tenants=tenants)
        found.append({"way": way.id, "cell": cell.label, "principal": asking.principal.name, "lines": lines})
    return found


def _figures(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    found = population_figures(result["population"])
    for i, row in enumerate(result["cells"]):
        found[f"visible_{row['cell']}"] = Figure(
            row["visible_share"], "", f"mean share of chunks visible, {reader(row['cell'])}", 3, row["n"],
            at=f"/result/cells/{i}/visible_share",
        )  # fmt: skip
    for i, (row, time) in enumerate(zip(result["readings"], timings["searches"], strict=True)):
        name, at = f"{row['cell']}_{row['way']}", f"/result/readings/{i}/measured"
        plan = "forced index scans" if row["plan"] == "forced" else "the planner's own choice"
        said = f"{reader(row['cell'])}, {row['predicate']} the predicate, {plan}, ef_search {row['ef_search']}"
        found |= reading_figures(name, said, row, at)
        found[f"latency_{name}"] = latency_figure(said, time, f"/timings/searches/{i}")
        part = row["measured"]
        found[f"scans_{name}"] = Figure(
            part["scans"], "", f"partitions in the plan on average, {said} (interval: fewest and most)", 1, row["n"],
            tuple(part["scans_range"]), f"{at}/scans", volatile=True,
        )  # fmt: skip
        if row["plan"] == "own":
            off = sum(count for plan, count in part["plans"].items() if plan != HNSW.plan)
            found[f"off_index_{name}"] = Figure(
                off, "searches", f"searches not by HNSW scans alone, {said}, last build",
                0, row["n"], (off, off), volatile=True,
            )  # fmt: skip
    for i, row in enumerate(result["predicate"]):
        at, said = f"/result/predicate/{i}", f"{reader(row['cell'])}, ef_search {row['ef_search']}"
        found[f"differing_{row['cell']}"] = Figure(
            row["differing"], "", f"searches whose results differ with and without the predicate, {said}", 0,
            row["searches"], at=f"{at}/differing",
        )  # fmt: skip
        found[f"gain_{row['cell']}"] = Figure(
            row["gain"], "", f"recall@10 with the predicate less recall@10 without, {said}", 3,
            interval=tuple(row["interval"]), at=f"{at}/gain",
        )  # fmt: skip
    for i, row in enumerate(result["pruning"]):
        for key, label in (("planned", "partitions in the plan"), ("executed", "partitions scanned")):
            said = row["condition"] or "no predicate"
            found[f"{key}_{row['form']}"] = Figure(row[key], "", f"{label}: {said}", at=f"/result/pruning/{i}/{key}")
    for i, row in enumerate(result["small"]):
        said = f"{reader(row['cell'])}, partition of no more rows than ef_search {row['ef_search']}"
        name = f"small_{row['cell']}_ef{row['ef_search']}"
        found[f"n_{name}"] = Figure(row["askings"], "questions", f"questions, {said}", at=f"/result/small/{i}/askings")
        if row["measured"]["recall"] is not None:
            found[f"recall_{name}"] = Figure(
                row["measured"]["recall"], "", f"recall@10, {said} (interval: builds)", 3, row["askings"],
                (min(row["measured"]["recall_by_build"]), max(row["measured"]["recall_by_build"])),
                f"/result/small/{i}/measured/recall", volatile=True,
            )  # fmt: skip
    return found


CAPTURE = Capture(
    name="partitioning",
    title="Partitions by tenant, with and without the explicit predicate",
    describes=(
        "Recall@10 against exact search under the same policy, time and plans of searches over a table in PostgreSQL "
        "under row-level security that is partitioned by tenant with an HNSW index on each partition, with and without "
        "an explicit tenant predicate, index scans forced and the planner's own choice, for readers of 1, 3, 10 and "
        "all tenants, home and away questions apart."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={
        "sizes": [1, 3, 10],
        "efs": [10, 40, 200, 800],
        "ef_search": 40,
        "questions": 100,
        "k": 10,
        "builds": 3,
        "seed": 20,
        "resamples": 10_000,
        "warm_up": "every question is searched once after a build; the ways of one question follow each other",
    },
    canary_params={"sizes": [1, 3], "efs": [10, 40], "ef_search": 10, "builds": 1, "resamples": 1_000},
    caveats=(
        "Recall says what the indexes lose against exact search with the same embedder, not whether the chunks answer "
        "the question.",
        "Means over three builds of the indexes; intervals of recall are 95% bootstrap intervals over questions, those "
        "of counts the smallest and largest build. The planner's own choice was read in the last build only.",
        "Times include planning: it grows with the number of partitions that stay in the plan.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=3, statistic="mean"),
    volatile=("/timings", "/result/readings/*/measured", "/result/small/*/measured", "/result/plans"),
    minutes=10.0,
)
