"""All pairs of a corpus in one pass: an inverted index from shingle to documents, read once and thrown away.

The documents' sorted sets are cut into ranges of the numbers' values, and one range is held as an index at a time: its
postings are sorted by shingle, and each run of equal shingles names the documents that share it. A shingle of one
document only counts to its size. One of few documents adds one to each of their pairs. One of many (boilerplate) is
counted by a matrix product, which costs the same however many pairs it stands for.

What shingles of common document frequency share is kept apart in bands, so that one pass answers for every threshold
of boilerplate. Memory: eight bytes a posting, 4·n² bytes a band for n documents, and one range's index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.dedup.shingles import Hashes

Counts = npt.NDArray[np.int32]
Shares = npt.NDArray[np.float64]
RANGES = 32
FEW = 24
"""A shingle of at most this many documents is counted pair by pair."""
BLOCK = 4_000_000
"""Pairs held at once."""


@dataclass(frozen=True)
class Pairs:
    """What documents share, by band of document frequency.

    ``edges`` are rising upper bounds: band b holds the shingles of more than ``edges[b-1]`` and at most ``edges[b]``
    documents, the last band those above every edge. ``sizes`` is ``(bands, n)``: shingles of each document;
    ``shared`` is ``(bands, n, n)``, symmetric, zero on the diagonal. ``distinct`` counts the shingles of each band.
    """

    edges: tuple[int, ...]
    sizes: Counts
    shared: Counts
    distinct: npt.NDArray[np.int64]

    def _upto(self, limit: int | None) -> int:
        if limit is None:
            return len(self.edges) + 1
        return self.edges.index(limit) + 1

    def size(self, limit: int | None = None) -> npt.NDArray[np.int64]:
        """Shingles of each document that stand in at most ``limit`` documents (an edge); None: all of them."""
        found: npt.NDArray[np.int64] = self.sizes[: self._upto(limit)].sum(axis=0, dtype=np.int64)
        return found

    def common(self, limit: int | None = None) -> npt.NDArray[np.int64]:
        """``(n, n)``: shingles that two documents share, of those in at most ``limit`` documents."""
        found: npt.NDArray[np.int64] = self.shared[: self._upto(limit)].sum(axis=0, dtype=np.int64)
        return found

    def containment(self, limit: int | None = None, least: int = 1) -> Shares:
        """``(n, n)``: the share of document i's shingles in document j; NaN where i has fewer than ``least``."""
        size = self.size(limit).astype(np.float64)
        size[size < max(least, 1)] = np.nan
        found: Shares = self.common(limit) / size[:, None]
        return found

    def jaccard(self, limit: int | None = None) -> Shares:
        """``(n, n)``: shared by the number in either; NaN for two documents without shingles."""
        size, common = self.size(limit), self.common(limit)
        either = (size[:, None] + size[None, :] - common).astype(np.float64)
        either[either == 0] = np.nan
        found: Shares = common / either
        return found


def pairs(
    sets: Sequence[Hashes],
    edges: Sequence[int] = (),
    ranges: int = RANGES,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> Pairs:
    """Every pair of ``sets`` (sorted, each number once) that shares a shingle, counted in one pass."""
    if list(edges) != sorted(set(edges)) or any(edge < 1 for edge in edges):
        raise ValueError(f"edges {list(edges)}: expected rising document counts from 1")
    n, bands = len(sets), len(edges) + 1
    sizes = np.zeros((bands, n), dtype=np.int32)
    shared = np.zeros((bands, n, n), dtype=np.int32)
    distinct = np.zeros(bands, dtype=np.int64)
    for done, (keys, documents) in enumerate(_ranges(sets, ranges), start=1):
        starts, frequency = _runs(keys)
        band = np.searchsorted(np.asarray(edges), frequency).astype(np.int64)
        distinct += np.bincount(band, minlength=bands)
        places = np.repeat(band, frequency) * n + documents
        sizes += np.bincount(places, minlength=bands * n).reshape(bands, n).astype(np.int32)
        for b in np.unique(band[frequency > 1]):
            chosen = (band == b) & (frequency > 1)
            _add(shared[b], starts[chosen], frequency[chosen], documents)
        tick(done, ranges)
    for counts in shared:
        counts += counts.T.copy()
    return Pairs(tuple(edges), sizes, shared, distinct)


def frequent(sets: Sequence[Hashes], limit: int, ranges: int = RANGES) -> Hashes:
    """The shingles that stand in more than ``limit`` of the sets, sorted: the boilerplate."""
    found = []
    for keys, _ in _ranges(sets, ranges):
        starts, frequency = _runs(keys)
        found.append(keys[starts[frequency > limit]])
    return np.concatenate(found) if found else np.empty(0, dtype=np.uint64)


def _ranges(sets: Sequence[Hashes], ranges: int) -> Iterator[tuple[Hashes, npt.NDArray[np.int64]]]:
    """(keys, documents) of one range of numbers after the other, sorted by key, then by document."""
    bounds = [(index << 64) // ranges for index in range(1, ranges)]
    cuts = np.array(bounds, dtype=np.uint64)
    places = [np.concatenate(([0], np.searchsorted(one, cuts), [len(one)])) for one in sets]
    for index in range(ranges):
        parts = [one[place[index] : place[index + 1]] for one, place in zip(sets, places, strict=True)]
        keys = np.concatenate(parts) if parts else np.empty(0, dtype=np.uint64)
        owners = np.repeat(np.arange(len(sets), dtype=np.int64), [len(part) for part in parts])
        order = np.argsort(keys, kind="stable")
        yield keys[order], owners[order]


def _runs(keys: Hashes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(first place, length) of every run of equal keys."""
    if not len(keys):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    starts = np.concatenate(([0], np.flatnonzero(keys[1:] != keys[:-1]) + 1)).astype(np.int64)
    return starts, np.diff(np.concatenate((starts, [len(keys)]))).astype(np.int64)


def _add(
    counts: Counts,
    starts: npt.NDArray[np.int64],
    frequency: npt.NDArray[np.int64],
    documents: npt.NDArray[np.int64],
) -> None:
    """Adds to the upper triangle of ``counts`` one for each pair of documents of each run."""
    n = len(counts)
    waiting: list[npt.NDArray[np.int64]] = []
    held = 0
    for d in np.unique(frequency[frequency <= FEW]):
        of = starts[frequency == d]
        one, other = np.triu_indices(int(d), k=1)
        step = max(1, BLOCK // len(one))
        for first in range(0, len(of), step):
            rows = documents[of[first : first + step, None] + np.arange(d)]
            waiting.append((rows[:, one] * n + rows[:, other]).ravel())
            held += waiting[-1].size
            if held >= BLOCK:
                _flush(counts, waiting)
                held = 0
    _flush(counts, waiting)
    many = np.flatnonzero(frequency > FEW)
    for first in range(0, len(many), 4096):
        block = many[first : first + 4096]
        incidence = np.zeros((len(block), n), dtype=np.float32)
        for row, run in enumerate(block):
            incidence[row, documents[starts[run] : starts[run] + frequency[run]]] = 1
        counts += np.triu(incidence.T @ incidence, k=1).astype(np.int32)


def _flush(counts: Counts, waiting: list[npt.NDArray[np.int64]]) -> None:
    if waiting:
        n = len(counts)
        codes, number = np.unique(np.concatenate(waiting), return_counts=True)
        counts[codes // n, codes % n] += number.astype(np.int32)
        waiting.clear()
