"""What counts as relevant to a golden question, in two readings that bracket the truth.

``source``: any chunk of the document the question was drafted from. **Lenient**: a chunk of that document need not
answer the question. ``evidence``: a chunk that holds the sentence the answer was taken from, word for word with
white space folded. **Strict**: other chunks, of this document or another, may answer as well. Nobody has judged the
chunks: both labels come from how the questions were drafted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from harness.corpus.model import Chunk, Corpus, Query

Label = Literal["source", "evidence"]
LABELS: tuple[Label, ...] = ("source", "evidence")
Judged = dict[str, dict[str, int]]


def answerable(corpus: Corpus) -> list[Query]:
    """The questions drafted from a document of the corpus, in id order."""
    return sorted((q for q in corpus.queries if q.doc in corpus.documents), key=lambda query: query.id)


def judgments(corpus: Corpus, label: Label) -> Judged:
    """Question id → chunk id → 1. A question no chunk is labelled for is left out."""
    by_document: dict[str, list[Chunk]] = {}
    for chunk in corpus.chunks:
        by_document.setdefault(chunk.doc, []).append(chunk)
    found = {query.id: {chunk.id: 1 for chunk in _labelled(query, by_document, label)} for query in answerable(corpus)}
    return {query: chunks for query, chunks in found.items() if chunks}


def best_rank(ranking: Sequence[str], judged: Mapping[str, int]) -> int | None:
    """The rank (from 1) of the first labelled chunk, None when the ranking holds none."""
    return next((rank for rank, id in enumerate(ranking, start=1) if judged.get(id, 0) > 0), None)


def _labelled(query: Query, by_document: Mapping[str, Sequence[Chunk]], label: Label) -> list[Chunk]:
    chunks = by_document.get(query.doc or "", ())
    if label == "source":
        return list(chunks)
    evidence = _folded(query.evidence or "")
    return [chunk for chunk in chunks if evidence and evidence in _folded(chunk.text)]


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
