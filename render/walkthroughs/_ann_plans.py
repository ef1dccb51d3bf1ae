"""Where the policy stands in the plan: the executed plans of three captured searches, approximate and exact.

Five plans of ``ann_postfilter``, as PostgreSQL printed them. They were taken without costs and times, so none are
shown. Nothing is computed here but sums of the printed counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import plan as viewer
from render.views.kinds.explain import Node, from_text
from render.views.kit import Cell, Col, pair, table
from render.views.marks import mark
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Case = Mapping[str, Any]
WORDS = {
    "Limit": "stops as soon as it has ten rows",
    "Result": "asks once which tenants the reader may see",
    "Index Scan": "takes the candidates of the HNSW index, nearest first, and tests each against the policy",
    "Sort": "orders what it was given by distance and keeps the first ten",
    "Seq Scan": "reads the whole table and tests every row against the policy",
}


def _steps(dataset: Dataset) -> list[Step]:
    cases = {case["id"]: case for case in dataset.at("/result/cases")}
    away, home, everyone = cases["away"], cases["home"], cases["all"]
    return [_index(away), _policy(away), _exact(away), _home(home), _everyone(everyone), _all(cases)]


def _tree(case: Case, which: str = "plan", on: tuple[str, ...] = (), title: str = "") -> Markup:
    return viewer.plan(from_text(case[which]), title=title or "Plan as executed", on=on, words=WORDS)


def _scan(case: Case, which: str = "plan") -> Node:
    """The node that a filter stands on: the scan of the table."""
    return next(node for _, node in from_text(case[which]).walk() if any(k == "Filter" for k, _ in node.details))


def _counts(case: Case, which: str = "plan") -> tuple[int, int]:
    """Rows that the scan passed on and rows that its filter removed."""
    scan = _scan(case, which)
    return int(scan.total(scan.rows) or 0), int(scan.total(scan.removed) or 0)


def _index(case: Case) -> Step:
    kept, removed = _counts(case)
    body = Markup("<blockquote><p>{}</p></blockquote>").format(case["query"]["question"])
    says = (
        f"The reader may see {', '.join(case['tenants'])}, the question is about {case['query']['tenant']}. The index "
        f"scan hands over {kept + removed} rows, its filter removes {number_text(removed)}, and {kept} go on to "
        "Limit, which waits for ten."
    )
    title = f"The scan gave {number_text(kept)} rows to a limit of ten"
    return Step("index", title, says, body + _tree(case, on=("Index Scan",)))


def _policy(case: Case) -> Step:
    says = (
        "The statement has no WHERE. The Filter is the policy, added by the planner; InitPlan 1 reads the list of "
        "tenants once, before the scan. The order by distance is the index's work, the filter comes after it."
    )
    return Step("policy", "The policy is a filter on the scan", says, _tree(case, on=("Result", "Index Scan")))


def _exact(case: Case) -> Step:
    kept, removed = _counts(case, "exact_plan")
    _, lost = _counts(case)
    says = (
        f"The same reader and question without the index: {number_text(removed)} rows are removed, "
        f"{number_text(kept)} remain to be sorted, and ten are returned. The filter removed far more than the "
        f"{number_text(lost)} before and cost nothing, because it stood before the cut and not behind it."
    )
    tree = _tree(case, "exact_plan", on=("Seq Scan",))
    return Step("exact", "Exact search removes more and loses nothing", says, tree)


def _home(case: Case) -> Step:
    kept, removed = _counts(case)
    says = (
        f"The reader of {', '.join(case['tenants'])} asks about that tenant. {number_text(removed)} of "
        f"{kept + removed} candidates are removed; {kept} are left for a limit of ten. The plan has the same shape as "
        "the one that returned nothing."
    )
    body = Markup("<blockquote><p>{}</p></blockquote>").format(case["query"]["question"])
    return Step("home", "A home question keeps some rows", says, body + _tree(case, on=("Index Scan",)))


def _everyone(case: Case) -> Step:
    kept, _ = _counts(case)
    says = (
        "Control: the same question by a reader who may see every tenant. The filter still stands there and removes "
        f"nothing; after {kept} rows the limit is satisfied and the scan is not asked for more."
    )
    return Step("all", "With everything visible the limit stops the scan", says, _tree(case, on=("Limit",)))


def _all(cases: Mapping[str, Case]) -> Step:
    rows: list[list[Cell]] = []
    sides = []
    for which, role, name in (("plan", "approx", "index, then policy"), ("exact_plan", "exact", "policy, then sort")):
        rows = [[_reader(case), *_counts(case, which), _returned(case, which)] for case in cases.values()]
        columns: list[str | Col] = ["reader", *(Col(n, numeric=True) for n in ("kept", "removed", "returned"))]
        sides.append((mark(role, name), table(columns, rows, title=f"Rows at the filter: {name}")))
    body = pair(sides[0][1], sides[1][1], titles=(sides[0][0], sides[1][0]))
    says = (
        "How many rows a filter removes says nothing of what is lost. What matters is whether a list of fixed length "
        "stood in front of it. Read the plan from the inside out and look for what the filter is fed by."
    )
    return Step("both", "Same filter, two places", says, body)


def _reader(case: Case) -> str:
    return {"away": "one tenant, away", "home": "one tenant, home", "all": "all tenants"}[case["id"]]


def _returned(case: Case, which: str) -> int:
    return int(from_text(case[which]).rows or 0)


WALKTHROUGH = Walkthrough(
    dataset="ann_postfilter",
    id="ann-plans",
    kind=viewer.KIND,
    title="Where in the plan does the policy drop rows?",
    intro=(
        "Executed plans of one statement, as PostgreSQL printed them. The innermost node runs first; filled marks are "
        "rows passed on, hollow ones rows that the filter removed. Captured without costs, times and buffers."
    ),
    steps=_steps,
    prediction=Prediction(
        before="exact",
        ask="The same reader asks the same question with an exact scan. How many rows does the policy remove?",
        options=(
            Option("None: that is why it finds all ten", False, "The policy is the same and removes what it must."),
            Option(
                "Far more than with the index, and ten rows still come back",
                True,
                "It reads the whole table, so nearly all rows are removed; the cut to ten comes after the policy.",
            ),
            Option("As many as with the index", False, "The index scan tested only its candidates."),
        ),
    ),
)
