"""A dataset says of itself what its capture says today, also when the capture's file was moved or changed since."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="the harness extra is not installed")

from harness.capture import registry
from harness.paths import DATASETS, ROOT
from provenance.canonical import rounded
from provenance.state import read_dataset
from tests.captures import capture_of


@pytest.mark.parametrize("name", [name for name in registry.names() if (DATASETS / f"{name}.json").exists()])
def test_parameters_and_words_of_a_dataset_are_those_of_its_capture(name: str) -> None:
    capture, dataset = capture_of(name), read_dataset(ROOT, name)
    said = {key: dataset[key] for key in ("name", "title", "describes", "kind", "caveats", "determinism", "volatile")}
    assert said == {
        "name": capture.name, "title": capture.title, "describes": capture.describes, "kind": capture.kind,
        "caveats": list(capture.caveats), "determinism": capture.determinism.as_dict(),
        "volatile": list(capture.volatile),
    }  # fmt: skip
    declared = rounded(capture.params)
    assert {key: dataset["params"].get(key) for key in declared} == declared
