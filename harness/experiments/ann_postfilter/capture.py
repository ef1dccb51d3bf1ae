"""What a row policy costs an HNSW search, and what it does not cost: the site's headline measurement.

An HNSW index hands on a candidate list of `ef_search` chunks, chosen without regard to the policy; the policy
then drops those that the principal may not see. The fewer tenants it may see, and the farther the question is
from them, the fewer candidates are left. Recall@10 is taken against exact search under the same policy, for
principals that see 1, 3, 10 or all tenants, and apart for *home* questions (about a tenant the principal may
see) and *away* questions.

**Two plans, side by side.** The planner may answer the same statement by an exact scan, which hides the
effect. Each reading is therefore taken with exact scans priced out (`forced`) and with the planner's own
choice (`own`), and the plan of each is recorded. Where the planner chose the index by itself the two are the
same search over the same graph, which is then not run a second time.

**No B-tree on `tenant`**, and a policy that the planner cannot estimate: `harness.store.schema` says why.
What a B-tree and other forms of the policy change, and from which `ef_search` on, is in `plan_choices`.

**Builds.** An HNSW graph differs from build to build, so the index is built several times: the value of each
build and the mean are published. The interval is a percentile bootstrap over questions of their mean over
builds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.capture.api import Capture, Determinism, Payload, Run
from harness.corpus.model import Corpus, Vectors
from harness.evaluation.bootstrap import mean_interval
from harness.experiments.ann_postfilter import cases, controls, measure
from harness.experiments.ann_postfilter.figures import figures
from harness.experiments.ann_postfilter.measure import Readings
from harness.measuring.trials import Cell, cells, principals_in, spread
from harness.retrieval.dense import Hit
from harness.store import Connection, Store, choices

Taken = dict[tuple[str, int], Readings]
Exact = dict[str, list[list[Hit]]]


def capture(run: Run) -> Payload:
    """Measure, and return tables, three cases in full, and the figures."""
    params, corpus, store = run.params, run.corpus, run.database()
    queries = spread([q for q in corpus.queries if q.tenant and q.doc], params["questions"])
    tenants = sorted({document.tenant for document in corpus.documents.values()})
    design = cells(tenants, queries, params["sizes"], params["seed"])
    store.grant({p.name: p.tenants for p in principals_in(design)})
    vectors = corpus.query_vectors(queries)
    k, ef = params["k"], params["case_ef"]
    with store.application() as conn:
        exact, exact_ms = _exact(run, conn, design, vectors)
        taken = _read(run, store, conn, design, vectors, exact)
        by_label = {cell.label: cell for cell in design}
        shown = [
            {"roles": cases.roles(design, taken, c.asking.query, params["ef_search"])}
            | cases.show(conn, corpus, queries[c.asking.query], vectors[c.asking.query], c, params["ef_search"], ef, k)
            for c in cases.choose(by_label, taken, exact, ef)
        ]
        run.log("lexical control")
        lexical = controls.lexical(conn, design, queries, params["lexical_queries"], k)
    result: dict[str, Any] = {
        "population": _population(corpus, len(queries)),
        "principals": [{"name": p.name, "tenants": list(p.tenants)} for p in principals_in(design)],
        "cells": [_cell(corpus, cell) for cell in design],
        "readings": [_reading(cell, e, taken[cell.label, e], params) for cell in design for e in params["ef_search"]],
        "plan_choices": _plan_choices(store, design, vectors, params),
        "ceiling": [controls.ceiling(cell, exact[cell.label], k) for cell in design],
        "lexical": {"cells": lexical, "total": _total(lexical)},
        "cases": shown,
        "sources": cases.sources(corpus, shown),
    }
    timings = {
        "exact": [{"cell": label, **_spread(np.array(ms))} for label, ms in exact_ms.items()],
        "hnsw": [{"cell": label, "ef_search": e, **_spread(r.milliseconds[-1])} for (label, e), r in taken.items()],
    }
    return Payload(result, figures(result, timings), timings)


def _exact(
    run: Run, conn: Connection, design: Sequence[Cell], vectors: Vectors
) -> tuple[Exact, dict[str, list[float]]]:
    """Exact results of every cell, with their times; the first cell is read twice, the first time to warm
    up."""
    exact: Exact = {}
    spent: dict[str, list[float]] = {}
    measure.exact_results(conn, design[-1], vectors, run.params["k"])
    for cell in design:
        run.log(f"exact search: {cell.label}")
        exact[cell.label], spent[cell.label] = measure.exact_results(conn, cell, vectors, run.params["k"])
    return exact, spent


def _read(run: Run, store: Store, conn: Connection, design: Sequence[Cell], vectors: Vectors, exact: Exact) -> Taken:
    """Readings of every cell and ef_search over all builds; the first build is the one just made, not the
    loaded."""
    builds, efs = run.params["builds"], run.params["ef_search"]
    taken = {(c.label, ef): Readings.empty(builds, len(c.askings)) for c in design for ef in efs}
    for build in range(builds):
        store.rebuild_hnsw(run.log)
        for cell in design:
            run.log(f"build {build + 1} of {builds}: {cell.label}")
            into = {ef: taken[cell.label, ef] for ef in efs}
            measure.read_cell(conn, cell, vectors, exact[cell.label], into, build, run.params["k"])
    return taken


def _population(corpus: Corpus, queries: int) -> dict[str, int]:
    sizes = Counter(chunk.tenant for chunk in corpus.chunks)
    return {
        "chunks": len(corpus.chunks),
        "documents": len(corpus.documents),
        "tenants": len(sizes),
        "queries": queries,
        "smallest_tenant": min(sizes.values()),
        "largest_tenant": max(sizes.values()),
    }


def _cell(corpus: Corpus, cell: Cell) -> dict[str, Any]:
    sizes = Counter(chunk.tenant for chunk in corpus.chunks)
    visible = [sum(sizes[t] for t in asking.principal.tenants) for asking in cell.askings]
    return {
        "cell": cell.label,
        "tenants": cell.size,
        "mode": cell.mode,
        "n": len(cell.askings),
        "principals": len({asking.principal.name for asking in cell.askings}),
        "visible_share": float(np.mean(visible)) / len(corpus.chunks),
        "fewest_visible": min(visible),
    }


def _reading(cell: Cell, ef: int, taken: Readings, params: Mapping[str, Any]) -> dict[str, Any]:
    """One row of the main table: a cell at one ef_search, both plans."""
    forced = {
        **_quality(taken.recall, taken.kept, params),
        **_over_builds("short", (taken.kept < params["k"]).sum(axis=1)),
        **_over_builds("returned", taken.kept.mean(axis=1)),
        **_over_builds("removed", taken.removed.mean(axis=1)),
    }
    return {
        "cell": cell.label,
        "tenants": cell.size,
        "mode": cell.mode,
        "ef_search": ef,
        "n": len(cell.askings),
        "plans": {"forced": dict(sorted(taken.forced_plans.items())), "own": dict(sorted(taken.own_plans.items()))},
        "forced": forced,
        "own": _quality(taken.own_recall, taken.own_kept, params),
    }


def _quality(recall: NDArray[np.float64], kept: NDArray[np.int64], params: Mapping[str, Any]) -> dict[str, Any]:
    interval = mean_interval(recall.mean(axis=0).tolist(), resamples=params["resamples"], seed=params["seed"])
    return {
        "recall": interval.mean,
        "interval": [interval.low, interval.high],
        "recall_by_build": recall.mean(axis=1).tolist(),
        **_over_builds("empty", (kept == 0).sum(axis=1)),
    }


def _over_builds(name: str, values: NDArray[Any]) -> dict[str, Any]:
    """The mean over builds of one value a build, and the smallest and largest of them."""
    return {name: float(values.mean()), f"{name}_range": [float(values.min()), float(values.max())]}


def _spread(milliseconds: NDArray[np.float64]) -> dict[str, Any]:
    p05, p50, p95 = np.percentile(milliseconds, [5, 50, 95])
    return {"n": len(milliseconds), "p05": round(p05, 3), "p50": round(p50, 3), "p95": round(p95, 3)}


def _total(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    n, agree = sum(row["n"] for row in rows), sum(row["agree"] for row in rows)
    return {"n": n, "agree": agree, "share": agree / n}


def _plan_choices(
    store: Store, design: Sequence[Cell], vectors: Vectors, params: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The planner's choice for the first question, one principal a size (that of its home cell)."""
    first = {cell.label: cell.askings[0] for cell in design if cell.mode == "home"}
    principals = {asking.principal.name: asking.principal.tenants for asking in first.values()}
    labels = {asking.principal.name: label for label, asking in first.items()}
    found = choices.plan_choices(store, principals, vectors[0], params["choice_ef"])
    return [{"cell": labels[choice.principal], **asdict(choice)} for choice in found]


