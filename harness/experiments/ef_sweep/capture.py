"""Capture ``ef_sweep``: what the dials of pgvector's HNSW index change when no filter stands behind it.

Three things are read. At every ``ef_search``: recall against exact search, time, and what the golden questions make
of it, for four indexes over the same rows (three values of m, and half-precision numbers beside the default). At one
``ef_search``: recall, build time and size over a grid of ``m`` and ``ef_construction``. And exact search itself, once
in PostgreSQL and once in numpy, which must agree.

Every search must be a scan of the HNSW index, or the capture ends: exact scans are priced out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture.api import Capture, Determinism, Figure, JsonObject, Payload, Run
from harness.evaluation.relevance import judgments
from harness.measuring.indexes import searches
from harness.measuring.indexes.searches import Asked, Reading
from harness.measuring.indexes.summary import (
    answers,
    latency,
    latency_figures,
    over_builds,
    range_figure,
    spread,
    spread_figure,
)
from harness.measuring.indexes.table import Exchangeable, Finished
from harness.measuring.layouts.measure import asked as questions_of
from harness.measuring.trials import Principal
from harness.store import Connection
from harness.store.layouts import HALF_EXPRESSION, HNSW, Index, Scan, plan_text
from harness.store.schema import HNSW_EF_CONSTRUCTION, HNSW_M

DEFAULT, HALF = "default", "half"


def capture(run: Run) -> Payload:
    """Build one index after the other over the same rows, and read each."""
    params, corpus, store = run.params, run.corpus, run.database()
    queries = questions_of(corpus, params["questions"])
    vectors, reader = corpus.query_vectors(queries), searches.everyone(corpus)
    store.grant({reader.name: reader.tenants})
    table = Exchangeable(store)
    created = table.create([reader], run.log)
    first = Finished(created.index_seconds, table.sizes().vectors)
    try:
        with table.connect() as conn:
            run.log("exact search")
            truth, exact_ms = searches.exact_results(table, conn, reader, vectors, params["k"])
            asked = Asked(queries, vectors, judgments(corpus, "evidence"), truth, params["k"])
            readings, built = _read(run, table, conn, reader, asked, first)
            grid = _grid(run, table, conn, reader, asked, readings, built)
            with table.session(conn, reader) as session:
                shown = plan_text(table, session, vectors[0], Scan(ef_search=params["grid_ef"]))
    finally:
        table.drop()
    result: JsonObject = {
        "population": {
            "chunks": len(corpus.chunks), "documents": len(corpus.documents), "questions": len(queries),
            "labelled": sum(query.id in asked.judged for query in queries),
        },
        "indexes": [_index(name, table_index(name), finished, corpus_size=len(corpus.chunks))
                    for name, finished in built.items()],
        "readings": [_reading(name, scan, reading, asked, params)
                     for name, by_scan in readings.items() for scan, reading in by_scan.items()],
        "grid": [row for row, _ in grid],
        "exact": searches.agreement(corpus, vectors, truth, params["k"]) | _found(asked),
        "plan": shown,
    }  # fmt: skip
    timings = {
        "searches": [
            {"index": name, "ef_search": scan.ef_search, **latency(reading.milliseconds)}
            for name, by_scan in readings.items() for scan, reading in by_scan.items()
        ],
        "builds": [times for _, times in grid],
        "half": _times(HALF_EXPRESSION, built[HALF], table.workers),
        "exact": latency(exact_ms),
    }  # fmt: skip
    return Payload(result, _figures(result, timings), timings)


def table_index(name: str) -> Index:
    """The index of a row of readings: "default", "half", or "m8" for another m with the default ef_construction."""
    if name in (DEFAULT, HALF):
        return HNSW if name == DEFAULT else HALF_EXPRESSION
    return Index(m=int(name.removeprefix("m")))


def _read(
    run: Run, table: Exchangeable, conn: Connection, reader: Principal, asked: Asked, first: Finished
) -> tuple[dict[str, dict[Scan, Reading]], dict[str, list[Finished]]]:
    """Every ef_search in every index; the default and the half-precision index in several builds."""
    params = run.params
    scans = [Scan(ef_search=ef) for ef in params["ef_search"]]
    others = [f"m{m}" for m in params["m"] if m != HNSW_M]
    builds = {DEFAULT: params["builds"], HALF: params["builds"], **dict.fromkeys(others, 1)}
    readings: dict[str, dict[Scan, Reading]] = {}
    built: dict[str, list[Finished]] = {}
    for name, count in builds.items():
        readings[name] = {scan: Reading.empty(count, len(asked.queries)) for scan in scans}
        built[name] = []
        for build in range(count):
            standing = name == DEFAULT and build == 0
            built[name].append(first if standing else table.use(table_index(name), run.log))
            run.log(f"{name}, build {build + 1} of {count}")
            searches.warm_up(table, conn, reader, asked.vectors, scans[-1])
            searches.read(table, conn, reader, asked, readings[name], build)
    return readings, built


def _grid(
    run: Run,
    table: Exchangeable,
    conn: Connection,
    reader: Principal,
    asked: Asked,
    readings: Mapping[str, Mapping[Scan, Reading]],
    built: Mapping[str, Sequence[Finished]],
) -> list[tuple[JsonObject, JsonObject]]:
    """Recall at one ef_search, size and build time by m and ef_construction; what was read is not built again."""
    params, rows = run.params, []
    scan = Scan(ef_search=params["grid_ef"])
    for m, ef_construction in params["grid"]:
        index = Index(m=m, ef_construction=ef_construction)
        name = DEFAULT if index == HNSW else f"m{m}"
        if ef_construction == HNSW_EF_CONSTRUCTION and name in readings:
            reading, finished = readings[name][scan], list(built[name])
        else:
            reading, finished = Reading.empty(1, len(asked.queries)), [table.use(index, run.log)]
            searches.warm_up(table, conn, reader, asked.vectors, scan)
            searches.read(table, conn, reader, asked, {scan: reading}, 0)
        recall = spread(reading.recall, params)
        sizes = [one.bytes / 1e6 for one in finished]
        rows.append(
            (
                {"m": m, "ef_construction": ef_construction, "builds": len(finished), "n": len(asked.queries),
                 "measured": {"recall": recall, "megabytes": over_builds(sizes)}},
                {"m": m, "ef_construction": ef_construction, **_times(index, finished, table.workers)},
            )
        )  # fmt: skip
    return rows


def _times(index: Index, finished: Sequence[Finished], workers: int) -> JsonObject:
    return {"half": index.half, "seconds": over_builds([one.seconds for one in finished]), "workers": workers}


def _index(name: str, index: Index, finished: Sequence[Finished], corpus_size: int) -> JsonObject:
    sizes = [one.bytes for one in finished]
    return {
        "index": name, "m": index.m, "ef_construction": index.ef_construction, "half": index.half,
        "builds": len(finished),
        "measured": {
            "megabytes": over_builds([size / 1e6 for size in sizes]),
            "bytes_per_vector": sum(sizes) / len(sizes) / corpus_size,
        },
    }  # fmt: skip


def _reading(name: str, scan: Scan, reading: Reading, asked: Asked, params: Mapping[str, Any]) -> JsonObject:
    return {
        "index": name, "ef_search": scan.ef_search, "n": len(asked.queries),
        "plans": dict(sorted(reading.plans.items())),
        "measured": {"recall": spread(reading.recall, params), **answers(asked, reading, params)},
    }  # fmt: skip


def _found(asked: Asked) -> JsonObject:
    hits, ranks = asked.found(asked.truth)
    return {"hit": sum(hits) / len(hits), "mrr": sum(ranks) / len(ranks), "labelled": len(hits)}


def _said(name: str) -> str:
    index = table_index(name)
    return f"m {index.m}, half precision" if name == HALF else f"m {index.m}"


def _figures(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    labels = {
        "chunks": "chunks in the store", "documents": "documents in the store", "questions": "questions asked",
        "labelled": "questions whose evidence a chunk holds word for word",
    }  # fmt: skip
    found = {k: Figure(result["population"][k], "", v, at=f"/result/population/{k}") for k, v in labels.items()}
    exact = result["exact"]
    n = exact["labelled"]
    found |= {
        "exact_same": Figure(
            exact["same_ids"], "", "exact results of PostgreSQL with the same ids as numpy's", 0, exact["questions"],
            at="/result/exact/same_ids",
        ),
        "hit_exact": Figure(exact["hit"], "", "hit@10 of exact search (evidence label)", 3, n, at="/result/exact/hit"),
        "mrr_exact": Figure(exact["mrr"], "", "MRR@10 of exact search (evidence label)", 3, n, at="/result/exact/mrr"),
    }  # fmt: skip
    found |= latency_figures("exact", "exact search", timings["exact"], "/timings/exact")
    for i, (row, time) in enumerate(zip(result["readings"], timings["searches"], strict=True)):
        short = "" if row["index"] == DEFAULT else f"{row['index']}_"
        name, said = f"{short}ef{row['ef_search']}", f"{_said(row['index'])}, ef_search {row['ef_search']}"
        part, at = row["measured"], f"/result/readings/{i}/measured"
        found[f"recall_{name}"] = spread_figure(part["recall"], f"recall@10, {said}", row["n"], f"{at}/recall")
        found |= latency_figures(name, said, time, f"/timings/searches/{i}")
        if short:
            continue
        low, high = min(part["recall"]["by_build"]), max(part["recall"]["by_build"])
        for which, value in (("worst", low), ("best", high)):
            found[f"{which}_build_{name}"] = Figure(
                value, "", f"recall@10 of the {which} build, {said}", 4, row["n"], (low, high), volatile=True
            )
        for key, word in (("hit", "hit@10"), ("mrr", "MRR@10")):
            found[f"{key}_{name}"] = spread_figure(part[key], f"{word} (evidence label), {said}", n, f"{at}/{key}")
            found[f"{key}_difference_{name}"] = spread_figure(
                part[f"{key}_difference"], f"{word} minus that of exact search, {said}", n, f"{at}/{key}_difference"
            )
        found[f"hit_worse_{name}"] = Figure(
            part["hit_difference"]["worse"], "", f"questions with a lower hit@10 than by exact search, {said}", 0, n,
            (0, n), f"{at}/hit_difference/worse", volatile=True,
        )  # fmt: skip
    for i, row in enumerate(result["indexes"]):
        part, at, said = row["measured"], f"/result/indexes/{i}/measured", _said(row["index"])
        found[f"mb_{row['index']}"] = range_figure(
            part["megabytes"], "MB", f"size of the index, {said}", f"{at}/megabytes"
        )
        one = part["bytes_per_vector"]
        found[f"bytes_{row['index']}"] = Figure(
            one, "bytes", f"index bytes a vector, {said}", 0, row["builds"], (one, one), f"{at}/bytes_per_vector",
            volatile=True,
        )  # fmt: skip
    for i, (row, time) in enumerate(zip(result["grid"], timings["builds"], strict=True)):
        name = f"m{row['m']}_c{row['ef_construction']}"
        said = f"m {row['m']}, ef_construction {row['ef_construction']}"
        part, at = row["measured"], f"/result/grid/{i}/measured"
        found[f"recall_{name}"] = spread_figure(part["recall"], f"recall@10, {said}", row["n"], f"{at}/recall")
        found[f"mb_{name}"] = range_figure(part["megabytes"], "MB", f"size of the index, {said}", f"{at}/megabytes")
        found[f"build_{name}"] = range_figure(
            time["seconds"], "s", f"CREATE INDEX, {said}", f"/timings/builds/{i}/seconds"
        )
    found["build_half"] = range_figure(
        timings["half"]["seconds"], "s", "CREATE INDEX, half precision", "/timings/half/seconds"
    )
    return found


CAPTURE = Capture(
    name="ef_sweep",
    title="The dials of an HNSW index, without a filter",
    describes=(
        "Recall@10 of pgvector's HNSW index against exact search, time of a search, and hit@10 and MRR@10 on golden "
        "questions by ef_search, for a reader who may see every chunk; build time, size and recall by m and "
        "ef_construction; and an index of half-precision numbers beside it."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={
        "ef_search": [10, 20, 40, 80, 200, 400, 800],
        "m": [8, 16, 32],
        "grid": [[8, 32], [8, 64], [8, 128], [16, 32], [16, 64], [16, 128], [16, 200], [32, 64], [32, 128], [32, 200]],
        "grid_ef": 40,
        "builds": 3,
        "questions": 240,
        "k": 10,
        "seed": 20,
        "resamples": 10_000,
        "label": "evidence: a chunk that holds the sentence the answer was taken from",
        "warm_up": "every question is searched once at the longest list after a build, then each setting is timed once",
    },
    canary_params={
        "ef_search": [10, 40],
        "m": [8, 16],
        "grid": [[8, 32], [16, 64]],
        "builds": 1,
        "resamples": 1_000,
    },
    caveats=(
        "Recall says what the index loses against exact search with the same embedder, not whether the chunks answer "
        "the question; hit and MRR say the latter, by labels that count no other chunk that may answer as well.",
        "The default and the half-precision index are means over three builds, every other setting is one build; "
        "intervals of recall, hit and MRR are 95% bootstrap intervals over questions, those of sizes and build times "
        "the smallest and largest build.",
        "Index scans are forced: the planner may prefer an exact scan. Times include the statement that sets the "
        "scan's options.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=3, statistic="mean"),
    volatile=("/timings", "/result/readings/*/measured", "/result/indexes/*/measured", "/result/grid/*/measured",
              "/result/plan"),
    minutes=8.0,
)  # fmt: skip
