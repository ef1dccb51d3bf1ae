"""Answers of the pipeline as a cache holds them, and the document whose deletion touches most of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from harness.corpus.model import Query, Vectors
from harness.pipeline import Pipeline


@dataclass(frozen=True)
class Cached:
    """One answer: its best quote, and every passage of its context as (chunk, document, quoted)."""

    question: str
    quote: str
    sources: tuple[tuple[str, str, bool], ...]

    def used(self, doc: str) -> bool:
        """Whether a passage of the document was in the context."""
        return any(source == doc for _, source, _ in self.sources)

    def quoted(self, doc: str) -> bool:
        """Whether the document is quoted."""
        return any(source == doc and quoted for _, source, quoted in self.sources)


def answers(pipeline: Pipeline, queries: Sequence[Query], vectors: Vectors) -> list[Cached]:
    """Ask every question once, without a floor; a question without any quote is not cached."""
    found = []
    for query, vector in zip(queries, vectors, strict=True):
        trace = pipeline.ask(query.text, vector)
        if trace.answer.quotes:
            quoted = {quote.chunk for quote in trace.answer.quotes}
            sources = tuple((chunk.id, chunk.doc, chunk.id in quoted) for chunk, _ in trace.context)
            found.append(Cached(query.id, trace.answer.quotes[0].text, sources))
    return found


def most_used(cached: Sequence[Cached]) -> str:
    """The document in the contexts of most answers; of equals the first by id."""
    used = Counter(doc for one in cached for doc in {doc for _, doc, _ in one.sources})
    return min(used, key=lambda doc: (-used[doc], doc))
