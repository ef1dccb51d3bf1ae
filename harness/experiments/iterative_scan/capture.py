"""What iterative scans give back of what a row policy takes from an HNSW search, and what they cost.

With `hnsw.iterative_scan` on, the index goes on handing out candidates until the statement's LIMIT is filled, the
graph is walked, or `hnsw.max_scan_tuples` have been visited. In `strict_order` a row that turns up nearer than one
already handed out is dropped; in `relaxed_order` it is returned, out of order.

Two kinds of filter are told apart. A policy that hides tenants is *correlated* with the question: asked away from
home, the nearest thousands may all be hidden. The cell `scattered` filters by a digest of the id: one row in
`one_in` passes, anywhere, for a reader who may see everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from harness.measuring.trials import Cell, cells, principals_in
from harness.store import Connection
from harness.store.layouts import HNSW, Pool, Scan, plan_text

SCATTERED = "scattered"


def capture(run: Run) -> Payload:
    """Read every cell in every mode over several builds of the index."""
    params, corpus, store = run.params, run.corpus, run.database()
    questions = asked(corpus, params["questions"])
    vectors = corpus.query_vectors(questions)
    tenants = sorted({document.tenant for document in corpus.documents.values()})
    design = cells(tenants, questions, params["sizes"], params["seed"])
    store.grant({p.name: p.tenants for p in principals_in(design)})
    wheres = [""] * len(design) + [scattered(params["one_in"])]
    labels = [cell.label for cell in design] + [SCATTERED]
    design = [*design, design[-1]]
    ways = modes(params["ef_search"], params["max_scan_tuples"])
    layout = Pool(store)
    layout.create(principals_in(design), run.log)
    with layout.connect() as conn:
        run.log("exact search")
        truths = [exact_results(layout, conn, c, vectors, params["k"], w) for c, w in zip(design, wheres, strict=True)]
        taken = [{way: Taken.empty(params["builds"], truth) for way in ways} for truth in truths]
        for build in range(params["builds"]):
            if build:
                layout.rebuild(run.log)
            warm_up(layout, conn, design[-1], vectors, Scan(), params["k"])
            for label, cell, where, truth, into in zip(labels, design, wheres, truths, taken, strict=True):
                run.log(f"build {build + 1} of {params['builds']}: {label}")
                take(layout, conn, cell, vectors, truth, into, build, params["k"], where)
        shown = _plans(layout, conn, design, labels, vectors, ways)
        matching = _matching(conn, layout, design[-1], params["one_in"])
    layout.drop()
    rows, times = [], []
    for label, cell, into in zip(labels, design, taken, strict=True):
        for way, found in into.items():
            key = {"cell": label, "iterative": way.scan.iterative, "max_scan_tuples": _limit(way)}
            rows.append(
                {**key, "tenants": cell.size, "mode": cell.mode, "way": way.id, "n": len(cell.askings)}
                | {"measured": measured(found, params)}
            )
            times.append({**key, "way": way.id, **latency(found)})
    result: dict[str, Any] = {
        "population": population(corpus, len(questions)),
        "cells": [row | {"cell": label} for row, label in zip(cell_rows(corpus, design), labels, strict=True)],
        "scattered": {"one_in": params["one_in"], **matching},
        "readings": rows,
        "plans": shown,
    }
    timings = {"searches": times}
    return Payload(result, _figures(result, timings), timings)


def modes(ef: int, limits: Sequence[int]) -> list[Way]:
    """Return the ways of searching: off, then both orders at every limit. All of them must be index scans."""
    plan = (HNSW.plan,)
    found = [Way("off", Scan(ef_search=ef), plans=plan)]
    for limit in limits:
        found.append(Way(f"strict_{limit}", Scan(ef, "strict_order", limit), plans=plan))
        found.append(Way(f"relaxed_{limit}", Scan(ef, "relaxed_order", limit), plans=plan))
    return found


def scattered(one_in: int) -> str:
    """Return a condition that one row in `one_in` meets, whatever it is about: 16 bits of the id's MD5."""
    return f"mod(('x' || left(md5(id), 4))::bit(16)::integer, {one_in}) = 0"


