"""The two ranked lists of every golden question: BM25 and exact cosine."""

from __future__ import annotations

from dataclasses import dataclass

from harness.corpus.model import Corpus, Query
from harness.retrieval import exact, lexical
from harness.retrieval.bm25 import Hit, Index, Settings

Ranked = dict[str, list[Hit]]
"""Question id → hits, best first."""


@dataclass(frozen=True)
class Lists:
    """The questions in id order and, for each, both lists cut at ``depth``."""

    queries: list[Query]
    index: Index
    lexical: Ranked
    dense: Ranked
    depth: int


def both(corpus: Corpus, settings: Settings, depth: int) -> Lists:
    """BM25 and exact cosine over all chunks, for every golden question, the unanswerable included."""
    queries = sorted(corpus.queries, key=lambda query: query.id)
    index = lexical.index(corpus.chunks)
    by_words = {query.id: lexical.search(index, query.text, depth, settings) for query in queries}
    by_meaning = exact.search_many(corpus.vectors(), corpus.query_vectors(queries), index.ids, depth)
    dense = {query.id: hits for query, hits in zip(queries, by_meaning, strict=True)}
    return Lists(queries, index, by_words, dense, depth)


def ids(hits: list[Hit]) -> list[str]:
    """The ids of hits, in their order."""
    return [hit.id for hit in hits]
