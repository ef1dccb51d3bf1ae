"""How many candidates an exact unrestricted ranking must hand on until `k` of them are visible.

This takes the index out of the picture: what is left is how far the visible share misleads where permission and
distance are correlated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Corpus, Vectors
from harness.entitlements.classification import Label
from harness.entitlements.readers import Reader
from harness.measuring.labelled.design import Cell
from harness.measuring.labelled.measure import over_fetch
from harness.retrieval.exact import cosines


def needed(
    corpus: Corpus, found: Mapping[str, Label], design: Sequence[Cell], vectors: Vectors, k: int
) -> dict[str, NDArray[np.int64]]:
    """Return per cell, for each asking, the rank of its `k`-th visible chunk among all chunks."""
    tenants = np.array([chunk.tenant for chunk in corpus.chunks])
    levels = np.array([found[chunk.doc].level for chunk in corpus.chunks])
    sides = np.array([found[chunk.doc].side for chunk in corpus.chunks])
    every = corpus.vectors()
    ranks: dict[int, NDArray[np.int64]] = {}
    result = {}
    for cell in design:
        depths = []
        for asking in cell.askings:
            if asking.query not in ranks:
                order = np.argsort(-cosines(every, vectors[asking.query][None, :])[0], kind="stable")
                place = np.empty(len(order), dtype=np.int64)
                place[order] = np.arange(1, len(order) + 1)
                ranks[asking.query] = place
            mask = visible(asking.principal, tenants, levels, sides)
            depths.append(int(np.partition(ranks[asking.query][mask], k - 1)[k - 1]))
        result[cell.label] = np.array(depths, dtype=np.int64)
    return result


def visible(
    reader: Reader, tenants: NDArray[np.str_], levels: NDArray[np.int64], sides: NDArray[np.str_]
) -> NDArray[np.bool_]:
    """Return which chunks a reader sees, given the tenant, level and side of each."""
    mask: NDArray[np.bool_] = (
        np.isin(tenants, reader.tenants) & (levels <= reader.clearance) & np.isin(sides, reader.sides)
    )
    return mask


def summary(
    cell: Cell, depths: NDArray[np.int64], rows: int, k: int, cap: int, factors: Sequence[float]
) -> dict[str, Any]:
    """Return what the share asks for beside what an exact ranking needs, and how often the former is too little."""
    shares = np.array([asking.visible / rows for asking in cell.askings])
    asked = np.array([over_fetch(k, share, 1, rows) for share in shares])
    return {
        "cell": cell.label,
        "n": len(depths),
        "share": float(shares.mean()),
        "asked_median": float(np.median(np.ceil(k / shares))),
        "needed_median": float(np.median(depths)),
        "needed_most": int(depths.max()),
        "ratio_median": float(np.median(depths / asked)),
        "short_exact": {
            f"{factor:g}": int(
                sum(d > over_fetch(k, share, factor, cap) for d, share in zip(depths, shares, strict=True))
            )
            for factor in factors
        },
    }