def _limit(way: Way) -> int | None:
    return None if way.scan.iterative == "off" else way.scan.max_scan_tuples


def _matching(conn: Connection, layout: Pool, cell: Cell, one_in: int) -> dict[str, Any]:
    """How many rows the scattered filter lets through."""
    with layout.session(conn, cell.askings[0].principal) as reading:
        row = reading.conn.execute(
            f"SELECT count(*) FILTER (WHERE {scattered(one_in)}), count(*) FROM chunk".encode()
        ).fetchone()
    assert row is not None
    return {"rows": int(row[0]), "share": int(row[0]) / int(row[1])}


def _plans(
    layout: Pool, conn: Connection, design: Sequence[Cell], labels: Sequence[str], vectors: Vectors, ways: Sequence[Way]
) -> list[dict[str, Any]]:
    """The executed plan of the first away question of one tenant: off, and relaxed with the largest limit."""
    position = labels.index("away1") if "away1" in labels else 0
    asking = design[position].askings[0]
    found = []
    for way in (ways[0], ways[-1]):
        with layout.session(conn, asking.principal) as reading:
            lines = plan_text(layout, reading, vectors[asking.query], way.scan)
        found.append({"cell": labels[position], "way": way.id, "principal": asking.principal.name, "lines": lines})
    return found


def _figures(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    found = population_figures(result["population"])
    for key, label, digits in (("rows", "chunks that pass", 0), ("share", "share of chunks that pass", 4)):
        found[f"scattered_{key}"] = Figure(
            result["scattered"][key], "", f"{label} the scattered filter", digits, at=f"/result/scattered/{key}"
        )
    for i, row in enumerate(result["cells"]):
        found[f"visible_{row['cell']}"] = Figure(
            row["visible_share"], "", f"mean share of chunks visible, {_who(row['cell'])}", 3, row["n"],
            at=f"/result/cells/{i}/visible_share",
        )  # fmt: skip
    for i, (row, time) in enumerate(zip(result["readings"], timings["searches"], strict=True)):
        name = f"{row['cell']}_{row['way']}"
        said = f"{_who(row['cell'])}, {_how(row)}"
        counts = ("empty", "short", "returned", "unordered")
        found |= reading_figures(name, said, row, f"/result/readings/{i}/measured", counts)
        found[f"latency_{name}"] = latency_figure(said, time, f"/timings/searches/{i}")
    return found


def _who(cell: str) -> str:
    return "reader of everything, scattered filter" if cell == SCATTERED else reader(cell)


def _how(row: JsonObject) -> str:
    if row["iterative"] == "off":
        return "iterative scan off"
    return f"{row['iterative']}, at most {row['max_scan_tuples']} tuples"


CAPTURE = Capture(
    name="iterative_scan",
    title="Iterative index scans under row-level security",
    describes=(
        "Recall@10 against exact search under the same policy, results missing, order and time of HNSW searches in "
        "PostgreSQL under row-level security with iterative scan off, in strict and in relaxed order, by "
        "max_scan_tuples, for readers of 1, 3, 10 and all tenants, home and away questions apart, and for a filter "
        "that one chunk in a hundred passes."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={
        "sizes": [1, 3, 10],
        "ef_search": 40,
        "max_scan_tuples": [1_000, 5_000, 20_000, 100_000],
        "one_in": 100,
        "questions": 120,
        "k": 10,
        "builds": 3,
        "seed": 20,
        "resamples": 10_000,
        "warm_up": "every question is searched once after a build; the ways of one question follow each other",
    },
    canary_params={
        "sizes": [1, 3],
        "ef_search": 10,
        "max_scan_tuples": [50, 1_000],
        "one_in": 8,
        "builds": 1,
        "resamples": 1_000,
    },
    caveats=(
        "Recall says what the index and the filter lose against exact search with the same embedder, not whether the "
        "chunks answer the question.",
        "Means over three builds of the index; intervals of recall are 95% bootstrap intervals over questions, those "
        "of counts the smallest and largest build.",
        "Index scans are forced: the planner may prefer an exact scan.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=3, statistic="mean"),
    volatile=("/timings", "/result/readings/*/measured", "/result/plans"),
    minutes=10.0,
)
