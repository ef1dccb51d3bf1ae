"""Auditable BM25: every score can be taken apart into terms whose contributions sum to it exactly.

The index is four arrays and a dictionary: for term number t, ``rows[offsets[t]:offsets[t+1]]`` are the
passages holding it and ``frequencies[...]`` how often each does. Nothing in it depends on k1, b or the variant,
so all three are chosen at query time; the frequency factors of the last settings asked for are kept. Fifteen
million postings take about 120 MB (twice that with the factors) instead of the gigabytes that lists of pairs need.

Conventions: a passage is a result only if it holds at least one query term (as in Lucene; with unclamped IDF
a matching passage may score below zero, and must not fall behind passages that match nothing). A term
repeated in the query counts once per repetition. Equal scores are ordered by id, ascending.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from harness.retrieval.bm25_formulas import Floats, variant_named
from harness.retrieval.terms import Tokeniser

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Settings:
    """The dials of a query. k1 ≥ 0 saturates frequency, b in [0, 1] normalises length."""

    k1: float = 1.2
    b: float = 0.75
    variant: str = "lucene"

    def __post_init__(self) -> None:
        if not (self.k1 >= 0 and math.isfinite(self.k1)):
            raise ValueError(f"k1 is {self.k1}; expected a finite number of at least 0")
        if not 0 <= self.b <= 1:
            raise ValueError(f"b is {self.b}; expected a number between 0 and 1")
        variant_named(self.variant)


DEFAULT = Settings()


@dataclass(frozen=True)
class Hit:
    """One result: ``rank`` from 1."""

    id: str
    rank: int
    score: float


@dataclass(frozen=True)
class TermScore:
    """What one query term gives to one passage. ``contribution`` = query_count · idf · tf_part."""

    term: str
    query_count: int
    tf: int
    df: int
    idf: float
    tf_part: float
    contribution: float


@dataclass(frozen=True)
class Explanation:
    """A score taken apart: adding ``terms``' contributions in order, from 0.0, gives ``score`` exactly."""

    id: str
    score: float
    length: int
    length_ratio: float
    terms: tuple[TermScore, ...]


