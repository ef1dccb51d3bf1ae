"""One question under BM25, in full: its terms, its results taken apart, and its top ten over a grid of k1 and b."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness.corpus.model import Query
from harness.retrieval.bm25 import Explanation, Index, Settings
from harness.retrieval.bm25_formulas import idf_lucene, idf_robertson
from harness.retrieval.terms import is_identifier

Grid = dict[tuple[float, float], dict[str, list[str]]]
"""(k1, b) → question id → chunk ids, best first."""


def over_grid(index: Index, queries: Sequence[Query], k1s: Sequence[float], bs: Sequence[float], k: int) -> Grid:
    """The top ``k`` of every question at every pair of dials, under the default variant."""
    return {
        (k1, b): {query.id: [hit.id for hit in index.search(query.text, k, Settings(k1, b))] for query in queries}
        for k1 in k1s
        for b in bs
    }


def terms(index: Index, text: str) -> list[dict[str, Any]]:
    """The question's distinct terms in reading order, with both weights; null for a term no chunk holds."""
    n = len(index.ids)
    return [
        {
            "term": term,
            "count": count,
            "df": df,
            "df_share": df / n,
            "idf": idf_lucene(n, df) if df else None,
            "idf_unclamped": idf_robertson(n, df) if df else None,
            "identifier": is_identifier(term),
        }
        for term, count in Counter(index.tokeniser(text)).items()
        for df in [index.df(term)]
    ]


def explained(index: Index, text: str, settings: Settings, k: int) -> list[dict[str, Any]]:
    """The top ``k`` with each term's frequency and contribution, in the order of :func:`terms`.

    Raises ``AssertionError`` should contributions not sum to the score that ranked the chunk, to the last bit.
    """
    found = []
    for hit in index.search(text, k, settings):
        explanation = index.explain(text, hit.id, settings)
        if explanation.score != hit.score:
            raise AssertionError(f"{hit.id}: contributions sum to {explanation.score!r}, ranked by {hit.score!r}")
        found.append({"rank": hit.rank, "id": hit.id, "score": hit.score} | _parts(explanation))
    return found


def _parts(explanation: Explanation) -> dict[str, Any]:
    return {
        "length": explanation.length,
        "length_ratio": explanation.length_ratio,
        "tf": [term.tf for term in explanation.terms],
        "contribution": [term.contribution for term in explanation.terms],
    }


def grid_view(grid: Grid, query: str, k1s: Sequence[float], bs: Sequence[float]) -> dict[str, Any]:
    """``pool``: the chunks that reach the top ten somewhere on the grid; ``cells[i][j]``: positions in it.

    Rows are k1, columns b, in the order of the grid's axes.
    """
    pool = list(dict.fromkeys(id for k1 in k1s for b in bs for id in grid[k1, b][query]))
    position = {id: at for at, id in enumerate(pool)}
    return {
        "pool": pool,
        "cells": [[[position[id] for id in grid[k1, b][query]] for b in bs] for k1 in k1s],
        "distinct_orders": len({tuple(grid[k1, b][query]) for k1 in k1s for b in bs}),
    }


def overlap(one: Mapping[str, Sequence[str]], two: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How many ids the two rankings of each question share."""
    return {query: len(set(ids) & set(two[query])) for query, ids in one.items()}
