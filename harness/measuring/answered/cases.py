"""One asking as a dataset shows it: every stage's list, cut short, the answer taken apart, where the passages stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.answering.citations import Citation, place, verify
from harness.answering.extractive import Quote
from harness.corpus.model import Corpus, Query
from harness.evaluation.answers import quotes_evidence
from harness.measuring.answered.asked import Asked
from harness.measuring.excerpts import excerpt, passages
from harness.pipeline import Trace

LONGEST = 280
"""Characters of a quote at most; the rule for excerpts allows 300."""


def terms(asked: Asked, text: str) -> list[dict[str, Any]]:
    """The question's distinct terms as BM25 reads it, with how many passages hold each."""
    index = asked.pipeline.index
    return [{"term": term, "df": index.df(term)} for term in dict.fromkeys(index.tokeniser(text))]


def stages(asked: Asked, query: Query, trace: Trace, shown: int) -> dict[str, Any]:
    """Lists, context and quotes; ranks where the evidence stands are in the outcome, not here."""
    evidence = asked.evidence.get(query.id, {})

    def rows(hits: Iterable[Any]) -> list[dict[str, Any]]:
        return [
            {"rank": hit.rank, "id": hit.id, "score": hit.score, "evidence": hit.id in evidence}
            for hit in list(hits)[:shown]
        ]

    return {
        "terms": terms(asked, query.text),
        "lexical": rows(trace.lexical),
        "dense": rows(trace.dense),
        "fused": rows(trace.fused),
        "context": [{"id": id, "evidence": id in evidence} for id in trace.context_ids],
        "score": trace.answer.score,
        "quotes": [quoted(asked, query, trace, quote) for quote in trace.answer.quotes],
    }


def quoted(asked: Asked, query: Query, trace: Trace, quote: Quote) -> dict[str, Any]:
    """A quote with its place, its score taken apart, and the verdict on its citation."""
    chunk = asked.pipeline.chunks[quote.chunk]
    document = asked.corpus.documents[chunk.doc]
    page, section = place(document, chunk, quote.start)
    verdict = verify(Citation(quote.chunk, quote.text), asked.pipeline.chunks, trace.context_ids)
    return source(asked.corpus, chunk.doc) | {
        "id": quote.chunk,
        "page": page,
        "section": section,
        "excerpt": excerpt(quote.text, (), LONGEST),
        "coverage": quote.coverage,
        "cosine": quote.cosine,
        "score": quote.score,
        "verified": verdict.holds,
        "evidence": quotes_evidence(query.evidence, [quote.text]),
    }


def evidence_of(asked: Asked, query: Query) -> dict[str, Any] | None:
    """The sentence the question was drafted from, cited; None for a question without one."""
    if not query.doc or not query.evidence or query.doc not in asked.corpus.documents:
        return None
    return source(asked.corpus, query.doc) | {
        "section": query.section or "",
        "page": None,
        "excerpt": excerpt(query.evidence, (), LONGEST),
        "chunks": sorted(asked.evidence.get(query.id, {})),
    }


def source(corpus: Corpus, doc: str) -> dict[str, Any]:
    """What every excerpt carries: document, title, address, licence."""
    document = corpus.documents[doc]
    return {"doc": document.id, "title": document.title, "url": document.url, "licence": document.licence}


def named(asked: Asked, cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The passages that some cases name, each with a short excerpt around the rarest term of its question."""
    index = asked.pipeline.index
    wanted: dict[str, list[str]] = {}
    for case in cases:
        known = [term for term in dict.fromkeys(index.tokeniser(case["question"])) if index.df(term)]
        rarest = sorted(known, key=lambda term: (index.df(term), term))
        for key in ("lexical", "dense", "fused", "context"):
            for row in case[key]:
                wanted.setdefault(row["id"], rarest)
    return passages(asked.corpus, wanted, 120)
