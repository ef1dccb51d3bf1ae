"""Violations of the schema say path, finding and expectation."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from provenance.canonical import segments
from provenance.schema import load_schema, violations
from tests.provenance.sample_repo import Repo

DELETE = object()


def test_the_schema_is_itself_valid() -> None:
    Draft202012Validator.check_schema(load_schema())


def test_a_dataset_in_order_has_no_violation(repo: Repo) -> None:
    assert violations(repo.dataset) == []


@pytest.mark.parametrize(
    ("pointer", "value", "message"),
    [
        ("/describes", DELETE, "/describes: missing"),
        ("/describes", "  ", '/describes: found "  ", expected text matching'),
        ("/kind", "guessed", '/kind: found "guessed", expected one of measured or derived'),
        ("/extra", 1, "/extra: unknown key; known: "),
        ("/generated_by/commit", "abc", '/generated_by/commit: found "abc"'),
        ("/generated_by/code", [], "/generated_by/code: found []"),
        ("/generated_by/script", "../up.py", "/generated_by/script: "),
        ("/inputs/0/available", "maybe", "/inputs/0/available: found"),
        ("/inputs/0/sha256", None, "/inputs/0/sha256: found null, expected string"),
        ("/determinism", {"kind": "tolerance"}, "/determinism/"),
        ("/determinism", {"kind": "distribution", "runs": 1, "statistic": "mean"}, "/determinism/runs: found 1"),
        ("/volatile/0", "/params", '/volatile/0: found "/params"'),
        ("/figures/k/digits", DELETE, "/figures/k/digits: missing"),
        ("/figures/k/value", True, "/figures/k/value: found true, expected number or string"),
        ("/figures/k/interval", [1], "/figures/k/interval: found [1], expected at least 2 items"),
        ("/figures/Bad-Name", {"value": 1, "unit": "", "label": "x", "digits": 0}, "/figures/Bad-Name: expected"),
        ("/run/started", "yesterday", '/run/started: found "yesterday"'),
        ("/verified", [{"date": "2026-01-01", "by": "eye", "outcome": "fine"}], '/verified/0/by: found "eye"'),
        ("/stale_ok", {"reason": "later"}, "/stale_ok/until: missing"),
    ],
)
def test_a_violation_names_path_finding_and_expectation(repo: Repo, pointer: str, value: Any, message: str) -> None:
    dataset = deepcopy(repo.dataset)
    *parents, last = segments(pointer)
    place: Any = dataset
    for part in parents:
        place = place[int(part) if isinstance(place, list) else part]
    key = int(last) if isinstance(place, list) else last
    if value is DELETE:
        del place[key]
    else:
        place[key] = value
    shown = [str(item) for item in violations(dataset)]
    assert any(item.startswith(message) for item in shown), shown


def test_what_is_no_object_is_a_violation() -> None:
    assert [str(item) for item in violations([])] == ["/: found [], expected object"]