CAPTURE = Capture(
    name="ann_postfilter",
    title="Approximate search under row-level security",
    describes=(
        "Recall@10 of an HNSW search in PostgreSQL under row-level security against exact search under the same "
        "policy, for principals that may see 1, 3, 10 or all tenants, by ef_search, apart for questions about a "
        "tenant the principal may see (home) and about one it may not (away)."
    ),
    kind="measured",
    capture=capture,
    params={
        "sizes": [1, 3, 10],
        "ef_search": [10, 20, 40, 80, 100, 200, 400, 800],
        "case_ef": 40,
        "choice_ef": [40, 100, 200, 400, 800],
        "k": 10,
        "questions": 240,
        "builds": 3,
        "seed": 20,
        "resamples": 10_000,
        "lexical_queries": 100,
        "iterative_scan": "off",
        "warm_up": "each search is executed once, right before the execution that is timed",
        "btree_on_tenant": False,
    },
    canary_params={
        "sizes": [1, 3],
        "ef_search": [10, 40, 100],
        "choice_ef": [40, 100],
        "builds": 1,
        "resamples": 1_000,
        "lexical_queries": 10,
    },
    caveats=(
        "Recall says what the index and the policy lose against exact search with the same embedder, not whether the "
        "chunks answer the question.",
        "Means over three builds of the index; intervals of recall are 95% bootstrap intervals over questions, those "
        "of counts the smallest and largest build.",
        "Principals are sets of tenants drawn by seed; a tenant is an IETF working group, a type of contract or a "
        "company (the smallest of them joined with a sibling).",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=3, statistic="mean"),
    volatile=(
        "/timings",
        "/result/readings/*/forced",
        "/result/readings/*/own",
        "/result/plan_choices/*/returned",
        "/result/cases",
        "/result/sources",
    ),
    minutes=20.0,
    corpus="full",
)
