"""The audit makes edits to a copy, tells what came of each kind, and leaves the original alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.capture.api import Run
from harness.experiments.provenance_audit.capture import CAPTURE, capture
from harness.experiments.provenance_audit.copy import copied
from harness.experiments.provenance_audit.edits import EDITS, tried
from harness.experiments.provenance_audit.sample import sample
from provenance.state import dataset_state

BY_ID = {edit.id: edit for edit in EDITS}


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit.id != "resealed"], ids=lambda edit: edit.id)
def test_every_kind_of_edit_but_one_is_told_right(edit: object, tmp_path: Path) -> None:
    dataset = sample(tmp_path)
    with copied(dataset, tmp_path) as copy:
        done = tried(BY_ID[edit.id], copy, 10)  # type: ignore[attr-defined]
    assert done["tried"] == done["as_expected"] > 0


def test_an_edit_with_new_digests_passes_unnoticed(tmp_path: Path) -> None:
    dataset = sample(tmp_path)
    with copied(dataset, tmp_path) as copy:
        done = tried(BY_ID["resealed"], copy, 10)
    assert (done["tried"], done["as_expected"]) == (2, 0)


def test_the_repository_and_the_dataset_are_as_before(tmp_path: Path) -> None:
    dataset = sample(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with copied(dataset, tmp_path) as copy:
        for edit in EDITS:
            tried(edit, copy, 10)
        assert copy.state().name == "fresh"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert dataset_state(dataset, tmp_path).name == "fresh"


def test_at_most_so_many_edits_of_a_kind_are_made(tmp_path: Path) -> None:
    with copied(sample(tmp_path), tmp_path) as copy:
        assert tried(BY_ID["figure"], copy, 1)["tried"] == 1


def test_the_capture_counts_chains_and_edits_on_the_sample() -> None:
    payload = capture(Run(CAPTURE.params | CAPTURE.canary_params, canary=True))
    assert payload.result["summary"]["datasets"] == 1
    assert payload.figures["edits_tried"].value == sum(row["tried"] for row in payload.result["edits"])
