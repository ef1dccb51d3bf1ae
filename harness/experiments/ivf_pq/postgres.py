"""pgvector's own inverted lists (IVFFlat) and its HNSW index over the same rows, with and without a policy behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture.api import JsonObject, Run
from harness.corpus.model import Corpus
from harness.measuring.indexes import searches
from harness.measuring.indexes.searches import Asked, Reading
from harness.measuring.indexes.summary import latency, over_builds, spread
from harness.measuring.indexes.table import Exchangeable, Finished
from harness.measuring.layouts import measure
from harness.measuring.layouts.summary import latency as way_latency
from harness.measuring.layouts.summary import measured
from harness.measuring.trials import Cell, Principal
from harness.store import Connection
from harness.store.layouts import HNSW, Index, Scan


def index_of(name: str) -> Index:
    """ "hnsw", or "ivfflat_256" for that many lists."""
    return HNSW if name == "hnsw" else Index("ivfflat", lists=int(name.partition("_")[2]))


def scans_of(name: str, params: Mapping[str, Any]) -> list[Scan]:
    """Every setting of an index, the cheapest first; IVFFlat up to all of its lists."""
    if name == "hnsw":
        return [Scan(ef_search=ef) for ef in params["ef_search"]]
    return [Scan(probes=probes) for probes in params["postgres_probes"] if probes <= index_of(name).lists]


def ways_of(name: str, params: Mapping[str, Any]) -> list[measure.Way]:
    """The ways of searching under a policy: the default list of HNSW; IVFFlat with some numbers of probes, and with
    as many more as it takes."""
    plan = (index_of(name).plan,)
    if name == "hnsw":
        return [measure.Way("hnsw", Scan(ef_search=params["filtered_ef"]), plans=plan)]
    found = [measure.Way(f"probes{p}", Scan(probes=p), plans=plan) for p in params["filtered_probes"]]
    first = params["filtered_probes"][0]
    return [*found, measure.Way("relaxed", Scan(probes=first, iterative="relaxed_order"), plans=plan)]


def read(
    run: Run, corpus: Corpus, table: Exchangeable, asked: Asked, conn: Connection, design: Sequence[Cell],
    reader: Principal, first: Finished,
) -> tuple[JsonObject, JsonObject]:  # fmt: skip
    """Read every index over its builds; the last build of two of them also under a policy. Returns result, timings."""
    params = run.params
    few = f"ivfflat_{params['few_lists']}"
    many = f"ivfflat_{params['lists']}"
    result: JsonObject = {"postgres": [], "indexes": [], "filtered": []}
    timings: JsonObject = {"postgres": [], "indexes": [], "filtered": []}
    truths = {cell.label: measure.exact_results(table, conn, cell, asked.vectors, params["k"]) for cell in design}
    for name, builds in (("hnsw", params["builds"]), (few, 1), (many, params["builds"])):
        scans = scans_of(name, params)
        readings = {scan: Reading.empty(builds, len(asked.queries)) for scan in scans}
        finished: list[Finished] = []
        for build in range(builds):
            standing = name == "hnsw" and build == 0
            finished.append(first if standing else table.use(index_of(name), run.log))
            run.log(f"{name}, build {build + 1} of {builds}")
            searches.warm_up(table, conn, reader, asked.vectors, scans[len(scans) // 2])
            searches.read(table, conn, reader, asked, readings, build)
        for scan, reading in readings.items():
            setting = {"index": name, "setting": scan.ef_search if name == "hnsw" else scan.probes}
            result["postgres"].append(
                {**setting, "n": len(asked.queries), "plans": dict(reading.plans), "builds": builds}
                | {"measured": {"recall": spread(reading.recall, params)}}
            )
            timings["postgres"].append({**setting, **latency(reading.milliseconds)})
        result["indexes"].append(_size(name, finished, len(corpus.chunks)))
        timings["indexes"].append({"index": name, "seconds": over_builds([one.seconds for one in finished])})
        if name != few:
            rows, times = _filtered(run, name, table, conn, design, asked, truths)
            result["filtered"] += rows
            timings["filtered"] += times
    return result, timings


def _filtered(
    run: Run, name: str, table: Exchangeable, conn: Connection, design: Sequence[Cell], asked: Asked,
    truths: Mapping[str, Any],
) -> tuple[list[JsonObject], list[JsonObject]]:  # fmt: skip
    rows, times = [], []
    for cell in design:
        run.log(f"{name} under a policy: {cell.label}")
        taken = {way: measure.Taken.empty(1, truths[cell.label]) for way in ways_of(name, run.params)}
        measure.take(table, conn, cell, asked.vectors, truths[cell.label], taken, 0, run.params["k"])
        for way, found in taken.items():
            key = {"cell": cell.label, "way": way.id}
            rows.append({**key, "n": len(cell.askings), "measured": measured(found, run.params)})
            times.append({**key, **way_latency(found)})
    return rows, times


def _size(name: str, finished: Sequence[Finished], count: int) -> JsonObject:
    sizes = over_builds([one.bytes / count for one in finished])
    return {"index": name, "builds": len(finished), "measured": {"bytes_per_vector": sizes}}
