"""Why a query under a row policy returned nothing: slot by slot, then over every question and reader.

Three captured searches carry the first steps: an *away* question (about a tenant the reader may not see), a
*home* question (about the one it may), and the home question asked with everything visible. The later steps
draw the readings over all questions, home and away apart. Nothing is computed here but counts and differences
of captured values.
"""

from __future__ import annotations

from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs import _ann_cases as cases
from render.walkthroughs import _ann_choices, _ann_dials, _ann_plans
from render.walkthroughs import _ann_readings as readings


def _steps(dataset: Dataset) -> list[Step]:
    shown = {case["id"]: case for case in dataset.at("/result/cases")}
    return [
        cases.nothing(shown["away"]),
        cases.distance(shown["away"], dataset.at("/result/sources")),
        cases.readers(shown["away"]),
        cases.home(shown["home"], shown["all"]),
        cases.dial(shown["away"], shown["home"], int(dataset.params["k"])),
        readings.population(dataset, "home"),
        readings.population(dataset, "away"),
        readings.planner(dataset),
        readings.lexical(dataset),
    ]


WALKTHROUGH = Walkthrough(
    dataset="ann_postfilter",
    kind=stepper.KIND,
    id="ann-postfilter",
    title="Why did this query return nothing?",
    intro=(
        "The rows exist, the reader may see them, and an exact search finds them. The same statement through an HNSW "
        "index under the same policy returns none. Tenants are IETF working groups, named by their acronyms, types of "
        "contract (cuad-…) and companies (sec-…)."
    ),
    steps=_steps,
    prediction=Prediction(
        before="home",
        ask="A reader asks about the very tenant it may see, on a subject that several tenants write about. What "
        "happens to the candidate list?",
        options=(
            Option(
                "It holds only rows of that tenant",
                False,
                "The index orders by distance alone, and related tenants write about the same things.",
            ),
            Option(
                "Some candidates stay, and some of the exact ten are missing",
                True,
                "The nearest rows are partly its own; each slot held by another tenant is a slot lost.",
            ),
            Option(
                "It is as empty as before",
                False,
                "At home the nearest rows are often the reader's own, so some of them survive.",
            ),
        ),
    ),
)

FURTHER = (_ann_dials.WALKTHROUGH, _ann_choices.WALKTHROUGH, _ann_plans.WALKTHROUGH)
