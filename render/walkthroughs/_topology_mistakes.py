"""Layout and mistake over their captured grid: what a reader of one tenant then sees: dataset ``topologies``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import matrix, sweep
from render.views.kit import Cell, data, stats
from render.views.walkthrough import Dial, Step, Walkthrough

Row = Mapping[str, Any]
#: Mistake → its name on the dial.
MISTAKES = {
    "no_predicate": "no tenant in the statement",
    "no_principal": "no reader named",
    "no_policy": "row security off",
    "one_grant": "one grant too many",
}
#: Mistake → what was done.
DONE = {
    "no_predicate": "The statement names no tenant. Policies and privileges stand.",
    "no_principal": "The transaction names no reader.",
    "no_policy": "Row security of the shared tables was switched off, and the statement names no tenant.",
    "one_grant": "The reader was granted the table that holds the largest other tenant, and the statement names it.",
}


def _layouts(dataset: Dataset) -> list[str]:
    return [str(row["layout"]) for row in dataset.at("/result/layouts")]


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (Dial("layout", tuple(_layouts(dataset))), Dial("mistake", tuple(MISTAKES.values())))


def _steps(dataset: Dataset) -> list[Step]:
    found = {(row["layout"], row["mistake"]): row for row in dataset.at("/result/exposures")}
    layouts, mistakes = _layouts(dataset), list(MISTAKES)
    most = max(row["rows_mean"] for row in found.values())
    down, across = ((dial.name, dial.values) for dial in _dials(dataset))
    values: list[list[Cell]] = [[found[one, mistake]["rows_mean"] for mistake in mistakes] for one in layouts]

    def draw(layout: str, mistake: str) -> Step:
        row = found[layout, mistake]
        place = (layouts.index(layout), mistakes.index(mistake))
        body = _facts(row) + matrix.readout(down, across, values, place, what="foreign chunks a reader, mean", digits=0)
        seen = number_text(row["rows_mean"], 0)
        title = f"{layout}, {MISTAKES[mistake]}: {seen} foreign chunks a reader"
        return Step(
            f"{layout}-{mistake.replace('_', '-')}", title, DONE[mistake], body,
            brief=seen, tone=sweep.tone(row["rows_mean"], 0, most),
        )  # fmt: skip

    return sweep.grid(layouts, mistakes, draw)


def _facts(row: Row) -> Markup:
    return stats(
        [
            (f"readers of {row['readers']} who see foreign chunks", data(row["exposed"], 0), ""),
            ("whose statement was refused", data(row["refused"], 0), ""),
            ("foreign chunks, at most", data(row["rows_most"], 0), ""),
            ("other tenants seen, mean", data(row["tenants_mean"], 1), ""),
        ]
    )


WALKTHROUGH = Walkthrough(
    dataset="topologies",
    kind=matrix.KIND,
    id="topology-mistakes",
    title="Which mistake exposes whose rows, in which layout?",
    intro=(
        "Each mistake was made in each layout, in a transaction that was rolled back, and the chunks of other tenants "
        "were counted that each reader of one tenant then saw."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"{_layouts(dataset)[0]}-no-policy",
    cells="Foreign chunks that a reader sees, mean",
)
