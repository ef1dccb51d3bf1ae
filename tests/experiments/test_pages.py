"""Pages: real ones, estimates held against them, and none where there are none."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.capture.api import Payload
from harness.capture.canary_corpus import canary_corpus
from harness.corpus.model import Document
from harness.experiments.pages.capture import CAPTURE
from harness.experiments.pages.estimates import (
    Measures,
    by_characters,
    by_count,
    by_lines,
    distance,
    measures,
    of_others,
)
from harness.experiments.pages.page_labels import ambiguous, kind, label_at, spread
from harness.experiments.pages.quotes import place_of
from harness.experiments.pages.shares import share_interval
from tests.captures import captured, standing_figures

TEXT = "one\ntwo\nthree\nfour\n"


def document(starts: tuple[tuple[int, int, str | None], ...], text: str = TEXT) -> Document:
    return Document("d", "D", "https://example.org/d", "0" * 64, "t", "T", "test", len(starts) or None, text, starts)


@pytest.fixture(scope="module")
def payload() -> Payload:
    return captured(CAPTURE, canary_corpus())


def test_every_figure_stands_where_it_says(payload: Payload) -> None:
    assert len(standing_figures(payload)) > 60


def test_no_chunk_of_a_document_without_pages_carries_a_page(payload: Payload) -> None:
    assert payload.result["population"]["page_invented"] == payload.result["population"]["page_missing"] == 0
    assert payload.result["families"][0]["unpaged"] == 2
    (case,) = [case for case in payload.result["cases"] if case["case"] == "unpaged"]
    assert case["page_first"] is None and case["label_first"] is None and case["section"]
    assert "count" not in case["estimates"]


def test_the_publishers_page_counts_agree_with_the_form_feeds(payload: Payload) -> None:
    row = payload.result["families"][0]
    assert row["publisher_agrees"] == row["publisher_counts"] == row["paged"] == 10


def test_chunks_are_counted_once_by_the_pages_they_lie_on(payload: Payload) -> None:
    for counts in payload.result["families"][0]["chunkers"].values():
        assert counts["one"] + counts["two"] + counts["more"] == counts["paged"]
        assert counts["paged"] + counts["of_unpaged"] == counts["chunks"]
        assert counts["two"] > 0


def test_a_quote_on_the_second_page_of_its_chunk_is_shown_with_its_own_page(payload: Payload) -> None:
    (case,) = [case for case in payload.result["cases"] if case["case"] == "quote"]
    assert case["page_first"] < case["quote_page"] <= case["page_last"]


def test_the_trail_of_a_document_names_each_of_its_pages_once(payload: Payload) -> None:
    for trail in payload.result["trails"]:
        assert [point["page"] for point in trail["points"]] == list(range(1, trail["pages"] + 1))


@pytest.mark.parametrize(
    ("physical", "label", "expected"),
    [(1, "1", "same"), (5, "3", "shifted"), (2, "ii", "roman"), (90, "F-12", "prefixed"), (4, None, "none"),
     (4, "", "none")],
)  # fmt: skip
def test_a_label_is_told_by_its_relation_to_the_index(physical: int, label: str | None, expected: str) -> None:
    assert kind(physical, label) == expected


def test_labels_that_two_pages_print_are_ambiguous() -> None:
    assert ambiguous(document(((0, 1, "1"), (4, 2, "2"), (8, 3, "1"), (14, 4, None)))) == 2


def test_the_label_of_an_offset_is_that_of_the_page_that_holds_it() -> None:
    one = document(((0, 1, "i"), (8, 2, None)))
    assert (label_at(one, 0), label_at(one, 7), label_at(one, 8)) == ("i", "i", None)
    assert label_at(document(()), 5) is None


def test_chunks_are_spread_over_one_two_or_more_pages() -> None:
    assert spread([(1, 1), (1, 2), (2, 5), (None, None)]) == {"none": 1, "one": 1, "two": 1, "more": 1}


def test_measuring_a_document_without_pages_is_refused() -> None:
    with pytest.raises(ValueError, match="no pages"):
        measures(document(()))


def test_the_document_estimated_is_left_out_of_its_familys_mean() -> None:
    own, other = Measures(100, 10, 1), Measures(900, 30, 3)
    assert of_others([own, other], own) == (300, 10)
    assert of_others([own], own) == (100, 10)


def test_lines_are_counted_before_the_character() -> None:
    guess = by_lines(TEXT, 2)
    assert [guess(at) for at in (0, 3, 4, 8, 14)] == [1, 1, 1, 2, 2]


@given(st.integers(1, 500), st.integers(1, 60), st.data())
def test_a_page_count_spread_evenly_stays_within_the_document_and_never_goes_back(
    characters: int, pages: int, data: st.DataObject
) -> None:
    guess = by_count(characters, pages)
    found = [guess(at) for at in range(characters)]
    assert found[0] == 1 and max(found) <= pages
    assert all(a <= b for a, b in itertools.pairwise(found))


@given(st.integers(1, 80), st.integers(1, 20))
def test_pages_of_equal_length_are_estimated_without_a_fault(length: int, pages: int) -> None:
    by_size, by_number = by_characters(length), by_count(length * pages, pages)
    for at in range(length * pages):
        assert by_size(at) == by_number(at) == at // length + 1


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 5))
def test_the_distance_is_nought_on_every_page_of_the_passage_and_there_only(page: int, first: int, more: int) -> None:
    assert (distance(page, first, first + more) == 0) == (first <= page <= first + more)


def test_a_quote_is_found_whatever_its_white_space() -> None:
    assert place_of("two three", "one two\n   three") == (4, 16)
    assert place_of("two four", "one two three") is None
    assert place_of("", "one") is None


def test_the_interval_draws_documents_and_not_passages() -> None:
    share, low, high = share_interval([100, 0], [100, 100], 2000, 0)
    assert (share, low, high) == (0.5, 0.0, 1.0)
    share, low, high = share_interval([5] * 40, [10] * 40, 200, 0)
    assert share == low == high == 0.5


def test_counts_that_do_not_fit_their_documents_are_refused() -> None:
    with pytest.raises(ValueError, match="one a document"):
        share_interval([3], [2], 10, 0)
