"""A small project tree to build: two concepts, a metric, a reference and a sealed dataset, with the real templates."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provenance.canonical import pretty
from provenance.codehash import code_digest
from provenance.digests import sealed

REPOSITORY = Path(__file__).resolve().parents[2]
FIXTURE = Path(__file__).parent / "fixture"
SCRIPT = "harness/experiments/sample/capture.py"


def sample_dataset() -> dict[str, Any]:
    """A dataset as a capture would have written it: a recall table and four figures."""
    rows = [
        {"role": "one tenant", "ef": 40, "recall": 0.4125, "empty": True, "note": None},
        {"role": "all tenants", "ef": 40, "recall": 0.98125, "empty": False, "note": "control"},
    ]
    return sealed(
        {
            "provenance_version": 1,
            "schema": "zeroth/sample/1",
            "name": "sample",
            "title": "Recall behind a filter",
            "describes": "Recall of an approximate index for two roles on a sample of passages.",
            "kind": "measured",
            "generated_by": {
                "script": SCRIPT,
                "regenerate": "python -m harness regenerate sample",
                "commit": "0" * 40,
                "dirty": False,
                "code": [{"path": SCRIPT, "sha256": code_digest(b'"""A capture."""\n')}],
            },
            "caveats": ["One build of the index."],
            "inputs": [],
            "models": [],
            "params": {"k": 10, "index": {"m": 16, "ef": [40, 80]}, "role": "reader"},
            "environment": {"python": "3.11", "lock": "0" * 64, "cpu": "any", "cores": 2},
            "run": {"id": "r1", "started": "2025-05-01T10:00:00Z", "finished": "2025-05-01T10:00:09Z", "seconds": 9.0},
            "determinism": {"kind": "exact"},
            "volatile": ["/timings"],
            "canary": None,
            "verified": [],
            "figures": {
                "recall_one": {
                    "value": 0.4125,
                    "unit": "share",
                    "label": "recall@10, one tenant",
                    "digits": 3,
                    "n": 240,
                    "interval": [0.38, 0.45],
                    "at": "/result/rows/0/recall",
                },
                "recall_all": {
                    "value": 0.98125,
                    "unit": "share",
                    "label": "recall@10, all tenants",
                    "digits": 3,
                    "n": 240,
                },
                "chunks": {"value": 25646, "unit": "chunks", "label": "passages indexed", "digits": 0},
                "p50": {
                    "value": 12.345,
                    "unit": "ms",
                    "label": "median",
                    "digits": 1,
                    "n": 240,
                    "interval": [11.0, 14.0],
                    "volatile": True,
                },
            },
            "result": {"rows": rows, "by_role": {"one": {"n": 3}, "all": {"n": 4}}, "seed": 7},
            "timings": {"p50_ms": 12.345},
        }
    )


class Project:
    """A tree to build in a test; ``write`` changes a file, ``build`` runs the build and returns what it said."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.capsys = capsys

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        text = self.read(path)
        assert old in text, f"{path} has no {old!r}"
        self.write(path, text.replace(old, new))

    def append(self, path: str, text: str) -> None:
        self.write(path, self.read(path) + text)

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def dataset(self, change: Callable[[dict[str, Any]], None]) -> None:
        data = json.loads(self.read("data/interactive/sample.json"))
        change(data)
        self.write("data/interactive/sample.json", pretty(sealed(data)))

    def build(self, *options: str) -> tuple[int, str]:
        import build

        code = build.main([*options], self.root)
        return code, self.capsys.readouterr().err


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Project:
    shutil.copytree(FIXTURE / "content", tmp_path / "content")
    shutil.copytree(REPOSITORY / "templates", tmp_path / "templates")
    shutil.copy(REPOSITORY / "content/numbers.yml", tmp_path / "content/numbers.yml")
    made = Project(tmp_path, capsys)
    made.write("data/interactive/sample.json", pretty(sample_dataset()))
    made.write(SCRIPT, '"""A capture."""\n')
    made.write("site/.gitignore", "*\n!.gitignore\n")
    return made
