"""What readers of a published dataset would miss: its figures held against those that a capture's tables would give.

The tables are laid over the result as it is published, without a new capture. A name that is gone, or whose value,
label, unit, digits, n or interval is another one, is named. Used when a capture moves from figures written by hand to
columns: every name was an address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
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
    laid = {**dataset, "figures": {}, "tables": rounded([table.as_dict() for table in tables])}
    after = figures_of(laid)
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


def report(names: Sequence[str], root: Path = ROOT) -> int:
    """Print what each named capture would lose of its published dataset; exit code 1 when anything."""
    bad = 0
    for name in names:
        dataset, tables = read_dataset(root, name), registry.load(name).tables
        lines = unkept(dataset, tables)
        more = len(figures_of({**dataset, "figures": {}, "tables": [table.as_dict() for table in tables]}))
        print(f"{name}: {len(figures_of(dataset))} published, {more} declared, {len(lines)} lost or changed")
        for line in lines:
            print(f"    {line}")
        bad += bool(lines)
    return 1 if bad else 0


def _shown(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
