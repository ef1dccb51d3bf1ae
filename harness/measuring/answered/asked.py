"""Every golden question put to the pipeline, by a reader who may see its evidence and by one who may not.

*Home*: the reader of everything. *Away*: a reader who may see every working group but the one that the question is
about, so that its source is out of sight; the unanswerable questions, which have no source, are put once. The floor is
chosen on the working part of the split, home against away and unanswerable together, and nothing else is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from harness.answering import floor as floors
from harness.capture.api import Run
from harness.corpus.model import Corpus, Query
from harness.evaluation.answers import quotes_evidence
from harness.evaluation.relevance import Judged, judgments
from harness.evaluation.split import held_out
from harness.measuring.answered import readers
from harness.pipeline import Depths, Pipeline, Trace

Arm = Literal["home", "away", "none"]
Key = tuple[str, Arm]


@dataclass(frozen=True)
class Asked:
    """All askings without a floor, and the floor chosen afterwards. ``traces``: (question id, arm) → trace."""

    corpus: Corpus
    pipeline: Pipeline
    queries: list[Query]
    depths: Depths
    visible: Mapping[str, frozenset[str]]
    traces: Mapping[Key, Trace]
    evidence: Judged
    held: set[str]
    floor: float

    def arm(self, arm: Arm, held: bool | None = None) -> list[Query]:
        """The questions put in an arm, in id order; ``held`` keeps one side of the split."""
        return [
            query for query in self.queries if (query.id, arm) in self.traces and held in (None, query.id in self.held)
        ]

    def scores(self, arms: Sequence[Arm], held: bool | None = None) -> list[float]:
        """The best quote's score of every asking in some arms."""
        return [self.traces[query.id, arm].answer.score for arm in arms for query in self.arm(arm, held)]

    def answers(self, query: Query, arm: Arm) -> bool:
        """Whether the question is answered at the floor."""
        answer = self.traces[query.id, arm].answer
        return bool(answer.quotes) and answer.score >= self.floor

    def quotes_right(self, query: Query, arm: Arm) -> bool:
        """Whether a quote is of the evidence, whatever the floor."""
        return quotes_evidence(query.evidence, [quote.text for quote in self.traces[query.id, arm].answer.quotes])


def ask_all(run: Run) -> Asked:
    """Put every question to the pipeline; the policy in PostgreSQL says what the away readers may see."""
    corpus, params = run.corpus, run.params
    depths = Depths(params["depth"], params["k"], params["context"])
    pipeline = Pipeline(corpus)
    queries = sorted(corpus.queries, key=lambda query: query.id)
    vectors = corpus.query_vectors(queries)
    asked_about = sorted({query.tenant for query in queries if query.doc and query.tenant})
    names = [readers.EVERYTHING, *map(readers.without, asked_about), *map(readers.only, asked_about)]
    visible = readers.visible(run.database(), corpus, names)
    masks = {name: pipeline.mask(ids) for name, ids in visible.items() if not name.startswith(readers.only(""))}
    traces: dict[Key, Trace] = {}
    run.log("asking the golden questions")
    for query, vector in zip(queries, vectors, strict=True):
        arms: dict[Arm, str] = {"none": readers.EVERYTHING}
        if query.doc and query.tenant:
            arms = {"home": readers.EVERYTHING, "away": readers.without(query.tenant)}
        for arm, reader in arms.items():
            traces[query.id, arm] = pipeline.ask(query.text, vector, masks[reader], depths=depths)
    asked = Asked(
        corpus, pipeline, queries, depths, visible, traces, judgments(corpus, "evidence"), held_out(queries), 0.0
    )
    floor = round(floors.choose(asked.scores(["home"], False), asked.scores(["away", "none"], False)), 6)
    return Asked(**{**asked.__dict__, "floor": floor})


def spread(values: Sequence[float], resamples: int = 1_000, seed: int = 7) -> dict[str, float]:
    """``p50`` and ``p95`` by nearest rank (times that really occurred), each with the bounds of its 95% bootstrap
    interval over questions: ``p50_low``, ``p50_high`` and so on."""
    sample = np.asarray(values, dtype=np.float64)
    drawn = sample[np.random.default_rng(seed).integers(0, sample.size, size=(resamples, sample.size))]
    found = {}
    for share in (50, 95):
        at = math.ceil(sample.size * share / 100) - 1
        found[f"p{share}"] = float(np.sort(sample)[at])
        low, high = np.quantile(np.sort(drawn, axis=1)[:, at], (0.025, 0.975))
        found |= {f"p{share}_low": float(low), f"p{share}_high": float(high)}
    return found