@dataclass(frozen=True)
class Index:
    """An immutable inverted index over passages whose ids ascend. Build it with :func:`build`."""

    ids: tuple[str, ...]
    vocabulary: dict[str, int]
    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]
    frequencies: NDArray[np.int32]
    lengths: NDArray[np.int32]
    tokeniser: Tokeniser
    length_ratios: Floats = field(repr=False)
    row_of: dict[str, int] = field(repr=False)
    _kept: dict[Settings, Floats] = field(default_factory=dict, repr=False, compare=False)

    @property
    def mean_length(self) -> float:
        """Mean passage length in terms; 0.0 for an empty index."""
        return float(self.lengths.mean()) if len(self.lengths) else 0.0

    def df(self, term: str) -> int:
        """How many passages hold ``term``."""
        number = self.vocabulary.get(term)
        return 0 if number is None else int(self.offsets[number + 1] - self.offsets[number])

    def span(self, term: str) -> slice:
        """Where the postings of ``term`` are; an empty slice when no passage holds it."""
        number = self.vocabulary.get(term)
        return slice(0, 0) if number is None else slice(self.offsets[number], self.offsets[number + 1])

    def postings(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(row numbers ascending, frequencies) of ``term``; two empty arrays when no passage holds it."""
        span = self.span(term)
        return self.rows[span], self.frequencies[span]

    def tf_parts(self, settings: Settings) -> Floats:
        """The frequency factor of every posting, in their order; kept until other settings are asked for."""
        if settings not in self._kept:
            tf = variant_named(settings.variant).tf
            parts = tf(self.frequencies.astype(np.float64), self.length_ratios[self.rows], settings.k1, settings.b)
            self._kept.clear()
            self._kept[settings] = parts
            return parts
        return self._kept[settings]

    def scores(self, query: str, settings: Settings = DEFAULT) -> tuple[Floats, Mask]:
        """(score of every row, whether the row holds a query term), both of shape (passages,)."""
        variant, parts = variant_named(settings.variant), self.tf_parts(settings)
        totals = np.zeros(len(self.ids))
        matched = np.zeros(len(self.ids), dtype=bool)
        for term, count in Counter(self.tokeniser(query)).items():
            span = self.span(term)
            rows = self.rows[span]
            if len(rows):
                totals[rows] += count * variant.idf(len(self.ids), len(rows)) * parts[span]
                matched[rows] = True
        return totals, matched

    def search(self, query: str, k: int = 10, settings: Settings = DEFAULT, allowed: Mask | None = None) -> list[Hit]:
        """The ``k`` best passages, fewer when fewer match; score descending, then id ascending.

        ``allowed`` (one flag a row) hides rows *before* ranking, so a full list comes back whenever ``k``
        allowed rows match. Document frequencies still cover every row.
        """
        totals, matched = self.scores(query, settings)
        candidates = np.flatnonzero(matched if allowed is None else matched & allowed)
        return [
            Hit(self.ids[row], rank, float(totals[row]))
            for rank, row in enumerate(best_rows(totals, candidates, k), start=1)
        ]

    def explain(self, query: str, id: str, settings: Settings = DEFAULT) -> Explanation:
        """The score of passage ``id`` for ``query``, term by term, query terms it lacks included with tf 0.

        ``KeyError`` for an unknown id.
        """
        row = self.row_of[id]
        terms = tuple(
            self._explain_term(term, count, row, settings) for term, count in Counter(self.tokeniser(query)).items()
        )
        score = 0.0
        for term in terms:
            score += term.contribution
        return Explanation(id, score, int(self.lengths[row]), float(self.length_ratios[row]), terms)

    def _explain_term(self, term: str, count: int, row: int, settings: Settings) -> TermScore:
        span = self.span(term)
        rows = self.rows[span]
        df = len(rows)
        if df == 0:
            return TermScore(term, count, 0, 0, 0.0, 0.0, 0.0)
        idf = variant_named(settings.variant).idf(len(self.ids), df)
        at = int(np.searchsorted(rows, row))
        if at == df or rows[at] != row:
            return TermScore(term, count, 0, df, idf, 0.0, 0.0)
        tf_part = float(self.tf_parts(settings)[span][at])
        # In the order of scores(), count * idf first: another order may differ in the last bit.
        return TermScore(term, count, int(self.frequencies[span][at]), df, idf, tf_part, count * idf * tf_part)


def build(passages: Iterable[tuple[str, str]], tokeniser: Tokeniser | None = None) -> Index:
    """Index ``(id, text)`` pairs. ``ValueError`` for a repeated id."""
    tokeniser = tokeniser or Tokeniser()
    ids: list[str] = []
    vocabulary: dict[str, int] = {}
    numbered: list[NDArray[np.int32]] = []
    for id, text in passages:
        ids.append(id)
        numbered.append(_numbers(tokeniser(text), vocabulary))
    order = sorted(range(len(ids)), key=ids.__getitem__)
    ids = [ids[position] for position in order]
    for before, after in pairwise(ids):
        if before == after:
            raise ValueError(f"passage id {after!r} comes twice; expected unique ids")
    return _assemble(ids, vocabulary, [numbered[position] for position in order], tokeniser)


def best_rows(scores: Floats, candidates: NDArray[np.int64], k: int) -> list[int]:
    """The ``k`` best of ``candidates`` (ascending row numbers): score descending, then row ascending."""
    if k <= 0 or len(candidates) == 0:
        return []
    values = scores[candidates]
    if k < len(candidates):
        # Everything at or above the k-th best value, so that ties at the edge are settled by id, not by luck.
        threshold = np.partition(values, len(values) - k)[len(values) - k]
        candidates = candidates[values >= threshold]
        values = scores[candidates]
    order = np.lexsort((candidates, -values))[:k]
    return [int(row) for row in candidates[order]]


def _numbers(terms: Sequence[str], vocabulary: dict[str, int]) -> NDArray[np.int32]:
    for term in terms:
        if term not in vocabulary:
            vocabulary[term] = len(vocabulary)
    return np.fromiter(map(vocabulary.__getitem__, terms), dtype=np.int32, count=len(terms))


def _assemble(
    ids: list[str], vocabulary: dict[str, int], numbered: list[NDArray[np.int32]], tokeniser: Tokeniser
) -> Index:
    n = len(ids)
    lengths = np.array([len(numbers) for numbers in numbered], dtype=np.int32)
    tokens = np.concatenate(numbered) if numbered else np.zeros(0, dtype=np.int32)
    # One number an occurrence, term first, row second: sorting brings a posting's occurrences together.
    keys = tokens.astype(np.int64) * max(n, 1) + np.repeat(np.arange(n, dtype=np.int64), lengths)
    del tokens
    keys.sort()
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    frequencies = np.diff(starts, append=len(keys)).astype(np.int32)
    keys = keys[starts]
    offsets = np.searchsorted(keys, np.arange(len(vocabulary) + 1, dtype=np.int64) * max(n, 1))
    rows = (keys % max(n, 1)).astype(np.int32)
    mean = lengths.mean() if n else 0.0
    ratios = lengths / mean if mean else np.ones(n)
    row_of = {id: row for row, id in enumerate(ids)}
    return Index(tuple(ids), vocabulary, offsets, rows, frequencies, lengths, tokeniser, ratios, row_of)
