"""The captures of entitlements and barriers on the small corpus: what they must find, wherever they are run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.capture.api import Payload
from harness.capture.canary_corpus import canary_corpus
from harness.corpus.model import Corpus
from harness.store import Store, open_store
from harness.store.server import Server
from tests.captures import capture_of, captured, standing_figures

pytestmark = [pytest.mark.database, pytest.mark.model]

NAMES = ("authorized_retrieval", "barriers")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return canary_corpus()


@pytest.fixture(scope="module")
def store(server: Server, data: Path, corpus: Corpus) -> Store:
    return open_store(corpus, lambda message: None, data)


@pytest.fixture(scope="module")
def payloads(store: Store, corpus: Corpus) -> dict[str, Payload]:
    return {name: captured(capture_of(name), corpus, store) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_stands_where_it_says(payloads: dict[str, Payload], name: str) -> None:
    assert standing_figures(payloads[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_full_corpus_is_asked_for_and_labels_are_said_to_be_assigned(name: str) -> None:
    capture = capture_of(name)
    assert capture.corpus == "full"
    assert any("assigned by rule" in caveat for caveat in capture.caveats)


def test_tables_are_gone_after_a_capture(payloads: dict[str, Payload], store: Store) -> None:
    with store.maintenance() as conn:
        left = conn.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE '%entitled%'").fetchall()
    assert payloads and left == []


def test_a_condition_alone_hides_what_its_removal_shows(payloads: dict[str, Payload]) -> None:
    found = payloads["authorized_retrieval"].result["conditions"]
    for row in found["questions"]:
        assert row["all"] == row["alone"] == 0 and row["all_rows"] == row["alone_rows"] == 0
        assert row["removed"] > 0
    for case in found["cases"]:
        for setting in case["settings"]:
            hidden = case["condition"] not in setting["without"]
            assert setting["visible"] == (not hidden), (case["condition"], setting)
            assert (setting["rank"] is None) or not hidden


def test_fewer_conditions_never_show_less(payloads: dict[str, Payload]) -> None:
    counts = payloads["authorized_retrieval"].result["conditions"]["counts"]
    seen = {frozenset(row["without"]): row["chunks"] for row in counts}
    assert len(seen) == 7
    assert all(seen[some] <= seen[more] for some in seen for more in seen if some < more)


def test_no_row_of_another_tenant_was_returned(payloads: dict[str, Payload]) -> None:
    checked = payloads["authorized_retrieval"].result["checked"]
    assert checked["foreign"] == checked["asked_tenant_rows"] == 0 < checked["rows"]


def test_plans_are_read_for_every_form_and_statement(payloads: dict[str, Payload]) -> None:
    plans = payloads["authorized_retrieval"].result["plans"]
    kinds = {(row["form"], row["statement"]) for row in plans}
    assert kinds == {(form, s) for form in ("columns", "both", "array", "open") for s in ("count", "nearest")}
    assert all(row["lines"] and row["passed"] >= 0 for row in plans)
    assert not any("Rows Removed" in " ".join(r["lines"]) for r in plans if r["gin"] == "yes" and r["form"] == "open")


def test_filtered_before_ranking_both_worlds_look_the_same(payloads: dict[str, Payload]) -> None:
    rows: list[dict[str, Any]] = payloads["barriers"].result["observables"]
    before = [row for row in rows if row["order"] == "before"]
    assert len(before) == 7
    assert all(row["differs"] == 0 and row["single"] == row["paired"] == 0.5 for row in before)
    after = {row["observable"]: row for row in rows if row["order"] == "after"}
    assert after["missing"]["differs"] > 0 and after["missing"]["paired"] > 0.5


def test_the_insider_finds_what_the_outsider_never_gets(payloads: dict[str, Payload]) -> None:
    sides = payloads["barriers"].result["sides"]
    assert sides["outsider_found"] == 0 and sides["insider_found"] > sides["n"] / 2
    assert sides["outsider_full"] == sides["n"]


def test_the_case_shows_one_page_in_both_worlds(payloads: dict[str, Payload]) -> None:
    case = payloads["barriers"].result["case"]
    worlds = case["worlds"]
    assert worlds["present"]["before"] == worlds["absent"]["before"]
    assert worlds["present"]["total_before"] == worlds["absent"]["total_before"]
    assert worlds["present"]["missing"] > worlds["absent"]["missing"]
    assert not any(row["source"] for row in worlds["absent"]["after"])
    shown = [row["id"] for row in worlds["present"]["after"] if row["visible"]]
    assert shown == worlds["present"]["before"][: len(shown)]
    assert len(case["source"]["excerpt"]) <= 300
