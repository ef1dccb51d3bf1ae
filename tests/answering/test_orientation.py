"""The orientation captures on a few memos, without model or database: what they say adds up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from harness.capture.api import Capture, Run
from harness.capture.block import payload_of
from harness.corpus.model import Corpus
from harness.experiments.ablation import capture as ablation
from harness.experiments.ablation import rungs
from harness.experiments.diagnosis import capture as diagnosis
from harness.experiments.pipeline_trace import capture as pipeline_trace
from harness.measuring.answered import readers
from harness.measuring.answered.asked import Asked, ask_all
from harness.measuring.answered.outcome import DECLINED, RIGHT, STAGES, outcome
from tests.answering import small

PARAMS = {"depth": 4, "k": 60, "context": 2, "raw_top": 3, "longer": 3, "shown": 3, "cases": 1, "resamples": 50}


class Embedder:
    """Counts words for tokens."""

    tokenizer = SimpleNamespace(encode=lambda text, add_special_tokens: SimpleNamespace(ids=text.split()))

    def encode(self, texts: Sequence[str]) -> Any:
        return small.embed(texts)


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    pytest.importorskip("Stemmer", reason="the extractive answerer stems with PyStemmer")

    def visible(store: Any, corpus: Corpus, principals: Sequence[str]) -> dict[str, frozenset[str]]:
        grants = readers.granted(corpus)
        return readers.by_hand(corpus, {name: grants[name] for name in principals})

    monkeypatch.setattr(readers, "visible", visible)
    monkeypatch.setattr(rungs, "load_embedder", Embedder)
    return small.corpus()


def run_over(corpus: Corpus, capture: Capture | None = None) -> Run:
    params = {**(capture.params if capture else {}), **PARAMS}
    run = Run.over(corpus, params)
    run.open_database = lambda: SimpleNamespace(application=connection)  # type: ignore[assignment,return-value]
    return run


@contextmanager
def connection() -> Any:
    yield None


@pytest.fixture
def asked(corpus: Corpus) -> Asked:
    return ask_all(run_over(corpus))


def captured(capture: Capture, corpus: Corpus) -> dict[str, Any]:
    return payload_of(capture.capture(run_over(corpus, capture)))


def test_an_away_reader_is_given_no_passage_of_the_hidden_group(asked: Asked) -> None:
    for query in asked.arm("away"):
        trace = asked.traces[query.id, "away"]
        assert trace.context and all(chunk.tenant != query.tenant for chunk, _ in trace.context)
        assert all(hit.id.partition(":")[0] in small.TEXTS for hit in trace.lexical + trace.dense)


def test_every_question_is_asked_home_and_away_or_once(asked: Asked) -> None:
    assert len(asked.arm("home")) == len(asked.arm("away")) == 6 and len(asked.arm("none")) == 2
    assert set(asked.arm("home", True)) | set(asked.arm("home", False)) == set(asked.arm("home"))


def test_a_right_answer_is_no_failure_and_an_away_reader_without_the_evidence_has_none(asked: Asked) -> None:
    home = {query.id: outcome(asked, query, "home", 3) for query in asked.arm("home")}
    away = {query.id: outcome(asked, query, "away", 3) for query in asked.arm("away")}
    assert home["q1"].stage in (RIGHT, "floor") and home["q1"].failed == (home["q1"].stage == "floor")
    assert away["q1"].stage == "policy" and away["q1"].failed
    assert all(one.stage in STAGES for one in away.values())


def test_a_right_quote_below_the_floor_is_lost_to_the_floor_and_above_it_right(asked: Asked) -> None:
    query = next(query for query in asked.arm("home") if query.id == "q1")
    for floor, stage in ((0.0, RIGHT), (9.0, "floor")):
        object.__setattr__(asked, "floor", floor)
        assert outcome(asked, query, "home", 3).stage == stage


def test_a_reader_whose_policy_hides_nothing_is_never_told_that_it_did(asked: Asked) -> None:
    assert "policy" not in {outcome(asked, query, "home", 3).stage for query in asked.arm("home")}


def test_evidence_that_no_chunk_holds_fails_the_first_check(asked: Asked) -> None:
    object.__setattr__(asked, "evidence", {})
    query = next(query for query in asked.arm("home") if not asked.quotes_right(query, "home"))
    assert outcome(asked, query, "home", 3).stage == "chunk"


def test_the_diagnosis_counts_every_asking_once(corpus: Corpus) -> None:
    result = captured(diagnosis.CAPTURE, corpus)["result"]
    for arm in ("home", "away"):
        lost = sum(row[f"{arm}_failed"] for row in result["ladder"])
        assert lost == result["outcomes"][arm]["failed"]
        assert lost + result["outcomes"][arm]["right"] == result["outcomes"][arm]["asked"]
        reached = [row[f"{arm}_reached"] for row in result["ladder"]]
        assert reached[0] == lost and reached == sorted(reached, reverse=True)
    assert result["policy_check"]["equal"] == result["policy_check"]["readers"]


def test_the_trace_shows_verified_quotes_and_both_ends(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline_trace, "_agreement", lambda *a: {"cases": 1, "equal": 1, "top": 3})
    result = captured(pipeline_trace.CAPTURE, corpus)["result"]
    assert result["citations"]["verified"] == result["citations"]["quotes"] > 0
    assert {case["stage"] for case in result["cases"]} & {RIGHT}
    assert all(case["failed"] == (case["stage"] not in (RIGHT, DECLINED)) for case in result["cases"])
    assert len({case["id"] for case in result["cases"]}) == len(result["cases"])


def test_the_rows_of_the_ablation_compare_with_the_row_they_name(corpus: Corpus) -> None:
    payload = captured(ablation.CAPTURE, corpus)
    rows = {row["row"]: row for row in payload["result"]["rows"]}
    for gap in payload["result"]["differences"]:
        assert gap["better"] + gap["same"] + gap["worse"] == gap["n"]
        assert (gap["finding"] == "not established") == (gap["low"] <= 0 <= gap["high"])
        key = f"{gap['metric']} {gap['label']}"
        if gap["to"] in rows and rows[gap["to"]][key] is not None:
            assert gap["difference"] == pytest.approx(rows[gap["to"]][key] - rows[gap["base"]][key], abs=1e-5)
    assert rows["neighbours"]["context evidence"] >= rows["fused"]["context evidence"]
    assert rows["neighbours"]["tokens"] > rows["fused"]["tokens"]


def test_the_floor_only_takes_answers_away(corpus: Corpus) -> None:
    result = captured(ablation.CAPTURE, corpus)["result"]
    for part in result["floor"]["parts"]:
        assert part["home_right"] <= part["home_right_no_floor"] <= part["home"]
    curve = result["floor"]["curve"]
    assert curve[0]["answered"] == 1 and [row["answered"] for row in curve] == sorted(
        (row["answered"] for row in curve), reverse=True
    )
