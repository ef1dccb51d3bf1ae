"""What unrelated texts share at every threshold of boilerplate, family by family: dataset ``dedup``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import Bar, bars, data, stats
from render.views.walkthrough import Dial, Step, Walkthrough

Row = Mapping[str, Any]
FAMILY = {
    "rfc": "RFCs",
    "contract": "Contracts",
    "filing": "Annual reports",
    "form": "Forms 8-K",
    "exhibit": "Exhibits",
    "across": "Two families",
}


def limit_word(limit: int | None) -> str:
    """A threshold in words: the number of texts, or that nothing is taken out."""
    return "nothing out" if limit is None else f"over {limit}"


def _limits(dataset: Dataset) -> list[int | None]:
    return [row["limit"] for row in dataset.at("/result/thresholds")]


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (
        Dial("family", tuple(FAMILY.values())),
        Dial("threshold", tuple(limit_word(limit) for limit in _limits(dataset))),
    )


def _steps(dataset: Dataset) -> list[Step]:
    rows = {(row["family"], row["limit"]): row for row in dataset.at("/result/unrelated")}
    whole = {row["limit"]: row for row in dataset.at("/result/thresholds")}
    line = float(dataset.params["line"])
    return sweep.grid(
        list(FAMILY),
        _limits(dataset),
        lambda family, limit: _setting(family, limit, rows[family, limit], whole[limit], line),
    )


def _setting(family: str, limit: int | None, row: Row, whole: Row, line: float) -> Step:
    entries = [
        Bar("mean", row["mean"], "", (row["low"], row["high"]), digits=4),
        Bar("99 in 100 below", row["p99"]),
        Bar("largest", row["largest"]),
    ]
    drawn = bars(entries, title=f"Containment of {row['n']} unrelated pairs", digits=3, maximum=0.65)
    counts = stats(
        [
            (f"pairs at {number_text(line, 2)} or more", data(row["over"]), ""),
            ("shingles of all texts taken out", data(100 * (1 - whole["kept"]), 1, "%"), ""),
            ("texts with too little left", data(whole["too_little"]), ""),
        ]
    )
    words = "nothing taken out" if limit is None else f"shingles of over {limit} texts taken out"
    return Step(
        f"{family}-{limit or 'all'}",
        f"{FAMILY[family]}, {words}",
        "",
        drawn + counts,
        brief=number_text(row["p99"], 3),
        tone=sweep.tone(min(row["p99"], 0.2), 0.2, 0),
    )


WALKTHROUGH = Walkthrough(
    dataset="dedup",
    kind=sweep.KIND,
    id="dedup-thresholds",
    title="How much do unrelated texts share once boilerplate is out?",
    intro=(
        "Pairs of different tenants or issuers, drawn once. A shingle that stands in more texts than the threshold is "
        "taken out of both sides; the further right, the more is taken out."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"rfc-{dataset.params['limit']}",
    cells="Containment that 99 in 100 unrelated pairs stay below",
)
