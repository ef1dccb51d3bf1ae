"""A small repository with one dataset, as files in a temporary folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from provenance.canonical import sha256_bytes
from provenance.codehash import file_digest
from provenance.digests import sealed

SCRIPT = "harness/experiments/demo/capture.py"
HELPER = "harness/fusion.py"
INPUT = "data/golden/queries.json"
COMMIT = "0" * 40


class Repo:
    """The folder, its dataset ``demo``, and ways to spoil both."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write(SCRIPT, '"""A capture."""\n\nfrom harness.fusion import K\n\nCAPTURE = K\n')
        self.write(HELPER, '"""Fusion."""\n\nK = 60  # from the paper\n')
        self.write(INPUT, '{"queries": []}\n')
        self.dataset = self._dataset()
        self.save(self.dataset)
        self.record_canary("c" * 64)

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def code(self) -> dict[str, str]:
        return {path: file_digest(self.root / path) for path in (HELPER, SCRIPT)}

    def record_canary(self, digest: str, code: dict[str, str] | None = None) -> None:
        record = {"demo": {"digest": digest, "code": self.code() if code is None else code}}
        self.write("data/canary.json", json.dumps(record))

    def save(self, dataset: dict[str, Any]) -> None:
        self.write("data/interactive/demo.json", json.dumps(dataset, indent=1))

    def changed(self, change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The dataset after a change and sealed again, as a capture would have written it; saved."""
        copy = deepcopy(self.dataset)
        change(copy)
        copy = sealed(copy)
        self.save(copy)
        return copy

    def _dataset(self) -> dict[str, Any]:
        raw = (self.root / INPUT).read_bytes()
        return sealed(
            {
                "provenance_version": 1,
                "schema": "zeroth/demo/1",
                "name": "demo",
                "title": "Demo",
                "describes": "A demonstration over no queries.",
                "kind": "measured",
                "generated_by": {
                    "script": SCRIPT,
                    "regenerate": "python -m harness regenerate demo",
                    "commit": COMMIT,
                    "dirty": False,
                    "code": [{"path": path, "sha256": digest} for path, digest in self.code().items()],
                },
                "caveats": ["Nothing was measured."],
                "inputs": [
                    {
                        "name": "queries", "uri": INPUT, "sha256": sha256_bytes(raw), "bytes": len(raw),
                        "records": 0, "licence": "MIT", "available": "repo",
                    }
                ],
                "models": [{"role": "embedder", "name": "none@1", "sha256": "a" * 64}],
                "params": {"k": 60},
                "environment": {"python": "3.11.2", "lock": None, "packages": {}, "cpu": "none", "cores": 2},
                "run": {
                    "id": "demo-1", "started": "2026-01-01T00:00:00Z", "finished": "2026-01-01T00:00:01Z",
                    "seconds": 1.0,
                },
                "determinism": {"kind": "exact"},
                "volatile": ["/timings"],
                "digest": "",
                "integrity": "",
                "canary": "c" * 64,
                "verified": [],
                "figures": {
                    "k": {"value": 60, "unit": "", "label": "the constant", "digits": 0, "at": "/result/k"},
                    "p50": {
                        "value": 1.25, "unit": "ms", "label": "median time", "digits": 2, "n": 30,
                        "interval": [1.0, 1.5], "at": "/timings/p50", "volatile": True,
                    },
                },
                "result": {
                    "k": 60,
                    "rows": [{"run_id": "demo-1", "rank": 1, "doc": "d1", "excerpt": "Short and sourced."}],
                    "sources": {"d1": {"title": "One", "url": "https://example.org/1", "licence": "MIT"}},
                },
                "timings": {"p50": 1.25},
            }
        )  # fmt: skip
