"""Product quantisation: a vector as one small number a part, and scores read from a table of the query's own.

Jégou, Douze and Schmid, "Product quantization for nearest neighbor search" (IEEE TPAMI 33(1), 2011): the vector is cut
into parts of equal width, each part replaced by the nearest of its codebook's centroids. A query is not quantised
(asymmetric computation). Here the score is the inner product, which for unit vectors orders like the cosine; the
paper's is the squared distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.quantization.kmeans import Floats, assign, kmeans

Codes = NDArray[np.uint8]
LARGEST = 256
"""Centroids that a byte can name."""


@dataclass(frozen=True)
class ProductQuantizer:
    """``codebooks``, shape (parts, centroids, width): part m of a vector is written as a row of ``codebooks[m]``."""

    codebooks: Floats

    @classmethod
    def train(
        cls, points: Floats, parts: int, *, centroids: int = LARGEST, seed: int = 0, iterations: int = 10
    ) -> ProductQuantizer:
        """Codebooks by k-means, each part by itself. ``ValueError`` unless parts divide the width and bytes suffice."""
        if points.shape[1] % parts:
            raise ValueError(f"{points.shape[1]} dimensions do not split into {parts} equal parts")
        if not 1 <= centroids <= LARGEST:
            raise ValueError(f"{centroids} centroids; expected 1 to {LARGEST}, what a byte can name")
        books = [
            kmeans(part, centroids, seed=seed * 1_000 + number, iterations=iterations).centroids
            for number, part in enumerate(_split(points, parts))
        ]
        return cls(np.stack(books))

    @property
    def parts(self) -> int:
        """Parts of a vector, which is also the bytes of a code."""
        return int(self.codebooks.shape[0])

    def encode(self, points: Floats) -> Codes:
        """Codes, shape (parts, n): a row a part, so that one part of all vectors lies together in memory."""
        parts = zip(_split(points, self.parts), self.codebooks, strict=True)
        return np.stack([assign(part, book)[0].astype(np.uint8) for part, book in parts])

    def decode(self, codes: Codes) -> Floats:
        """The vectors that the codes stand for, shape (n, d)."""
        return np.concatenate([book[code] for book, code in zip(self.codebooks, codes, strict=True)], axis=1)

    def table(self, query: Floats) -> Floats:
        """Inner products of the query's parts with every centroid, shape (parts, centroids)."""
        products: Floats = np.einsum("mkw,mw->mk", self.codebooks, query.reshape(self.parts, -1))
        return products


def scores(table: Floats, codes: Codes) -> Floats:
    """The inner product of the query with every coded vector, shape (n,): one look-up and one addition a part."""
    total = np.zeros(codes.shape[1], dtype=np.float32)
    for row, code in zip(table, codes, strict=True):
        total += row[code]
    return total


def distortion(quantizer: ProductQuantizer, points: Floats) -> float:
    """The mean squared distance between vectors and what their codes stand for."""
    lost = points - quantizer.decode(quantizer.encode(points))
    return float(np.einsum("ij,ij->i", lost, lost).mean())


def _split(points: Floats, parts: int) -> list[Floats]:
    return [np.ascontiguousarray(part) for part in np.split(points, parts, axis=1)]
