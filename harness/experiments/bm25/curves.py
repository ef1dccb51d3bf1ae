"""The three factors of BM25 on this corpus: rarity, saturation, length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.retrieval.bm25 import Index
from harness.retrieval.bm25_formulas import idf_lucene, idf_robertson, tf_robertson

PERCENTILES = (0, 5, 50, 95, 100)


def common_terms(index: Index) -> list[dict[str, Any]]:
    """The terms that stand in more than half of the chunks, most common first: negative unclamped weight."""
    n = len(index.ids)
    counts = np.diff(index.offsets)
    names = list(index.vocabulary)
    found = [(int(counts[number]), names[number]) for number in np.flatnonzero(counts * 2 > n)]
    return [
        {"term": term, "df": df, "df_share": df / n, "idf": idf_lucene(n, df), "idf_unclamped": idf_robertson(n, df)}
        for df, term in sorted(found, key=lambda item: (-item[0], item[1]))
    ]


def saturation(index: Index, term: str, k1s: Sequence[float], most: int = 12) -> dict[str, Any]:
    """The frequency factor of ``term`` by tf and k1, at mean length, and how many chunks hold it how often."""
    _, tfs = index.postings(term)
    top = int(tfs.max(initial=1))
    shown = list(range(1, max(2, min(top, most)) + 1))
    held = np.bincount(tfs, minlength=top + 1)
    parts = {k1: tf_robertson(np.array(shown, dtype=np.float64), np.ones(len(shown)), k1, 0.0) for k1 in k1s}
    return {
        "term": term,
        "df": len(tfs),
        "largest_tf": top,
        "rows": [
            {"tf": tf, "chunks": int(held[tf]) if tf <= top else 0, "factor": [float(parts[k1][at]) for k1 in k1s]}
            for at, tf in enumerate(shown)
        ],
        "k1": list(k1s),
    }


def lengths(index: Index, k1: float, bs: Sequence[float]) -> dict[str, Any]:
    """The frequency factor at tf = 1 for real chunk lengths (in terms), by b."""
    found = []
    for percentile in PERCENTILES:
        length = int(np.percentile(index.lengths, percentile, method="nearest"))
        ratio = length / index.mean_length
        factor = [float(tf_robertson(np.ones(1), np.array([ratio]), k1, b)[0]) for b in bs]
        found.append({"percentile": percentile, "length": length, "length_ratio": ratio, "factor": factor})
    return {"k1": k1, "tf": 1, "b": list(bs), "rows": found}


def telling_term(index: Index, texts: Sequence[str]) -> str:
    """The word of the shown questions that varies most in frequency: largest tf among words of four letters or more
    in at most a tenth of the chunks, the first by name among equals."""
    limit = max(1, len(index.ids) // 10)
    words = {term for text in texts for term in index.tokeniser(text) if term.isalpha() and len(term) >= 4}
    candidates = {word for word in words if 0 < index.df(word) <= limit}
    return min(candidates, key=lambda term: (-int(index.postings(term)[1].max()), term), default=texts[0].split()[0])
