"""Retrieval measures, each a declaration: name, sentence, formula, rival convention, source, and the
function.

Notation: a *ranking* is a list of distinct ids, best first; *judgments* map an id to a grade, and an id that
is not there has grade 0. An id is **relevant** when its grade is at least ``rel`` (1 unless said otherwise).
``k`` cuts the ranking; a ranking shorter than k is taken as it is, never padded, and precision still divides
by k.

A query for which nothing relevant is judged scores 0 under every measure, as in trec_eval: leave such
queries out before averaging if that is not what you mean. :func:`evaluate` averages over the **judged**
queries, so a query without any result counts as 0 and not as absent (trec_eval does this with ``-c`` only).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Ranking = Sequence[str]
Judgments = Mapping[str, int]
Formula = Callable[[Ranking, Judgments, int, int], float]
"""(ranking, judgments, k, rel) → value in [0, 1]."""


@dataclass(frozen=True)
class Measure:
    """One measure. ``name`` is how it is typed before ``@k``; ``rival`` says what else goes by that name."""

    name: str
    says: str
    formula: str
    rival: str
    source: str
    compute: Formula


@dataclass(frozen=True)
class Metric:
    """A measure with its cut-off: prints as it is typed, ``nDCG@10``."""

    measure: Measure
    k: int
    rel: int = 1

    def __call__(self, ranking: Ranking, judgments: Judgments) -> float:
        """The value for one query."""
        if len(set(ranking)) != len(ranking):
            raise ValueError(f"{self}: the ranking holds an id twice; expected distinct ids, best first")
        return self.measure.compute(ranking[: self.k], judgments, self.k, self.rel)

    def __str__(self) -> str:
        return f"{self.measure.name}@{self.k}"


def first_relevant_rank(ranking: Ranking, judgments: Judgments, rel: int = 1) -> int | None:
    """The rank (from 1) of the first relevant id, None when the ranking holds none."""
    return next((rank for rank, id in enumerate(ranking, 1) if judgments.get(id, 0) >= rel), None)


def hit(ranking: Ranking, judgments: Judgments, k: int, rel: int = 1) -> float:
    """1 if any of the first k is relevant, else 0."""
    return 0.0 if first_relevant_rank(ranking[:k], judgments, rel) is None else 1.0


def recall(ranking: Ranking, judgments: Judgments, k: int, rel: int = 1) -> float:
    """Relevant ids among the first k, as a share of all relevant ids."""
    return _relevant(ranking[:k], judgments, rel) / max(_judged_relevant(judgments, rel), 1)


def precision(ranking: Ranking, judgments: Judgments, k: int, rel: int = 1) -> float:
    """Relevant ids among the first k, divided by k."""
    return _relevant(ranking[:k], judgments, rel) / k


def reciprocal_rank(ranking: Ranking, judgments: Judgments, k: int, rel: int = 1) -> float:
    """1 / rank of the first relevant id, 0 when the first k hold none."""
    rank = first_relevant_rank(ranking[:k], judgments, rel)
    return 0.0 if rank is None else 1.0 / rank


def average_precision(ranking: Ranking, judgments: Judgments, k: int, rel: int = 1) -> float:
    """Mean, over *all* relevant ids, of the precision at each one's rank; 0 for those not in the first k."""
    total, seen = 0.0, 0
    for rank, id in enumerate(ranking[:k], 1):
        if judgments.get(id, 0) >= rel:
            seen += 1
            total += seen / rank
    return total / max(_judged_relevant(judgments, rel), 1)


def dcg(gains: Iterable[float]) -> float:
    """Σ gain / log2(rank + 1), rank from 1, gain linear in the grade."""
    return sum((gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1)), 0.0)


def ndcg(ranking: Ranking, judgments: Judgments, k: int, rel: int = 1) -> float:
    """DCG of the first k, divided by the DCG of the best order of all judged ids, cut at k.

    ``rel`` is not used: grades are the gains, grades below 0 gain nothing.
    """
    ideal = dcg(sorted((max(grade, 0) for grade in judgments.values()), reverse=True)[:k])
    return 0.0 if ideal == 0 else dcg(max(judgments.get(id, 0), 0) for id in ranking[:k]) / ideal


