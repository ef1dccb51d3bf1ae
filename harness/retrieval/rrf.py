"""Reciprocal rank fusion: lists in, one list out, no scores compared.

    score(d) = Σ over the lists that hold d of  1 / (k + rank of d in the list),   rank from 1

Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
Methods" (SIGIR 2009), where k = 60. A list that does not hold d contributes **nothing**: treating a missing
rank as 0 would give the absent the largest contribution of all, 1/k.

Sums are exact fractions, so equal scores are equal and ties fall by id on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

K = 60


@dataclass(frozen=True)
class Contribution:
    """What one list gives: ``value`` = 1 / (k + ``rank``), rank from 1."""

    source: str
    rank: int
    value: Fraction


@dataclass(frozen=True)
class Fused:
    """One fused result: ``rank`` from 1, ``exact`` the sum of ``contributions`` (of lists that hold it)."""

    id: str
    rank: int
    exact: Fraction
    contributions: tuple[Contribution, ...]

    @property
    def score(self) -> float:
        """The fused score as the nearest float."""
        return float(self.exact)

    def rank_in(self, source: str) -> int | None:
        """The rank in the list named ``source``, None when it is not in that list."""
        return next((part.rank for part in self.contributions if part.source == source), None)


def contribution(rank: int, k: int = K) -> Fraction:
    """1 / (k + rank). ``ValueError`` for a rank below 1 or a k below 0."""
    if rank < 1:
        raise ValueError(f"rank is {rank}; ranks count from 1, and a missing result contributes nothing")
    if k < 0:
        raise ValueError(f"k is {k}; expected at least 0")
    return Fraction(1, k + rank)


def fuse(lists: Mapping[str, Sequence[str]], k: int = K, limit: int | None = None) -> list[Fused]:
    """Fuses named lists of ids (best first): score descending, then id ascending, at most ``limit`` results.

    An id in one list only is kept. ``ValueError`` names a list that holds an id twice.
    """
    found: dict[str, list[Contribution]] = {}
    for source, ids in lists.items():
        if len(set(ids)) != len(ids):
            raise ValueError(f"list {source!r} holds an id twice; expected each id once, best first")
        for rank, id in enumerate(ids, start=1):
            found.setdefault(id, []).append(Contribution(source, rank, contribution(rank, k)))
    summed = {id: sum((part.value for part in parts), Fraction(0)) for id, parts in found.items()}
    order = sorted(found, key=lambda id: (-summed[id], id))[:limit]
    return [Fused(id, rank, summed[id], tuple(found[id])) for rank, id in enumerate(order, start=1)]
