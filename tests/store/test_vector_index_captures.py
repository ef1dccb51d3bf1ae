"""The captures over vector indexes on a small corpus: figures stand where they say, and recall moves as it must."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from harness.capture.api import Payload
from harness.corpus.model import Corpus
from harness.errors import HarnessError
from harness.measuring.indexes import searches
from harness.measuring.indexes.table import Exchangeable
from harness.store import Store
from harness.store.layouts import HALF_EXPRESSION, Index, Scan
from tests.captures import capture_of, captured, standing_figures

pytestmark = pytest.mark.database

NAMES = ("ef_sweep", "ivf_pq")


@pytest.fixture(scope="module")
def labelled(corpus: Corpus) -> Corpus:
    """The small corpus with the text of one chunk of its document as every question's evidence."""
    first = {chunk.doc: chunk.text for chunk in reversed(corpus.chunks)}
    queries = [dataclasses.replace(query, evidence=first[query.doc or ""]) for query in corpus.queries]
    return Corpus(corpus.name, list(corpus.documents.values()), corpus.chunks, queries, corpus._embed)


@pytest.fixture(scope="module")
def payloads(store: Store, labelled: Corpus) -> dict[str, Payload]:
    return {name: captured(capture_of(name), labelled, store) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_stands_where_it_says(payloads: dict[str, Payload], name: str) -> None:
    assert standing_figures(payloads[name], capture_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_full_corpus_is_asked_with_many_questions_and_several_builds(name: str) -> None:
    capture = capture_of(name)
    assert capture.corpus == "full"
    assert capture.params["questions"] >= 200 and capture.params["builds"] >= 3


@pytest.mark.parametrize("name", NAMES)
def test_exact_search_agrees_with_numpy_for_every_question(payloads: dict[str, Payload], name: str) -> None:
    exact = payloads[name].result["exact"]
    assert exact["same_ids"] == exact["questions"] == 20


@pytest.mark.parametrize("name", NAMES)
def test_the_table_of_a_capture_is_dropped(payloads: dict[str, Payload], store: Store, name: str) -> None:
    assert payloads[name]
    with store.maintenance() as conn:
        assert conn.execute("SELECT to_regnamespace(%s)", [Exchangeable(store).schema]).fetchone() == (None,)


def test_every_reading_of_the_sweep_is_a_scan_of_the_index(payloads: dict[str, Payload]) -> None:
    rows = payloads["ef_sweep"].result["readings"]
    assert [set(row["plans"]) for row in rows] == [{"hnsw index scan"}] * len(rows)
    assert {row["index"] for row in rows} == {"default", "half", "m8"}


def test_a_long_list_finds_at_least_as_much_as_a_short_one(payloads: dict[str, Payload]) -> None:
    rows = payloads["ef_sweep"].result["readings"]
    found = {(row["index"], row["ef_search"]): row["measured"]["recall"]["mean"] for row in rows}
    assert all(found[name, 10] <= found[name, 40] for name in ("default", "half", "m8"))
    assert found["default", 40] > 0.95


def test_a_half_precision_index_takes_fewer_bytes(payloads: dict[str, Payload]) -> None:
    rows = {row["index"]: row["measured"] for row in payloads["ef_sweep"].result["indexes"]}
    assert rows["half"]["bytes_per_vector"] < rows["default"]["bytes_per_vector"]


def readings(payload: Payload, variant: str, size: int = 0) -> list[dict[str, Any]]:
    return [r for r in payload.result["readings"] if (r["variant"], r["code_bytes"]) == (variant, size)]


def test_all_lists_of_full_vectors_lose_nothing_here_and_in_postgresql(payloads: dict[str, Payload]) -> None:
    payload = payloads["ivf_pq"]
    assert readings(payload, "flat")[-1]["recall"] == 1
    whole = [
        r for r in payload.result["postgres"] if (r["index"], r["setting"]) in (("ivfflat_8", 8), ("ivfflat_4", 4))
    ]
    assert [row["measured"]["recall"]["mean"] for row in whole] == [1, 1]
    assert all(set(r["plans"]) == {"ivfflat index scan"} for r in payload.result["postgres"] if r["index"] != "hnsw")


def test_recall_rises_with_every_list_probed_and_codes_never_beat_the_vectors(payloads: dict[str, Payload]) -> None:
    flat = [row["recall"] for row in readings(payloads["ivf_pq"], "flat")]
    assert flat == sorted(flat)
    for size in (8, 48):
        rows = readings(payloads["ivf_pq"], "residual", size)
        assert all(row["recall"] <= row["reranked"] <= most for row, most in zip(rows, flat, strict=True))


def test_the_case_adds_up(payloads: dict[str, Payload]) -> None:
    case = payloads["ivf_pq"].result["case"]
    code = case["code"]
    assert code["centroid"] + sum(code["parts"]) == pytest.approx(code["score"], abs=1e-6)
    assert len(code["numbers"]) == len(code["parts"]) == 8
    assert all(row["probed"] for row in case["exact"] if row["found"] or row["reranked"])
    assert sum(row["exact"] for row in case["found"]) == sum(row["found"] for row in case["exact"])
    listed = {row["order"]: row["exact"] for row in case["lists"]}
    for order, count in listed.items():
        assert sum(row["list"] == order for row in case["exact"]) == count


def test_under_a_policy_all_lists_give_what_exact_search_gives(payloads: dict[str, Payload]) -> None:
    rows = {(row["cell"], row["way"]): row["measured"] for row in payloads["ivf_pq"].result["filtered"]}
    assert [rows[cell, "probes8"]["recall"] for cell in ("home1", "away1")] == [1, 1]
    assert rows["away1", "probes1"]["recall"] < 0.5 and rows["away1", "relaxed"]["empty"] == 0


def test_a_search_that_is_not_a_scan_of_the_index_ends_the_capture(store: Store, labelled: Corpus) -> None:
    table, reader = Exchangeable(store), searches.everyone(labelled)
    table.create([reader], lambda message: None)
    try:
        with table.connect() as conn:
            vectors = labelled.query_vectors(labelled.queries[:2])
            truth, _ = searches.exact_results(table, conn, reader, vectors, 10)
            asked = searches.Asked(labelled.queries[:2], vectors, {}, truth, 10)
            scan = Scan(plan="exact")
            with pytest.raises(HarnessError, match="expected a hnsw index scan, found a sequential scan"):
                searches.read(table, conn, reader, asked, {scan: searches.Reading.empty(1, 2)}, 0)
    finally:
        table.drop()


def test_a_result_that_numpy_does_not_confirm_ends_the_capture(store: Store, labelled: Corpus) -> None:
    table, reader = Exchangeable(store), searches.everyone(labelled)
    table.create([reader], lambda message: None)
    try:
        with table.connect() as conn:
            vectors = labelled.query_vectors(labelled.queries[:2])
            truth, _ = searches.exact_results(table, conn, reader, vectors, 10)
            assert searches.agreement(labelled, vectors, truth, 10) == {"questions": 2, "same_ids": 2}
            with pytest.raises(HarnessError, match="differ by"):
                searches.agreement(labelled, vectors, [truth[0][1:] + truth[0][:1], truth[1]], 10)
    finally:
        table.drop()


def test_the_index_of_a_table_can_be_exchanged_for_any_other_kind(store: Store, labelled: Corpus) -> None:
    table, reader = Exchangeable(store), searches.everyone(labelled)
    table.create([reader], lambda message: None)
    try:
        with table.connect() as conn, store.maintenance() as other:
            vectors = labelled.query_vectors(labelled.queries[:1])
            for index in (Index("ivfflat", lists=4), HALF_EXPRESSION, Index(m=8)):
                assert table.use(index, lambda message: None).bytes > 0
                truth, _ = searches.exact_results(table, conn, reader, vectors, 10)
                asked = searches.Asked(labelled.queries[:1], vectors, {}, truth, 10)
                reading = searches.Reading.empty(1, 1)
                searches.read(table, conn, reader, asked, {Scan(probes=4): reading}, 0)
                assert reading.plans == {index.plan: 1}
                listed = "SELECT count(*) FROM pg_indexes WHERE schemaname = %s AND indexdef LIKE '%%embedding%%'"
                assert other.execute(listed, [table.schema]).fetchone() == (1,)
    finally:
        table.drop()
