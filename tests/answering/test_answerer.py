"""The answerer quotes word for word, takes its scores apart, and declines below its floor; citations are checked."""

from __future__ import annotations

import pytest

from harness.answering import floor
from harness.answering.citations import Citation, place, verify
from harness.answering.extractive import Answerer
from harness.answering.sentences import folded, sentences
from harness.evaluation.answers import quotes_evidence
from harness.evaluation.split import held_out
from harness.retrieval import lexical
from tests.answering import small

pytest.importorskip("Stemmer", reason="the extractive answerer stems with PyStemmer")
CORPUS = small.corpus()
CHUNKS = {chunk.id: chunk for chunk in CORPUS.chunks}


@pytest.fixture
def answerer() -> Answerer:
    return Answerer(lexical.index(CORPUS.chunks))


def test_sentences_are_slices_of_the_text() -> None:
    text = (
        'First one ends here now.  "Second" begins there, e.g. with a\n   break in it.\n\nToo short.\n\n'
        "o  an item of a list"
    )
    found = sentences(text)
    assert [one.text for one in found] == [
        "First one ends here now.", '"Second" begins there, e.g. with a break in it.', "o an item of a list",
    ]  # fmt: skip
    assert all(folded(text[one.start : one.end]) == one.text for one in found)


def test_the_sentence_with_most_of_the_question_comes_first(answerer: Answerer) -> None:
    context = [(chunk, 0.5) for chunk in CORPUS.chunks]
    answer = answerer.answer("How often does a ferry leave the northern quay?", context)
    assert answer.quotes[0].text == "A ferry leaves the northern quay every forty minutes."
    assert not answer.declined and len(answer.quotes) == 3


def test_a_score_is_the_weight_covered_plus_the_cosine_of_the_passage(answerer: Answerer) -> None:
    weights = answerer.weights("What does a late reader pay?")
    assert sum(weights.values()) == pytest.approx(1) and set(weights) == {"late", "reader", "pai"}
    best = answerer.candidates("What does a late reader pay?", [(CHUNKS["memo3:0000"], 0.25)])[0]
    assert best.coverage == pytest.approx(1) and best.score == pytest.approx(1.25)


def test_a_word_that_no_passage_holds_weighs_most_and_is_never_covered(answerer: Answerer) -> None:
    weights = answerer.weights("ferry telescope")
    assert weights["telescop"] > weights["ferri"]
    best = answerer.candidates("ferry telescope", [(CHUNKS["memo1:0000"], 0.0)])[0]
    assert best.coverage == pytest.approx(weights["ferri"]) and best.coverage < 0.5


def test_below_the_floor_and_without_a_passage_the_answer_is_declined(answerer: Answerer) -> None:
    context = [(CHUNKS["memo1:0000"], 0.1)]
    assert not answerer.answer("ferry", context, floor=1.1).declined
    assert answerer.answer("ferry", context, floor=1.2).declined
    assert answerer.answer("ferry", []).declined and answerer.answer("ferry", []).score == 0


def test_a_citation_holds_only_for_the_very_words_of_a_passage_in_the_context() -> None:
    words, chunk = "A ferry  leaves the\nnorthern quay", "memo1:0000"
    assert verify(Citation(chunk, words), CHUNKS, [chunk]).holds
    assert not verify(Citation(chunk, words.replace("northern", "southern")), CHUNKS, [chunk]).verbatim
    assert not verify(Citation(chunk, words), CHUNKS, ["memo2:0000"]).in_context
    assert not verify(Citation("memo9:0000", words), CHUNKS, [chunk]).exists
    assert not verify(Citation(chunk, " "), CHUNKS, [chunk]).holds


def test_a_quote_is_placed_on_the_page_where_it_begins() -> None:
    chunk = CHUNKS["memo1:0001"]
    assert place(CORPUS.documents["memo1"], chunk, chunk.text.index("Nobody")) == (1, "1 First")


def test_the_floor_separates_best_and_prefers_the_lower_of_equals() -> None:
    assert floor.choose([0.5, 0.8, 0.9], [0.1, 0.2, 0.6]) == 0.5
    assert floor.choose([3, 4], [1, 2]) == 3
    assert floor.answered([1, 2, 3, 4], 3) == 0.5
    with pytest.raises(ValueError, match="no score"):
        floor.answered([], 1)


def test_a_quote_of_the_evidence_or_of_part_of_it_is_right() -> None:
    assert quotes_evidence("leaves the  northern quay", ["A ferry leaves the northern quay."])
    assert quotes_evidence("One sentence here. And another.", ["One sentence here."])
    assert not quotes_evidence("leaves the northern quay", ["leaves the southern quay", ""])
    assert not quotes_evidence(None, ["anything"]) and not quotes_evidence("", [""])


def test_a_fifth_of_every_category_is_held_out_whatever_else_there_is() -> None:
    held = held_out(CORPUS.queries)
    for category in {query.category for query in CORPUS.queries}:
        group = [query for query in CORPUS.queries if query.category == category]
        assert sum(query.id in held for query in group) == -(-len(group) // 5)
    facts = [query for query in CORPUS.queries if query.category == "fact"]
    assert held_out(facts) == held & {query.id for query in facts}
