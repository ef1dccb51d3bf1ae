"""The pieces of BM25, one small function per variant, all with the same parameters.

BM25 scores a passage as a sum over the query's terms of *rarity* × *saturated frequency*:

    score(q, d) = Σ_t  idf(N, df_t) · tf_part(tf_{t,d}, len_d / len_avg, k1, b)

Authors agree on this shape and differ in its two factors. The names follow the comparison of Kamphuis, de
Vries, Boytsov and Lin, "Which BM25 Do You Mean?" (ECIR 2020), section 2, which also found that the choice
hardly changes effectiveness; it does change the numbers, so it is named with each score.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Idf = Callable[[int, int], float]
"""(passages N, passages holding the term df) → weight of the term. ``1 <= df <= N``."""
TermFrequency = Callable[[Floats, Floats, float, float], Floats]
"""(tf, length ratio = len / mean len, k1, b) → saturated frequency, element by element."""


def idf_robertson(n: int, df: int) -> float:
    """ln((N − df + ½) / (df + ½)): the Robertson/Sparck Jones weight without relevance information,
    unclamped.

    Zero when the term is in exactly half of the passages and **negative** beyond: holding such a term
    then lowers a passage's score. Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), eq.
    3.3.
    """
    return math.log((n - df + 0.5) / (df + 0.5))


def idf_lucene(n: int, df: int) -> float:
    """ln(1 + (N − df + ½) / (df + ½)): 1 added inside, so never negative. Lucene's ``BM25Similarity``."""
    return math.log(1.0 + (n - df + 0.5) / (df + 0.5))


def idf_atire(n: int, df: int) -> float:
    """ln(N / df): zero only for a term in every passage. Trotman, Jia and Crane, OSIR workshop (2012)."""
    return math.log(n / df)


def tf_robertson(tf: Floats, length_ratio: Floats, k1: float, b: float) -> Floats:
    """tf / (tf + k1·(1 − b + b·ratio)): between 0 and 1. Robertson et al., "Okapi at TREC-3" (1994)."""
    return tf / (tf + k1 * (1.0 - b + b * length_ratio))


def tf_okapi(tf: Floats, length_ratio: Floats, k1: float, b: float) -> Floats:
    """(k1 + 1)·tf / (tf + k1·(1 − b + b·ratio)): the textbook form, 1 at tf = 1 and mean length, at most k1 +
    1.

    The constant factor k1 + 1 changes no ranking. Manning, Raghavan and Schütze (2008), eq. 11.32.
    """
    return (k1 + 1.0) * tf / (tf + k1 * (1.0 - b + b * length_ratio))


@dataclass(frozen=True)
class Variant:
    """A named pair of the two factors; ``source`` says who uses the pair."""

    name: str
    idf: Idf
    tf: TermFrequency
    source: str


VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant("lucene", idf_lucene, tf_robertson, "Lucene 8 and later, Anserini, bm25s' default"),
        Variant("robertson", idf_robertson, tf_robertson, "Okapi at TREC-3, IDF unclamped"),
        Variant("okapi", idf_robertson, tf_okapi, "Manning, Raghavan and Schütze, IDF unclamped"),
        Variant("atire", idf_atire, tf_okapi, "ATIRE"),
    )
}


def variant_named(name: str) -> Variant:
    """The variant of that name; ``ValueError`` lists the known ones."""
    if name not in VARIANTS:
        raise ValueError(f"BM25 variant {name!r} is not known; expected one of {', '.join(sorted(VARIANTS))}")
    return VARIANTS[name]
