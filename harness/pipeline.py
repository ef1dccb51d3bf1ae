"""The pipeline as it stands: a question and what its reader may see, in; a context and a quoted answer, or none, out.

    question → BM25 list, dense list (both over the permitted passages only) → fused by rank → context → quotes

Both searches are exact. There is no reranker, no rewriting of the question and no language model.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.answering.extractive import Answer, Answerer
from harness.corpus.model import Chunk, Corpus, Vectors
from harness.retrieval import lexical
from harness.retrieval.bm25 import DEFAULT, Hit, Index, Mask, best_rows
from harness.retrieval.exact import DIGITS
from harness.retrieval.rrf import Fused, K, fuse


@dataclass(frozen=True)
class Depths:
    """How much each stage hands on: results a list, the constant of fusion, passages of the context."""

    lists: int = 100
    k: int = K
    context: int = 5


@dataclass(frozen=True)
class Trace:
    """What every stage made of one question; ``milliseconds`` by stage."""

    lexical: list[Hit]
    dense: list[Hit]
    fused: list[Fused]
    context: list[tuple[Chunk, float]]
    answer: Answer
    milliseconds: dict[str, float]

    @property
    def context_ids(self) -> list[str]:
        """The chunk ids of the context, in order."""
        return [chunk.id for chunk, _ in self.context]


class Pipeline:
    """The stages over one corpus; make it once, ask it often."""

    def __init__(self, corpus: Corpus, clock: Callable[[], float] = time.perf_counter) -> None:
        self.chunks = {chunk.id: chunk for chunk in corpus.chunks}
        self.index: Index = lexical.index(corpus.chunks)
        self.answerer = Answerer(self.index)
        self._wide = np.ascontiguousarray(corpus.vectors().astype(np.float64).T)
        self._clock = clock

    def mask(self, visible: set[str] | frozenset[str]) -> Mask:
        """One flag a row: whether the chunk is among ``visible``."""
        return np.fromiter((id in visible for id in self.index.ids), dtype=bool, count=len(self.index.ids))

    def cosines(self, vector: Vectors) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The rounded cosine of one question's vector and every chunk's, in row order."""
        return np.round(vector.astype(np.float64) @ self._wide, DIGITS)

    def ask(
        self,
        question: str,
        vector: Vectors,
        allowed: Mask | None = None,
        floor: float = 0.0,
        depths: Depths | None = None,
    ) -> Trace:
        """Ask one question; rows that ``allowed`` hides are hidden before anything is ranked."""
        depths = depths or Depths()
        spent: dict[str, float] = {}
        began = self._clock()

        def lap(stage: str) -> None:
            nonlocal began
            now = self._clock()
            spent[stage], began = 1000 * (now - began), now

        by_words = lexical.search(self.index, question, depths.lists, DEFAULT, allowed)
        lap("lexical")
        values = self.cosines(vector)
        rows = np.arange(len(values)) if allowed is None else np.flatnonzero(allowed)
        best = best_rows(values, rows, depths.lists)
        by_meaning = [Hit(self.index.ids[row], rank, float(values[row])) for rank, row in enumerate(best, start=1)]
        lap("dense")
        fused = fuse({"lexical": [h.id for h in by_words], "dense": [h.id for h in by_meaning]}, depths.k)
        lap("fusion")
        context = [(self.chunks[one.id], float(values[self.index.row_of[one.id]])) for one in fused[: depths.context]]
        answer = self.answerer.answer(question, context, floor)
        lap("answer")
        return Trace(by_words, by_meaning, fused, context, answer, spent)
