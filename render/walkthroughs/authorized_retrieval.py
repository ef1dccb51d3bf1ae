"""Which condition hides a chunk, and what it costs to hide it before or after ranking: ``authorized_retrieval``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import plan as viewer
from render.views.kinds import stepper
from render.views.kinds.explain import from_text
from render.views.kit import Bar, Cell, Col, bars, excerpt, mark, pair, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs import _access_dials
from render.walkthroughs._access_rows import REASONS, SIZES, reading, who

Row = Mapping[str, Any]
TITLES = {
    "tenant": "Only the tenant hides this chunk",
    "classification": "Only the classification hides this one",
    "barrier": "Only the barrier hides this one",
}
WORDS = {
    "Limit": "stops as soon as it has ten rows",
    "Sort": "orders what it was given by distance and keeps the first ten",
    "Bitmap Heap Scan": "reads the rows that the GIN index named",
    "Bitmap Index Scan": "looks up the reader's groups in the GIN index",
    "Index Scan": "takes candidates nearest first and tests each against the policies",
    "Seq Scan": "reads the whole table and tests every row",
    "Result": "asks once who is reading",
}


def _steps(dataset: Dataset) -> list[Step]:
    cases = dataset.at("/result/conditions/cases")
    return [
        *(_case(case) for case in cases),
        _counts(dataset),
        _questions(dataset),
        _depth(dataset),
        _short(dataset),
        _plans(dataset),
    ]


def _setting(without: Sequence[str]) -> str:
    return f"{' and '.join(without)} removed" if without else "all three conditions"


def _case(case: Row) -> Step:
    reader, chunk = case["reader"], case["chunk"]
    facts = table(
        ["", "the reader", "the chunk's document"],
        [
            ["tenant", ", ".join(reader["tenants"]), chunk["tenant"]],
            ["classification", f"cleared for {reader['clearance']}", chunk["level"]],
            ["barrier", f"{', '.join(reader['sides'])} side", f"{chunk['side']} side"],
        ],
        title="Three conditions",
        row_classes=["is-on" if name == case["condition"] else "" for name in ("tenant", "classification", "barrier")],
    )
    rows: list[list[Cell]] = [
        [
            _setting(one["without"]),
            mark("permitted", "visible") if one["visible"] else mark("discarded", "hidden"),
            f"rank {one['rank']}" if one["rank"] else "not among the ten",
        ]
        for one in case["settings"]
    ]
    on = ["is-on" if case["condition"] in one["without"] else "" for one in case["settings"]]
    shown = table(
        ["policies in force", "the chunk", "exact search"], rows, title="The same question, conditions removed",
        row_classes=on,
    )  # fmt: skip
    passage = excerpt(
        chunk["excerpt"], title=chunk["title"], url=chunk["url"], licence=chunk["licence"],
        place=f"labelled {chunk['level']}, {chunk['side']} side, by rule",
    )  # fmt: skip
    question = Markup("<blockquote><p>{}</p></blockquote>").format(case["question"])
    rank = next(one["rank"] for one in case["settings"] if one["without"] == [case["condition"]])
    says = (
        f"The two other conditions would let it through. With the {case['condition']} condition removed the chunk has "
        f"rank {rank}; with it in force the chunk is hidden, whichever of the others are removed."
    )
    return Step(case["condition"], TITLES[case["condition"]], says, question + facts + shown + passage)


def _counts(dataset: Dataset) -> Step:
    counts = dataset.at("/result/conditions/counts")
    drawn = bars(
        [Bar(_setting(row["without"]), row["chunks"], "" if row["without"] else "permitted") for row in counts],
        title="Chunks that a reader sees, mean",
        digits=0,
        note=f"Mean over {counts[0]['readers']} readers of {dataset.at('/result/conditions/readers_of')} tenants, each "
        "with a clearance and a side.",
    )
    none = counts[0]["chunks"]
    most = max((row for row in counts if len(row["without"]) == 1), key=lambda row: row["chunks"])
    says = (
        f"Under all three conditions a reader sees {number_text(none, 0)} chunks on average. Of the single removals "
        f"that of the {most['without'][0]} condition shows most, {number_text(most['chunks'], 0)}."
    )
    names = ("seen_without_nothing", f"seen_without_{most['without'][0]}")
    return Step("counts", "What each condition holds back", says, drawn, names)


def _questions(dataset: Dataset) -> Step:
    found = dataset.at("/result/conditions/questions")
    rows: list[list[Cell]] = [
        [row["condition"], row["n"], row["all"], row["alone"], row["removed"], row["removed_rows"]] for row in found
    ]
    columns: list[str | Col] = [
        "hidden by", Col("questions", 0), Col("all conditions", 0), Col("that condition alone", 0),
        Col("that condition removed", 0), Col("rows of the document then", 0),
    ]  # fmt: skip
    body = table(columns, rows, title="Questions whose source document is among the exact ten")
    asked, shown = sum(row["n"] for row in found), sum(row["removed"] for row in found)
    says = (
        f"{number_text(asked)} questions about documents that exactly one condition hides. With that condition in "
        f"force, alone or with the others, no row of the document comes back. With it removed, {number_text(shown)} "
        "questions get their document."
    )
    names = tuple(f"shown_{key}_{row['condition']}" for row in found for key in ("all", "alone", "removed"))
    return Step("questions", "One condition is enough", says, body, names)


def _depth(dataset: Dataset) -> Step:
    found = {row["cell"]: row for row in dataset.at("/result/needed")}
    size = _middle(dataset)
    shown = [found[cell] for cell in (f"{mode}_{size}" for mode in REASONS) if cell in found]
    drawn = bars(
        [
            bar
            for row in shown
            for bar in (
                Bar(f"{REASONS[_mode(row)]}: k / share", row["asked_median"], "approx"),
                Bar(f"{REASONS[_mode(row)]}: needed", row["needed_median"], "exact"),
            )
        ],
        title=f"Candidates until ten are visible, readers of {SIZES[size]}, medians",
        digits=0,
    )
    rows: list[list[Cell]] = [
        [who(row["cell"]), row["n"], row["asked_median"], row["needed_median"], row["ratio_median"]]
        for row in dataset.at("/result/needed")
    ]
    columns: list[str | Col] = [
        "questions", Col("n", 0), Col("k / share, median", 0), Col("needed, median", 0), Col("needed as a multiple", 2),
    ]  # fmt: skip
    home, away = found[f"home_{size}"], found[f"tenant_{size}"]
    says = (
        f"For readers of {SIZES[size]}, a rank-by-rank count without any index. At home, half of the questions "
        "are served by "
        f"{number_text(home['needed_median'], 0)} candidates where the visible share asks for "
        f"{number_text(home['asked_median'], 0)}; about another tenant it takes "
        f"{number_text(away['needed_median'], 0)}."
    )
    names = tuple(f"{key}_{row['cell']}" for row in shown for key in ("asked_median", "needed_median"))
    body = drawn + table(columns, rows, title="All readers")
    return Step("depth", "The share is an average over everything", says, body, names)


def _short(dataset: Dataset) -> Step:
    size = _middle(dataset)
    ways = [("plain", f"list of {dataset.params['ef_search']}")]
    ways += [(f"fetch{factor:g}", f"{factor:g} × k / share") for factor in dataset.params["factors"]]
    modes = [mode for mode in REASONS if reading(dataset, f"{mode}_{size}", "plain")]
    body = Markup("")
    for key, name, digits in (
        ("short_share", "Share with fewer rows than exact search", 3),
        ("recall", "Recall@10", 3),
    ):
        rows: list[list[Cell]] = [[words, *(_value(dataset, f"{mode}_{size}", way, key) for mode in modes)]
                                  for way, words in ways]  # fmt: skip
        columns: list[str | Col] = ["candidates", *(Col(REASONS[mode], digits) for mode in modes)]
        body += table(columns, rows, title=f"{name}, readers of {SIZES[size]}")
    home, away = (reading(dataset, f"{mode}_{size}", "fetch1") for mode in ("home", "tenant"))
    assert home is not None and away is not None
    smallest = reading(dataset, f"home_{dataset.params['sizes'][0]}", "fetch1")
    assert smallest is not None
    says = (
        f"For readers of {SIZES[size]}, fetching k / share leaves {_percent(home)} of the home questions short and "
        f"{_percent(away)} of those about another tenant. For readers of one tenant the "
        f"cap of {number_text(dataset.params['cap'])} cuts {number_text(smallest['capped'])} of "
        f"{number_text(smallest['n'])} lists."
    )
    return Step("short", "Over-fetched, and still short", says, body)


def _value(dataset: Dataset, cell: str, way: str, key: str) -> float:
    row = reading(dataset, cell, way)
    assert row is not None
    return float(row["measured"][key])


def _percent(row: Row) -> str:
    return f"{number_text(100 * row['measured']['short_share'], 1)} %"


def _plans(dataset: Dataset) -> Step:
    plans, size = dataset.at("/result/plans"), _middle(dataset)
    mine = {row["form"]: row for row in plans if row["cell"] == f"home_{size}" and row["statement"] == "nearest"}
    rows: list[list[Cell]] = [
        [_form(row["form"]), who(row["cell"]), "nearest ten" if row["statement"] == "nearest" else "count", row["plan"],
         row["gin"], row["estimated"], row["passed"]]
        for row in plans
    ]  # fmt: skip
    columns: list[str | Col] = [
        "the rule stands in", "reader", "statement", "plan", "GIN used", Col("rows expected", 0), Col("rows passed", 0),
    ]  # fmt: skip
    trees = [
        viewer.plan(from_text(mine[form]["lines"]), title="Plan as executed", words=WORDS)
        for form in ("columns", "array")
    ]
    body = pair(*trees, titles=("policies on columns", "policy by overlap of groups"))
    body += table(columns, rows, title="The planner's own choice")
    says = (
        f"The same reader and question. With policies on columns the planner chose: {_plan(mine['columns'])}; with "
        f"the overlap as policy: {_plan(mine['array'])}, {number_text(mine['array']['estimated'])} rows expected, "
        f"{number_text(mine['array']['passed'])} found."
    )
    return Step("plans", "Where the GIN index is used", says, body)


def _plan(row: Row) -> str:
    return str(row["plan"]).replace("hnsw", "HNSW")


def _form(form: str) -> str:
    words = {"columns": "policies on columns", "array": "policy by overlap", "both": "both", "open": "statement only"}
    return words[form]


def _mode(row: Row) -> str:
    return str(row["cell"]).partition("_")[0]


def _middle(dataset: Dataset) -> str:
    """The size of reader that the steps show: the second of the sizes."""
    return str(dataset.params["sizes"][1])


WALKTHROUGH = Walkthrough(
    dataset="authorized_retrieval",
    kind=stepper.KIND,
    id="access-conditions",
    title="Which condition hides this chunk?",
    intro=(
        "Three readers, three questions, three chunks that would be the best result. Classification and sides are "
        "assigned to the documents by rule; tenants are IETF working groups, types of contract (cuad-…) and companies "
        "(sec-…)."
    ),
    steps=_steps,
    prediction=Prediction(
        before="depth",
        ask="A reader sees two chunks in a hundred. An application fetches five hundred candidates so that ten of them "
        "are visible on average, and filters those. When does it come up short?",
        options=(
            Option(
                "Hardly ever: ten visible ones are what the share promises",
                False,
                "The share is an average over the whole table. A question lands in one place of it.",
            ),
            Option(
                "Rarely at home, often for questions about what the reader may not see",
                True,
                "Where the question lands decides whether the nearest rows are the reader's own.",
            ),
            Option(
                "Equally often for every kind of question",
                False,
                "That would hold if permission and distance were independent.",
            ),
        ),
    ),
)

FURTHER = (_access_dials.WALKTHROUGH,)
