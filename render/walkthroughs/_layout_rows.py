"""Rows that the captures over layouts share, looked up by reader and way: readings with the times taken beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from render.reading.source import Dataset
from render.walkthroughs._ann_cases import reader

Row = Mapping[str, Any]
SCATTERED = "scattered"


@dataclass(frozen=True)
class Reading:
    """One reading: what was measured over all questions of a cell, and the times of its searches (ms)."""

    n: int
    measured: Row
    time: Row
    row: Row

    @property
    def recall(self) -> float:
        """Mean recall@10 over questions and builds."""
        return float(self.measured["recall"])

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95% interval over questions."""
        low, high = self.measured["interval"]
        return float(low), float(high)


def readings(dataset: Dataset, *keys: str) -> dict[tuple[Any, ...], Reading]:
    """Every reading by the values of ``keys``; times stand in the same order as the readings."""
    rows, times = dataset.at("/result/readings"), dataset.at("/timings/searches")
    return {
        tuple(row[key] for key in keys): Reading(int(row["n"]), row["measured"], time, row)
        for row, time in zip(rows, times, strict=True)
    }


def cells(dataset: Dataset) -> list[str]:
    """Away readers, then home readers, each from few tenants to many, then the reader of everything."""
    rows = [row for row in dataset.at("/result/cells") if row["cell"] != SCATTERED]
    ordered = sorted(rows, key=lambda row: (row["cell"] == "all", row["mode"], int(row["tenants"])))
    return [str(row["cell"]) for row in ordered]


def modes(dataset: Dataset, mode: str) -> list[str]:
    """The cells of one mode, home or away, the reader of everything in neither."""
    return [cell for cell in cells(dataset) if cell.startswith(mode)]


def who(cell: str) -> str:
    """A cell in words."""
    return "all tenants, scattered filter" if cell == SCATTERED else reader(cell)
