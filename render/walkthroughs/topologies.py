"""Pool, partitions, silo and bridge on the same rows: what each takes, gives and exposes: dataset ``topologies``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, Col, bars, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs import _topology_mistakes
from render.walkthroughs._layout_rows import Reading, cells, modes, readings, who

NOTE = (
    "Forced: index scans, iterative scans off. Relaxed: the same, iterative in relaxed order. Own: the planner's "
    "choice. They were read in this order, so the first carries the cost of fetching: compare layouts, not ways."
)
Found = dict[tuple[Any, ...], Reading]
Row = Mapping[str, Any]
#: Way → what it is called: index scans forced, iterative in relaxed order, the planner's own choice.
WAYS = {"forced": "forced", "relaxed": "relaxed", "own": "own"}


def names(dataset: Dataset) -> list[str]:
    """The layouts in the order of the capture."""
    return [str(row["layout"]) for row in dataset.at("/result/layouts")]


def exposed(dataset: Dataset) -> dict[tuple[str, str], Row]:
    """Exposures by layout and mistake."""
    return {(row["layout"], row["mistake"]): row for row in dataset.at("/result/exposures")}


def steps(dataset: Dataset) -> list[Step]:
    """Seven states: everything at a glance, storage, building, results away and at home, a slip, a wrong grant."""
    found = readings(dataset, "layout", "cell", "way")
    return [
        _glance(dataset, found),
        _storage(dataset),
        _building(dataset),
        _results(dataset, found, "away"),
        _results(dataset, found, "home"),
        _forgotten(dataset),
        _opened(dataset),
    ]


def _glance(dataset: Dataset, found: Found) -> Step:
    builds = {row["layout"]: row for row in dataset.at("/timings/builds")}
    seen = exposed(dataset)
    rows: list[list[Cell]] = []
    for row in dataset.at("/result/layouts"):
        name = row["layout"]
        home, away = found[name, "home1", "forced"], found[name, "away1", "forced"]
        rows.append(
            [
                name,
                row["tables"],
                row["measured"]["total"],
                builds[name]["index_seconds"],
                home.recall,
                away.recall,
                seen[name, "no_predicate"]["rows_most"],
                round(seen[name, "no_policy"]["rows_mean"]),
            ]
        )
    columns: list[str | Col] = [
        "layout", Col("tables", 0), Col("on disk", 1, "MB"), Col("index build", 1, "s"),
        Col("home 1: recall@10", 3),
        Col("away 1: recall@10", 3), Col("exposed: no predicate", 0), Col("exposed: row security off", 0),
    ]  # fmt: skip
    pool, silo = found["pool", "away1", "forced"], found["silo", "away1", "forced"]
    same = dataset.at("/result/exact_agreement")
    forgotten = max(seen[name, "no_predicate"]["rows_most"] for name in names(dataset))
    opened = {name: round(seen[name, "no_policy"]["rows_mean"]) for name in names(dataset)}
    says = (
        f"Four layouts of the same chunks. Exact search gives the same result in all of them "
        f"({number_text(same['same'])} of {number_text(same['searches'])} searches). Through their indexes, the pool "
        f"has an away recall of {number_text(pool.recall, 3)} for a reader of one tenant and the silo "
        f"{number_text(silo.recall, 3)}. A forgotten predicate exposes {number_text(forgotten) if forgotten else 'no'} "
        f"chunks in any of them, row security switched off {number_text(opened['pool'])} in the pool and "
        f"{number_text(opened['silo'])} in the silo, a reader, on average."
    )
    note = (
        "Home 1 and away 1: a reader of one tenant, index scans forced, iterative scans off. Exposed: other tenants' "
        "chunks that a reader sees, at most where the statement names no tenant, on average where row security is off."
    )
    figures = ("exact_same", "exact_searches", "recall_pool_away1_forced", "recall_silo_away1_forced")
    return Step("glance", "Four layouts at a glance", says, table(columns, rows, title="The same chunks, four times",
                note=note), figures)  # fmt: skip


def _storage(dataset: Dataset) -> Step:
    layouts = dataset.at("/result/layouts")
    drawn = bars(
        [Bar(row["layout"], row["measured"]["total"], "", tuple(row["measured"]["total_range"])) for row in layouts],
        title="Rows, keys and vector indexes on disk", unit="MB", digits=1,
    )  # fmt: skip
    rows: list[list[Cell]] = [
        [row["layout"], row["tables"], row["rows_mb"], row["keys_mb"], row["measured"]["vectors"]] for row in layouts
    ]
    columns: list[str | Col] = ["layout", Col("tables", 0), *(Col(n, 1, "MB") for n in ("rows", "keys", "indexes"))]
    sizes = {row["layout"]: row["measured"]["total"] for row in layouts}
    least, most = min(sizes, key=lambda name: sizes[name]), max(sizes, key=lambda name: sizes[name])
    says = (
        f"The {least} takes least, {number_text(sizes[least], 1)} MB, and the {most} most, "
        f"{number_text(sizes[most], 1)} MB. A vector takes as much room in a small index as in a large one; each table "
        "adds some pages of its own."
    )
    body = drawn + table(columns, rows, title="What is stored where")
    return Step("storage", "What they take on disk", says, body, tuple(f"mb_total_{name}" for name in sizes))


def _building(dataset: Dataset) -> Step:
    builds = dataset.at("/timings/builds")
    drawn = bars(
        [Bar(row["layout"], row["index_seconds"], "", tuple(row["index_seconds_range"])) for row in builds],
        title="Building the vector indexes", unit="s", digits=1,
        note="Whiskers: the fastest and the slowest build.",
    )  # fmt: skip
    rows: list[list[Cell]] = [[row["layout"], row["copy_seconds"], row["workers"]] for row in builds]
    columns: list[str | Col] = ["layout", Col("copying the rows, once", 1, "s"), Col("workers allowed", 0)]
    pool, silo = (next(row for row in builds if row["layout"] == name) for name in ("pool", "silo"))
    says = (
        f"One graph over everything takes {number_text(pool['index_seconds'], 1)} s, a graph a tenant "
        f"{number_text(silo['index_seconds'], 1)} s in all. A search in a small graph is short, and building is one "
        "search a row."
    )
    figures = tuple(f"build_{row['layout']}" for row in builds)
    return Step("building", "What they take to build", says, drawn + table(columns, rows, title="Copying"), figures)


def _results(dataset: Dataset, found: Found, mode: str) -> Step:
    shown = modes(dataset, mode) if mode == "away" else [cell for cell in cells(dataset) if cell[:4] != "away"]
    one = shown[0]
    drawn = bars(
        [Bar(name, found[name, one, "forced"].recall, "approx", found[name, one, "forced"].interval)
         for name in names(dataset)]
        + [Bar("exact search", 1, "exact", digits=0)],
        title=f"Recall@10, {who(one)}, index forced", digits=3, maximum=1,
    )  # fmt: skip
    pool, scanning, silo = found["pool", one, "forced"], found["pool", one, "relaxed"], found["silo", one, "forced"]
    says = (
        f"The reader of one tenant, {'away' if mode == 'away' else 'at home'}: the silo's index has a recall of "
        f"{number_text(silo.recall, 3)} in {number_text(silo.time['p50'], 2)} ms, the pool's "
        f"{number_text(pool.recall, 3)} in {number_text(pool.time['p50'], 2)} ms, and "
        f"{number_text(scanning.recall, 3)} in {number_text(scanning.time['p50'], 2)} ms where it may scan on."
    )
    title = "Away: the reader's rows are far from the question" if mode == "away" else "At home, and with everything"
    figures = tuple(f"recall_{name}_{one}_{way}" for name in names(dataset) for way in WAYS)
    body = drawn + Markup("").join(_reader(dataset, found, cell, NOTE if cell == shown[-1] else "") for cell in shown)
    return Step(f"{mode}-results", title, says, body, figures)


def _reader(dataset: Dataset, found: Found, cell: str, note: str) -> Markup:
    """One kind of reader in every layout and way of searching."""
    rows: list[list[Cell]] = []
    for name in names(dataset):
        row: list[Cell] = [name, found[name, cell, "forced"].measured["empty"]]
        for way in WAYS:
            row += [found[name, cell, way].recall, found[name, cell, way].time["p50"]]
        rows.append(row)
    columns: list[str | Col] = ["layout", Col("forced: empty", 1)]
    for said in WAYS.values():
        columns += [Col(f"{said}: recall@10", 3), Col("median", 2, "ms")]
    n = found[names(dataset)[0], cell, "forced"].n
    return table(columns, rows, title=f"{who(cell)}: {n} questions, mean of the builds", note=note)


def _forgotten(dataset: Dataset) -> Step:
    seen = exposed(dataset)
    rows: list[list[Cell]] = []
    for name in names(dataset):
        one, other = seen[name, "no_predicate"], seen[name, "no_principal"]
        rows.append([name, one["rows_most"], other["rows_most"], other["refused"]])
    columns: list[str | Col] = [
        "layout", Col("no tenant in the statement: foreign chunks, most", 0),
        Col("no reader named: foreign chunks, most", 0), Col("of these refused", 0),
    ]  # fmt: skip
    readers = seen[names(dataset)[0], "no_predicate"]["readers"]
    total = sum(row["rows_most"] for (_, mistake), row in seen.items() if mistake in ("no_predicate", "no_principal"))
    says = (
        f"The two slips of everyday code, made as each of {readers} readers of one tenant: the statement names no "
        f"tenant, or the transaction no reader. {'Some' if total else 'No'} layout shows a foreign chunk. Where the "
        "policy answers, it answers with nothing; where a privilege is missing, with an error."
    )
    figures = tuple(f"{kind}_{name}_no_predicate" for name in names(dataset) for kind in ("rows_most",))
    body = table(columns, rows, title=f"Two things forgotten, {readers} readers a layout")
    return Step("forgotten", "What forgetting exposes", says, body, figures)


def _opened(dataset: Dataset) -> Step:
    seen = exposed(dataset)
    entries = [Bar(name, seen[name, "no_policy"]["rows_mean"], digits=0) for name in names(dataset)]
    rows: list[list[Cell]] = []
    for name in names(dataset):
        for mistake, said in (("no_policy", "row security off"), ("one_grant", "one grant too many")):
            row = seen[name, mistake]
            rows.append([f"{name}: {said}", row["exposed"], row["rows_mean"], row["rows_most"], row["tenants_mean"]])
    columns: list[str | Col] = [
        "layout, mistake", Col("readers who see foreign chunks", 0), Col("foreign chunks, mean", 0),
        Col("most", 0), Col("other tenants, mean", 1),
    ]  # fmt: skip
    pool, bridge, silo = (seen[name, "no_policy"] for name in ("pool", "bridge", "silo"))
    says = (
        f"Row security switched off on a shared table shows all of it: {number_text(pool['rows_mean'], 0)} foreign "
        f"chunks a reader in the pool, {number_text(bridge['rows_mean'], 0)} in the bridge, "
        f"{number_text(silo['rows_mean'], 0)} in the silo, which shares no table. One grant too many shows the table "
        "that was granted."
    )
    body = bars(entries, title="Foreign chunks that a reader sees with row security off, mean", digits=0) + table(
        columns, rows, title="Two things configured wrongly"
    )
    figures = tuple(f"rows_mean_{name}_no_policy" for name in names(dataset))
    return Step("opened", "What a wrong configuration exposes", says, body, figures)


WALKTHROUGH = Walkthrough(
    dataset="topologies",
    id="topologies",
    kind=stepper.KIND,
    title="What does keeping tenants apart cost, and what does one mistake expose?",
    intro=(
        "Pool: one table under a row policy. Partitions: the same, cut by tenant. Silo: a schema, a table and a role a "
        "tenant. Bridge: a table of its own for each large tenant, one shared table for all others."
    ),
    steps=steps,
    prediction=Prediction(
        before="opened",
        ask="In the bridge, row security of the shared table is switched off. Whose chunks does a reader of one large "
        "tenant see, who has a table of its own?",
        options=(
            Option("Its own alone", False, "Every reader is granted the shared table, large tenants' readers too."),
            Option(
                "Its own and all of the small tenants",
                True,
                "The shared table is open to whom only the policy kept out. The other large tables stay shut.",
            ),
            Option("Everybody's", False, "That would be the pool. The large tenants' tables need a grant."),
        ),
    ),
)

FURTHER = (_topology_mistakes.WALKTHROUGH,)
