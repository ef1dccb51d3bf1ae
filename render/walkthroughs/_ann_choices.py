"""Which plan the planner chose for each form of the policy and each list length: dataset ``ann_postfilter``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.reading.source import Dataset
from render.views.kinds import matrix, sweep
from render.views.kit import Cell, Col, table
from render.views.walkthrough import Dial, Step, Walkthrough
from render.walkthroughs._ann_cases import reader

CELL = "home1"
INDEX = "hnsw index scan"
Row = Mapping[str, Any]
Key = tuple[str, bool]


def _rows(dataset: Dataset) -> list[Row]:
    rows: list[Row] = dataset.at("/result/plan_choices")
    return rows


def _forms(dataset: Dataset) -> list[Key]:
    """Every form of the policy, without and with the B-tree, in the order of the capture."""
    forms = list(dict.fromkeys(row["form"] for row in _rows(dataset)))
    return [(form, btree) for form in forms for btree in (False, True)]


def _form_text(key: Key) -> str:
    return f"{key[0]}, B-tree" if key[1] else key[0]


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (
        Dial("form of the policy", tuple(_form_text(key) for key in _forms(dataset))),
        Dial("ef_search", tuple(str(ef) for ef in dataset.params["choice_ef"])),
    )


def _word(row: Row) -> str:
    return "index" if row["plan"] == INDEX else "exact"


def _steps(dataset: Dataset) -> list[Step]:
    forms, efs = _forms(dataset), [int(ef) for ef in dataset.params["choice_ef"]]
    found = {(row["cell"], row["form"], row["btree"], row["ef_search"]): row for row in _rows(dataset)}
    down, across = ((dial.name, dial.values) for dial in _dials(dataset))
    values: list[list[Cell]] = [[_word(found[CELL, *form, ef]) for ef in efs] for form in forms]
    readers = list(dict.fromkeys(row["cell"] for row in _rows(dataset)))

    def draw(form: Key, ef: int) -> Step:
        here = [found[cell, *form, ef] for cell in readers]
        place = (forms.index(form), efs.index(ef))
        body = _readers(here) + matrix.readout(down, across, values, place, what="plan")
        own = next(row for row in here if row["cell"] == CELL)
        name = f"{form[0]}-btree" if form[1] else form[0]
        title = f"{_form_text(form)}, ef_search {ef}: {own['plan']}"
        return Step(f"{name}-{ef}", title, "", body, brief=_word(own), tone=0 if own["plan"] == INDEX else 3)

    return sweep.grid(forms, efs, draw)


def _readers(rows: list[Row]) -> Any:
    cells: list[list[Cell]] = [[reader(row["cell"]), row["plan"], row["estimated"], row["returned"]] for row in rows]
    columns: list[str | Col] = [
        "reader", "plan", Col("rows estimated", numeric=True), Col("rows returned", numeric=True),
    ]  # fmt: skip
    return table(columns, cells, title="The same statement for other readers", row_classes=["is-on"])


WALKTHROUGH = Walkthrough(
    dataset="ann_postfilter",
    kind=matrix.KIND,
    id="ann-choices",
    title="Which form of the policy lets the planner see who is reading?",
    intro=(
        "One question of a reader of one tenant, planned for every form of the policy, without and with a B-tree on "
        "the tenant. A form whose estimate follows the reader is one that the planner can weigh."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"definer_per_row-btree-{dataset.params['choice_ef'][2]}",
    cells="Plan for the reader of one tenant",
)
