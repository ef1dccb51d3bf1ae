"""What the tenant predicate changes over a partitioned table, and what it does not: dataset ``partitioning``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from render.numbers import mean_text, number_text
from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kinds import plan as viewer
from render.views.kinds.explain import Node, from_text
from render.views.kit import Cell, Col, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs._layout_rows import Reading, cells, modes, readings, who

Found = dict[tuple[Any, ...], Reading]
Row = Mapping[str, Any]
#: So many scans of partitions that passed nothing on are drawn; the others are one node with their sums.
DRAWN = 1
WORDS = {
    "Limit": "stops as soon as it has ten rows",
    "Result": "asks once which tenants the reader may see",
    "Merge Append": "takes the nearest row of all scans below it, again and again",
    "Append": "puts the rows of all scans below it together",
    "Index Scan": "the HNSW index of one partition; the policy is its filter",
    "Seq Scan": "reads one partition whole; the policy is its filter",
    "Sort": "orders what it was given by distance",
}


def steps(dataset: Dataset) -> list[Step]:
    """Eight states: both statements side by side, their plans, pruning, recall away and home, own plans, small ones."""
    found = readings(dataset, "cell", "way")
    plans = {str(row["way"]): row for row in dataset.at("/result/plans")}
    ef = int(dataset.params["ef_search"])
    return [
        _both(dataset, found, ef),
        _with(plans[f"with_ef{ef}"]),
        _without(plans[f"without_ef{ef}"]),
        _pruning(dataset),
        _lists(dataset, found, "away"),
        _lists(dataset, found, "home"),
        _own(dataset, found, plans, ef),
        _small(dataset),
    ]


def _both(dataset: Dataset, found: Found, ef: int) -> Step:
    differing = {row["cell"]: row for row in dataset.at("/result/predicate")}
    rows: list[list[Cell]] = []
    for cell in cells(dataset):
        one, other = found[cell, f"with_ef{ef}"], found[cell, f"without_ef{ef}"]
        rows.append([who(cell), one.recall, other.recall, differing[cell]["differing"], one.measured["scans"],
                     other.measured["scans"], one.time["p50"], other.time["p50"]])  # fmt: skip
    columns: list[str | Col] = [
        "reader", Col("recall@10 with", 3), Col("recall@10 without", 3), Col("results that differ", 0),
        Col("partitions with", 1), Col("partitions without", 1), Col("median with", 2, "ms"),
        Col("median without", 2, "ms"),
    ]  # fmt: skip
    one, other = found["home1", f"with_ef{ef}"], found["home1", f"without_ef{ef}"]
    total = sum(row["differing"] for row in differing.values())
    searches = sum(row["searches"] for row in differing.values())
    says = (
        f"Of {number_text(searches)} searches put with and without the predicate, {total or 'none'} gave different "
        f"results. A search of one tenant's reader scans {mean_text(one.measured['scans'])} of the partitions on "
        f"average with it and {mean_text(other.measured['scans'])} without: {number_text(one.time['p50'], 2)} ms "
        f"against {number_text(other.time['p50'], 2)} at the median."
    )
    note = "Index scans forced. Partitions: mean number of those in the plan."
    body = table(columns, rows, title=f"With and without the tenant predicate, ef_search {ef}", note=note)
    names = tuple(f"{kind}_home1_{way}_ef{ef}" for kind in ("scans", "latency") for way in ("with", "without"))
    return Step("both", "The same rows, later", says, body, names)


def folded(top: Node, drawn: int = DRAWN) -> tuple[Node, int]:
    """The plan with the scans that passed nothing on, beyond the first ``drawn`` of a node, as one node with their sum.

    Returns the tree and how many scans were taken together.
    """
    idle = [child for child in top.children if "Scan" in child.name and not child.rows]
    rest = idle[drawn:]
    taken = len(rest)
    kept = []
    for child in (child for child in top.children if not any(child is one for one in rest)):
        tree, below = folded(child, drawn)
        kept.append(tree)
        taken += below
    if rest:
        lost = sum(one.total(one.removed) or 0 for one in rest)
        kept.append(Node(f"{len(rest)} more scans like it, together", rows=0, removed=lost))
    return replace(top, children=kept), taken


def _tree(plan: Row, title: str, on: tuple[str, ...]) -> tuple[Markup, int, float]:
    """The plan drawn, how many idle scans were taken together, and the rows that its filters removed."""
    whole = from_text(plan["lines"])
    top, together = folded(whole)
    removed = sum(node.total(node.removed) or 0 for _, node in whole.walk())
    return viewer.plan(top, title=title, on=on, words=WORDS), together, removed


def _scans(plan: Row) -> int:
    return sum("Scan" in node.name for _, node in from_text(plan["lines"]).walk())


def _with(plan: Row) -> Step:
    tree, _, removed = _tree(plan, "Plan with the predicate, as executed", ("Index Scan",))
    says = (
        f"The statement names the tenant, so the planner opens {_scans(plan)} partition. The policy still stands on "
        f"the scan as its filter; here it removed {number_text(removed)} rows, because the partition holds no others."
    )
    return Step("with", "With the predicate: one partition in the plan", says, tree)


def _without(plan: Row) -> Step:
    tree, hidden, removed = _tree(plan, "Plan without the predicate, as executed", ("Merge Append", "Index Scan"))
    says = (
        f"The statement names no tenant. All {_scans(plan)} indexes are asked; the policy removes "
        f"{number_text(removed)} rows of other tenants, and what is left is the reader's own. {hidden} scans that "
        "passed nothing on are drawn as one."
    )
    return Step("without", "Without it: every partition, and the policy throws away", says, tree)


def _pruning(dataset: Dataset) -> Step:
    forms = dataset.at("/result/pruning")
    rows: list[list[Cell]] = [
        [Markup("<code>{}</code>").format(row["condition"]) if row["condition"] else "no predicate",
         row["planned"], row["executed"], row["when"], row["returned"]]
        for row in forms
    ]  # fmt: skip
    columns: list[str | Col] = [
        "predicate", Col("partitions in the plan", 0), Col("scanned", 0), "left out during", Col("rows", 0),
    ]  # fmt: skip
    early, late, never = (sum(row["when"] == when for row in forms) for when in ("planning", "execution", "never"))
    says = (
        f"All {len(forms)} statements return as many rows to this reader. {early} predicates are decided while "
        f"planning, {late} as execution begins, and {never} statements scan everything: no predicate at all, and "
        "an array that a function or a sub-query returns."
    )
    return Step(
        "pruning",
        "Which predicates leave partitions out",
        says,
        table(columns, rows, title="The tenant predicate written in several ways, reader of one tenant"),
        tuple(f"{kind}_{row['form']}" for row in forms for kind in ("planned", "executed")),
    )


def _lists(dataset: Dataset, found: Found, mode: str) -> Step:
    efs, shown = [int(ef) for ef in dataset.params["efs"]], modes(dataset, mode)
    series = [Series("exact search, same policy", [(ef, 1.0) for ef in efs], "exact")]
    for cell in shown:
        series.append(Series(who(cell), [(ef, found[cell, f"with_ef{ef}"].recall) for ef in efs]))
    drawing = line_chart(
        series,
        title=f"Recall@10 by ef_search, {mode} questions, with the predicate",
        desc=f"Recall of partitioned search for readers of few tenants as the list grows, {mode} questions.",
        x=Axis("ef_search (logarithmic)", 0, log=True, ticks=tuple(efs)),
        y=Axis("recall@10", 2, low=0, high=1),
    )
    rows: list[list[Cell]] = [
        [ef, *(found[cell, f"with_ef{ef}"].recall for cell in shown),
         *(found[cell, f"with_ef{ef}"].measured["short"] for cell in shown)]
        for ef in efs
    ]  # fmt: skip
    columns: list[str | Col] = [Col("ef_search", numeric=True), *(Col(f"{who(c)}: recall", 3) for c in shown)]
    columns += [Col(f"{who(cell)}: short", 1) for cell in shown]
    one, n = found[shown[0], f"with_ef{dataset.params['ef_search']}"], found[shown[0], f"with_ef{efs[0]}"].n
    says = (
        f"Each tenant has a list of its own, so nobody else's rows can fill it. At ef_search "
        f"{dataset.params['ef_search']} the reader of one tenant has a recall of {number_text(one.recall, 3)} "
        f"{'away' if mode == 'away' else 'at home'}, and {mean_text(one.measured['short'])} of {n} results are "
        "short (mean of the builds)."
    )
    title = "Away questions have a full list too" if mode == "away" else "Home questions"
    names = tuple(f"recall_{cell}_with_ef{ef}" for cell in shown for ef in efs)
    body = drawing + table(columns, rows, title=f"{n} {mode} questions, with the predicate, mean of the builds")
    return Step(f"{mode}-lists", title, says, body, names)


def _own(dataset: Dataset, found: Found, plans: Mapping[str, Row], ef: int) -> Step:
    rows: list[list[Cell]] = []
    for cell in cells(dataset):
        for way in ("own_with", "own_without"):
            one = found[cell, way]
            kinds = Markup("<br>").join(
                Markup("{} ({})").format(name, number_text(count)) for name, count in one.measured["plans"].items()
            )
            forced = found[cell, f"{way.removeprefix('own_')}_ef{ef}"]
            rows.append([f"{who(cell)}, {way.removeprefix('own_')}", kinds, one.recall, forced.recall,
                         one.time["p50"], forced.time["p50"]])  # fmt: skip
    columns: list[str | Col] = [
        "reader, predicate", "plan that the planner chose (searches)", Col("own: recall@10", 3),
        Col("forced: recall@10", 3), Col("own: median", 2, "ms"), Col("forced: median", 2, "ms"),
    ]  # fmt: skip
    one = found["home1", "own_with"]
    off = sum(count for name, count in one.measured["plans"].items() if name != "hnsw index scan")
    says = (
        f"Left alone, the planner answered {off} of {one.n} home questions of the reader of one tenant without the "
        f"vector index when the tenant is named: recall {number_text(one.recall, 3)}, "
        f"{number_text(one.time['p50'], 2)} ms at the median."
    )
    tree, _, _ = _tree(plans["own_with"], "The planner's own plan with the predicate", ("Seq Scan", "Sort"))
    body = table(columns, rows, title=f"The planner's own choice, ef_search {ef}") + tree
    names = ("off_index_home1_own_with", "recall_home1_own_with", "latency_home1_own_with")
    return Step("own", "The planner may not want the small index", says, body, names)


def _small(dataset: Dataset) -> Step:
    sizes = sorted(row["rows"] for row in dataset.at("/result/partitions"))
    rows: list[list[Cell]] = [
        [who(row["cell"]), row["ef_search"], row["partitions"], row["askings"], row["measured"]["recall"]]
        for row in dataset.at("/result/small")
    ]
    most = max(dataset.at("/result/small"), key=lambda row: int(row["ef_search"]))
    says = (
        f"The partitions hold {number_text(sizes[0])} to {number_text(sizes[-1])} chunks. {most['partitions']} of "
        f"{len(sizes)} hold no more than an ef_search of {most['ef_search']}: there the list has room for every row, "
        "and the search is exhaustive, by way of the graph."
    )
    columns: list[str | Col] = [
        "reader", Col("ef_search", numeric=True), Col("partitions that small", numeric=True),
        Col("questions to them", numeric=True), Col("recall@10", 3),
    ]  # fmt: skip
    body = table(
        columns,
        rows,
        title="Partitions of no more rows than ef_search",
        note="Where it says none, no question goes to such a partition.",
    )
    names = tuple(f"n_small_{row['cell']}_ef{row['ef_search']}" for row in dataset.at("/result/small"))
    return Step("small", "A list longer than its partition", says, body, names)


WALKTHROUGH = Walkthrough(
    dataset="partitioning",
    id="partitioning",
    kind=viewer.KIND,
    title="What does the tenant predicate change, and what does it not?",
    intro=(
        "One table, cut into a partition a tenant, each with an HNSW index, all under one row policy. The same "
        "questions with WHERE tenant = ANY (…) and without it."
    ),
    steps=steps,
    prediction=Prediction(
        before="without",
        ask="Somebody deletes the tenant predicate from the statement. What does the reader get?",
        options=(
            Option("Other tenants' rows", False, "The predicate was never what kept them out. The policy is."),
            Option("The same rows, later", True, "Every partition is scanned now, and the policy drops what it must."),
            Option(
                "Fewer rows, as from one index for all",
                False,
                "Each partition has a list of its own, so the reader's rows are not crowded out.",
            ),
        ),
    ),
)
