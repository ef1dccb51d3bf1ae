"""The table of ``python -m harness list``: one dataset a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.capture import registry
from harness.paths import DATASETS, ROOT
from provenance.schema import violations
from provenance.state import dataset_state


def rows(root: Path = ROOT) -> list[dict[str, Any]]:
    """One row a registered capture: name, state and reasons, size in bytes, when it was captured, seconds it took."""
    return [_row(name, DATASETS / f"{name}.json", root) for name in registry.names(root)]


def _row(name: str, path: Path, root: Path) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name, "state": "missing", "reasons": [], "bytes": None, "captured": None, "seconds": None,
        "regenerate": f"python -m harness regenerate {name}",
    }  # fmt: skip
    if not path.exists():
        return row
    raw = path.read_bytes()
    try:
        dataset = json.loads(raw)
        if broken := violations(dataset):
            return row | {"state": "unreadable", "reasons": [str(item) for item in broken], "bytes": len(raw)}
        state = dataset_state(dataset, root)
        run = dataset["run"]
    except ValueError as error:
        return row | {"state": "unreadable", "reasons": [f"not JSON: {error}"], "bytes": len(raw)}
    found = {"state": state.name, "reasons": list(state.reasons), "bytes": len(raw)}
    return row | found | {"captured": run["finished"], "seconds": run.get("seconds")}


def print_listing(as_json: bool) -> int:
    """Print the table; 0 always: a stale dataset is a fact to list, not a failure of listing."""
    found = rows()
    if as_json:
        print(json.dumps(found, indent=1))
        return 0
    for row in found:
        size = f"{row['bytes'] / 1000:,.0f} kB" if row["bytes"] else "–"
        seconds = f"{row['seconds']:,.0f} s" if row["seconds"] else "–"
        print(f"{row['name']:<20} {row['state']:<11} {size:>9} {seconds:>8}  {row['captured'] or ''}")
        for reason in row["reasons"]:
            print(f"{'':<20} └ {reason}")
    return 0
