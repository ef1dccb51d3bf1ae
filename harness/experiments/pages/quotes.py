"""The quotes that answer the golden questions: on which page each stands, and which page its chunk starts on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.corpus.model import Chunk, Corpus, Document, Query
from harness.evaluation.bootstrap import mean_interval
from harness.evaluation.relevance import answerable


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands in the text, white space of any kind and length alike; None where it does not."""
    words = quote.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return (found.start(), found.end()) if found else None


def rows(corpus: Corpus, cut: Mapping[str, Mapping[str, Sequence[Chunk]]], params: Mapping[str, Any]) -> list[Any]:
    """One row a chunker: quotes in documents with pages, and how many stand on another page than the chunk's first."""
    questions = answerable(corpus)
    return [{"chunker": name, **_row(corpus, questions, chunks, params)} for name, chunks in cut.items()]


def _row(
    corpus: Corpus, questions: Sequence[Query], chunks: Mapping[str, Sequence[Chunk]], params: Mapping[str, Any]
) -> dict[str, Any]:
    elsewhere: list[float] = []
    unpaged = across = spanning = unplaced = 0
    for query in questions:
        document: Document = corpus.documents[query.doc or ""]
        place = place_of(query.evidence or "", document.text)
        holder = None
        if place:
            holder = next((c for c in chunks[document.id] if c.start <= place[0] and place[1] <= c.end), None)
        if place is None or holder is None:
            unplaced += 1
        elif not document.page_starts:
            unpaged += 1
        else:
            first, last = document.page_at(place[0]), document.page_at(place[1] - 1)
            elsewhere.append(float(first != holder.page_first))
            across += first != last
            spanning += holder.page_first != holder.page_last
    if not elsewhere:
        raise ValueError("no question of the corpus has a quote in a document with pages")
    share = mean_interval(elsewhere, resamples=params["resamples"], seed=params["seed"])
    return {
        "questions": len(questions), "paged": len(elsewhere), "unpaged": unpaged, "unplaced": unplaced,
        "elsewhere": int(sum(elsewhere)), "share": share.mean, "low": share.low, "high": share.high,
        "across": across, "spanning": spanning,
    }  # fmt: skip
