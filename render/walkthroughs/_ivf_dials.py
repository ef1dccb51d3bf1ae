"""Bytes of a code and lists probed over their captured grid: dataset ``ivf_pq``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import Bar, bars, data, mark, stats
from render.views.walkthrough import Dial, Step, Walkthrough

Row = Mapping[str, Any]
FLAT, RESIDUAL = "flat", "residual"


def sizes(dataset: Dataset) -> list[Row]:
    """The plain indexes from the shortest code to full vectors."""
    rows = [row for row in dataset.at("/result/bytes") if row["variant"] in (FLAT, RESIDUAL)]
    return sorted(rows, key=lambda row: (row["variant"] == FLAT, row["code_bytes"]))


def stored(dataset: Dataset, row: Row) -> int:
    """Bytes that a list holds of one vector."""
    found = dataset.at("/result/population/vector_bytes") if row["variant"] == FLAT else row["code_bytes"]
    return int(found)


def reading(dataset: Dataset, variant: str, size: int, probes: int) -> Row:
    """One row of the readings."""
    rows: list[Row] = dataset.at("/result/readings")
    return next(r for r in rows if (r["variant"], r["code_bytes"], r["probes"]) == (variant, size, probes))


def _word(dataset: Dataset, row: Row) -> str:
    count = number_text(stored(dataset, row))
    return f"{count} bytes (full vector)" if row["variant"] == FLAT else f"{count} bytes"


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (
        Dial("stored", tuple(_word(dataset, row) for row in sizes(dataset))),
        Dial("lists probed", tuple(str(probes) for probes in dataset.params["probes"])),
    )


def _steps(dataset: Dataset) -> list[Step]:
    probes = [int(number) for number in dataset.params["probes"]]
    return sweep.grid(sizes(dataset), probes, lambda size, number: _setting(dataset, size, number))


def _setting(dataset: Dataset, size: Row, probes: int) -> Step:
    row = reading(dataset, size["variant"], size["code_bytes"], probes)
    whole = reading(dataset, FLAT, 0, probes)
    coded = size["variant"] != FLAT
    entries = [Bar("full vectors, same lists", whole["recall"], "", (whole["recall_low"], whole["recall_high"]))]
    if coded:
        again = Bar(
            f"best {dataset.params['rerank']} reranked", row["reranked"], "",
            (row["reranked_low"], row["reranked_high"]),
        )  # fmt: skip
        alone = Bar(mark("approx", "codes alone"), row["recall"], "approx", (row["recall_low"], row["recall_high"]))
        entries = [alone, again, *entries]
    k = dataset.params["k"]
    recall = bars(entries, title=f"recall@{k} against exact search, {row['n']} questions", digits=3, maximum=1)
    facts = stats(
        [
            ("of all vectors compared", data(100 * row["scanned"], 1, "%"), ""),
            ("bytes a vector in all", data(size["total_bytes"], 1), ""),
            (f"hit@{k}" + (", codes alone" if coded else ""), data(row["hit"], 3), ""),
            *([(f"hit@{k}, reranked", data(row["reranked_hit"], 3), "")] if coded else []),
        ]
    )
    return Step(
        f"{size['code_bytes'] or 'full'}-probes-{probes}",
        f"{_word(dataset, size)}, {_probed(probes)}: recall {number_text(row['recall'], 3)}",
        "",
        recall + facts,
        brief=number_text(row["recall"], 2),
        tone=sweep.tone(row["recall"], 0, 1),
    )


def _probed(probes: int) -> str:
    return f"{probes} list{'' if probes == 1 else 's'} probed"


DIALS = Walkthrough(
    dataset="ivf_pq",
    kind=sweep.KIND,
    id="ivf-pq-dials",
    title="How much do lists lose, and how much codes?",
    intro=(
        "All questions, means over the seeds. Full vectors in the same lists show what the lists alone lose; what the "
        "codes lose comes on top. Reranking compares the best of the codes again by their full vectors."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"{dataset.params['case_bytes']}-probes-{dataset.params['case_probes']}",
    cells="recall@10, codes alone",
)
