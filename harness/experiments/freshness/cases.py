"""Questions shown in full: both lists with and without the contract, and what was answered from which document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.answering.citations import Citation, place, verify
from harness.capture.api import JsonObject
from harness.corpus.model import Corpus, Query
from harness.experiments.freshness.answers import Answered
from harness.experiments.freshness.searches import SEARCHES, Found, Lists
from harness.freshness.contract import document
from harness.freshness.validity import Register
from harness.measuring.excerpts import excerpt
from harness.pipeline import Pipeline, Trace
from harness.retrieval.bm25 import Hit

LONGEST = 280
"""Characters of a quote at most."""

RULES: dict[str, str] = {
    "nothing-fresh": "an answer quotes its evidence from a superseded document, and under the contract none is given",
    "heir": "a superseded passage stands first in the lexical list, and under the contract one of its heir does",
    "outside": "a superseded passage stands first in the dense list, and no heir of its document is in the corpus",
}
"""Case → the rule that chooses it; of several questions the first by id that no other case shows."""


def cases(
    pipeline: Pipeline, corpus: Corpus, queries: Sequence[Query], lists: Lists, answered: Answered, register: Register
) -> list[JsonObject]:
    """Return one case a rule, those for which there is a question."""

    def first(query: Query, search: str) -> str | None:
        hits = lists[search][query.id].open
        doc = document(hits[0].id) if hits else ""
        return doc if doc and register.superseded(doc) else None

    def nothing_fresh(query: Query) -> bool:
        cites = answered.cites_superseded(query.id, register)
        return cites and answered.outcome(query.id) == "nothing fresh" and bool(query.evidence)

    def heir(query: Query) -> bool:
        doc, hits = first(query, "lexical"), lists["lexical"][query.id].fresh.hits
        return doc is not None and bool(hits) and document(hits[0].id) in register.heirs(doc)

    def outside(query: Query) -> bool:
        doc = first(query, "dense")
        return doc is not None and not register.held(register.heirs(doc))

    tests: dict[str, Callable[[Query], bool]] = {"nothing-fresh": nothing_fresh, "heir": heir, "outside": outside}
    shown: list[JsonObject] = []
    for name, rule in RULES.items():
        taken = {case["query"]["id"] for case in shown}
        query = next((q for q in queries if q.id not in taken and tests[name](q)), None)
        if query is not None:
            one = {search: lists[search][query.id] for search in SEARCHES}
            shown.append({"id": name, "rule": rule} | _case(pipeline, corpus, query, one, answered, register))
    return shown


def _case(
    pipeline: Pipeline, corpus: Corpus, query: Query, found: Mapping[str, Found], answered: Answered, register: Register
) -> JsonObject:
    named = sorted({document(hit.id) for one in found.values() for hit in (*one.open, *one.fresh.hits)})
    return {
        "query": {"id": query.id, "question": query.text, "doc": query.doc},
        "searches": [
            {
                "search": name,
                "open": _rows(one.open, register),
                "fresh": _rows(one.fresh.hits, register),
                "excluded": len(one.fresh.excluded),
            }
            for name, one in found.items()
        ],
        "answers": {
            "open": _answer(pipeline, corpus, query.id, answered.open[query.id], answered, register),
            "fresh": _answer(pipeline, corpus, query.id, answered.fresh[query.id], answered, register),
        },
        "outcome": answered.outcome(query.id),
        "documents": [
            {
                "doc": doc,
                "title": corpus.documents[doc].title,
                "state": register.states[doc],
                "successors": list(register.successors[doc]),
                "heirs": register.heirs(doc),
                "heirs_held": register.held(register.heirs(doc)),
            }
            for doc in named
        ],
    }


def _rows(hits: Sequence[Hit], register: Register) -> list[JsonObject]:
    return [
        {"rank": hit.rank, "id": hit.id, "doc": document(hit.id), "superseded": register.superseded(document(hit.id))}
        for hit in hits
    ]


def _answer(
    pipeline: Pipeline, corpus: Corpus, query: str, trace: Trace, answered: Answered, register: Register
) -> JsonObject:
    """The best quote, whether it is given, and whether its citation verifies."""
    if not trace.answer.quotes:
        return {"given": False, "score": 0.0, "quote": None}
    quote = trace.answer.quotes[0]
    chunk = pipeline.chunks[quote.chunk]
    source = corpus.documents[chunk.doc]
    page, section = place(source, chunk, quote.start)
    verdict = verify(Citation(quote.chunk, quote.text), pipeline.chunks, trace.context_ids)
    return {
        "given": answered.given(trace),
        "score": quote.score,
        "quote": {
            "chunk": quote.chunk, "doc": source.id, "title": source.title, "url": source.url,
            "licence": source.licence, "page": page, "section": section,
            "superseded": register.superseded(source.id), "verifies": verdict.holds,
            "excerpt": excerpt(quote.text, [], LONGEST),
        },
    }  # fmt: skip
