"""Ways to deal out rows to tenants: sizes stay, closeness goes, and the capture's figures stand where they say."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from harness.capture.api import Payload
from harness.corpus.manifest import read_manifest
from harness.corpus.model import Corpus
from harness.experiments.tenants.arrangements import Arrangement, arrangements, deal, deal_documents, source_rows
from harness.experiments.tenants.capture import CAPTURE, _fold, _folded
from harness.experiments.tenants.cosines import closeness
from harness.paths import FULL_MANIFEST
from harness.store import Store
from tests.captures import captured, declared


def test_mean_cosines_from_sums_are_those_of_all_pairs(corpus: Corpus) -> None:
    vectors, tenants = corpus.vectors()[:40], ["a"] * 15 + ["b"] * 25
    close = closeness(vectors, tenants)
    cosines = vectors.astype(np.float64) @ vectors.astype(np.float64).T
    off = ~np.eye(15, dtype=bool)
    assert close.between[0, 0] == pytest.approx(cosines[:15, :15][off].mean())
    assert close.between[0, 1] == pytest.approx(cosines[:15, 15:].mean())
    assert close.across() == pytest.approx(cosines[:15, 15:].mean())


def test_dealing_keeps_every_size_and_is_the_same_each_time() -> None:
    ids = [f"doc:{n:04d}" for n in range(100)]
    sizes = {"a": 10, "b": 60, "c": 30}
    assert Counter(deal(ids, sizes)) == sizes
    assert deal(ids, sizes) == deal(list(ids), dict(reversed(sizes.items())))
    assert deal(ids, sizes) != sorted(deal(ids, sizes))


def test_a_document_dealt_out_stays_whole(corpus: Corpus) -> None:
    assert set(deal_documents(corpus)) == set(corpus.documents)


def test_the_source_chunk_is_of_the_questions_document(corpus: Corpus) -> None:
    queries = corpus.queries
    rows = source_rows(corpus, queries, corpus.vectors(), corpus.query_vectors(queries))
    assert [corpus.chunks[row].doc for row in rows] == [query.doc for query in queries]


@pytest.fixture(scope="module")
def made(corpus: Corpus) -> dict[str, Arrangement]:
    return {one.id: one for one in arrangements(corpus, corpus.queries, 3)}


def test_made_up_vectors_keep_closeness_within_and_lose_it_between(made: dict[str, Arrangement]) -> None:
    real, fake = (closeness(made[name].vectors, made[name].tenants) for name in ("semantic", "orthogonal"))
    assert fake.within() == pytest.approx(real.within(), abs=0.03)
    assert abs(fake.across()) < 0.03
    assert np.allclose(np.linalg.norm(made["orthogonal"].vectors, axis=1), 1, atol=1e-5)
    assert [one.id for one in made.values() if one.made_up] == ["orthogonal"]


def test_chunks_dealt_by_hash_are_as_close_to_other_tenants_as_to_their_own(made: dict[str, Arrangement]) -> None:
    real, dealt = (closeness(made[name].vectors, made[name].tenants) for name in ("semantic", "chunks"))
    assert dealt.within() - dealt.across() < (real.within() - real.across()) / 5
    assert Counter(made["chunks"].tenants) == Counter(made["semantic"].tenants)


def test_every_folded_tenant_was_too_small_and_none_is_afterwards() -> None:
    counts = {"joined": 10, "large": 900}
    entries = [entry for entry in read_manifest(FULL_MANIFEST) if entry.tenant != entry.original_tenant]
    origins = [(entry, counts["joined"]) for entry in entries]
    rows = _folded(origins)
    assert {row["original"] for row in rows} == {entry.original_tenant for entry in entries}
    assert all(row["joined"] != row["original"] and row["sibling"] for row in rows)
    assert _fold(origins)["folded"] == len(entries) > 0


@pytest.fixture(scope="module")
def payload(store: Store, corpus: Corpus) -> Payload:
    return captured(CAPTURE, corpus, store)


@pytest.mark.database
def test_every_figure_of_tenants_stands_where_it_says(payload: Payload) -> None:
    assert all(figure["at"] for figure in declared(CAPTURE, payload)["figures"].values())


@pytest.mark.database
def test_tenants_that_lie_apart_lose_nothing_at_home_and_everything_away(payload: Payload) -> None:
    found = {(row["arrangement"], row["cell"]): row["measured"] for row in payload.result["readings"]}
    assert found["orthogonal", "home1"]["recall"] > 0.9 and found["orthogonal", "away1"]["recall"] == 0
    assert found["chunks", "home1"]["recall"] < found["semantic", "home1"]["recall"]
    assert found["chunks", "away1"]["recall"] > found["semantic", "away1"]["recall"]
    assert len(found) == 4 * 3


@pytest.mark.database
def test_the_candidates_of_the_question_shown_are_as_many_as_the_list_is_long(payload: Payload) -> None:
    assert all(len(case["slots"]) == CAPTURE.canary_params["ef_search"] for case in payload.result["cases"])


def test_the_capture_measures_enough() -> None:
    assert CAPTURE.corpus == "full" and CAPTURE.params["questions"] >= 100 and CAPTURE.params["builds"] >= 2
