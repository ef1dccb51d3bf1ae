"""The skeleton of a dataset: it runs as it is written, and takes no name that is taken."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness.capture.canary_corpus import canary_corpus
from harness.capture.new import files, write
from harness.errors import HarnessError
from tests.captures import captured, declared


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "content/concepts/retrieval").mkdir(parents=True)
    return tmp_path


def test_the_capture_of_a_new_dataset_runs_and_its_tables_fit(root: Path) -> None:
    written = write("query_rewriting", "retrieval", root)
    assert all((root / path).is_file() for path in written) and len(written) == 5
    space: dict[str, object] = {}
    exec((root / "harness/experiments/query_rewriting/capture.py").read_text("utf-8"), space)
    capture = space["CAPTURE"]
    found = declared(capture, captured(capture, canary_corpus()))  # type: ignore[arg-type]
    assert found["figures"]["tenants"]["value"] == len(found["result"]["tenants"]) > 1


def test_every_file_is_of_the_dataset_and_needs_no_edit_elsewhere() -> None:
    made = files("query_rewriting", "retrieval")
    assert all("query_rewriting" in path or "query-rewriting" in path for path in made)
    for path, text in made.items():
        if path.endswith(".py"):
            compile(text, path, "exec")
        assert "{name}" not in text and "{{" not in text, path
    assert "harness.experiments.query_rewriting.capture" in made["tests/experiments/test_query_rewriting.py"]
    assert sys.modules.get("harness.experiments.query_rewriting") is None


@pytest.mark.parametrize(
    ("name", "section", "message"),
    [("Query", "retrieval", "lower-case"), ("taken", "retrieval", "exists"), ("fine", "nowhere", "no such section")],
)
def test_what_cannot_be_written_is_refused_with_the_reason(root: Path, name: str, section: str, message: str) -> None:
    write("taken", "retrieval", root)
    with pytest.raises(HarnessError, match=message):
        write(name, section, root)
