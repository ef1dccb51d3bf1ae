"""The listing tells of a broken dataset and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.capture import listing
from tests.provenance.conftest import Repo


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{", "not JSON: "), (json.dumps({"generated_by": None}), "/generated_by: found null, expected object")],
)
def test_a_broken_dataset_is_a_row_with_the_reason(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    folder: Path = repo.root / "data/interactive"
    monkeypatch.setattr(listing, "DATASETS", folder)
    (folder / "demo.json").write_text(text, "utf-8")
    (row,) = listing.rows(repo.root)
    assert row["state"] == "unreadable"
    assert any(item.startswith(reason) for item in row["reasons"])
