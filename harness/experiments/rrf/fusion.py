"""One question under reciprocal rank fusion, in full, and what k does to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from harness.retrieval.bm25 import Hit
from harness.retrieval.rrf import Fused, contribution, fuse

Two = dict[str, list[str]]
"""The two lists of one question: ``{"lexical": ids, "dense": ids}``."""


def fraction(value: Fraction) -> str:
    """``2/63``."""
    return f"{value.numerator}/{value.denominator}"


def rows(fused: Sequence[Fused], scores: Mapping[str, Sequence[Hit]]) -> list[dict[str, Any]]:
    """One row a fused result: rank, score and 1/(k + rank) in each list, null where a list does not hold it."""
    by_id = {source: {hit.id: hit.score for hit in hits} for source, hits in scores.items()}
    found = []
    for result in fused:
        row: dict[str, Any] = {"rank": result.rank, "id": result.id}
        parts = {part.source: part for part in result.contributions}
        for source in scores:
            part = parts.get(source)
            row[source] = None if part is None else {
                "rank": part.rank,
                "score": by_id[source][result.id],
                "part": float(part.value),
                "fraction": fraction(part.value),
            }  # fmt: skip
        found.append(row | {"score": result.score, "fraction": fraction(result.exact)})
    return found


def orders_by_k(lists: Two, shown: Sequence[str], largest: int) -> list[dict[str, Any]]:
    """The fused rank of each of ``shown`` for k = 1 … ``largest``, stated only where it changes.

    A row holds from its ``from_k`` up to the next row's. Ranks stand in the order of ``shown``.
    """
    found: list[dict[str, Any]] = []
    for k in range(1, largest + 1):
        at = {result.id: result.rank for result in fuse(lists, k)}
        ranks = [at[id] for id in shown]
        if not found or found[-1]["ranks"] != ranks:
            found.append({"from_k": k, "ranks": ranks})
    return found


def missing_as_zero(lists: Two, k: int, limit: int) -> list[str]:
    """The **mistake**, to measure what it costs: a list that does not hold a result counts as rank 0, so 1/k."""
    ranks = {source: {id: rank for rank, id in enumerate(ids, start=1)} for source, ids in lists.items()}
    everything = {id for ids in lists.values() for id in ids}
    scores = {id: sum(Fraction(1, k + ranks[source].get(id, 0)) for source in lists) for id in everything}
    return sorted(everything, key=lambda id: (-scores[id], id))[:limit]


def agreement(fused: Mapping[str, Sequence[Fused]], limit: int, k: int) -> dict[str, Any] | None:
    """A real case of two middling ranks standing above one first rank.

    Above: the first fused result, which is first in neither list; below: a result within ``limit`` that is first in
    one. Of all cases those where both lists hold the lower come first, then those whose upper has the weakest
    better rank, then by question id. None when there is no case.
    """
    cases = [
        (len(lower.contributions) < 2, -_best(results[0]), query, lower.rank, results[0], lower)
        for query, results in fused.items()
        for lower in results[1:limit]
        if _best(lower) == 1 < _best(results[0])
    ]
    if not cases:
        return None
    _, _, query, _, upper, lower = min(cases, key=lambda case: case[:4])
    return {"query": query, "k": k, "above": _ranks(upper), "below": _ranks(lower)}


def worked(k: int) -> list[dict[str, Any]]:
    """The textbook pair: ranks (3, 3) against (1, 10)."""
    found = []
    for ranks in ((3, 3), (1, 10)):
        total = sum((contribution(rank, k) for rank in ranks), Fraction(0))
        found.append({"ranks": list(ranks), "fraction": fraction(total), "score": float(total)})
    return found


def _best(result: Fused) -> int:
    return min(part.rank for part in result.contributions)


def _ranks(result: Fused) -> dict[str, Any]:
    return {
        "id": result.id,
        "rank": result.rank,
        "lexical": result.rank_in("lexical"),
        "dense": result.rank_in("dense"),
        "fraction": fraction(result.exact),
        "score": result.score,
    }
