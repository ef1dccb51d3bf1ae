"""What counts as the same text, and what a shingle is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.dedup.controls import embedded, hyphenated, reformatted, replaced
from harness.dedup.sets import compare
from harness.dedup.shingles import Shingler, mixed, words
from tests.dedup import plain

WORDS = st.lists(st.text("abcdeé", min_size=1, max_size=4), min_size=0, max_size=60)
TEXTS = WORDS.map(" ".join)
shingle = Shingler(3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The quick brown fox", "the  QUICK\n\tbrown,fox"),
        ("don't stop", "don’t stop"),
        ("pages 3-4", "pages 3–4"),
        ("ﬁnal oﬃce", "final office"),
        ("co\u00adoperation now", "cooperation now"),
        ("STRASSE", "straße"),
        ("a_b c", "a b c"),
    ],
)
def test_case_space_punctuation_and_typographic_variants_make_no_difference(one: str, other: str) -> None:
    assert words(one) == words(other)


def test_words_and_their_order_do_make_a_difference() -> None:
    assert set(shingle("one two three four").tolist()) != set(shingle("one two four three").tolist())
    assert len(set(shingle("a b c").tolist()) & set(shingle("c b a").tolist())) == 0


def test_a_text_of_fewer_words_than_the_width_has_no_shingle() -> None:
    assert len(shingle("one two")) == 0
    assert compare(shingle("one two"), shingle("one two three")).containment is None


def test_a_repeated_sentence_counts_once() -> None:
    assert len(shingle.running("a b c a b c a b c")) == 7
    assert len(shingle("a b c a b c a b c")) == 3


def test_a_width_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Shingler(0)


def test_mixing_maps_different_numbers_to_different_numbers() -> None:
    numbers = np.arange(200_000, dtype=np.uint64)
    assert len(np.unique(mixed(numbers))) == len(numbers)


@given(TEXTS)
def test_there_are_as_many_shingles_as_the_plain_sets_have(text: str) -> None:
    assert len(shingle(text)) == len(plain.shingles(text, 3))


@given(TEXTS, TEXTS)
def test_two_texts_share_as_many_shingles_as_the_plain_sets_do(one: str, other: str) -> None:
    found = compare(shingle(one), shingle(other))
    left, right = plain.shingles(one, 3), plain.shingles(other, 3)
    assert found.shared == len(left & right)
    assert found.containment == plain.containment(left, right)
    assert found.jaccard == plain.jaccard(left, right)


@given(TEXTS, WORDS.map(lambda found: "\n\n".join(found)))
def test_a_text_put_into_another_is_contained_in_it_whole(inner: str, host: str) -> None:
    found = compare(shingle(inner), shingle(embedded(inner, host)))
    assert found.shared == found.left


@given(st.text(max_size=200))
def test_a_text_printed_another_way_is_the_same_text(text: str) -> None:
    if text.upper().casefold() == text.casefold():  # the capital of a dotless i is another letter's
        assert compare(shingle(text), shingle(reformatted(text))).jaccard in (None, 1.0)


def test_a_word_divided_at_a_line_end_costs_the_shingles_that_hold_it() -> None:
    text = " ".join(f"considerable{letter}" for letter in "abcdefghijklmnopqrst")
    damaged = hyphenated(text, every=7)
    assert damaged.count("-\n") == 2
    assert compare(shingle(text), shingle(damaged)).shared == 18 - 2 * 3


def test_words_replaced_at_random_leave_the_share_that_the_formula_gives() -> None:
    text = " ".join(f"w{n}" for n in range(20_000))
    left = compare(Shingler(5)(text), Shingler(5)(replaced(text, 0.05, seed=1))).containment
    assert left == pytest.approx(0.95**5, abs=0.015)
