"""What an outsider can see of a result page when hidden rows were ranked with it, and what it sees when not.

Every observable is computed twice in each world, over exact rankings: with all existing rows ranked and the hidden ones
dropped afterwards (`after`), and with the hidden ones dropped first (`before`). For lexical search there is a third
case, which passes for the second: rows are dropped first, but the statistics behind the scores are still counted over
all of them (`statistics`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.experiments.barriers.worlds import Held, Mask, Rows
from harness.retrieval.bm25 import DEFAULT, Index
from harness.retrieval.bm25_formulas import variant_named
from harness.retrieval.exact import DIGITS

Floats = NDArray[np.float64]
#: Decimals of a score as an interface prints it.
PRINTED = 4


@dataclass(frozen=True)
class Observable:
    """Something an outsider can read off. `higher`: whether a larger value speaks for a hidden answer."""

    id: str
    words: str
    higher: bool
    lexical: bool = False


OBSERVABLES: tuple[Observable, ...] = (
    Observable("missing", "rows missing from a page of ten", True),
    Observable("total", "number of results: chunks at or above the similarity floor", True),
    Observable("first_rank", "rank printed beside the first row shown", True),
    Observable("normalised", "score of the first row shown, as a share of the best score", False),
    Observable("matches", "number of results: chunks that hold a word of the question", True, lexical=True),
    Observable("score", "BM25 score of the first row, as a multiple of what the outsider's own rows give", False, True),
    Observable("hidden_df", "hidden chunks that hold the question's rarest word, solved from a score", True, True),
)


@dataclass(frozen=True)
class Page:
    """The dense observables of one world under one order of filtering."""

    missing: int
    total: int
    first_rank: int
    normalised: float


def page(cosines: Floats, exists: Mask, visible: Mask, k: int, floor: float, *, after: bool) -> Page:
    """Return what a page of `k` shows. `after`: existing rows are ranked and cut first, hidden ones dropped then."""
    ranked = exists if after else exists & visible
    rows = np.flatnonzero(ranked)
    order = rows[np.argsort(-cosines[rows], kind="stable")]
    shown = visible[order]
    first = int(np.argmax(shown)) if shown.any() else len(order)
    best = float(cosines[order[0]]) if len(order) else 0.0
    own = float(cosines[order[first]]) if first < len(order) else 0.0
    return Page(
        missing=min(k, len(order)) - int(shown[:k].sum()),
        total=int((cosines[order] >= floor).sum()),
        first_rank=first + 1,
        normalised=round(own / best, PRINTED) if best > 0 else 0.0,
    )


@dataclass(frozen=True)
class Statistics:
    """What BM25 counts over some rows: how many, the mean length, and for each word how many hold it."""

    rows: int
    mean_length: float
    df: Callable[[str], int]


def statistics(index: Index, counted: Mask) -> Statistics:
    """Count over the rows that `counted` marks."""
    lengths = index.lengths[counted]

    def df(term: str) -> int:
        rows, _ = index.postings(term)
        return int(counted[rows].sum())

    return Statistics(len(lengths), float(lengths.mean()) if len(lengths) else 0.0, df)


def scores(index: Index, terms: Counter[str], counted: Statistics, shown: Mask) -> Floats:
    """Return the BM25 score of every row, 0 for rows not in `shown`, by other statistics than the index's own."""
    variant = variant_named(DEFAULT.variant)
    totals = np.zeros(len(index.ids))
    for term, count in terms.items():
        rows, frequencies = index.postings(term)
        df = counted.df(term)
        if not len(rows) or not df:
            continue
        ratios = index.lengths[rows] / counted.mean_length
        parts = variant.tf(frequencies.astype(np.float64), ratios, DEFAULT.k1, DEFAULT.b)
        totals[rows] += count * variant.idf(counted.rows, df) * parts
    totals[~shown] = 0.0
    return totals


def score_ratio(index: Index, terms: Counter[str], counted: Statistics, own: Statistics, visible: Mask) -> float:
    """Return the printed score of the best visible row over the one that the outsider works out from its own rows."""
    printed = np.round(scores(index, terms, counted, visible), PRINTED)
    row = int(np.argmax(printed))
    expected = scores(index, terms, own, visible)[row]
    return float(printed[row] / expected) if expected > 0 else 1.0