def _relevant(ids: Ranking, judgments: Judgments, rel: int) -> int:
    return sum(1 for id in ids if judgments.get(id, 0) >= rel)


def _judged_relevant(judgments: Judgments, rel: int) -> int:
    return sum(1 for grade in judgments.values() if grade >= rel)


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "hit",
            "Whether the first k results hold anything relevant.",
            "1 if some rank <= k is relevant, else 0",
            "Also called Success@k, and in much writing on RAG 'recall@k', which here is another measure.",
            "Voorhees, TREC 2004 Robust Track overview",
            hit,
        ),
        Measure(
            "recall",
            "The share of all relevant passages that the first k results hold.",
            "relevant in the first k / relevant in all",
            "With one relevant passage a query it equals hit@k; with several it does not.",
            "Manning, Raghavan and Schütze (2008), section 8.3",
            recall,
        ),
        Measure(
            "precision",
            "The share of the first k results that are relevant.",
            "relevant in the first k / k",
            "Some divide by the number returned when that is below k; here a short list is penalised.",
            "Manning, Raghavan and Schütze (2008), section 8.4",
            precision,
        ),
        Measure(
            "MRR",
            "One over the rank of the first relevant result, 0 when the first k hold none.",
            "1 / first relevant rank",
            "Without a cut-off a hit far down still earns a little.",
            "Voorhees, TREC-8 Question Answering Track report (1999)",
            reciprocal_rank,
        ),
        Measure(
            "AP",
            "Precision at the rank of every relevant result, averaged over all relevant passages.",
            "sum of precision@rank over relevant ranks <= k / relevant in all",
            "Some divide by min(k, relevant), so that a full list can reach 1; trec_eval and this do not.",
            "Buckley and Voorhees, SIGIR 2000",
            average_precision,
        ),
        Measure(
            "nDCG",
            "Discounted gain of the first k results against the best order that was possible.",
            "DCG / IDCG, DCG = sum of grade / log2(rank + 1)",
            "Exponential gain, 2^grade - 1 (Burges et al. 2005), rewards high grades more; "
            "with grades 0 and 1 the two agree.",
            "Järvelin and Kekäläinen, ACM TOIS 20(4), 2002",
            ndcg,
        ),
    )
}

_TYPED = re.compile(r"(?P<name>\w+)@(?P<k>[1-9]\d*)")
_ALIASES = {"success": "hit", "r": "recall", "p": "precision", "rr": "MRR"}


def metric(typed: str, rel: int = 1) -> Metric:
    """The metric typed as ``nDCG@10`` (case is ignored; Success, R, P and RR are understood too).

    ``ValueError`` says what was found and lists the known names.
    """
    match = _TYPED.fullmatch(typed.strip())
    known = {name.lower(): measure for name, measure in MEASURES.items()}
    name = "" if match is None else match["name"].lower()
    found = known.get(_ALIASES.get(name, name).lower())
    if match is None or found is None:
        raise ValueError(f"metric {typed!r} is not known; expected NAME@k, NAME one of {', '.join(MEASURES)}")
    return Metric(found, int(match["k"]), rel)


def evaluate(
    metrics: Sequence[Metric], rankings: Mapping[str, Ranking], judgments: Mapping[str, Judgments]
) -> dict[str, dict[str, float]]:
    """``{metric as typed: {query id: value}}`` over every judged query; a missing ranking is an empty one."""
    return {
        str(metric): {query: metric(rankings.get(query, ()), judged) for query, judged in judgments.items()}
        for metric in metrics
    }


def mean(values: Mapping[str, float]) -> float:
    """The mean over queries; ``ValueError`` when there is none."""
    if not values:
        raise ValueError("no query to average over")
    return math.fsum(values.values()) / len(values)
