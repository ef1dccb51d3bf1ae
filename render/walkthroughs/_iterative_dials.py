"""Reader and limit over their captured grid, both orders side by side: dataset ``iterative_scan``."""

from __future__ import annotations

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import Bar, Cell, Col, bars, table
from render.views.walkthrough import Dial, Step, Walkthrough
from render.walkthroughs._layout_rows import SCATTERED, Reading, cells, readings, who

ORDERS = ("strict", "relaxed")


def _readers(dataset: Dataset) -> list[str]:
    return [*cells(dataset), SCATTERED]


def _limits(dataset: Dataset) -> list[int]:
    """Every limit; 0 stands for iterative scan off."""
    return [0, *(int(limit) for limit in dataset.params["max_scan_tuples"])]


def _limit(limit: int) -> str:
    return number_text(limit) if limit else "off"


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (
        Dial("reader", tuple(who(cell) for cell in _readers(dataset))),
        Dial("max_scan_tuples", tuple(_limit(limit) for limit in _limits(dataset))),
    )


def _steps(dataset: Dataset) -> list[Step]:
    found = readings(dataset, "cell", "way")
    k = int(dataset.params["k"])

    def draw(cell: str, limit: int) -> Step:
        shown = {o: found[cell, f"{o}_{limit}"] for o in ORDERS} if limit else {"off": found[cell, "off"]}
        last = list(shown.values())[-1]
        title = f"{who(cell)}, {_limit(limit)}: recall {number_text(last.recall, 3)}"
        body = _bars(shown, k) + _counts(shown)
        return Step(
            f"{cell}-{limit or 'off'}", title, "", body,
            brief=number_text(last.recall, 2), tone=sweep.tone(last.recall, 0, 1),
        )  # fmt: skip

    return sweep.grid(_readers(dataset), _limits(dataset), draw)


def _name(order: str) -> str:
    return order if order == "off" else f"{order}_order"


def _bars(shown: dict[str, Reading], k: int) -> Markup:
    entries = [Bar(_name(order), one.recall, "approx", one.interval) for order, one in shown.items()]
    n = next(iter(shown.values())).n
    return bars([*entries, Bar("exact", 1, "exact", digits=0)], title=f"Recall@{k}, {n} questions", digits=3, maximum=1)


def _counts(shown: dict[str, Reading]) -> Markup:
    rows: list[list[Cell]] = [
        [_name(order), *(one.measured[key] for key in ("empty", "short", "unordered")), one.time["p50"],
         one.time["p95"]]
        for order, one in shown.items()
    ]  # fmt: skip
    columns: list[str | Col] = [
        "iterative scan", *(Col(name, 1) for name in ("empty", "short", "out of order")), Col("median", 2, "ms"),
        Col("95th percentile", 2, "ms"),
    ]  # fmt: skip
    return table(columns, rows, title="Questions, mean of the builds, and time of a search")


WALKTHROUGH = Walkthrough(
    dataset="iterative_scan",
    kind=sweep.KIND,
    id="iterative-dials",
    title="What does each reader get at each limit?",
    intro=(
        "Every reader at every limit, both orders beside each other. Home and away are rows of their own. The last row "
        "is the filter that one chunk in a hundred passes, for a reader who may see everything."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"{_readers(dataset)[0]}-20000",
    cells="Recall@10 in relaxed order",
)