def rarest(terms: Counter[str], own: Statistics) -> str:
    """Return the word of the question that fewest of the outsider's rows hold, but at least one; "" for none."""
    held = [(own.df(term), term) for term in sorted(terms) if own.df(term)]
    return min(held)[1] if held else ""


def solved_df(index: Index, term: str, counted: Statistics, own: Statistics, visible: Mask) -> int:
    """Return how many rows hold `term` in all, solved from the printed score of a search for that word alone.

    The outsider knows how many rows the store has (many systems say so), and takes its own mean length for that of all.
    Lucene's idf is ln((N + 1) / (df + ½)).
    """
    printed = np.round(scores(index, Counter([term]), counted, visible), PRINTED)
    row = int(np.argmax(printed))
    rows, frequencies = index.postings(term)
    at = int(np.searchsorted(rows, row))
    ratio = np.array([index.lengths[row] / own.mean_length])
    variant = variant_named(DEFAULT.variant)
    part = float(variant.tf(frequencies[at : at + 1].astype(np.float64), ratio, DEFAULT.k1, DEFAULT.b)[0])
    return round((counted.rows + 1) / math.exp(float(printed[row]) / part) - 0.5)


@dataclass(frozen=True)
class Seen:
    """Values of one observable, one a question: in the world with the document and in the one without."""

    present: list[float]
    absent: list[float]


def dense(
    questions: Sequence[Held], rows: Rows, cosines: Callable[[int], Floats], k: int, floor: float
) -> dict[tuple[str, str], Seen]:
    """Return the dense observables by (observable, order of filtering); `cosines` gives those of one question."""
    found: dict[tuple[str, str], Seen] = {}
    for number, question in enumerate(questions):
        values, visible = np.round(cosines(number), DIGITS), rows.visible(question)
        for order in ("after", "before"):
            pages = [
                page(values, exists, visible, k, floor, after=order == "after")
                for exists in (rows.present(question), rows.absent(question))
            ]
            for name in ("missing", "total", "first_rank", "normalised"):
                seen = found.setdefault((name, order), Seen([], []))
                seen.present.append(float(getattr(pages[0], name)))
                seen.absent.append(float(getattr(pages[1], name)))
    return found


@dataclass
class Solved:
    """How well hidden counts can be solved from scores.

    `asked` counts questions in either world, `exact` those solved without an error, `any_right` those where the solved
    count says rightly whether a hidden chunk holds the word at all; `none_held`: no row of the outsider holds a word.
    """

    asked: int = 0
    exact: int = 0
    any_right: int = 0
    none_held: int = 0


def lexical(questions: Sequence[Held], rows: Rows, index: Index) -> tuple[dict[tuple[str, str], Seen], Solved]:
    """Return the lexical observables by (observable, order), and how often a hidden count was solved exactly."""
    found: dict[tuple[str, str], Seen] = {}
    solved = Solved()
    own_of = {}
    for question in questions:
        visible = rows.visible(question)
        if question.outside not in own_of:
            own_of[question.outside] = statistics(index, visible)
        own = own_of[question.outside]
        terms = Counter(index.tokeniser(question.query.text))
        word = rarest(terms, own)
        solved.none_held += not word
        matched = np.zeros(len(index.ids), dtype=bool)
        for term in terms:
            matched[index.postings(term)[0]] = True
        for world, exists in (("present", rows.present(question)), ("absent", rows.absent(question))):
            counted = statistics(index, exists)
            values: dict[tuple[str, str], float] = {
                ("matches", "after"): int((matched & exists).sum()),
                ("matches", "before"): int((matched & exists & visible).sum()),
                ("score", "statistics"): score_ratio(index, terms, counted, own, visible),
                ("score", "before"): score_ratio(index, terms, own, own, visible),
                ("hidden_df", "statistics"): 0,
                ("hidden_df", "before"): 0,
            }
            if word:
                total = solved_df(index, word, counted, own, visible)
                values["hidden_df", "statistics"] = total - own.df(word)
                values["hidden_df", "before"] = solved_df(index, word, own, own, visible) - own.df(word)
                solved.asked += 1
                solved.exact += total == counted.df(word)
                solved.any_right += (total > own.df(word)) == (counted.df(word) > own.df(word))
            for key, value in values.items():
                seen = found.setdefault(key, Seen([], []))
                (seen.present if world == "present" else seen.absent).append(float(value))
    return found, solved
