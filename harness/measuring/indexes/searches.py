"""Search for every question at every setting, and hold the results against exact search and against the labels.

The reader is the principal who may see everything, through the restricted role: the policy stands, and drops nothing.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Corpus, Query, Vectors
from harness.errors import HarnessError
from harness.evaluation.metrics import metric
from harness.measuring.readings import recall
from harness.measuring.trials import Principal
from harness.retrieval.dense import Hit
from harness.retrieval.exact import search_many
from harness.store import Connection
from harness.store.layouts import Layout, Scan, exact, explain, search

Judged = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Asked:
    """The questions, their vectors, the labels by which an answer counts as found, and the exact results."""

    queries: Sequence[Query]
    vectors: Vectors
    judged: Judged
    truth: Sequence[Sequence[Hit]]
    k: int

    def found(self, results: Sequence[Sequence[Hit]]) -> tuple[list[float], list[float]]:
        """Hit and reciprocal rank at k of each question that has a label."""
        hit, mrr = metric(f"hit@{self.k}"), metric(f"MRR@{self.k}")
        pairs = [(q.id, [h.id for h in hits]) for q, hits in zip(self.queries, results, strict=True)]
        labelled = [(ranking, self.judged[id]) for id, ranking in pairs if id in self.judged]
        return [hit(r, j) for r, j in labelled], [mrr(r, j) for r, j in labelled]


@dataclass
class Reading:
    """One setting over builds and questions.

    ``recall`` (share of the exact k) and ``milliseconds`` (as the client sees it) have the shape (builds, questions);
    ``results`` holds a list of results a build.
    """

    recall: NDArray[np.float64]
    milliseconds: NDArray[np.float64]
    results: list[list[list[Hit]]] = field(default_factory=list)
    plans: dict[str, int] = field(default_factory=dict)

    @classmethod
    def empty(cls, builds: int, questions: int) -> Reading:
        """A reading yet to be taken."""
        return cls(np.zeros((builds, questions)), np.zeros((builds, questions)))


def everyone(corpus: Corpus) -> Principal:
    """The principal who may see every tenant."""
    return Principal("all", tuple(sorted({document.tenant for document in corpus.documents.values()})))


def exact_results(
    layout: Layout, conn: Connection, reader: Principal, vectors: Vectors, k: int
) -> tuple[list[list[Hit]], NDArray[np.float64]]:
    """Exact results by sequential scan, with the milliseconds of each; the first question is asked twice."""
    found, spent = [], np.zeros(len(vectors))
    for number, vector in enumerate([vectors[0], *vectors]):
        with layout.session(conn, reader) as session:
            began = time.perf_counter()
            hits = exact(layout, session, vector, k=k)
            elapsed = (time.perf_counter() - began) * 1000
        if number:
            found.append(hits)
            spent[number - 1] = elapsed
    return found, spent


def agreement(corpus: Corpus, vectors: Vectors, truth: Sequence[Sequence[Hit]], k: int) -> dict[str, int]:
    """PostgreSQL's exact results against numpy's: questions with the same ids; the others may differ by ties only.

    Raises HarnessError for a result that is farther than numpy's last one by more than the rounding.
    """
    ids = [chunk.id for chunk in corpus.chunks]
    ours = search_many(corpus.vectors(), vectors, ids, k)
    same = 0
    for number, (theirs, mine) in enumerate(zip(truth, ours, strict=True)):
        same += {hit.id for hit in theirs} == {hit.id for hit in mine}
        apart = max(abs(1 - hit.distance - other.score) for hit, other in zip(theirs, mine, strict=True))
        if apart > 2e-6:
            raise HarnessError(f"question {number}: exact search in PostgreSQL and in numpy differ by {apart:.1e}")
    return {"questions": len(truth), "same_ids": same}


def warm_up(layout: Layout, conn: Connection, reader: Principal, vectors: Vectors, scan: Scan) -> None:
    """Search once for every question, so that no timed search is the first to touch a page."""
    for vector in vectors:
        with layout.session(conn, reader) as session:
            search(layout, session, vector, scan)


def read(
    layout: Layout, conn: Connection, reader: Principal, asked: Asked, into: Mapping[Scan, Reading], build: int
) -> None:
    """Take the readings of one build; a search that is not a scan of the layout's index ends the capture.

    Results are ordered by the distance of the full vectors, ties by id.
    """
    for reading in into.values():
        reading.results.append([])
    for number, vector in enumerate(asked.vectors):
        with layout.session(conn, reader) as session:
            for scan, reading in into.items():
                plan = explain(layout, session, vector, scan, k=asked.k)
                if plan.type != layout.index.plan:
                    raise HarnessError(f"{scan}: expected a {layout.index.plan}, found a {plan.type}")
                began = time.perf_counter()
                hits = search(layout, session, vector, scan, k=asked.k)
                reading.milliseconds[build, number] = (time.perf_counter() - began) * 1000
                reading.plans[plan.type] = reading.plans.get(plan.type, 0) + 1
                reading.recall[build, number] = recall(hits, asked.truth[number])
                reading.results[-1].append(sorted(hits, key=lambda hit: (hit.distance, hit.id)))
