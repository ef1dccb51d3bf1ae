"""The captures over layouts and policies on a small corpus: figures stand where they say, and say what they should."""

from __future__ import annotations

from typing import Any

import pytest

from harness.capture.api import Payload
from harness.corpus.model import Corpus
from harness.measuring.layouts.measure import asked
from harness.store import Store
from tests.captures import capture_of, captured, standing_figures

pytestmark = pytest.mark.database

NAMES = ("rls_bypasses", "iterative_scan", "partitioning", "topologies")


@pytest.fixture(scope="module")
def payloads(store: Store, corpus: Corpus) -> dict[str, Payload]:
    return {name: captured(capture_of(name), corpus, store) for name in NAMES}


def readings(payload: Payload) -> list[dict[str, Any]]:
    return list(payload.result["readings"])


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_stands_where_it_says(payloads: dict[str, Payload], name: str) -> None:
    assert standing_figures(payloads[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_full_corpus_is_asked_for(name: str) -> None:
    assert capture_of(name).corpus == "full"
    assert capture_of(name).params.get("questions", 100) >= 100


def test_an_iterative_scan_fills_what_a_plain_one_leaves_empty(payloads: dict[str, Payload]) -> None:
    found = {(row["cell"], row["way"]): row["measured"] for row in readings(payloads["iterative_scan"])}
    assert found["away1", "off"]["recall"] < 0.2 < 0.9 < found["away1", "relaxed_1000"]["recall"]
    assert found["away1", "relaxed_1000"]["short"] == found["scattered", "relaxed_1000"]["short"] == 0
    assert found["away1", "strict_1000"]["unordered"] == 0
    assert all(set(row["plans"]) == {"hnsw index scan"} for row in found.values())


def test_the_predicate_changes_the_plan_and_not_the_result(payloads: dict[str, Payload]) -> None:
    result = payloads["partitioning"].result
    assert all(row["differing"] == 0 and row["gain"] == 0 for row in result["predicate"])
    scans = {(row["cell"], row["way"]): row["measured"]["scans"] for row in result["readings"]}
    assert (scans["home1", "with_ef10"], scans["home1", "without_ef10"]) == (1, 4)
    assert [plan["way"] for plan in result["plans"]] == ["with_ef10", "without_ef10", "own_with", "own_without"]


def test_a_partition_smaller_than_ef_search_is_read_whole(payloads: dict[str, Payload]) -> None:
    small = [row for row in payloads["partitioning"].result["small"] if row["ef_search"] == 40]
    assert [(row["partitions"], row["askings"], row["measured"]["recall"]) for row in small] == [(4, 20, 1), (4, 20, 1)]


def test_layouts_agree_exactly_and_differ_in_what_a_mistake_exposes(payloads: dict[str, Payload]) -> None:
    result = payloads["topologies"].result
    assert result["exact_agreement"]["same"] == result["exact_agreement"]["searches"] == 4 * 5 * 20
    most = {(row["layout"], row["mistake"]): row["rows_most"] for row in result["exposures"]}
    assert most["pool", "no_policy"] > most["bridge", "no_policy"] > most["silo", "no_policy"] == 0
    assert {row["layout"]: row["tables"] for row in result["layouts"]} == {
        "pool": 1,
        "partitions": 4,
        "silo": 4,
        "bridge": 3,
    }


def test_questions_are_spread_evenly_over_all(corpus: Corpus) -> None:
    every = [query.id for query in asked(corpus, 1_000)]
    some = [query.id for query in asked(corpus, 5)]
    assert (len(every), len(some)) == (20, 5)
    assert (some[0], some[-1]) == (every[0], every[-1])
