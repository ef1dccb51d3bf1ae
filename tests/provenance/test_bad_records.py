"""Records and captures that are broken: one line that names place and remedy, and nothing of the rest is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provenance import canary
from provenance.state import dataset_state
from tests.provenance.sample_repo import Repo
from tests.provenance.test_capture import HELPER, SCRIPT, Checkout

RECORD = {"digest": "d", "code": {"a.py": "c"}}
DEEP = "[" * 100_000


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ":1:1: not JSON: Expecting value"),
        ('{\n "a": }', ":2:7: not JSON: Expecting value"),
        (DEEP, ": not JSON: maximum recursion depth exceeded"),
        ("[]", ": expected an object of captures, found list"),
        ('{"a": 1}', ": a: expected an object with digest and code"),
        ('{"a": {"digest": "d", "code": ["a.py"]}}', ": a: expected an object with digest and code"),
        ('{"a": {"digest": "d", "code": {"a.py": 1}}}', ": a: expected an object with digest and code"),
    ],
)
def test_records_of_canary_runs_that_cannot_be_used_are_named_and_vouch_for_nothing(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/canary.json").write_text(text, "utf-8")
    assert canary.fault(tmp_path).startswith(f"data/canary.json{told}")
    assert canary.records(tmp_path) == {}
    assert canary.current_digest(tmp_path, "a") is None


def test_records_that_can_be_used_or_are_not_there_yet_are_no_fault(tmp_path: Path) -> None:
    assert canary.fault(tmp_path) == "" and canary.records(tmp_path) == {}
    (tmp_path / "data").mkdir()
    (tmp_path / "data/canary.json").write_text(json.dumps({"a": RECORD}), "utf-8")
    assert canary.fault(tmp_path) == "" and canary.records(tmp_path) == {"a": RECORD}


def test_one_odd_record_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/canary.json").write_text(json.dumps({"a": RECORD, "b": []}), "utf-8")
    assert canary.records(tmp_path) == {"a": RECORD}


def test_a_stale_dataset_says_that_the_records_are_broken(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.write("data/canary.json", "{")
    reasons = dataset_state(repo.dataset, repo.root).reasons
    assert reasons[-1].startswith("no canary run recorded (data/canary.json:1:2: not JSON: Expecting property name")


def test_broken_references_and_records_end_the_command_in_one_line(checkout: Checkout) -> None:
    checkout.python("-m", "harness.capture.canary")
    reference, records = checkout.root / "data/canary/demo.json", checkout.root / "data/canary.json"
    sound = reference.read_text("utf-8")
    reference.write_text("{", "utf-8")
    for options in ([], ["--check"]):
        done = checkout.python("-m", "harness.capture.canary", "--force", *options, "demo")
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert "demo: failed: data/canary/demo.json:1:2: not JSON" in done.stdout
        assert "or delete it and run: python -m harness canary demo" in done.stdout
    reference.unlink()
    reference.mkdir()
    done = checkout.python("-m", "harness.capture.canary", "--force", "demo")
    assert "data/canary/demo.json: Is a directory" in done.stdout
    reference.rmdir()
    reference.write_text(sound, "utf-8")
    records.write_text("[]", "utf-8")
    done = checkout.python("-m", "harness.capture.canary", "demo")
    assert done.returncode == 1 and "data/canary.json: expected an object of captures, found list" in done.stdout
    done = checkout.python("-m", "harness.capture.canary")
    assert done.returncode == 1 and done.stderr.startswith("data/canary.json: expected an object of captures")
    assert records.read_text("utf-8") == "[]"


def test_a_capture_whose_module_does_not_parse_is_named_with_its_line(checkout: Checkout) -> None:
    checkout.write(HELPER, "def score(rank, k):\n    return (\n")
    done = checkout.python("-m", "harness.capture.runner", "demo", "--no-canary")
    assert done.returncode == 1
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith(f"{checkout.root / HELPER}:2: does not parse: '(' was never closed; mend it, then: ")
    assert line.endswith("python -m harness regenerate demo")
    assert SCRIPT not in line
