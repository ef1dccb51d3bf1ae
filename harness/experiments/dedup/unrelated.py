"""Pairs that should share nothing, and what boilerplate makes of them at every threshold."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.dedup.index import Pairs
from harness.evaluation.bootstrap import mean_interval
from harness.experiments.dedup.sources import FAMILIES, Item

Drawn = npt.NDArray[np.int64]
ACROSS = "across"


def components(items: Sequence[Item], supersedes: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Item id → a name shared by all that supersede one another, however far apart in the chain."""
    parent = {item.id: item.id for item in items}

    def root(id: str) -> str:
        while parent[id] != id:
            id = parent[id]
        return id

    for old, new in supersedes:
        parent[root(old)] = root(new)
    return {id: root(id) for id in parent}


def drawn(items: Sequence[Item], supersedes: Sequence[tuple[str, str]], count: int, seed: int) -> dict[str, Drawn]:
    """Family → ordered pairs ``(count, 2)`` of two groups and of no common chain; ``across``: of two families.

    Fewer where the family has fewer such pairs. Drawn without replacement.
    """
    chain = components(items, supersedes)
    rng = np.random.default_rng(seed)
    found: dict[str, Drawn] = {}
    by_family = {f: [n for n, item in enumerate(items) if item.family == f] for f in FAMILIES}
    kinds = [(f, members, members) for f, members in by_family.items()]
    papers = [f for f in FAMILIES[:3] if by_family[f]]
    across = [(a, b) for f, g in itertools.permutations(papers, 2) for a in by_family[f] for b in by_family[g]]
    for family, left, right in kinds:
        allowed = [
            (a, b) for a in left for b in right
            if items[a].group != items[b].group and chain[items[a].id] != chain[items[b].id]
        ]  # fmt: skip
        if allowed:
            found[family] = _some(rng, allowed, count)
    if across:
        found[ACROSS] = _some(rng, across, count)
    return found


def _some(rng: np.random.Generator, allowed: Sequence[tuple[int, int]], count: int) -> Drawn:
    chosen = rng.choice(len(allowed), size=min(count, len(allowed)), replace=False)
    return np.array([allowed[index] for index in sorted(chosen)], dtype=np.int64)


def rows(pairs: Pairs, unrelated: Mapping[str, Drawn], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a family and threshold: mean, 99th percentile and largest containment, and how many reach the line."""
    made = []
    for limit in (None, *reversed(pairs.edges)):
        shares = pairs.containment(limit, params["least"])
        for family, chosen in unrelated.items():
            found = shares[chosen[:, 0], chosen[:, 1]]
            values = found[~np.isnan(found)]
            if not len(values):
                continue
            interval = mean_interval(list(values), resamples=params["resamples"], seed=params["seed"])
            made.append(
                {
                    "limit": limit, "family": family, "n": len(values), "unusable": int(np.isnan(found).sum()),
                    "mean": interval.mean, "low": interval.low, "high": interval.high,
                    "p99": float(np.quantile(values, 0.99)), "largest": float(values.max()),
                    "over": int((values >= params["line"]).sum()),
                }
            )  # fmt: skip
    return made


def exceptions(
    pairs: Pairs, unrelated: Mapping[str, Drawn], items: Sequence[Item], params: Mapping[str, Any], most: int = 6
) -> list[dict[str, Any]]:
    """The drawn pairs that share the most at the chosen threshold, with what they are."""
    shares = pairs.containment(params["limit"], params["least"])
    every = [(float(shares[a, b]), family, a, b) for family, chosen in unrelated.items() for a, b in chosen]
    kept = sorted((one for one in every if one[0] >= params["line"]), reverse=True)
    return [
        {
            "family": family, "containment": value, "document": items[a].id, "title": items[a].title,
            "other": items[b].id, "other_title": items[b].title,
        }
        for value, family, a, b in kept[:most]
    ]  # fmt: skip
