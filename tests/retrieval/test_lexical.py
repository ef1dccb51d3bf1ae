"""BM25 against hand-worked values, against bm25s, and against itself taken apart."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.evaluation.collections import read
from harness.retrieval import lexical
from harness.retrieval.bm25 import Index, Settings, build
from harness.retrieval.bm25_formulas import VARIANTS, Floats, idf_lucene, idf_robertson
from harness.retrieval.terms import Tokeniser, is_identifier

COLLECTIONS = Path(__file__).resolve().parents[3] / "shared" / "collections"
TEXT = """The server sends max-age in Cache-Control. A cache stores the response.
The client sends a request with the cookie. A cookie has Max-Age too.
TLS1.3 names the suite 0x1301, TLS_AES_128_GCM_SHA256, in RFC8446.
The cache may reuse a stored response until max-age seconds have passed, and the client need not know.
A proxy is a cache and a server and a client.
DNS names the server; the resolver has a cache, a cache of records with a time to live."""
PASSAGES = [(f"p{number}", line) for number, line in enumerate(TEXT.splitlines())]
QUERIES = [
    "what is max-age in a cache",
    "suite 0x1301",
    "the the server cache cache",
    "client cookie",
    "nowhere",
]
THEIR_TF = {"lucene": "robertson", "robertson": "robertson", "okapi": "atire", "atire": "atire"}


def random_passages(seed: int, count: int = 300) -> list[tuple[str, str]]:
    rng = random.Random(seed)
    words = [f"w{int(rng.paretovariate(0.6))}" for _ in range(3000)]
    return [(f"d{n:04}", " ".join(rng.choices(words, k=rng.randint(1, 80)))) for n in range(count)]


def their_scores(passages: Sequence[tuple[str, str]], query: str, index: Index, k1: float, b: float) -> Floats:
    theirs = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64")
    theirs.index([index.tokeniser(text) for _, text in passages], show_progress=False)
    scores: Floats = theirs.get_scores(index.tokeniser(query))
    return scores


def test_a_score_is_what_the_formula_gives_by_hand() -> None:
    index = build([("a", "tls tls handshake"), ("b", "tls"), ("c", "dns zone transfer record")])
    expected = math.log((3 - 2 + 0.5) / (2 + 0.5)) * 2 * 2.2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / (8 / 3)))
    hits = index.search("tls", settings=Settings(1.2, 0.75, "okapi"))
    assert {hit.id: hit.score for hit in hits}["a"] == pytest.approx(expected, abs=1e-12)


def test_the_unclamped_weight_is_negative_beyond_half_of_the_passages_and_lucenes_never() -> None:
    assert idf_robertson(10, 5) == 0.0
    assert idf_robertson(10, 6) < 0 < idf_robertson(10, 4)
    assert all(idf_lucene(10, df) > 0 for df in range(1, 11))


def test_a_match_that_scores_below_zero_is_still_a_result_and_a_non_match_is_not() -> None:
    index = build([("a", "tls one"), ("b", "tls two"), ("c", "other")])
    hits = index.search("tls", settings=Settings(variant="robertson"))
    assert [hit.id for hit in hits] == ["a", "b"]
    assert all(hit.score < 0 for hit in hits)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
@pytest.mark.parametrize("query", QUERIES)
def test_an_explanation_sums_to_the_score_exactly(variant: str, query: str) -> None:
    index = build(PASSAGES)
    for k1, b in ((1.2, 0.75), (0.0, 0.0), (0.9, 0.4), (2.0, 1.0)):
        dials = Settings(k1, b, variant)
        for hit in index.search(query, 10, dials):
            found = index.explain(query, hit.id, dials)
            assert sum((term.contribution for term in found.terms), 0.0) == hit.score == found.score


@given(st.integers(0, 10_000), st.floats(0, 3), st.floats(0, 1), st.sampled_from(sorted(VARIANTS)))
@settings(max_examples=25, deadline=None)
def test_explanations_are_exact_for_any_dials(seed: int, k1: float, b: float, variant: str) -> None:
    passages = random_passages(seed, 40)
    index, dials = build(passages), Settings(k1, b, variant)
    query = " ".join(random.Random(seed).sample(sorted(index.vocabulary), min(6, len(index.vocabulary))))
    for hit in index.search(query, 40, dials):
        assert index.explain(query, hit.id, dials).score == hit.score


def test_an_explanation_shows_tf_df_and_terms_the_passage_lacks() -> None:
    found = build(PASSAGES).explain("cache 0x1301 nowhere", "p5")
    assert [(term.term, term.tf, term.df) for term in found.terms] == [
        ("cache", 2, 4),
        ("0x1301", 0, 1),
        ("nowhere", 0, 0),
    ]
    assert found.length == len(Tokeniser()(PASSAGES[5][1]))


@pytest.mark.parametrize("query", QUERIES[:4])
def test_scores_agree_with_bm25s_on_the_built_in_text(query: str) -> None:
    index = build(PASSAGES)
    ours, _ = index.scores(query)
    assert np.abs(ours - their_scores(PASSAGES, query, index, 1.2, 0.75)).max() < 1e-12


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_every_variant_agrees_with_bm25s_on_terms_in_less_than_half_of_the_passages(variant: str) -> None:
    passages = random_passages(11)
    index = build(passages)
    # bm25s clamps the Robertson weight at 0: compare where it is positive.
    terms = [term for term in sorted(index.vocabulary) if index.df(term) < len(passages) / 2]
    theirs = bm25s.BM25(
        k1=0.9,
        b=0.4,
        method=THEIR_TF[variant],
        idf_method="robertson" if variant == "okapi" else variant,
        dtype="float64",
    )
    theirs.index([index.tokeniser(text) for _, text in passages], show_progress=False)
    for start in range(0, 40, 4):
        query = terms[start : start + 4]
        ours, _ = index.scores(" ".join(query), Settings(0.9, 0.4, variant))
        assert np.abs(ours - theirs.get_scores(query)).max() < 1e-9


@pytest.mark.parametrize("name", ["cranfield", "scifact"])
def test_scores_and_ranking_agree_with_bm25s_on_a_public_collection(name: str) -> None:
    if not (COLLECTIONS / name).is_dir():
        pytest.skip(f"the collection {name} is not at {COLLECTIONS}")
    chosen = read(COLLECTIONS / name)
    passages = sorted(chosen.documents.items())
    index = build(passages)
    theirs = bm25s.BM25(k1=0.9, b=0.4, method="lucene", dtype="float64")
    theirs.index([index.tokeniser(text) for _, text in passages], show_progress=False)
    dials = Settings(0.9, 0.4)
    for query in list(chosen.judged_queries.values())[:60]:
        expected = theirs.get_scores(index.tokeniser(query))
        ours, _ = index.scores(query, dials)
        assert np.abs(ours - expected).max() < 1e-9
        # Rounded, so that sums that differ in their last bit only are ties for both.
        best = np.lexsort((np.arange(len(passages)), -np.round(expected, 9)))[:10]
        mine = np.lexsort((np.arange(len(passages)), -np.round(ours, 9)))[:10]
        assert best.tolist() == mine.tolist()


def test_equal_scores_are_ordered_by_id_also_at_the_cut() -> None:
    index = build([(id, "same words here") for id in ("z", "m", "a", "k", "b")] + [("c", "other text of words")])
    assert [hit.id for hit in index.search("same", 3)] == ["a", "b", "k"]
    assert [hit.rank for hit in index.search("same", 3)] == [1, 2, 3]


def test_the_order_in_which_passages_are_given_does_not_matter() -> None:
    shuffled = random.Random(1).sample(PASSAGES, len(PASSAGES))
    for query in QUERIES:
        assert build(PASSAGES).search(query) == build(shuffled).search(query)


def test_k1_and_b_change_the_ranking_without_a_new_index() -> None:
    index = build([("long", "cache cache cache " + "filler " * 60), ("short", "cache hit")])
    assert [hit.id for hit in index.search("cache", settings=Settings(2.0, 0.0))] == ["long", "short"]
    assert [hit.id for hit in index.search("cache", settings=Settings(2.0, 1.0))] == ["short", "long"]


def test_hidden_passages_are_left_out_before_ranking_so_the_list_stays_full() -> None:
    passages = [_Passage(id, text) for id, text in PASSAGES]
    index = lexical.index(passages)
    allowed = np.array([id in ("p0", "p4") for id, _ in PASSAGES])
    hits = lexical.search(index, "a cache", 2, allowed=allowed)
    assert {hit.id for hit in hits} == {"p0", "p4"}


def test_degenerate_inputs_give_empty_results_and_wrong_ones_are_named() -> None:
    assert build([]).search("anything") == []
    assert build([("a", ""), ("b", "...")]).search("anything") == []
    assert build(PASSAGES).search("") == [] == build(PASSAGES).search("cache", k=0)
    with pytest.raises(ValueError, match="'a' comes twice"):
        build([("a", "x"), ("a", "y")])
    with pytest.raises(ValueError, match=r"b is 1\.5"):
        Settings(b=1.5)
    with pytest.raises(ValueError, match="'bm26' is not known; expected one of atire, lucene"):
        Settings(variant="bm26")
    with pytest.raises(KeyError):
        build(PASSAGES).explain("cache", "nope")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("TLS1.3, RFC8446 and 0x1301", ["tls1.3", "rfc8446", "and", "0x1301"]),
        ("Cache-Control: max-age=3600", ["cache-control", "max-age", "3600"]),
        ("TLS_AES_128_GCM_SHA256", ["tls_aes_128_gcm_sha256"]),
        ("the server's (Section 4.2.1.)", ["the", "server", "section", "4.2.1"]),
        ("Introduction......7", ["introduction", "7"]),
        ("application/json; TCP/IP", ["application", "json", "tcp", "ip"]),
        ("-- …\n", []),
    ],
)
def test_identifiers_stay_whole(text: str, terms: list[str]) -> None:
    assert Tokeniser()(text) == terms


def test_parts_stop_words_stems_and_joints_are_options() -> None:
    assert Tokeniser(parts=True)("max-age seconds") == ["max-age", "max", "age", "seconds"]
    assert Tokeniser(stop_words=frozenset({"the"}))("the server") == ["server"]
    assert Tokeniser(stem="porter")("servers caching") == ["server", "cach"]
    assert Tokeniser(joints="._")("max-age tls1.3") == ["max", "age", "tls1.3"]
    assert Tokeniser(joints="", parts=True)("tls1.3") == ["tls1", "3"]


def test_identifiers_are_told_from_words_and_numbers() -> None:
    terms = ["rfc8446", "0x1301", "tls1.3", "max-age", "3600", "4.2.1", "server"]
    assert [is_identifier(term) for term in terms] == [True, True, True, True, False, False, False]


class _Passage:
    def __init__(self, id: str, text: str) -> None:
        self.id, self.text = id, text
