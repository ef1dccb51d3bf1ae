"""The crossover: where the planner leaves the B-tree for the graph, by how many rows a reader may see.

Tenants of the corpus have the sizes that they have. For sizes between and above them readers are granted sets of
tenants, drawn by seed, that together hold about as many rows as wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.corpus.model import Query, Vectors
from harness.measuring.loop import Place, Task, exact_results, take
from harness.measuring.readings import Readings
from harness.measuring.trials import Asking, Principal
from harness.measuring.ways import Way
from harness.store.layouts import explain
from harness.store.plans import HNSW
from harness.store.scans import Scan

ALL = "all"
#: How far a set of tenants may exceed the rows that are wanted of it.
SLACK = 1.1


def granted(sizes: Mapping[str, int], wanted: int, count: int, seed: int) -> list[Principal]:
    """Return `count` readers whose tenants hold about `wanted` rows: drawn in random order, each that still fits.

    One reader of everything where `wanted` is no less than all rows.
    """
    if wanted >= sum(sizes.values()):
        return [Principal(f"rows:{ALL}", tuple(sorted(sizes)))]
    found = []
    for number in range(count):
        rng = np.random.default_rng([seed, wanted, number])
        held: list[str] = []
        for tenant in rng.permutation(sorted(sizes)):
            if sum(sizes[one] for one in held) + sizes[tenant] <= SLACK * wanted:
                held.append(str(tenant))
        if held:
            found.append(Principal(f"rows:{wanted}:{number}", tuple(sorted(held))))
    return found


def readers(sizes: Mapping[str, int], params: Mapping[str, Any]) -> dict[int, list[Principal]]:
    """Return the readers of every number of rows that is wanted, the last of them all rows."""
    total = sum(sizes.values())
    wanted = [*[rows for rows in params["visible"] if rows < total], total]
    made = {rows: granted(sizes, rows, params["readers"], params["seed"]) for rows in wanted}
    return {rows: found for rows, found in made.items() if found}


def askings(queries: Sequence[Query], who: Sequence[Principal], home: bool, limit: int, seed: int) -> list[Asking]:
    """Return up to `limit` questions, spread over all, each put to a reader who may (`home`) or may not see its
    tenant."""
    rng = np.random.default_rng([seed, len(who), int(home)])
    fits = {i: [p for p in who if (query.tenant in p.tenants) == home] for i, query in enumerate(queries)}
    places = [i for i, found in fits.items() if found]
    chosen = [places[round(j * (len(places) - 1) / max(1, limit - 1))] for j in range(min(limit, len(places)))]
    return [Asking(i, fits[i][int(rng.integers(len(fits[i])))]) for i in dict.fromkeys(chosen)]


def read(
    place: Place, task: Task, queries: Sequence[Query], ways: Sequence[Way], params: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a row of results and a row of times for each number of visible rows, kind of question and way."""
    sizes, rows, times = place.layout.sizes_of, [], []
    total = sum(sizes.values())
    for wanted, who in readers(sizes, params).items():
        for mode in ("home", "away"):
            asked = askings(queries, who, mode == "home", params["crossover_questions"], params["seed"])
            if not asked:
                continue
            into = {way: Readings(1, len(asked)) for way in ways}
            take(place, asked, task, exact_results(place, asked, task), into)
            visible = [rows_of(asking.principal, sizes) for asking in asked]
            for way, readings in into.items():
                key = {"rows": ALL if wanted >= total else wanted, "mode": mode, "way": way.id}
                mean = float(np.mean(visible))
                shown = {"n": len(asked), "visible": mean, "share": mean / total, "readers": len(who)}
                rows.append({**key, **shown, "measured": readings.quality(params)})
                times.append({**key, **readings.latency()})
    return rows, times


def choices(place: Place, vectors: Vectors, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return which plans the planner takes, by `ef_search`, for the first questions of a reader of each single tenant,
    then of sets of tenants beyond the largest; the statement names the tenants."""
    sizes, found = place.layout.sizes_of, []
    for reader in sorted(choosers(sizes, params), key=lambda one: (rows_of(one, sizes), one.name)):
        for ef in params["choice_ef"]:
            counted, estimated = _planned(place, vectors[: params["choice_questions"]], reader, ef)
            row = {"reader": reader.name, "tenants": len(reader.tenants), "rows": rows_of(reader, sizes)}
            row |= {"ef_search": ef, "n": sum(counted.values())}
            found.append({**row, "measured": {"estimated": estimated, "plans": dict(sorted(counted.items()))}})
    return found


def choosers(sizes: Mapping[str, int], params: Mapping[str, Any]) -> list[Principal]:
    """Return a reader of each single tenant, and one of each number of rows beyond the largest tenant."""
    singles = [Principal(f"only:{tenant}", (tenant,)) for tenant in sizes]
    wanted = [rows for rows in params["choice_rows"] if max(sizes.values()) < rows < sum(sizes.values())]
    return singles + [one for rows in wanted for one in granted(sizes, rows, 1, params["seed"])]


def rows_of(reader: Principal, sizes: Mapping[str, int]) -> int:
    """Return how many rows a reader may see."""
    return sum(sizes[tenant] for tenant in reader.tenants)


def turning(rows: Sequence[Mapping[str, Any]], efs: Sequence[int]) -> list[dict[str, Any]]:
    """Return for each `ef_search` the most visible rows up to which no search takes the graph, and the fewest from
    which on all do; 0 rows, and null, where there is none."""
    found = []
    for ef in efs:
        graph = [
            (row["rows"], row["measured"]["plans"].get(HNSW, 0) / row["n"]) for row in rows if row["ef_search"] == ef
        ]
        first = next((rows for rows, share in graph if share > 0), None)
        exact = [rows for rows, _ in graph if first is None or rows < first]
        others = [rows for rows, share in graph if share < 1]
        always = [rows for rows, _ in graph if not others or rows > max(others)]
        found.append(
            {"ef_search": ef, "readers": len(graph),
             "measured": {"exact_up_to": max(exact, default=0), "graph_from": min(always, default=None)}}
        )  # fmt: skip
    return found


def _planned(place: Place, vectors: Vectors, reader: Principal, ef: int) -> tuple[Counter[str], int]:
    counted: Counter[str] = Counter()
    estimated = 0
    for vector in vectors:
        with place.layout.session(place.conn, reader) as reading:
            plan = explain(place.layout, reading, vector, Scan(ef, plan="own"), tenants=reading.tenants)
        counted[plan.type] += 1
        estimated = plan.estimated
    return counted, estimated
