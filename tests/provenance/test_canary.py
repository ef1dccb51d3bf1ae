"""``data/canary.json`` is true: each capture, run on the small corpus by today's code, gives what it
records."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the harness extra is not installed")

from harness.capture import registry
from harness.capture.canary import CanaryRun, disagreements
from harness.capture.runner import canary_to
from harness.paths import ROOT
from provenance import canary

NAMES = registry.names()
FORKS = multiprocessing.get_context("forkserver")
"""Each run has a process of its own, forked from one that has loaded what is slow to load and not of this project."""
FORKS.set_forkserver_preload(["numpy", "psycopg", "sentence_transformers", "torch"])


def run_canary(name: str, out: Path) -> CanaryRun:
    """What ``harness.capture.canary.run_canary`` gives, sooner."""
    process = FORKS.Process(target=canary_to, args=(name, out, print))
    process.start()
    process.join()
    assert process.exitcode == 0, f"{name}: the canary run ended with exit code {process.exitcode}"
    record = json.loads(out.read_bytes())
    return CanaryRun(name, record["payload"], record["code"], record["determinism"])


@pytest.mark.model
@pytest.mark.database
@pytest.mark.parametrize("name", NAMES)
def test_the_recorded_canary_of_a_capture_is_what_today_s_code_gives(name: str, tmp_path: Path) -> None:
    assert disagreements(run_canary(name, tmp_path / "run.json")) == []


def test_every_recorded_canary_belongs_to_a_capture_and_has_its_reference() -> None:
    recorded = canary.records(ROOT)
    assert set(recorded) <= set(NAMES)
    assert [name for name in recorded if not (ROOT / canary.REFERENCES / f"{name}.json").exists()] == []
