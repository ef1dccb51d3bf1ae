"""What a page tells of hidden rows: observables against hand-worked pages, guesses against what they must be."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from harness.corpus.model import Chunk, Corpus, Document, Query, Vectors
from harness.entitlements.classification import Label
from harness.experiments.barriers import observe
from harness.experiments.barriers.guess import guess, learn, single_scores
from harness.experiments.barriers.observe import page, scores, solved_df, statistics
from harness.experiments.barriers.timed import ways
from harness.experiments.barriers.worlds import Rows, family, halves, held
from harness.retrieval.bm25 import build

TEXTS = {
    "d1": "the seal of the pump must be changed twice a year",
    "d2": "the pump is painted blue",
    "d3": "a valve opens at nine bar and the seal holds",
    "d4": "invoices are due in thirty days",
    "d5": "the valve is painted red",
    "d6": "meetings are held on mondays",
}
LABELS = {doc: Label(0, "north" if number % 2 == 0 else "south", "") for number, doc in enumerate(TEXTS)}


def _corpus() -> Corpus:
    documents = [
        Document(doc, doc, "https://example.org", "0" * 64, f"t{number}", "", "CC0-1.0", None, text)
        for number, (doc, text) in enumerate(TEXTS.items())
    ]
    chunks = [
        Chunk(f"{doc}:0", doc, f"t{number}", 0, 0, 1, text, 9, None, None, "")
        for number, (doc, text) in enumerate(TEXTS.items())
    ]
    evidence = {"a": ("d1", "changed twice  a year"), "b": ("d2", "painted"), "c": ("d3", "nine bar"), "d": ("d4", "x")}
    queries = [
        Query(name, "when is the seal changed", "t", "fact", doc, None, None, words, "hand")
        for name, (doc, words) in evidence.items()
    ]

    def embed(texts: object) -> Vectors:
        raise AssertionError("nothing is embedded here")

    return Corpus("barrier", documents, chunks, queries, embed)


def test_only_questions_that_one_side_can_answer_are_kept() -> None:
    questions = held(_corpus(), LABELS)
    # "painted" stands on both sides, "x" in no document.
    assert [(q.query.id, q.source, q.side, q.outside) for q in questions] == [
        ("a", "d1", "north", "south"),
        ("c", "d3", "north", "south"),
    ]
    assert [q.control for q in questions] == ["d3", "d1"]
    assert [family(doc) for doc in ("rfc8446", "cuad-x-1", "sec-aapl")] == ["rfc", "cuad", "sec"]


def test_both_worlds_show_the_outsider_the_same_rows_and_differ_in_two_hidden_documents() -> None:
    corpus = _corpus()
    rows = Rows.of(corpus, LABELS)
    for question in held(corpus, LABELS):
        present, absent, visible = rows.present(question), rows.absent(question), rows.visible(question)
        assert (present & visible).tolist() == (absent & visible).tolist() == visible.tolist()
        differ = [corpus.chunks[row].doc for row in np.flatnonzero(present != absent)]
        assert differ == sorted((question.source, question.control))
    first, second = halves(held(corpus, LABELS), "north")
    assert first == {"d1"} and second == {"d3"}


def test_a_page_by_hand() -> None:
    cosines = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    exists = np.array([True, True, True, True, True, False])
    visible = np.array([False, False, True, False, True, True])
    after = page(cosines, exists, visible, 4, 0.6, after=True)
    assert (after.missing, after.total, after.first_rank, after.normalised) == (3, 4, 3, round(0.7 / 0.9, 4))
    before = page(cosines, exists, visible, 4, 0.6, after=False)
    assert (before.missing, before.total, before.first_rank, before.normalised) == (0, 1, 1, 1.0)


def test_a_page_without_any_visible_row_has_no_score() -> None:
    hidden = page(np.array([0.9, 0.8]), np.ones(2, bool), np.zeros(2, bool), 2, 0.5, after=True)
    assert (hidden.missing, hidden.first_rank, hidden.normalised) == (2, 3, 0.0)


def test_scores_by_the_index_statistics_are_those_of_the_index() -> None:
    index = build((f"{doc}:0", text) for doc, text in TEXTS.items())
    everything = np.ones(len(TEXTS), dtype=bool)
    query = "the seal of the valve"
    ours = scores(index, Counter(index.tokeniser(query)), statistics(index, everything), everything)
    assert ours == pytest.approx(index.scores(query)[0])


def test_statistics_over_own_rows_know_nothing_of_the_others() -> None:
    index = build((f"{doc}:0", text) for doc, text in TEXTS.items())
    own = np.array([doc in ("d2", "d4", "d6") for doc in TEXTS])
    fewer = build((f"{doc}:0", text) for doc, text in TEXTS.items() if doc in ("d2", "d4", "d6"))
    query = "the pump is painted"
    ours = scores(index, Counter(index.tokeniser(query)), statistics(index, own), own)[own]
    assert ours == pytest.approx(fewer.scores(query)[0])


def test_a_printed_score_gives_away_how_many_hidden_rows_hold_a_word() -> None:
    index = build((f"{doc}:0", text) for doc, text in TEXTS.items())
    visible = np.array([doc in ("d2", "d4", "d6") for doc in TEXTS])
    everything, own = statistics(index, np.ones(len(TEXTS), bool)), statistics(index, visible)
    assert own.df("painted") == 1 and everything.df("painted") == 2
    assert solved_df(index, "painted", everything, own, visible) == 2
    assert solved_df(index, "painted", own, own, visible) == 1


def test_observations_that_tell_the_worlds_apart_are_always_guessed() -> None:
    found = guess([3.0] * 6, [1.0] * 6, higher=True, resamples=200, seed=1)
    assert (found.single.mean, found.paired.mean, found.differs, found.established) == (1.0, 1.0, 6, True)
    turned = guess([1.0] * 6, [3.0] * 6, higher=True, resamples=200, seed=1)
    assert (turned.single.mean, turned.paired.mean) == (1.0, 0.0)


def test_equal_observations_are_guessed_half_of_the_time() -> None:
    values = [float(number) for number in range(8)]
    found = guess(values, values, higher=True, resamples=200, seed=1)
    assert (found.single.mean, found.paired.mean, found.differs, found.established) == (0.5, 0.5, 0, False)


def test_noise_is_not_taken_for_a_leak() -> None:
    rng = np.random.default_rng(3)
    found = guess(rng.normal(size=400).tolist(), rng.normal(size=400).tolist(), higher=True, resamples=500, seed=1)
    assert found.single.low < 0.5 < found.single.high or abs(found.single.mean - 0.5) < 0.05
    assert found.paired.low < 0.5 < found.paired.high
    assert not found.established


def test_a_threshold_is_learnt_with_its_direction_and_never_from_the_question_itself() -> None:
    assert learn(np.array([4.0, 5.0]), np.array([1.0, 2.0])) == (3.0, True)
    assert learn(np.array([1.0, 2.0]), np.array([4.0, 5.0])) == (3.0, False)
    # Learnt from itself, either fold would be told apart; learnt from the other, each is judged the wrong way round.
    assert single_scores(np.array([5.0, 1.0]), np.array([1.0, 5.0])).tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="as many of each"):
        guess([1.0], [1.0, 2.0], higher=True, resamples=10, seed=0)


def test_observables_are_named_once_and_each_has_a_direction() -> None:
    assert len({one.id for one in observe.OBSERVABLES}) == len(observe.OBSERVABLES)
    made = ways(10, 40, 20_000, 5, 3)
    assert {way.filter for way in made} == {"after", "before", "own table"}
    assert [way.id for way in made if way.own] == ["own"]
