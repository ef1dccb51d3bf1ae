"""pgvector's own inverted lists (IVFFlat) and its HNSW index over the same rows, with and without a policy behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture.api import JsonObject, Run
from harness.measuring.indexes.table import Exchangeable, Finished
from harness.measuring.intervals import mean, over_builds
from harness.measuring.loop import Place, exact_results
from harness.measuring.sweep import Group, Sweep
from harness.measuring.ways import Way
from harness.store.layouts import HNSW, Index, Scan
from harness.store.scans import Hit


def index_of(name: str) -> Index:
    """ "hnsw", or "ivfflat_256" for that many lists."""
    return HNSW if name == "hnsw" else Index("ivfflat", lists=int(name.partition("_")[2]))


def scans_of(name: str, params: Mapping[str, Any]) -> list[Scan]:
    """Every setting of an index, the cheapest first; IVFFlat up to all of its lists."""
    if name == "hnsw":
        return [Scan(ef_search=ef) for ef in params["ef_search"]]
    return [Scan(probes=probes) for probes in params["postgres_probes"] if probes <= index_of(name).lists]


def ways_of(name: str, params: Mapping[str, Any]) -> list[Way]:
    """The ways of searching under a policy: the default list of HNSW; IVFFlat with some numbers of probes, and with
    as many more as it takes."""
    plan = (index_of(name).plan,)
    if name == "hnsw":
        return [Way("hnsw", Scan(ef_search=params["filtered_ef"]), plans=plan)]
    found = [Way(f"probes{p}", Scan(probes=p), plans=plan) for p in params["filtered_probes"]]
    first = params["filtered_probes"][0]
    return [*found, Way("relaxed", Scan(probes=first, iterative="relaxed_order"), plans=plan)]


def read(
    run: Run,
    place: Place,
    everyone: Group,
    truth: list[list[Hit]],
    cells: Sequence[Group],
    first: Finished,
    count: int,
) -> tuple[JsonObject, JsonObject]:
    """Read every index over its builds; the last build of two of them also under a policy. Returns result, timings."""
    params, table = run.params, place.layout
    assert isinstance(table, Exchangeable)
    few, many = (f"ivfflat_{params[lists]}" for lists in ("few_lists", "lists"))
    result: JsonObject = {"postgres": [], "indexes": [], "filtered": []}
    timings: JsonObject = {"postgres": [], "indexes": [], "filtered": []}
    truths = [exact_results(place, cell.askings, cell.task) for cell in cells]
    for name, builds in (("hnsw", params["builds"]), (few, 1), (many, params["builds"])):
        ways = {Way(str(scan), scan, plans=(index_of(name).plan,)): scan for scan in scans_of(name, params)}
        sweep, finished = Sweep([everyone], list(ways), builds, run.log), [first] if name == "hnsw" else []
        sweep.truths = [truth]
        for build in range(builds):
            if len(finished) == build:
                finished.append(table.use(index_of(name), run.log))
            sweep.read(place, build)
        for way, readings in sweep.taken[0].items():
            setting = {"index": name, "setting": ways[way].ef_search if name == "hnsw" else ways[way].probes}
            result["postgres"].append(
                {**setting, "n": len(everyone.askings), "plans": readings.counted_plans(), "builds": builds}
                | {"measured": {"recall": mean(readings["recall"], params)}}
            )
            timings["postgres"].append({**setting, **readings.latency()})
        sizes = over_builds([one.bytes / count for one in finished])
        result["indexes"].append({"index": name, "builds": builds, "measured": {"bytes_per_vector": sizes}})
        spent = over_builds([one.seconds for one in finished])
        timings["indexes"].append({"index": name, "builds": builds, "seconds": spent})
        if name != few:
            under = Sweep(cells, ways_of(name, params), 1, run.log)
            under.truths = truths
            under.read(place, 0)
            result["filtered"] += under.rows(params)
            timings["filtered"] += under.times()
    return result, timings
