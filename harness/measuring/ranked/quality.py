"""hit@10 and MRR@10 of several retrievers on the same questions, with bootstrap intervals and paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.evaluation import bootstrap, metrics
from harness.evaluation.relevance import Judged, Label

METRICS = ("hit@10", "MRR@10")
Rankings = Mapping[str, Sequence[str]]
"""Question id → chunk ids, best first."""


@dataclass(frozen=True)
class Values:
    """One value a question, in id order, for each (retriever, label, metric)."""

    by_cell: dict[tuple[str, Label, str], list[float]]


def measure(systems: Mapping[str, Rankings], labels: Mapping[Label, Judged]) -> Values:
    """Every metric of every retriever under every label, over the questions that label covers."""
    chosen = [metrics.metric(typed) for typed in METRICS]
    found: dict[tuple[str, Label, str], list[float]] = {}
    for name, rankings in systems.items():
        for label, judged in labels.items():
            for typed, by_query in metrics.evaluate(chosen, rankings, judged).items():
                found[name, label, typed] = [by_query[query] for query in sorted(by_query)]
    return Values(found)


def rows(values: Values, resamples: int, seed: int) -> list[dict[str, Any]]:
    """One row a (retriever, label, metric): mean, 95% interval over questions, n."""
    found = []
    for (name, label, typed), sample in values.by_cell.items():
        it = bootstrap.mean_interval(sample, resamples=resamples, seed=seed)
        found.append(
            {
                "retriever": name,
                "label": label,
                "metric": typed,
                "mean": it.mean,
                "low": it.low,
                "high": it.high,
                "n": it.n,
            }
        )
    return found


def difference_rows(
    values: Values, pairs: Sequence[tuple[str, str]], resamples: int, seed: int
) -> list[dict[str, Any]]:
    """One row a (pair, label, metric): ``to`` minus ``base`` on the same questions, with counts."""
    found = []
    for base, to in pairs:
        for (name, label, typed), sample in values.by_cell.items():
            if name != to:
                continue
            before = values.by_cell[base, label, typed]
            it = bootstrap.paired_difference(before, sample, resamples=resamples, seed=seed)
            found.append(
                {
                    "base": base,
                    "to": to,
                    "label": label,
                    "metric": typed,
                    "difference": it.interval.mean,
                    "low": it.interval.low,
                    "high": it.interval.high,
                    "better": it.better,
                    "same": it.same,
                    "worse": it.worse,
                    "n": it.interval.n,
                    "excludes_zero": it.interval.excludes_zero,
                }
            )
    return found
