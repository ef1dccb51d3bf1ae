"""Rows of ``authorized_retrieval`` by cell and way, and their words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.reading.source import Dataset

Row = Mapping[str, Any]
#: Mode → what the questions are about, short.
REASONS = {
    "home": "home",
    "tenant": "another tenant",
    "classification": "above the clearance",
    "barrier": "behind the barrier",
}
SIZES = {"1": "one tenant", "2": "two tenants", "3": "three tenants", "10": "ten tenants", "all": "all tenants"}


def who(cell: str) -> str:
    """A cell in words: "tenant_10" becomes "ten tenants, another tenant"."""
    mode, _, size = cell.partition("_")
    return f"{SIZES[size]}, {REASONS[mode]}"


def reading(dataset: Dataset, cell: str, way: str) -> Row | None:
    """The row of a cell and a way, or None where no question is of that kind."""
    return next((row for row in dataset.at("/result/readings") if (row["cell"], row["way"]) == (cell, way)), None)
