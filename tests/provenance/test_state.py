"""Fresh, equivalent, stale: each with its reason, and back again when the reason is undone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from provenance.codehash import file_digest
from provenance.digests import payload_digest, sealed
from provenance.state import State, dataset_state, tree_date
from tests.provenance.sample_repo import HELPER, INPUT, SCRIPT, Repo


def state(repo: Repo, dataset: dict[str, Any] | None = None, today: str = "2026-02-01") -> State:
    return dataset_state(dataset or repo.dataset, repo.root, today)


def test_an_untouched_dataset_is_fresh(repo: Repo) -> None:
    assert state(repo) == State("fresh", (), "hash-checked at build")


def test_comments_and_docstrings_leave_it_fresh(repo: Repo) -> None:
    repo.write(HELPER, '"""Another text."""\n\n\nK = 60\n')
    assert state(repo).name == "fresh"


def test_changed_code_is_stale_until_the_canary_vouches_for_it(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    found = state(repo)
    assert found.name == "stale" and found.blocks
    assert found.reasons == (f"code changed: {HELPER}", f"canary run is older than {HELPER}")
    repo.record_canary("c" * 64)
    assert state(repo) == State("equivalent", (f"code changed: {HELPER}",), "code changed since, equal on the canary")
    repo.write(HELPER, "K = 60\n")
    assert state(repo).name == "fresh"


def test_a_canary_that_differs_does_not_vouch(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.record_canary("d" * 64)
    assert "canary run differs" in state(repo).reasons


def test_a_canary_does_not_vouch_for_code_it_does_not_run(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.record_canary("c" * 64, {SCRIPT: file_digest(repo.root / SCRIPT)})
    assert f"the canary does not run {HELPER}" in state(repo).reasons


def test_without_a_recorded_canary_changed_code_is_stale(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.write("data/canary.json", "{}")
    assert "no canary run recorded" in state(repo).reasons
    (repo.root / "data/canary.json").unlink()
    assert state(repo).name == "stale"


def test_a_dataset_without_canary_digest_is_never_equivalent(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.record_canary("c" * 64)
    assert state(repo, sealed({**repo.dataset, "canary": None})).name == "stale"


def test_removed_code_is_equivalent_when_what_replaced_it_gives_the_same_canary(repo: Repo) -> None:
    (repo.root / HELPER).unlink()
    assert f"code removed: {HELPER}" in state(repo).reasons
    repo.write(SCRIPT, "CAPTURE = 60\n")
    repo.record_canary("c" * 64, {SCRIPT: file_digest(repo.root / SCRIPT)})
    assert state(repo).name == "equivalent"


def test_code_that_does_not_parse_is_changed_code(repo: Repo) -> None:
    repo.write(HELPER, "K = = 1\n")
    assert f"code changed: {HELPER}" in state(repo).reasons


def test_a_changed_input_is_stale_whatever_the_canary_says(repo: Repo) -> None:
    repo.write(INPUT, '{"queries": [1]}\n')
    assert state(repo).reasons == (f"input changed: {INPUT}",)
    (repo.root / INPUT).unlink()
    assert state(repo).reasons == (f"input removed: {INPUT}",)


def test_another_dataset_as_input_counts_by_its_result(repo: Repo) -> None:
    other = {**repo.dataset, "name": "other"}
    repo.write("data/interactive/other.json", json.dumps(other))
    entry = {**repo.dataset["inputs"][0], "uri": "data/interactive/other.json", "from": "other"}
    dataset = sealed({**repo.dataset, "inputs": [{**entry, "sha256": other["digest"]}]})
    assert state(repo, dataset).name == "fresh"
    verified = {**other, "verified": [{"date": "2026-01-02", "by": "rerun", "outcome": "same digest"}]}
    repo.write("data/interactive/other.json", json.dumps(verified))
    assert state(repo, dataset).name == "fresh"
    repo.write("data/interactive/other.json", json.dumps({**other, "digest": "e" * 64}))
    assert state(repo, dataset).reasons == ("input changed: data/interactive/other.json",)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("result", {"k": 61}, "payload edited by hand"),
        ("caveats", [], "file edited by hand"),
        ("describes", "Something better.", "file edited by hand"),
        ("timings", {"p50": 0.1}, "file edited by hand"),
        ("params", {"k": 61}, "file edited by hand"),
    ],
)
def test_an_edit_by_hand_is_stale(repo: Repo, key: str, value: Any, reason: str) -> None:
    assert state(repo, {**repo.dataset, key: value}).reasons == (reason,)


def test_a_verification_is_no_edit_and_is_told(repo: Repo) -> None:
    verified = [{"date": "2026-01-02", "by": "rerun", "outcome": "same digest"}]
    assert state(repo, {**repo.dataset, "verified": verified}).text == (
        "re-run on 2026-01-02 (same digest), hash-checked at build"
    )


def test_a_stale_dataset_may_be_published_until_a_date(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    excuse = {"reason": "recapture under way", "until": "2026-02-01"}
    excused = state(repo, {**repo.dataset, "stale_ok": excuse})
    assert excused.excused and not excused.blocks and "recapture under way" in excused.text
    late = state(repo, {**repo.dataset, "stale_ok": excuse}, today="2026-02-02")
    assert late.blocks and "its exception ended on 2026-02-01" in late.reasons


def test_the_date_of_the_tree_comes_from_its_newest_capture_without_history(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repo.root.parent))  # the folder of tests may lie in a checkout
    assert tree_date(repo.root) == "2026-01-01"


def test_volatile_paths_and_figures_do_not_enter_the_digest(repo: Repo) -> None:
    again = {**repo.dataset, "timings": {"p50": 9.0}}
    again["figures"] = {**again["figures"], "p50": {**again["figures"]["p50"], "value": 9.0}}
    assert payload_digest(again) == repo.dataset["digest"]
    again["result"] = {**again["result"], "k": 61}
    assert payload_digest(again) != repo.dataset["digest"]
