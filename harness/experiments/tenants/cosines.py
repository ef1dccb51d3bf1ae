"""How close the chunks of a tenant lie to each other and to those of other tenants, over all pairs, none sampled.

The mean cosine of all pairs of two sets of unit vectors is the dot product of their sums over the number of pairs, so
every pair counts and no pair is formed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Vectors


@dataclass(frozen=True)
class Closeness:
    """Mean cosines of pairs of different chunks. `tenants` in order; `between[i, j]` for chunks of tenants i and j.

    The diagonal of `between` holds the pairs within a tenant, a chunk never paired with itself; NaN for a tenant of
    one chunk.
    """

    tenants: tuple[str, ...]
    between: NDArray[np.float64]

    def within(self) -> float:
        """The mean over tenants of their mean cosine within."""
        return float(np.nanmean(np.diag(self.between)))

    def across(self) -> float:
        """The mean over pairs of different tenants of their mean cosine."""
        return float(self.between[~np.eye(len(self.tenants), dtype=bool)].mean())

    def nearest(self, tenant: int) -> int:
        """The other tenant whose chunks lie closest on average; of equals the first."""
        others = self.between[tenant].copy()
        others[tenant] = -np.inf
        return int(others.argmax())

    def apart(self) -> int:
        """Tenants that are closer within than to any other tenant."""
        return sum(bool(self.between[i, i] > self.between[i, self.nearest(i)]) for i in range(len(self.tenants)))


def closeness(vectors: Vectors, tenants: Sequence[str]) -> Closeness:
    """Mean cosines within and between tenants; row i of `vectors` (unit length) belongs to `tenants[i]`."""
    names, rows = np.unique(np.asarray(tenants), return_inverse=True)
    sums = np.zeros((len(names), vectors.shape[1]))
    np.add.at(sums, rows, vectors.astype(np.float64))
    counts = np.bincount(rows).astype(np.float64)
    products = sums @ sums.T
    between = products / np.outer(counts, counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        within = (np.diag(products) - counts) / (counts * (counts - 1))
    np.fill_diagonal(between, np.where(counts > 1, within, np.nan))
    return Closeness(tuple(str(name) for name in names), between)
