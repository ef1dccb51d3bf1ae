"""Reader and list length over their captured grid: one question, and all of them: dataset ``ann_postfilter``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import Bar, bars, data, mark, stats
from render.views.walkthrough import Dial, Step, Walkthrough
from render.walkthroughs._ann_cases import reader

Row = Mapping[str, Any]


def _case(dataset: Dataset) -> Row:
    case: Row = next(case for case in dataset.at("/result/cases") if case["id"] == "away")
    return case


def _cells(dataset: Dataset) -> list[str]:
    """Readers from the one who sees least of what is asked about to the one who sees everything."""
    cells = sorted(dataset.at("/result/cells"), key=lambda c: (c["cell"] == "all", c["mode"], int(c["tenants"])))
    return [str(cell["cell"]) for cell in cells]


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (
        Dial("reader", tuple(reader(cell) for cell in _cells(dataset))),
        Dial("ef_search", tuple(str(ef) for ef in dataset.params["ef_search"])),
    )


def _steps(dataset: Dataset) -> list[Step]:
    case, k = _case(dataset), int(dataset.params["k"])
    roles = {role["cell"]: {at["ef_search"]: at for at in role["by_ef"]} for role in case["roles"]}
    all_of = {(row["cell"], row["ef_search"]): row for row in dataset.at("/result/readings")}
    return sweep.grid(
        _cells(dataset),
        [int(ef) for ef in dataset.params["ef_search"]],
        lambda cell, ef: _setting(cell, ef, k, roles[cell][ef], all_of[cell, ef]),
    )


def _setting(cell: str, ef: int, k: int, one: Row, every: Row) -> Step:
    forced = every["forced"]
    recall = bars(
        [
            Bar(mark("approx"), forced["recall"], "approx", tuple(forced["interval"])),
            Bar(mark("exact"), 1, "exact", digits=0),
        ],
        title=f"All {every['n']} questions of such readers: recall@{k}",
        digits=3,
        maximum=1,
    )
    counts = stats(
        [
            (f"dropped of {ef} candidates, mean", data(forced["removed"], 1), "discarded"),
            (f"empty results of {every['n']}, mean of the builds", data(forced["empty"], 1), ""),
        ]
    )
    return Step(
        f"{cell}-ef-{ef}",
        f"{reader(cell)}, ef_search {ef}: {one['returned']} of {k} rows",
        "",
        _places(one["returned"], k) + recall + counts,
        brief=str(one["returned"]),
        tone=sweep.tone(one["returned"], 0, k),
    )


def _places(returned: int, k: int) -> Markup:
    """The places of the result, those that nothing filled left visibly empty."""
    filled = "".join(f"M{24 * i + 1} 1h20v16h-20z" for i in range(returned))
    empty = "".join(f"M{24 * i + 1} 1h20v16h-20z" for i in range(returned, k))
    said = f"{returned} places filled, {k - returned} empty"
    return Markup(
        '<figure class="slots"><p class="pair-title">The one question: its {k} places</p>'
        '<svg class="places" viewBox="0 0 {w} 18" width="{w}" height="18" role="img" aria-label="{said}">'
        '<title>{said}</title><path class="fill permitted" d="{filled}"></path><path class="place-empty" d="{empty}">'
        '</path></svg><ul class="legend"><li>{mark} {n}</li><li>empty {m}</li></ul></figure>'
    ).format(
        k=data(k), w=24 * k, said=said, filled=filled, empty=empty, mark=mark("permitted"), n=data(returned),
        m=data(k - returned),
    )  # fmt: skip


WALKTHROUGH = Walkthrough(
    dataset="ann_postfilter",
    kind=sweep.KIND,
    id="ann-dials",
    title="What does each reader get at each list length?",
    intro=(
        "The question of the walkthrough above, asked by every kind of reader at every list length; below it, all "
        "questions of such readers. Home and away readers are rows of their own and are never pooled."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"{_cells(dataset)[0]}-ef-{dataset.params['case_ef']}",
    cells="Rows that the one question gets",
)
