"""The same rows under four ways to deal them to tenants, and what each would have concluded: dataset ``tenants``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, Col, Slot, bars, data, pair, slots, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Row = Mapping[str, Any]

NAMES = {
    "semantic": "their own",
    "documents": "documents by hash",
    "chunks": "chunks by hash",
    "orthogonal": "made-up vectors",
}
"""Arrangement → how the tenants came about, in few words."""


def steps(dataset: Dataset) -> list[Step]:
    """The four conclusions first; then each arrangement by one question's candidates; then closeness, then folding."""
    result = dataset.result
    rows = {row["arrangement"]: row for row in result["arrangements"]}
    cases = {case["arrangement"]: case for case in result["cases"]}
    ef, k = int(dataset.params["ef_search"]), int(dataset.params["k"])
    return [
        Step(
            "conclusions",
            "Same rows, same sizes, four conclusions",
            "One kind of index, one policy, readers of one tenant each. What differs is which tenant a row belongs to, "
            "in the last line also its vector, and with it what a test of filtered search would report.",
            _conclusions(result["readings"], k),
            tuple(f"recall_{name}_{cell}" for name in NAMES for cell in ("home1", "away1")),
        ),
        _candidates(
            "semantic",
            "Their own tenants: neighbours are often, not always, one's own",
            "A working group, a type of contract and a company write about their own subject, and some of them share "
            "it with others.",
            rows,
            cases,
            ef,
        ),
        _candidates(
            "documents",
            "Documents dealt by hash: a document still lies together",
            "What is left of the neighbourhood is the document itself. Its tenant's other rows lie anywhere.",
            rows,
            cases,
            ef,
        ),
        _candidates(
            "chunks",
            "Chunks dealt by hash: nothing lies together",
            "A tenant is now a random sample of everything. But for the one chunk that the question was drafted from, "
            "home is no different from anywhere else.",
            rows,
            cases,
            ef,
        ),
        _candidates(
            "orthogonal",
            "Made-up vectors: tenants with nothing in between",
            _apart(rows["orthogonal"], cases["orthogonal"], result["readings"]),
            rows,
            cases,
            ef,
        ),
        Step(
            "closeness",
            "How close a tenant is to itself and to the others",
            "Mean cosine of two chunks of one tenant, and of chunks of two tenants, over all pairs. The gap between "
            "the two is what dealing by hash takes away.",
            _closeness(result["arrangements"]),
            tuple(f"{key}_{name}" for name in NAMES for key in ("within", "across")),
        ),
        Step(
            "folded",
            f"{number_text(result['fold']['small_before'])} tenants were too small to be measured",
            f"The smallest joined its nearest sibling by subject, and so on until none had fewer than "
            f"{number_text(result['fold']['least'])} chunks: {len(result['folded'])} joined another. Every document "
            "keeps the tenant that it came with.",
            _folded(result["folded"], result["fold"]),
            ("fold_least", "fold_tenants_before", "fold_tenants_after"),
        ),
    ]


def _apart(row: Row, case: Row, readings: Sequence[Row]) -> str:
    """What the control shows, said of the list that this build gave."""
    missed = _found(readings, "orthogonal", "home1")
    said = (
        "A control, not data: a random direction a tenant. The nearest rows are the question's own, "
        f"{number_text(row['own_among'], 1)} of {len(case['slots'])} on average"
    )
    if case["tenant"] in case["slots"]:
        return f"{said}; away, none are."
    return (
        f"{said}, and away none are. This question's own rows lie in an island that the walk through the graph never "
        f"reached: {number_text(missed['measured']['empty'], 0)} of {missed['n']} home questions end like that."
    )


def _found(readings: Sequence[Row], arrangement: str, cell: str) -> Row:
    return next(row for row in readings if (row["arrangement"], row["cell"]) == (arrangement, cell))


