"""``data/canary.json`` is true: each capture, run on the small corpus by today's code, gives what it
records."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="the harness extra is not installed")

from harness.capture import registry
from harness.capture.canary import disagreements, run_canary
from harness.paths import ROOT
from provenance import canary

NAMES = registry.names()


@pytest.mark.model
@pytest.mark.database
@pytest.mark.parametrize("name", NAMES)
def test_the_recorded_canary_of_a_capture_is_what_today_s_code_gives(name: str) -> None:
    assert disagreements(run_canary(name)) == []


def test_every_recorded_canary_belongs_to_a_capture_and_has_its_reference() -> None:
    recorded = canary.records(ROOT)
    assert set(recorded) <= set(NAMES)
    assert [name for name in recorded if not (ROOT / canary.REFERENCES / f"{name}.json").exists()] == []
