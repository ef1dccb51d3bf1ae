"""When an iterative scan fills the result that a filter emptied, and what it costs: dataset ``iterative_scan``."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from render.numbers import mean_text, number_text
from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kinds import plan as viewer
from render.views.kinds import stepper
from render.views.kinds.explain import from_text
from render.views.kit import Bar, Cell, Col, bars, pair, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs import _iterative_dials
from render.walkthroughs._layout_rows import SCATTERED, Reading, cells, modes, readings, who

#: pgvector's own default of ``hnsw.max_scan_tuples``.
DEFAULT = 20_000
OFF = "off"
#: What a reader of times must know: the ways of a question are not read in turn.
ORDER_READ = (
    "Of the ways of one question, off was read first and fetched what the next ones found in memory; the reader of "
    "everything, for whom all do the same work, shows by how much."
)
Found = dict[tuple[Any, ...], Reading]


def _limits(dataset: Dataset) -> list[int]:
    return [int(limit) for limit in dataset.params["max_scan_tuples"]]


def steps(dataset: Dataset) -> list[Step]:
    """Eight states: off and on, the limit away and at home, short results, order, a scattered filter, cost, plans."""
    found = readings(dataset, "cell", "way")
    return [
        _filled(dataset, found),
        _limit(dataset, found, "away"),
        _limit(dataset, found, "home"),
        _short(dataset, found),
        _order(dataset, found),
        _scattered(dataset, found),
        _cost(dataset, found),
        _plans(dataset),
    ]


def _filled(dataset: Dataset, found: Found) -> Step:
    relaxed = f"relaxed_{DEFAULT}"
    rows: list[list[Cell]] = []
    for cell in cells(dataset):
        off, on = found[cell, OFF], found[cell, relaxed]
        rows.append([who(cell), off.recall, off.measured["empty"], on.recall, on.measured["empty"],
                     off.time["p50"], on.time["p50"]])  # fmt: skip
    columns: list[str | Col] = ["reader"]
    for name in ("off", "relaxed"):
        columns += [Col(f"{name}: recall@10", 3), Col(f"{name}: empty", 1)]
    columns += [Col("off: median", 2, "ms"), Col("relaxed: median", 2, "ms")]
    off, on = found["away1", OFF], found["away1", relaxed]
    says = (
        f"With iterative scans off, {mean_text(off.measured['empty'])} of {off.n} away questions of a reader of "
        f"one tenant return nothing. In relaxed order, with pgvector's default limit of {number_text(DEFAULT)} tuples, "
        f"it is {mean_text(on.measured['empty'])} (means of the builds), and the median search takes "
        f"{number_text(on.time['p50'], 2)} ms instead of {number_text(off.time['p50'], 2)}."
    )
    drawn = pair(
        *(_three(found, cell, relaxed) for cell in ("away1", "home1")),
        titles=(who("away1"), who("home1")),
    )
    body = drawn + table(
        columns, rows, title=f"Every reader, iterative scan off and on, ef_search {dataset.params['ef_search']}",
        note=f"Empty: questions without a result, mean over the builds. {ORDER_READ}",
    )  # fmt: skip
    names = tuple(
        f"{kind}_{cell}_{way}" for cell in ("away1",) for way in (OFF, relaxed) for kind in ("recall", "empty")
    )
    return Step("filled", "Off and on, for every kind of reader", says, body, names)


def _three(found: Found, cell: str, way: str) -> Markup:
    """Recall of one reader with the scan off, on, and by exact search."""
    off, on = found[cell, OFF], found[cell, way]
    entries = [
        Bar("off", off.recall, "approx", off.interval),
        Bar("relaxed_order", on.recall, "approx", on.interval),
        Bar("exact", 1, "exact", digits=0),
    ]
    return bars(entries, title="Recall@10", digits=3, maximum=1)


def _limit(dataset: Dataset, found: Found, mode: str) -> Step:
    """Recall by limit for the readers of one mode; the reader of one tenant in both orders as a drawing."""
    limits, shown = _limits(dataset), modes(dataset, mode)
    one = shown[0]
    series = [
        Series("exact search, same policy", [(limit, 1.0) for limit in limits], "exact"),
        Series("iterative scan off", [(limit, found[one, OFF].recall) for limit in limits], "approx"),
        Series("strict_order", [(limit, found[one, f"strict_{limit}"].recall) for limit in limits]),
        Series("relaxed_order", [(limit, found[one, f"relaxed_{limit}"].recall) for limit in limits]),
    ]
    drawing = line_chart(
        series,
        title=f"Recall@10 by max_scan_tuples, {who(one)}",
        desc=f"Recall of iterative scans in both orders as the limit grows, {mode} questions, beside off and exact.",
        x=Axis("max_scan_tuples (logarithmic)", 0, log=True, ticks=tuple(limits)),
        y=Axis("recall@10", 2, low=0, high=1),
    )
    rows: list[list[Cell]] = []
    for cell in shown:
        for order in ("strict", "relaxed"):
            recalls = [found[cell, f"{order}_{limit}"].recall for limit in limits]
            rows.append([f"{who(cell)}, {order}", found[cell, OFF].recall, *recalls])
    columns: list[str | Col] = [
        "reader, order", Col("off", 3), *(Col(f"limit {number_text(limit)}", 3) for limit in limits),
    ]  # fmt: skip
    low, high = (found[one, f"relaxed_{limit}"] for limit in (limits[0], limits[-1]))
    says = (
        f"The reader of one tenant, {mode}: relaxed order has a recall of {number_text(low.recall, 3)} where "
        f"{number_text(limits[0])} tuples may be scanned and {number_text(high.recall, 3)} with "
        f"{number_text(limits[-1])}; off, it is {number_text(found[one, OFF].recall, 3)}."
    )
    title = "Away: the limit decides" if mode == "away" else "At home"
    names = (f"recall_{one}_relaxed_{limits[0]}", f"recall_{one}_relaxed_{limits[-1]}", f"recall_{one}_{OFF}")
    return Step(f"limit-{mode}", title, says, drawing + table(columns, rows, title=f"Recall@10, {mode}"), names)


def _short(dataset: Dataset, found: Found) -> Step:
    limits = _limits(dataset)
    rows: list[list[Cell]] = [
        [who(cell), found[cell, OFF].measured["short"],
         *(found[cell, f"relaxed_{limit}"].measured["short"] for limit in limits)]
        for cell in cells(dataset)
    ]  # fmt: skip
    n = found[cells(dataset)[0], OFF].n
    columns: list[str | Col] = [
        "reader", Col("off", 1), *(Col(f"limit {number_text(limit)}", 1) for limit in limits),
    ]  # fmt: skip
    chunks = dataset.at("/result/population/chunks")
    full = [limit for limit in limits if all(row[2 + limits.index(limit)] == 0 for row in rows)]
    says = (
        f"Short: fewer than the ten rows that exact search finds. From a limit of {number_text(full[0])} on no "
        "question of any reader is short in relaxed order."
        if full
        else "Short: fewer than the ten rows that exact search finds. At no limit measured is every question of every "
        f"reader filled, though the largest is more than the {number_text(chunks)} chunks of the table. "
        "Something else ended those scans."
    )
    body = table(columns, rows, title=f"Questions of {n} with a short result, relaxed order, mean of the builds")
    names = tuple(f"short_away1_{way}" for way in (OFF, *(f"relaxed_{limit}" for limit in limits)))
    title = "A result is full, or the limit was met first" if full else "Some results stay short whatever the limit"
    return Step("short", title, says, body, names)


def _order(dataset: Dataset, found: Found) -> Step:
    limit = _limits(dataset)[-1]
    rows: list[list[Cell]] = []
    for cell in cells(dataset):
        strict, relaxed = found[cell, f"strict_{limit}"], found[cell, f"relaxed_{limit}"]
        rows.append([who(cell), strict.recall, strict.measured["returned"], strict.measured["unordered"],
                     relaxed.recall, relaxed.measured["returned"], relaxed.measured["unordered"]])  # fmt: skip
    columns: list[str | Col] = ["reader"]
    for order in ("strict", "relaxed"):
        columns += [Col(f"{order}: recall@10", 3), Col(f"{order}: rows", 1), Col(f"{order}: out of order", 1)]
    strict, relaxed = found["away1", f"strict_{limit}"], found["away1", f"relaxed_{limit}"]
    says = (
        "Each batch that the index fetches may hold a row nearer than one already handed out. Strict order drops it, "
        f"relaxed order returns it late: {mean_text(relaxed.measured['unordered'])} of {relaxed.n} away results "
        f"of the reader of one tenant are out of order, against {mean_text(strict.measured['unordered'])} "
        f"(means of the builds), and recall is {number_text(relaxed.recall, 3)} "
        f"against {number_text(strict.recall, 3)}."
    )
    body = table(columns, rows, title=f"Both orders with a limit of {number_text(limit)} tuples")
    names = tuple(f"{kind}_away1_{o}_{limit}" for o in ("strict", "relaxed") for kind in ("recall", "unordered"))
    return Step("order", "Strict order drops, relaxed order shuffles", says, body, names)


def _scattered(dataset: Dataset, found: Found) -> Step:
    info, limits = dataset.at("/result/scattered"), _limits(dataset)
    rows: list[list[Cell]] = []
    for way in (OFF, *(f"{order}_{limit}" for limit in limits for order in ("strict", "relaxed"))):
        one = found[SCATTERED, way]
        name = "off" if way == OFF else f"{one.row['iterative']}, limit {number_text(one.row['max_scan_tuples'])}"
        rows.append([name, one.recall, one.measured["empty"], one.measured["short"], one.time["p50"]])
    off, on = found[SCATTERED, OFF], found[SCATTERED, f"relaxed_{DEFAULT}"]
    says = (
        f"{number_text(info['rows'])} chunks pass, one in {info['one_in']}, chosen by a digest of their name, so they "
        f"lie everywhere. Off, {mean_text(off.measured['empty'])} of {off.n} questions come back empty; in "
        f"relaxed order with the default limit {mean_text(on.measured['short'])} are short (means of the builds)."
    )
    columns: list[str | Col] = ["iterative scan", Col("recall@10", 3), Col("empty", 1), Col("short", 1),
                                Col("median", 2, "ms")]  # fmt: skip
    body = table(columns, rows, title="A filter that has nothing to do with the question, every tenant visible")
    names = tuple(
        f"{kind}_{SCATTERED}_{way}" for way in (OFF, f"relaxed_{DEFAULT}") for kind in ("recall", "empty", "short")
    )
    return Step("scattered", "A filter that one chunk in a hundred passes", says, body, ("scattered_rows", *names))


def _cost(dataset: Dataset, found: Found) -> Step:
    limits = _limits(dataset)
    shown = ["away1", "home1", "all", SCATTERED]
    series = [
        Series(who(cell), [(limit, found[cell, f"relaxed_{limit}"].time["p50"]) for limit in limits]) for cell in shown
    ]
    drawing = line_chart(
        series,
        title="Median search time in relaxed order, by max_scan_tuples",
        desc="Median time of a search as the limit grows, for four kinds of reader.",
        x=Axis("max_scan_tuples (logarithmic)", 0, log=True, ticks=tuple(limits)),
        y=Axis("median time (ms)", 1, low=0),
    )
    rows: list[list[Cell]] = []
    for cell in [*cells(dataset), SCATTERED]:
        off, on = found[cell, OFF].time, found[cell, f"relaxed_{limits[-1]}"].time
        rows.append([who(cell), off["p50"], off["p95"], on["p50"], on["p95"]])
    columns: list[str | Col] = ["reader", Col("off: median", 2, "ms"), Col("off: 95th percentile", 2, "ms")]
    columns += [Col("relaxed: median", 2, "ms"), Col("relaxed: 95th percentile", 2, "ms")]
    away, everyone = (found[cell, f"relaxed_{limits[-1]}"].time for cell in ("away1", "all"))
    says = (
        f"Who needs no more rows pays nothing: with a limit of {number_text(limits[-1])} the reader of everything "
        f"takes {number_text(everyone['p50'], 2)} ms at the median, the reader of one tenant, away, "
        f"{number_text(away['p50'], 2)} ms and {number_text(away['p95'], 2)} ms at the 95th percentile."
    )
    title = f"Off, and relaxed with a limit of {number_text(limits[-1])} tuples"
    names = tuple(f"latency_{cell}_relaxed_{limits[-1]}" for cell in ("away1", "all"))
    return Step("cost", "The short questions pay", says, drawing + table(columns, rows, title=title, note=ORDER_READ),
                names)  # fmt: skip


def _plans(dataset: Dataset) -> Step:
    trees, removed = [], []
    words = {
        "Limit": "stops as soon as it has ten rows",
        "Result": "asks once which tenants the reader may see",
        "Index Scan": "hands over candidates, each tested against the policy",
    }
    for shown in dataset.at("/result/plans"):
        top = from_text(shown["lines"])
        scan = next(node for _, node in top.walk() if node.name.startswith("Index Scan"))
        removed.append(int(scan.total(scan.removed) or 0))
        name = "iterative scan off" if shown["way"] == OFF else f"relaxed_order, limit {shown['way'].split('_')[1]}"
        trees.append(viewer.plan(top, title=f"Plan as executed, {name}", on=("Index Scan",), words=words))
    says = (
        f"One away question of a reader of one tenant. The two plans have one shape. The filter removes "
        f"{number_text(removed[0])} rows in the first and {number_text(removed[1])} in the second: the scan was asked "
        "for more, and went on."
    )
    return Step("plans", "The same plan, asked for more", says, Markup("").join(trees))


WALKTHROUGH = Walkthrough(
    dataset="iterative_scan",
    id="iterative-scan",
    kind=stepper.KIND,
    title="When does an iterative scan fill the result, and what does it cost?",
    intro=(
        "The pooled table under row-level security, its HNSW index forced, one list length. What changes is whether "
        "the index may go on when the list is used up, in which order, and how far."
    ),
    steps=steps,
    prediction=Prediction(
        before="order",
        ask="The index went on, and the second batch holds a row nearer than one already returned. What does "
        "strict_order do with it?",
        options=(
            Option("It sorts the result again", False, "Rows handed to the executor cannot be called back."),
            Option(
                "It drops the row",
                True,
                "The order is kept by leaving out what comes too late. Some of the exact ten are lost that way.",
            ),
            Option("It returns the row out of order", False, "That is what relaxed_order does."),
        ),
    ),
)

FURTHER = (_iterative_dials.WALKTHROUGH,)
