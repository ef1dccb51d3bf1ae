"""A dataset of two figures with two code files and an input, for the canary run of the audit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from provenance.canonical import sha256_bytes
from provenance.codehash import file_digest
from provenance.digests import sealed

_CODE = {"harness/interactive/sample.py": b"import harness.part\n", "harness/part.py": b"K = 60\n"}
_INPUT = {"data/sample.txt": b"one\ntwo\n"}


def sample(root: Path) -> dict[str, Any]:
    """Writes code and input below ``root`` and returns the dataset that rests on them."""
    for path, data in {**_CODE, **_INPUT}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    inputs = [
        {"name": "two lines", "uri": path, "sha256": sha256_bytes(data), "bytes": len(data), "records": 2,
         "licence": "MIT", "available": "repo"}
        for path, data in _INPUT.items()
    ]  # fmt: skip
    figures = {name: {"value": 60, "unit": "", "label": name, "digits": 0, "at": f"/result/{name}"} for name in "kn"}
    return sealed(
        {
            "name": "sample",
            "kind": "measured",
            "describes": "Two numbers.",
            "generated_by": {"code": [{"path": path, "sha256": file_digest(root / path)} for path in _CODE]},
            "inputs": inputs,
            "models": [],
            "params": {"k": 60},
            "determinism": {"kind": "exact"},
            "volatile": [],
            "verified": [],
            "canary": None,
            "figures": figures,
            "result": {"k": 60, "n": 60},
            "timings": {},
        }
    )
