"""Two sets of shingles compared, whole or by a sample that is drawn by the same rule on both sides.

A sample of 1 in N keeps the shingles whose number is ``residue`` modulo N. As every shingle keeps its number in every
document, the samples of two documents meet exactly where the documents do: the estimate is that of a random sample of
one document's shingles, and sets of one in N are N times cheaper to store and compare (Broder 1997, section 2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.dedup.shingles import Hashes

RATES = (1, 4, 16, 64)
Counted = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Overlap:
    """Sizes of two sets and of what they share."""

    left: int
    right: int
    shared: int

    @property
    def containment(self) -> float | None:
        """The share of the left set that stands in the right one; None for an empty left set."""
        return self.shared / self.left if self.left else None

    @property
    def jaccard(self) -> float | None:
        """Shared by the number in either; None for two empty sets."""
        either = self.left + self.right - self.shared
        return self.shared / either if either else None


def compare(left: Hashes, right: Hashes) -> Overlap:
    """The overlap of two sorted sets."""
    return Overlap(len(left), len(right), int(np.isin(left, right, assume_unique=True, kind="sort").sum()))


def sample(hashes: Hashes, rate: int, residue: int = 0) -> Hashes:
    """The part of the set whose numbers are ``residue`` modulo ``rate``."""
    if rate < 1 or not 0 <= residue < rate:
        raise ValueError(f"residue {residue} of a sample of 1 in {rate}; expected 0 ≤ residue < rate")
    return hashes if rate == 1 else hashes[hashes % np.uint64(rate) == np.uint64(residue)]


def without(hashes: Hashes, common: Hashes) -> Hashes:
    """The set without the shingles of ``common`` (sorted)."""
    return hashes[~np.isin(hashes, common, assume_unique=True, kind="sort")]


@dataclass(frozen=True)
class Residues:
    """One pair counted in each of ``most`` disjoint samples: arrays of that length."""

    left: Counted
    right: Counted
    shared: Counted

    def at(self, rate: int) -> tuple[Counted, Counted, Counted]:
        """(left, right, shared) of every sample of 1 in ``rate``, each an array of length ``rate``."""
        left, right, shared = (part.reshape(-1, rate).sum(axis=0) for part in (self.left, self.right, self.shared))
        return left, right, shared


def residues(left: Hashes, right: Hashes, most: int = RATES[-1]) -> Residues:
    """Every sample of 1 in ``most`` at once; samples of 1 in a divisor of it are sums of them."""
    inside = left[np.isin(left, right, assume_unique=True, kind="sort")]
    one, other, both = (
        np.bincount((part % np.uint64(most)).astype(np.int64), minlength=most) for part in (left, right, inside)
    )
    return Residues(one, other, both)
