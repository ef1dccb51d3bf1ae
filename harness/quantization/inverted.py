"""Inverted lists over vectors: a search looks into the lists whose centroids are nearest to the query.

What a list holds of its vectors is either the vectors themselves or their codes (of the vector, or of what it differs
from its list's centroid by: the residual). Jégou, Douze and Schmid (2011), section IV. Vectors have length 1, lists
are made by spherical k-means, and a score is an inner product, exact or by codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.quantization.kmeans import Floats, assign, kmeans
from harness.quantization.product import Codes, ProductQuantizer, scores

Rows = NDArray[np.int32]


@dataclass(frozen=True)
class Lists:
    """``centroids`` (lists, d); ``rows``: numbers of vectors, those of list i at ``starts[i]`` to ``starts[i + 1]``."""

    centroids: Floats
    rows: Rows
    starts: NDArray[np.int64]

    @classmethod
    def build(cls, vectors: Floats, count: int, *, seed: int, sample: int, iterations: int = 10) -> Lists:
        """``count`` lists; centroids are learnt from a random ``sample`` of the vectors, then all are assigned."""
        chosen = training_rows(len(vectors), sample, seed)
        centroids = kmeans(vectors[chosen], count, seed=seed, iterations=iterations, spherical=True).centroids
        nearest, _ = assign(vectors, centroids)
        starts = np.concatenate(([0], np.cumsum(np.bincount(nearest, minlength=count))))
        return cls(centroids, np.argsort(nearest, kind="stable").astype(np.int32), starts.astype(np.int64))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Vectors of each list."""
        return np.diff(self.starts)

    @property
    def owner(self) -> NDArray[np.int64]:
        """For each place of ``rows`` the number of its list."""
        return np.repeat(np.arange(len(self.centroids)), self.sizes)

    def order(self, query: Floats) -> NDArray[np.int64]:
        """All lists, that of the nearest centroid first (the lower number of two that tie)."""
        return np.argsort(-(self.centroids @ query), kind="stable")


@dataclass(frozen=True)
class Scan:
    """What a search met, nearest list first: ``rows`` and ``scores``; ``ends[i]``: how many after i + 1 lists."""

    rows: Rows
    scores: Floats
    ends: NDArray[np.int64]

    def best(self, k: int, probes: int) -> Rows:
        """The ``k`` rows of highest score within the first ``probes`` lists, ties by row; fewer if they hold fewer."""
        end = int(self.ends[probes - 1])
        found, rows = self.scores[:end], self.rows[:end]
        if end > k:
            # everything that ties with the last place is kept, so that which of them wins does not hang on the sort
            least = np.partition(found, end - k)[end - k]
            kept = np.flatnonzero(found >= least)
            found, rows = found[kept], rows[kept]
        return rows[np.lexsort((rows, -found))[:k]]


@dataclass(frozen=True)
class Inverted:
    """Lists and what they hold: ``vectors`` in list order, or ``codes`` with their ``quantizer``; one of the two.

    ``residual``: codes stand for the difference to the list's centroid. ``rotation``: applied to what is coded.
    """

    lists: Lists
    vectors: Floats | None = None
    codes: Codes | None = None
    quantizer: ProductQuantizer | None = None
    residual: bool = True
    rotation: Floats | None = None

    @classmethod
    def flat(cls, vectors: Floats, lists: Lists) -> Inverted:
        """Lists of full vectors."""
        return cls(lists, vectors=vectors[lists.rows])

    @classmethod
    def coded(
        cls,
        vectors: Floats,
        lists: Lists,
        quantizer: ProductQuantizer,
        *,
        residual: bool = True,
        rotation: Floats | None = None,
    ) -> Inverted:
        """Lists of codes."""
        codes = quantizer.encode(coded_part(vectors, lists, residual=residual, rotation=rotation))
        return cls(lists, codes=codes, quantizer=quantizer, residual=residual, rotation=rotation)

    def scan(self, query: Floats, probes: int | None = None) -> Scan:
        """Score every vector of the ``probes`` nearest lists (None: of all)."""
        order = self.lists.order(query)[:probes]
        sizes = self.lists.sizes[order]
        spans = [slice(int(self.lists.starts[i]), int(self.lists.starts[i + 1])) for i in order]
        rows = np.concatenate([self.lists.rows[span] for span in spans])
        return Scan(rows, self._scores(query, spans, order, sizes), np.cumsum(sizes))

    def bytes(self) -> dict[str, int]:
        """Bytes by what they are for, from the arrays: stored vectors or codes, row numbers, and what all share."""
        stored = self.vectors if self.vectors is not None else self.codes
        assert stored is not None
        shared = self.lists.centroids.nbytes + self.lists.starts.nbytes
        shared += 0 if self.quantizer is None else self.quantizer.codebooks.nbytes
        shared += 0 if self.rotation is None else self.rotation.nbytes
        return {"stored": stored.nbytes, "rows": self.lists.rows.nbytes, "shared": shared}

    def _scores(
        self, query: Floats, spans: Sequence[slice], order: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> Floats:
        if self.vectors is not None:
            return np.concatenate([self.vectors[span] @ query for span in spans])
        assert self.codes is not None and self.quantizer is not None
        turned = query if self.rotation is None else query @ self.rotation
        codes = np.concatenate([self.codes[:, span] for span in spans], axis=1)
        found = scores(self.quantizer.table(turned), codes)
        # ⟨q, c + r⟩ = ⟨q, c⟩ + ⟨q, r⟩: the first is one number a list
        return found + np.repeat(self.lists.centroids[order] @ query, sizes) if self.residual else found


def coded_part(vectors: Floats, lists: Lists, *, residual: bool, rotation: Floats | None) -> Floats:
    """What is coded, in list order: the vectors or their residuals, rotated if asked."""
    part = vectors[lists.rows]
    if residual:
        part = part - lists.centroids[lists.owner]
    return part if rotation is None else part @ rotation


def training_rows(count: int, sample: int, seed: int) -> NDArray[np.int64]:
    """Up to ``sample`` of ``count`` row numbers, drawn without replacement, ascending."""
    if count <= sample:
        return np.arange(count)
    return np.sort(np.random.default_rng([seed, 1]).choice(count, sample, replace=False))


def rerank(vectors: Floats, query: Floats, rows: Rows, k: int) -> Rows:
    """The best ``k`` of ``rows`` by the full vectors, ties by row."""
    exact = np.round(vectors[rows].astype(np.float64) @ query.astype(np.float64), 6)
    return rows[np.lexsort((rows, -exact))[:k]]
