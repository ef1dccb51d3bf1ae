"""All pairs in one pass are the pairs that plain sets give, whatever is taken out and sampled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.capture.canary_corpus import canary_corpus
from harness.dedup import index
from harness.dedup.index import frequent, pairs
from harness.dedup.sets import compare, residues, sample, without
from harness.dedup.shingles import Hashes, Shingler
from tests.dedup import plain

WIDTH = 3
WORDS = st.lists(st.sampled_from("abcd"), min_size=0, max_size=25).map(" ".join)
CORPORA = st.lists(WORDS, min_size=0, max_size=9)
LIMITS = (None, 1, 2, 4)


def sets_of(texts: list[str]) -> list[Hashes]:
    shingle = Shingler(WIDTH)
    return [shingle(text) for text in texts]


def agree(texts: list[str], ranges: int = 3) -> None:
    """Every pair at every limit, by the index and by plain sets."""
    found = pairs(sets_of(texts), (1, 2, 4), ranges)
    every = [plain.shingles(text, WIDTH) for text in texts]
    for limit in LIMITS:
        kept = plain.without_common(every, limit)
        shares, similar = found.containment(limit), found.jaccard(limit)
        for a, left in enumerate(kept):
            assert found.size(limit)[a] == len(left)
            for b, right in enumerate(kept):
                if a != b:
                    assert _same(shares[a, b], plain.containment(left, right))
                    assert _same(similar[a, b], plain.jaccard(left, right))


def _same(value: float, expected: float | None) -> bool:
    return bool(np.isnan(value)) if expected is None else value == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(CORPORA)
def test_the_index_agrees_with_plain_sets_on_random_texts(texts: list[str]) -> None:
    agree(texts)


def test_the_index_agrees_with_plain_sets_on_the_small_corpus() -> None:
    agree([document.text for document in canary_corpus().documents.values()], ranges=32)


def test_shingles_of_many_documents_are_counted_like_those_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"all of us say this and only number {n} says {n} times {n % 7}" for n in range(60)]
    few = pairs(sets_of(texts), (10,))
    monkeypatch.setattr(index, "FEW", 1)
    many = pairs(sets_of(texts), (10,))
    assert (few.shared == many.shared).all() and few.shared.max() > 0


def test_the_result_does_not_depend_on_the_ranges_or_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = sets_of([document.text for document in canary_corpus().documents.values()])
    whole = pairs(sets, (2, 4), ranges=1)
    monkeypatch.setattr(index, "BLOCK", 7)
    for ranges in (2, 5, 64):
        other = pairs(sets, (2, 4), ranges)
        assert (whole.shared == other.shared).all() and (whole.sizes == other.sizes).all()
        assert (whole.distinct == other.distinct).all()


def test_what_is_frequent_is_what_the_last_band_holds() -> None:
    sets = sets_of([document.text for document in canary_corpus().documents.values()])
    found = pairs(sets, (4,))
    common = frequent(sets, 4)
    assert len(common) == found.distinct[-1] > 0
    assert [len(without(one, common)) for one in sets] == found.size(4).tolist()


@given(WORDS, WORDS, st.sampled_from([1, 2, 4, 8]))
def test_the_samples_of_one_rate_share_out_the_set(one: str, other: str, rate: int) -> None:
    left, right = sets_of([one, other])
    parts = [sample(left, rate, residue) for residue in range(rate)]
    assert sorted(np.concatenate(parts).tolist()) == left.tolist()
    counted = residues(left, right, 8).at(rate)
    for residue, part in enumerate(parts):
        overlap = compare(part, sample(right, rate, residue))
        assert (overlap.left, overlap.right, overlap.shared) == tuple(int(count[residue]) for count in counted)


@given(WORDS, WORDS)
def test_jaccard_is_symmetric_and_never_above_either_containment(one: str, other: str) -> None:
    left, right = sets_of([one, other])
    there, back = compare(left, right), compare(right, left)
    assert there.jaccard == back.jaccard
    if there.containment is not None and back.containment is not None and there.jaccard is not None:
        assert there.jaccard <= min(there.containment, back.containment)


@given(WORDS, WORDS)
def test_more_text_on_the_right_never_lowers_containment(one: str, other: str) -> None:
    left, right, both = sets_of([one, other, f"{other} {one}"])
    before, after = compare(left, right).containment, compare(left, both).containment
    assert before is None or after is None or after >= before
    assert after in (None, 1.0)


def test_a_sample_outside_its_rate_is_refused() -> None:
    with pytest.raises(ValueError, match="residue 4"):
        sample(sets_of(["a b c"])[0], 4, 4)


def test_edges_that_do_not_rise_are_refused() -> None:
    with pytest.raises(ValueError, match="rising"):
        pairs([], (4, 2))
