"""Who passes a row policy, what goes round it and what it still tells: dataset ``rls_bypasses``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, Col, bars, data, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Row = Mapping[str, Any]

#: Attempt → what the reader wrote in its condition.
ATTEMPTS = {
    "function": "a function of its own that reports each value",
    "operator": "an operator of its own that does",
    "division": "a division by zero on foreign rows",
    "cast": "a cast that fails on foreign rows",
    "order": "the division in ORDER BY, with LIMIT",
    "leakproof": "control: the function, marked LEAKPROOF by a superuser",
}
#: State of the access-control list → what stands between the reader and the list.
LISTS = {
    "granted": "the list granted to the reader",
    "closed": "no grant on the list",
    "function": "no grant; through the function of the policy",
}


def steps(dataset: Dataset) -> list[Step]:
    """Eight states: roles, the setting, forms, the list, ways round, attempts to see through, metadata, kept plans."""
    result = dataset.result
    return [
        _roles(result),
        _setting(result),
        _forms(result, dataset.timings["forms"]),
        _list(result),
        _ways(result),
        _attempts(result),
        _metadata(result),
        _prepared(result),
    ]


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _answer(refusal: str | None) -> str:
    return f"refuses: {refusal}" if refusal else "measures"


def _roles(result: Row) -> Step:
    people, subject = result["population"], result["subject"]
    passing = [row for row in result["roles"] if row["refusal"]]
    entries = [Bar(row["who"], row["chunks"], digits=0) for row in result["roles"]]
    rows: list[list[Cell]] = [
        [row["who"], row["chunks"], row["foreign"], _answer(row["refusal"])] for row in result["roles"]
    ]
    columns: list[str | Col] = [
        "who reads", Col("chunks seen", numeric=True), Col("of other tenants", numeric=True), "what the harness does",
    ]  # fmt: skip
    says = (
        f"One statement, SELECT count(*), asked as seven readers. The reader of {subject['tenant']} may see "
        f"{number_text(people['own'])} of {number_text(people['chunks'])} chunks. {len(passing)} kinds of role see all "
        "of them without being told so; the harness refuses to measure through those."
    )
    drawn = bars(entries, title="Chunks seen by the same statement", digits=0, maximum=people["chunks"])
    note = "The last row sees everything because its principal may."
    body = drawn + table(columns, rows, title="Seven readers of one table", note=note)
    names = ("own", "chunks", "foreign", *(f"chunks_{row['role']}" for row in result["roles"]))
    return Step("roles", "The policy stands, and three kinds of role do not notice", says, body, names)


def _setting(result: Row) -> Step:
    rows: list[list[Cell]] = []
    for row in result["lifetime"]:
        setting = "never set" if row["setting"] is None else _code(row["setting"]) if row["setting"] else "empty string"
        rows.append([row["moment"], setting, row["chunks"]])
    says = (
        "The application role names its principal in a setting that ends with the transaction. Before that it is null, "
        "afterwards an empty string; both show nothing. A local setting made outside of a transaction is gone before "
        "the next statement."
    )
    body = table(["moment", "setting", Col("chunks seen", numeric=True)], rows, title="One connection, four moments")
    names = tuple(f"lifetime_{i + 1}" for i in range(len(rows)))
    return Step("setting", "No principal, no rows", says, body, names)


def _forms(result: Row, times: Sequence[Row]) -> Step:
    spent = {row["form"]: row["p50"] for row in times}
    rows: list[list[Cell]] = [
        [_code(row["form"]), row["chunks"], row["unset"], row["acl"], row["widened"], spent[row["form"]]]
        for row in result["forms"]
    ]
    columns: list[str | Col] = [
        "form", Col("chunks seen", numeric=True), Col("no principal", numeric=True),
        Col("list rows", numeric=True), Col("setting changed", numeric=True),
        Col("median", 1, "ms"),
    ]  # fmt: skip
    texts: list[list[Cell]] = [[_code(row["form"]), _code(row["condition"])] for row in result["forms"]]
    says = (
        "Written four ways, the policy shows the same rows. The forms differ in time, and in whether the reader has to "
        "be able to read the access-control list itself. No form holds against a reader who may change the "
        "setting."
    )
    note = (
        "Chunks that the reader sees, with its principal, without one, and after it changed its setting to see more; "
        "rows of the access-control list that it can read; time to count all that it sees."
    )
    body = table(columns, rows, title="Four forms of one policy", note=note) + table(
        ["form", "condition"], texts, title="The conditions as created"
    )
    names = tuple(f"form_{key}_{row['form']}" for row in result["forms"] for key in ("chunks", "acl", "widened"))
    return Step("forms", "Four forms show the same rows", says, body, names)


def _list(result: Row) -> Step:
    rows: list[list[Cell]] = [
        [LISTS[row["state"]], row["rows"], row["principals"], row["tenants"], row["error"] or "answered"]
        for row in result["access_list"]
    ]
    granted = next(row for row in result["access_list"] if row["state"] == "granted")
    says = (
        f"With the list granted, as a policy that reads it directly needs, one reader learns all {granted['rows']} "
        f"rows: every principal and every tenant there is. Closed, and read through a SECURITY DEFINER function, it "
        "learns its own."
    )
    columns: list[str | Col] = [
        "the list", *(Col(name, numeric=True) for name in ("rows", "principals", "tenants")), "answer",
    ]  # fmt: skip
    body = table(columns, rows, title="What a reader of one tenant learns of the access-control list")
    names = tuple(f"acl_{key}_{row['state']}" for row in result["access_list"] for key in ("rows", "principals"))
    return Step("list", "The list of who may see what", says, body, names)


def _ways(result: Row) -> Step:
    rows: list[list[Cell]] = [
        [row["what"], row["opened"]["foreign"], row["remedy"], row["closed"]["foreign"],
         row["closed"]["error"] or f"{number_text(row['closed']['rows'])} rows"]
        for row in result["ways"]
    ]  # fmt: skip
    open_ways = len({row["what"] for row in result["ways"] if row["opened"]["foreign"]})
    columns: list[str | Col] = [
        "granted to the reader", Col("foreign chunks", numeric=True), "remedy", Col("foreign chunks after it",
        numeric=True), "answer after it",
    ]  # fmt: skip
    says = (
        f"The reader is bound and the policy is right, yet {open_ways} kinds of grant beside the table show it other "
        "tenants' chunks. Each was made, read and mended in one transaction that was rolled back."
    )
    names = tuple(f"way_{state}_{row['way']}" for row in result["ways"] for state in ("opened", "closed"))
    body = table(columns, rows, title="Ways round, before and after the remedy")
    return Step("ways", "Ways round a policy that stands", says, body, names)


def _attempts(result: Row) -> Step:
    rows: list[list[Cell]] = [[ATTEMPTS[row["attempt"]], row["foreign"], row["returned"]] for row in result["attempts"]]
    told = sum(row["foreign"] > 0 for row in result["attempts"] if not row["control"])
    control = next(row for row in result["attempts"] if row["control"])
    columns: list[str | Col] = [
        "in the condition", Col("foreign chunks told of", numeric=True), Col("rows returned", numeric=True),
    ]  # fmt: skip
    says = (
        f"Of {len(rows) - 1} attempts {told or 'none'} told of a foreign chunk: the policy is evaluated first. The "
        f"control shows that the attempts look in the right place. Marked LEAKPROOF, the same function was handed all "
        f"{number_text(control['reported'])} chunks, though the result was the permitted rows alone."
    )
    classes = ["is-on" if row["control"] else "" for row in result["attempts"]]
    body = table(columns, rows, title="Conditions that try to tell", row_classes=classes)
    return Step(
        "attempts", "Seeing through it", says, body, tuple(f"leaked_{row['attempt']}" for row in result["attempts"])
    )


def _metadata(result: Row) -> Step:
    rows: list[list[Cell]] = [[row["what"], row["value"]] for row in result["metadata"]]
    expected = result["estimates"]
    rows += [
        [f"rows that EXPLAIN expects of a hidden tenant ({result['subject']['other']})", expected["other"]],
        ["rows that EXPLAIN expects of a tenant that does not exist", expected["nobody"]],
    ]
    says = (
        "No row leaves the table, yet its size does. EXPLAIN counts what the filter removed, the catalogue keeps the "
        "table's size, and the planner's estimate tells a tenant that exists from one that does not. The column "
        "statistics themselves are hidden."
    )
    body = table(["where the reader looks", Col("what it says", numeric=True)], rows, title="What is told without rows")
    names = tuple(f"metadata_{row['look']}" for row in result["metadata"])
    return Step("metadata", "What the policy does not hide", says, body, names)


def _prepared(result: Row) -> Step:
    rows: list[list[Cell]] = [
        [_code(row["principal"]) if row["principal"] else "nobody", row["executions"], row["chunks"],
         row["custom_plans"], row["generic_plans"]]
        for row in result["prepared"]
    ]  # fmt: skip
    columns: list[str | Col] = [
        "principal", Col("executions", numeric=True), Col("chunks seen", numeric=True),
        Col("custom plans so far", numeric=True), Col("generic plans so far", numeric=True),
    ]  # fmt: skip
    first, second = result["prepared_roles"]
    body = table(columns, rows, title="One prepared statement, principals in turn") + stats(
        [
            ("prepared and executed as superuser", data(first["chunks"], 0), ""),
            ("the same statement, then as application role", data(second["chunks"], 0), ""),
        ]
    )
    says = (
        "After five executions PostgreSQL keeps one plan for whoever comes. The principal is still looked up when it "
        "runs, so each sees its own rows; and a statement that a superuser prepared is planned anew for the role that "
        "is bound."
    )
    return Step("prepared", "A kept plan does not keep the reader", says, body, ("prepared_superuser",
                "prepared_zeroth_app"))  # fmt: skip


WALKTHROUGH = Walkthrough(
    dataset="rls_bypasses",
    id="rls-bypasses",
    kind=stepper.KIND,
    title="Who sees which rows under one policy?",
    intro=(
        "The same table and policy throughout, asked by roles, through objects beside it, and with conditions that try "
        "to tell. Whatever had to be changed for a question was rolled back after it."
    ),
    steps=steps,
    prediction=Prediction(
        before="attempts",
        ask="A bound reader puts a function of its own into WHERE, which reports every value that it is given. Of how "
        "many other tenants' chunks does it report?",
        options=(
            Option(
                "None",
                True,
                "A function that is not marked leakproof runs after the policy, however cheap it claims to be.",
            ),
            Option(
                "All of them, although the result holds none",
                False,
                "So it would be if the function could be evaluated first. Only a superuser can mark it so.",
            ),
            Option("It is refused", False, "The function is legal and runs, on the rows that passed the policy."),
        ),
    ),
)
