"""Tenant, classification and barrier together, applied before ranking or after it: what each hides and what it costs.

A chunk is visible when its tenant, its classification and its side of the barrier all allow it. Two mechanisms carry
that rule, each enough alone: policies on columns, and the overlap of entitlement groups. Measured are: what becomes
visible when one condition is taken away; whether the planner uses a GIN index over the groups beside an ordering by
distance; and how often a candidate list over-fetched by the visible share (k / share, capped) still falls short of
exact search under the same policies.

**Labels are assigned by rule** (`harness.entitlements.classification`): the documents carry none. **Home and away
apart**, and away questions apart by the one condition that hides their document.

**Builds.** An HNSW graph differs from build to build: values are means over builds, intervals are percentile
bootstrap intervals over questions of their mean over builds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.capture.api import Capture, Determinism, Payload, Run
from harness.corpus.model import Corpus, Query
from harness.entitlements.classification import LEVELS, Label, by_rule, labels
from harness.entitlements.table import Entitled
from harness.experiments.authorized_retrieval import conditions, prefilter
from harness.experiments.authorized_retrieval.figures import fetched, figures, latency, measured, spread, ways
from harness.experiments.authorized_retrieval.needed import needed, summary
from harness.measuring.labelled.design import Cell, Census, cells, readers_in
from harness.measuring.labelled.measure import Guard, Taken, Way, exact_results, probe, take

PLANNED = (Way("columns_own", own=True), Way("both_own", predicate=True, own=True))
ARRAY = Way("array_own", own=True)


def capture(run: Run) -> Payload:
    """Make the labelled table, measure, drop it."""
    params, corpus, store = run.params, run.corpus, run.database()
    found = labels(corpus)
    queries = sorted((q for q in corpus.queries if q.doc in corpus.documents), key=lambda q: q.id)
    vectors = corpus.query_vectors(queries)
    design = cells(corpus, found, queries, params["sizes"], params["questions"], params["k"], params["seed"])
    layout = Entitled(store, labels=found)
    layout.create((), run.log)
    layout.grant(readers_in(design))
    guard = Guard(found)
    try:
        hidden = _conditions(run, layout, design, corpus, queries, vectors, found)
        taken, exact_ms, own_rows = _read(run, layout, design, vectors, queries, guard)
        run.log("plans")
        shown = prefilter.read_plans(layout, prefilter.chosen(design), vectors)
    finally:
        layout.drop()
    run.log("depth of an exact ranking")
    depths = needed(corpus, found, design, vectors, params["k"])
    rows, cap = len(corpus.chunks), params["cap"]
    keys = [(cell, way) for cell in design for way in taken[cell.label]]
    result: dict[str, Any] = {
        "population": {
            "chunks": rows,
            "documents": len(corpus.documents),
            "tenants": len({document.tenant for document in corpus.documents.values()}),
            "questions": len(queries),
            "readers": len(readers_in(design)),
        },
        "rules": by_rule(found, (chunk.doc for chunk in corpus.chunks)),
        "levels": _levels(corpus, found),
        "policies": layout.policies(),
        "cells": [_cell(cell, rows) for cell in design],
        "conditions": hidden,
        "needed": [summary(c, depths[c.label], rows, params["k"], cap, params["factors"]) for c in design],
        "readings": [
            {"cell": cell.label, "mode": cell.mode, "tenants": cell.size, "way": way.id, "n": len(cell.askings)}
            | fetched(taken[cell.label][way], cap)
            | {"measured": measured(taken[cell.label][way], params)}
            for cell, way in keys
        ],
        "plans": shown,
        "checked": {"rows": guard.rows, "searches": guard.searches, "foreign": 0, "asked_tenant_rows": own_rows},
    }
    timings = {
        "searches": [{"cell": c.label, "way": way.id, **latency(taken[c.label][way])} for c, way in keys],
        "exact": [{"cell": cell.label, **spread(exact_ms[cell.label])} for cell in design],
    }
    return Payload(result, figures(result, timings), timings)


def _conditions(
    run: Run,
    layout: Entitled,
    design: Sequence[Cell],
    corpus: Corpus,
    queries: Sequence[Query],
    vectors: Any,
    found: Mapping[str, Label],
) -> dict[str, Any]:
    params = run.params
    run.log("one condition removed at a time")
    some = conditions.distinct([cell for cell in design if cell.size == params["shown_size"]], params["counted"])
    return {
        "readers_of": params["shown_size"],
        "counts": conditions.counts(layout, some, Census(corpus, found)),
        "questions": conditions.by_question(layout, design, queries, vectors, params["shown_size"], params["k"]),
        "cases": conditions.cases(layout, design, corpus, found, queries, vectors, params["shown_size"], params["k"]),
    }


def _read(
    run: Run, layout: Entitled, design: Sequence[Cell], vectors: Any, queries: Sequence[Query], guard: Guard
) -> tuple[dict[str, dict[Way, Taken]], dict[str, list[float]], int]:
    """Readings of every cell and way, times of exact search, and rows of the asked tenant in away questions."""
    params, rows = run.params, len(run.corpus.chunks)
    by_index = ways(params["factors"], params["ef_search"])
    truth, exact_ms, asked_rows = {}, {}, 0
    taken: dict[str, dict[Way, Taken]] = {}
    with layout.connect() as conn:
        exact_results(layout, conn, design[-1], vectors, params["k"], guard)
        for cell in design:
            run.log(f"exact search: {cell.label}")
            truth[cell.label], exact_ms[cell.label] = exact_results(layout, conn, cell, vectors, params["k"], guard)
            if cell.mode == "tenant":
                for asking, hits in zip(cell.askings, truth[cell.label], strict=True):
                    asked_rows += sum(hit.tenant == queries[asking.query].tenant for hit in hits)
            taken[cell.label] = {way: Taken.empty(params["builds"], truth[cell.label]) for way in by_index}
            taken[cell.label] |= {way: Taken.empty(1, truth[cell.label]) for way in (*PLANNED, ARRAY)}
        for build in range(params["builds"]):
            if build:
                layout.rebuild(run.log)
            for cell in design:
                run.log(f"build {build + 1} of {params['builds']}: {cell.label}")
                into = {way: taken[cell.label][way] for way in by_index}
                _take(layout, conn, cell, vectors, truth, into, build, params, rows, guard)
        for form, planned in (("columns", PLANNED), ("array", (ARRAY,))):
            layout.police("array" if form == "array" else "columns")
            for cell in design:
                run.log(f"planner's choice, {form}: {cell.label}")
                into = {way: taken[cell.label][way] for way in planned}
                _take(layout, conn, cell, vectors, truth, into, 0, params, rows, guard)
            everyone = [asking for cell in design for asking in cell.askings]
            probe(layout, conn, everyone, vectors, params["probes"], params["seed"], params["k"], guard)
        layout.police("columns")
    return taken, exact_ms, asked_rows


def _take(
    layout: Entitled,
    conn: Any,
    cell: Cell,
    vectors: Any,
    truth: Mapping[str, Any],
    into: Mapping[Way, Taken],
    build: int,
    params: Mapping[str, Any],
    rows: int,
    guard: Guard,
) -> None:
    take(layout, conn, cell, vectors, truth[cell.label], into, build, params["k"], params["cap"], rows, guard)


def _cell(cell: Cell, rows: int) -> dict[str, Any]:
    visible = [asking.visible for asking in cell.askings]
    return {
        "cell": cell.label,
        "tenants": cell.size,
        "mode": cell.mode,
        "n": len(cell.askings),
        "readers": len({asking.principal.name for asking in cell.askings}),
        "visible_share": float(np.mean(visible)) / rows,
        "fewest_visible": min(visible),
    }


def _levels(corpus: Corpus, found: Mapping[str, Label]) -> list[dict[str, Any]]:
    documents = Counter(label.level for label in found.values())
    chunks = Counter(found[chunk.doc].level for chunk in corpus.chunks)
    return [
        {"level": name, "documents": documents[level], "chunks": chunks[level]}
        for level, name in enumerate(LEVELS)
        if documents[level]
    ]


CAPTURE = Capture(
    name="authorized_retrieval",
    title="Tenant, classification and barrier before ranking",
    describes=(
        "What each of three conditions (tenant, classification, barrier) hides from a reader, whether a GIN index over "
        "entitlement groups is used beside an ordering by distance, and recall@10 and short results of candidate lists "
        "over-fetched by the reader's visible share against exact search under the same policies, for readers of 1, "
        "3, 10 and all tenants, home questions and away questions of each condition apart."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={
        "sizes": [1, 3, 10],
        "questions": 100,
        "k": 10,
        "ef_search": 40,
        "factors": [1, 2, 4],
        "cap": 1_000,
        "builds": 2,
        "shown_size": 10,
        "counted": 60,
        "probes": 2_000,
        "seed": 20,
        "resamples": 10_000,
        "labels": "assigned by rule, see result.rules; sides alternate by id within a tenant",
        "warm_up": "the statement's plan is asked for before it is timed; exact search is run once before",
    },
    canary_params={
        "sizes": [1, 2],
        "k": 3,
        "ef_search": 10,
        "cap": 40,
        "builds": 1,
        "shown_size": 2,
        "counted": 10,
        "probes": 40,
        "resamples": 1_000,
    },
    caveats=(
        "Classification and sides are assigned by rule from attributes of the documents; no document carries them.",
        "Recall and short results say what is lost against exact search under the same policies, not whether the "
        "chunks answer the question.",
        "Readings through the index are forced onto it and are means over two builds; the planner's own choice is "
        "named as such. Intervals are 95% bootstrap intervals over questions, of times the 5th to 95th percentile.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=2, statistic="mean"),
    volatile=("/timings", "/result/readings/*/measured", "/result/plans", "/result/checked"),
    minutes=6.0,
)