def _conclusions(readings: Sequence[Row], k: int) -> Markup:
    def side(cell: str, title: str) -> Markup:
        entries = []
        for name, said in NAMES.items():
            part = _found(readings, name, cell)["measured"]
            entries.append(Bar(said, part["recall"], "" if name == "orthogonal" else "approx", tuple(part["interval"])))
        return bars(entries, title=title, digits=3, maximum=1)

    n = _found(readings, "semantic", "home1")["n"]
    return pair(
        side("home1", f"Recall@{k}, {n} home questions"),
        side("away1", f"Recall@{k}, {n} away questions"),
        titles=("About the reader's tenant", "About another tenant"),
    )


def _candidates(name: str, title: str, says: str, rows: Mapping[str, Row], cases: Mapping[str, Row], ef: int) -> Step:
    row, case = rows[name], cases[name]
    own = [tenant == case["tenant"] for tenant in case["slots"]]
    drawn = [Slot("permitted" if is_own else "discarded", tenant if not _dealt(name) else "") for is_own, tenant in
             zip(own, case["slots"], strict=True)]  # fmt: skip
    whose = "" if _dealt(name) else f" (tenant {case['tenant']})"
    asked = Markup('<p class="pair-title">Question: {}{}</p>').format(case["question"], whose)
    facts = stats(
        [
            (f"of the {ef} nearest, rows of the question's tenant, mean", data(row["own_among"], 2), "permitted"),
            ("if they lay anywhere", data(row["own_by_chance"], 2), ""),
            ("questions with none that near", data(row["without_own"]), ""),
        ]
    )
    heading = f"The index's {len(case['slots'])} candidates for one question, as a reader of its tenant sees them"
    numbers = (f"own_among_{name}", f"own_by_chance_{name}", f"without_own_{name}")
    return Step(name, title, says, asked + facts + slots(drawn, title=heading), numbers)


def _dealt(name: str) -> bool:
    """Whether names of tenants say nothing of their rows."""
    return name in ("documents", "chunks")


def _closeness(rows: Sequence[Row]) -> Markup:
    cells: list[list[Cell]] = [
        [NAMES[row["arrangement"]], row["within"], row["across"], row["apart"], row["tenants"]] for row in rows
    ]
    columns: list[str | Col] = [
        "tenants",
        Col("within", 3),
        Col("between", 3),
        Col("closer within than to any other", numeric=True),
        Col("tenants in all", numeric=True),
    ]
    return table(columns, cells, title="Mean cosine of pairs of chunks")


def _folded(folded: Sequence[Row], fold: Row) -> Markup:
    facts = stats(
        [
            ("tenants before", data(fold["tenants_before"]), ""),
            ("tenants after", data(fold["tenants_after"]), ""),
            ("documents with another tenant than before", data(fold["folded"]), ""),
        ]
    )
    columns: list[str | Col] = ["tenant", Col("documents", numeric=True), Col("chunks", numeric=True), "ended in"]
    cells: list[list[Cell]] = [[row["original"], row["documents"], row["chunks"], row["joined"]] for row in folded]
    limit = Markup("Limit: {} chunks.").format(data(fold["least"]))
    return facts + table(columns, cells, title="Tenants that joined another", note=limit)


WALKTHROUGH = Walkthrough(
    dataset="tenants",
    kind=stepper.KIND,
    id="tenants",
    title="Does it matter whose rows a test calls whose?",
    intro=(
        "Filtered search was measured four times over the same chunks: with the tenants that the documents have, with "
        "documents or chunks dealt out by hash to tenants of the same sizes, and with made-up vectors as a control."
    ),
    steps=steps,
    prediction=Prediction(
        before="chunks",
        ask="Chunks are dealt to tenants at random, sizes kept. What happens to the difference between home and away "
        "questions?",
        options=(
            Option(
                "It stays: a reader of one tenant still sees as few rows",
                False,
                "The share of visible rows stays. Where they lie does not, and the difference came from that.",
            ),
            Option(
                "It shrinks to about one row",
                True,
                "A random sample lies as near to one question as to another, but for the one chunk that makes a "
                "question a home question.",
            ),
            Option(
                "It grows: random tenants are harder for the index",
                False,
                "The index does not know the tenants. Away questions now find rows of the reader among the candidates.",
            ),
        ),
    ),
)
