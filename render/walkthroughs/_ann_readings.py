"""Steps of `ann_postfilter` over all questions: recall by reader, the planner's choice, full text as the control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.numbers import mean_text, number_text
from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kit import Cell, Col, data, table
from render.views.walkthrough import Step
from render.walkthroughs._ann_cases import reader

Row = Mapping[str, Any]
HNSW = "hnsw index scan"


def _cells(dataset: Dataset, mode: str) -> list[Row]:
    """The cells of a mode, smallest reader first; the reader of everything counts as home."""
    return sorted((c for c in dataset.at("/result/cells") if c["mode"] == mode), key=lambda c: int(c["tenants"]))


def _readings(dataset: Dataset, cell: str) -> list[Row]:
    return [row for row in dataset.at("/result/readings") if row["cell"] == cell]


def population(dataset: Dataset, mode: str) -> Step:
    """Recall against ef_search for each size of reader; home and away are two steps and are never pooled."""
    cells = [c["cell"] for c in _cells(dataset, mode)]
    cells += [] if "all" in cells else ["all"]
    efs = [row["ef_search"] for row in _readings(dataset, "all")]
    series = [Series("exact search, same policy", [(ef, 1.0) for ef in efs], "exact")]
    for cell in cells:
        points = [(row["ef_search"], row["forced"]["recall"]) for row in _readings(dataset, cell)]
        series.append(Series(reader(cell), points))
    drawing = line_chart(
        series,
        title=f"Recall@10 against exact search, {mode} questions",
        desc=f"Recall by ef_search for readers of few and of all tenants, {mode} questions, HNSW scan forced.",
        x=Axis("ef_search (logarithmic)", log=True),
        y=Axis("recall@10", 2, low=0, high=1),
    )
    rows: list[list[Cell]] = []
    for ef in efs:
        empties = [next(r for r in _readings(dataset, cell) if r["ef_search"] == ef) for cell in cells]
        rows.append([ef, *(row["forced"]["empty"] for row in empties)])
    n = next(row["n"] for row in _readings(dataset, cells[0]))
    empties_table = table(
        [Col("ef_search", numeric=True), *(Col(reader(cell), 1) for cell in cells)],
        rows,
        title=f"Questions of {n} with no result at all, mean of the builds",
    )
    ef = int(dataset.params["case_ef"])
    one = next(row for row in _readings(dataset, cells[0]) if row["ef_search"] == ef)
    whole = next(row for row in _readings(dataset, "all") if row["ef_search"] == ef)
    about = "the tenant the reader may see" if mode == "home" else "a tenant the reader may not see"
    says = (
        f"Questions about {about}: at ef_search {ef} the reader of one tenant gets {_three(one)} of the exact result "
        f"and the reader of everything {_three(whole)}. For the reader of one tenant, "
        f"{mean_text(one['forced']['empty'])} of {n} questions come back empty (mean of the builds)."
    )
    title = "All questions, asked at home" if mode == "home" else "All questions, asked away"
    names = tuple(f"{kind}_ef{ef}_{cell}" for cell in cells for kind in ("recall", "empty"))
    return Step(f"{mode}-questions", title, says, drawing + empties_table, names)


def _three(row: Row) -> str:
    return number_text(row["forced"]["recall"], 3)


def planner(dataset: Dataset) -> Step:
    """The forced index scan beside what the planner does when it is left alone."""
    rows: list[list[Cell]] = []
    names: list[str] = []
    classes: list[str] = []
    efs = sorted({row["ef_search"] for row in dataset.at("/result/readings")})
    shown = [ef for ef in efs if ef in (int(dataset.params["case_ef"]), efs[-1])]
    for ef in shown:
        for cell in [c["cell"] for mode in ("away", "home") for c in _cells(dataset, mode)]:
            row = next(r for r in _readings(dataset, cell) if r["ef_search"] == ef)
            own = row["plans"]["own"]
            rows.append([reader(cell), ef, row["forced"]["recall"], row["own"]["recall"], row["own"]["empty"],
                         _plans(own)])  # fmt: skip
            classes.append("is-on" if set(own) != {HNSW} else "")
            names += [f"recall_ef{ef}_{cell}", f"own_recall_ef{ef}_{cell}"]
    body = table(
        ["reader", Col("ef_search", numeric=True), Col("HNSW forced: recall", 3), Col("own choice: recall", 3),
         Col("own choice: empty", 0), "plan that the planner chose (searches)"],
        rows,
        title="The same statement, forced and left to the planner",
        note="Shaded where the planner left the index. Searches: every question, every build. The text of the query "
        "is the same in every row.",
        row_classes=classes,
    )  # fmt: skip
    switched = sum(1 for name in classes if name)
    says = (
        f"In {switched} of these {len(classes)} settings the planner chose an exact scan for some or all questions, "
        "and the loss is gone. Nothing in the result says which plan ran: that is why every reading records it."
        if switched
        else "The planner chose the index in every one of these settings, so forcing it changed nothing here."
    )
    title = "The planner may hide it" if switched else "Left alone, the planner chose the index too"
    return Step("planner", title, says, body, tuple(dict.fromkeys(names)))


def _plans(counts: Mapping[str, int]) -> Markup:
    parts = [Markup("{} ({})").format(name, data(count)) for name, count in sorted(counts.items())]
    return Markup("<br>").join(parts)


def lexical(dataset: Dataset) -> Step:
    cells = {row["cell"]: row for row in dataset.at("/result/lexical/cells")}
    total = dataset.at("/result/lexical/total")
    rows: list[list[Cell]] = []
    ef = int(dataset.params["case_ef"])
    for name in [c["cell"] for mode in ("away", "home") for c in _cells(dataset, mode)]:
        dense = next(r for r in _readings(dataset, name) if r["ef_search"] == ef)
        row = cells[name]
        rows.append([reader(name), row["agree"] / row["n"], row["n"], dense["forced"]["recall"], dense["n"]])
    body = table(
        ["reader", Col("full text: share unchanged", 3), Col("questions", numeric=True),
         Col(f"HNSW at ef_search {ef}: recall@10", 3), Col("questions", numeric=True)],
        rows,
        title="The same policy over a search that ranks every match",
        note="Unchanged: the rows returned are the first ten left when the unrestricted ranking is filtered by hand.",
    )  # fmt: skip
    says = (
        f"Full-text search ranks every row that matches, after the policy. {total['agree']} of {total['n']} top tens "
        "are exactly the filtered ranking. The policy is not what loses rows; the fixed-length list in front of it is."
    )
    return Step("lexical", "Control: a search without a candidate list", says, body, ("lexical_agree", "lexical_n"))
