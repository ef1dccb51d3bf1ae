"""The pipeline's answers with and without the contract, at one floor, and whether their citations hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.answering import floor as floors
from harness.answering.citations import Citation, verify
from harness.capture.api import JsonObject
from harness.corpus.model import Corpus, Query, Vectors
from harness.evaluation.answers import quotes_evidence
from harness.evaluation.split import held_out
from harness.freshness.contract import Outcome, document, outcome
from harness.freshness.validity import Register
from harness.pipeline import Pipeline, Trace
from harness.retrieval.bm25 import Mask


@dataclass(frozen=True)
class Answered:
    """Traces by question id, without the contract and under it, and the floor that both are held against."""

    open: Mapping[str, Trace]
    fresh: Mapping[str, Trace]
    floor: float

    def given(self, trace: Trace) -> bool:
        """Whether the answer clears the floor."""
        return bool(trace.answer.quotes) and trace.answer.score >= self.floor

    def outcome(self, query: str) -> Outcome:
        """What became of a question under the contract."""
        return outcome(answered=self.given(self.fresh[query]), answered_open=self.given(self.open[query]))

    def cites_superseded(self, query: str, register: Register) -> bool:
        """Whether the answer given without the contract quotes a superseded document."""
        trace = self.open[query]
        return self.given(trace) and any(register.superseded(document(q.chunk)) for q in trace.answer.quotes)


def answer_all(
    pipeline: Pipeline, corpus: Corpus, queries: Sequence[Query], vectors: Vectors, register: Register, allowed: Mask
) -> Answered:
    """Ask every question without and under the contract; the floor is chosen on the working part of the split.

    The floor separates questions whose source may be seen from those whose source is hidden with its whole tenant and
    those without one. It is chosen without the contract.
    """
    tenants = np.array([chunk.tenant for chunk in corpus.chunks])
    open_traces: dict[str, Trace] = {}
    fresh: dict[str, Trace] = {}
    wanted: list[float] = []
    unwanted: list[float] = []
    held = held_out(list(queries))
    for query, vector in zip(queries, vectors, strict=True):
        trace = open_traces[query.id] = pipeline.ask(query.text, vector)
        lists = [*trace.lexical, *trace.dense]
        touched = any(register.superseded(document(hit.id)) for hit in lists)
        fresh[query.id] = pipeline.ask(query.text, vector, allowed) if touched else trace
        if query.id in held:
            continue
        (wanted if query.doc else unwanted).append(trace.answer.score)
        if query.doc and query.tenant:
            hidden = pipeline.ask(query.text, vector, tenants != query.tenant)
            unwanted.append(hidden.answer.score)
    return Answered(open_traces, fresh, round(floors.choose(wanted, unwanted), 6))


def summary(answered: Answered, pipeline: Pipeline, queries: Sequence[Query], register: Register) -> JsonObject:
    """Answers that cite superseded documents, whether those citations verify, and the outcomes under the contract."""
    dead = [query for query in queries if answered.cites_superseded(query.id, register)]
    quotes = [
        (query, quote)
        for query in dead
        for quote in answered.open[query.id].answer.quotes
        if register.superseded(document(quote.chunk))
    ]
    verdicts = [
        verify(Citation(quote.chunk, quote.text), pipeline.chunks, answered.open[query.id].context_ids)
        for query, quote in quotes
    ]
    outcomes = Counter(answered.outcome(query.id) for query in queries)
    of_dead = Counter(answered.outcome(query.id) for query in dead)
    return {
        "questions": len(queries),
        "floor": answered.floor,
        "given": sum(answered.given(answered.open[query.id]) for query in queries),
        "given_fresh": outcomes["answered"],
        "nothing_fresh": outcomes["nothing fresh"],
        "nothing": outcomes["nothing"],
        "citing": len(dead),
        "citing_only": sum(
            all(register.superseded(document(q.chunk)) for q in answered.open[query.id].answer.quotes) for query in dead
        ),
        "citations": len(quotes),
        "citations_hold": sum(verdict.holds for verdict in verdicts),
        "citing_then_answered": of_dead["answered"],
        "citing_then_nothing_fresh": of_dead["nothing fresh"],
        "context_touched": sum(
            any(register.superseded(document(id)) for id in answered.open[query.id].context_ids) for query in queries
        ),
    }


def by_source(answered: Answered, corpus: Corpus, queries: Sequence[Query], register: Register) -> list[JsonObject]:
    """Answers that quote their evidence, before and after, apart for questions from superseded and other documents."""
    rows = []
    for superseded in (True, False):
        of = [q for q in queries if q.doc in corpus.documents and register.superseded(q.doc or "") == superseded]
        rows.append(
            {
                "source": "superseded" if superseded else "current or unstated",
                "questions": len(of),
                "right": _right(of, answered.open, answered),
                "right_fresh": _right(of, answered.fresh, answered),
                "answered": sum(answered.given(answered.open[q.id]) for q in of),
                "answered_fresh": sum(answered.given(answered.fresh[q.id]) for q in of),
                "heir_in_corpus": sum(bool(register.held(register.heirs(q.doc or ""))) for q in of),
                "same_words": sum(_kept(q, corpus, register) for q in of),
            }
        )
    return rows


def _right(queries: Sequence[Query], traces: Mapping[str, Trace], answered: Answered) -> int:
    return sum(
        answered.given(traces[q.id]) and quotes_evidence(q.evidence, [one.text for one in traces[q.id].answer.quotes])
        for q in queries
    )


def _kept(query: Query, corpus: Corpus, register: Register) -> bool:
    """Whether an heir in the corpus still holds the evidence word for word, white space folded."""
    wanted = _folded(query.evidence or "")
    heirs = register.held(register.heirs(query.doc or ""))
    return bool(wanted) and any(wanted in _folded(corpus.documents[heir].text) for heir in heirs)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
