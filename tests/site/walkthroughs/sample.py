"""A walkthrough of the sample dataset in three steps."""

from __future__ import annotations

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.walkthrough import Option, Prediction, Step, Walkthrough


def _steps(dataset: Dataset) -> list[Step]:
    rows = dataset.at("/result/rows")
    return [
        Step("filter", "One tenant", "The filter drops rows.", _body(rows[0]), ("recall_one",)),
        Step("control", "All tenants", "Nothing is dropped.", _body(rows[1]), ("recall_all",)),
        Step("both", "Side by side", "The index is the same.", Markup("").join(_body(row) for row in rows)),
    ]


def _body(row: dict[str, object]) -> Markup:
    return Markup("<p>{}: {}</p>").format(row["role"], row["recall"])


WALKTHROUGH = Walkthrough(
    dataset="sample",
    id="sample",
    title="Why did this query return less?",
    intro="One index, two roles.",
    steps=_steps,
    prediction=Prediction(
        "control",
        "Does the control lose as much?",
        (Option("Yes", False, "Nothing is filtered."), Option("No", True, "Nothing is filtered.")),
    ),
)
