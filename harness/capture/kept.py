"""What readers of a published dataset would miss: its figures held against those that a capture's tables would give.

The tables are laid over the result as it is published, without a new capture. A name that is gone, or whose value,
label, unit, digits, n or interval is another one, is named. Used when a capture moves from figures written by hand to
columns: every name was an address.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture import registry
from harness.capture.tables import Table
from harness.paths import ROOT
from provenance.canonical import rounded
from provenance.figures import TableFault, figures_of
from provenance.state import read_dataset

PARTS = ("value", "label", "unit", "digits", "n", "interval", "volatile")


def unkept(dataset: Mapping[str, Any], tables: Sequence[Table]) -> list[str]:
    """Every figure of a dataset that the tables would lose or change, one line each; new names are no loss."""
    before = figures_of(dataset)
    after = figures_of(laid_over(dataset, tables))
    lines = []
    try:
        known = set(after)
    except TableFault as fault:
        return [str(fault)]
    for name in before:
        if name not in known:
            lines.append(f"{name}: gone ({before[name]['label']})")
            continue
        old, new = before[name], after[name]
        parts = [part for part in PARTS if old.get(part) != new.get(part)]
        lines += [f"{name}: {part} {_shown(old.get(part))}, now {_shown(new.get(part))}" for part in parts]
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Print what each named capture would lose of its published dataset; exit code 1 when anything."""
    parser = argparse.ArgumentParser(
        prog="python -m harness figures",
        description="Hold the tables that captures declare against the figures of their published datasets.",
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="captures with tables")
    bad = [name for name in parser.parse_args(argv).names if not _holds(name)]
    return 1 if bad else 0


def _holds(name: str) -> bool:
    dataset, tables = read_dataset(ROOT, name), registry.load(name).tables
    lines = unkept(dataset, tables)
    declared = len(figures_of(laid_over(dataset, tables)))
    print(f"{name}: {len(figures_of(dataset))} published, {declared} declared, {len(lines)} lost or changed")
    for line in lines:
        print(f"    {line}")
    return not lines


def laid_over(dataset: Mapping[str, Any], tables: Sequence[Table]) -> dict[str, Any]:
    """The dataset with the tables in place of what named its values."""
    return {**dataset, "figures": {}, "tables": rounded([table.as_dict() for table in tables])}


def _shown(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
