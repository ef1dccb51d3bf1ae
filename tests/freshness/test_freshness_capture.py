"""The capture over the small memos: a superseded document disappears, and the questions about it are told apart."""

from __future__ import annotations

import numpy as np
import pytest

from harness.answering.extractive import Answer
from harness.corpus.model import Corpus, Query
from harness.experiments.freshness import answers, searches
from harness.experiments.freshness.capture import CAPTURE
from harness.experiments.freshness.cases import LONGEST, cases
from harness.freshness.validity import Register, register
from harness.pipeline import Pipeline
from tests.answering.small import corpus as small
from tests.freshness.test_validity import Entry


@pytest.fixture(scope="module")
def memos() -> Corpus:
    return small()


@pytest.fixture(scope="module")
def known() -> Register:
    """Memo 1 was replaced by memo 2, memo 3 by one that is not here."""
    gone = {"memo1": ("memo2",), "memo3": ("memo9",)}
    return register([Entry(f"memo{n}", obsoleted_by=gone.get(f"memo{n}", ())) for n in range(1, 5)])


@pytest.fixture(scope="module")
def asked(memos: Corpus, known: Register) -> tuple[Pipeline, list[Query], searches.Lists, answers.Answered]:
    pipeline, queries = Pipeline(memos), sorted(memos.queries, key=lambda query: query.id)
    vectors = memos.query_vectors(queries)
    allowed = pipeline.mask({chunk.id for chunk in memos.chunks if not known.superseded(chunk.doc)})
    lists = searches.search_all(pipeline, queries, vectors, known, allowed, 3)
    return pipeline, queries, lists, answers.answer_all(pipeline, memos, queries, vectors, known, allowed)


Asked = tuple[Pipeline, list[Query], searches.Lists, answers.Answered]


def test_no_filtered_list_and_no_answer_holds_a_superseded_passage(asked: Asked, known: Register) -> None:
    _, queries, lists, answered = asked
    for query in queries:
        for found in lists.values():
            assert all(not known.superseded(hit.id.partition(":")[0]) for hit in found[query.id].fresh.hits)
        trace = answered.fresh[query.id]
        assert all(not known.superseded(quote.chunk.partition(":")[0]) for quote in trace.answer.quotes)


def test_a_list_filtered_before_ranking_is_full_where_one_filtered_afterwards_is_short(asked: Asked) -> None:
    found = asked[2]["dense"]["q1"]
    assert len(found.open) == len(found.fresh.hits) == 3
    assert found.left == 3 - len(found.fresh.excluded) < 3


def test_first_results_of_superseded_documents_are_counted(asked: Asked, memos: Corpus, known: Register) -> None:
    row = searches.summary("lexical", asked[2]["lexical"], known, memos)
    first = [one.open[0].id.partition(":")[0] for one in asked[2]["lexical"].values() if one.open]
    assert row["first_superseded"] == sum(doc in ("memo1", "memo3") for doc in first) > 0
    assert row["heir_in_corpus"] == sum(doc == "memo1" for doc in first)


def test_every_outcome_is_counted_once(asked: Asked, known: Register) -> None:
    pipeline, queries, _, answered = asked
    row = answers.summary(answered, pipeline, queries, known)
    assert row["given_fresh"] + row["nothing_fresh"] + row["nothing"] == row["questions"] == len(queries)
    assert row["citations_hold"] == row["citations"] > 0
    assert row["citing_then_answered"] + row["citing_then_nothing_fresh"] == row["citing"]


def test_questions_from_superseded_documents_lose_their_source_and_others_do_not(
    asked: Asked, memos: Corpus, known: Register
) -> None:
    dead, living = answers.by_source(asked[3], memos, asked[1], known)
    assert (dead["questions"], living["questions"]) == (4, 2)
    assert dead["right"] > dead["right_fresh"] == 0
    assert dead["heir_in_corpus"] == 2


def test_a_case_shows_where_its_quote_comes_from(asked: Asked, memos: Corpus, known: Register) -> None:
    pipeline, queries, lists, answered = asked
    shown = cases(pipeline, memos, queries, lists, answered, known)
    assert shown
    for case in shown:
        quote = case["answers"]["open"]["quote"]
        assert len(quote["excerpt"]) <= LONGEST and quote["url"] and quote["licence"]
        assert len({one["query"]["id"] for one in shown}) == len(shown)


def test_an_answer_without_quotes_is_not_given(asked: Asked) -> None:
    trace = asked[3].open["q1"]
    empty = type(trace)(**{**trace.__dict__, "answer": Answer((), declined=True)})
    assert not asked[3].given(empty)


def test_the_capture_asks_of_the_full_corpus() -> None:
    assert CAPTURE.corpus == "full" and CAPTURE.params["k"] == 10
    assert np.isclose(CAPTURE.determinism.abs, 1e-3)
