"""One question in full: which lists were probed, what the codes made of the nearest passages, what reranking mended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from harness.corpus.model import Corpus
from harness.experiments.ivf_pq.coded import Problem
from harness.measuring.excerpts import passages
from harness.quantization.inverted import Inverted, Rows, Scan, rerank
from harness.retrieval.exact import cosines

SHOWN_LISTS = 12


def choose(problem: Problem, index: Inverted, params: Mapping[str, Any]) -> int:
    """The question to show, by rule: of those that lose results to lists not probed, lose others to the codes and get
    some of these back by reranking, the one whose two losses are nearest to their means over all questions."""
    lost = np.array([_losses(problem, index, number, params) for number in range(len(problem.queries))])
    telling = [i for i, (lists, codes, mended) in enumerate(lost) if lists and codes and mended]
    centre = lost[:, :2].mean(axis=0)
    return min(telling or range(len(lost)), key=lambda i: (float(np.abs(lost[i, :2] - centre).sum()), i))


def _losses(problem: Problem, index: Inverted, number: int, params: Mapping[str, Any]) -> tuple[int, int, int]:
    scan = index.scan(problem.query_vectors[number])
    first, again = _results(problem, scan, number, params)
    truth = problem.exact[number][: problem.k]
    probed = scan.rows[: int(scan.ends[params["case_probes"] - 1])]
    inside = int(np.isin(truth, probed).sum())
    kept, mended = int(np.isin(truth, first).sum()), int(np.isin(truth, again).sum())
    return problem.k - inside, inside - kept, mended - kept


def _results(problem: Problem, scan: Scan, number: int, params: Mapping[str, Any]) -> tuple[Rows, Rows]:
    short = scan.best(params["rerank"], params["case_probes"])
    return short[: problem.k], rerank(problem.vectors, problem.query_vectors[number], short, problem.k)


def show(corpus: Corpus, problem: Problem, index: Inverted, number: int, params: Mapping[str, Any]) -> dict[str, Any]:
    """The case as a dataset holds it; ``index`` codes residuals."""
    query, vector = problem.queries[number], problem.query_vectors[number]
    scan = index.scan(vector)
    first, again = _results(problem, scan, number, params)
    probes = params["case_probes"]
    order, end = index.lists.order(vector), int(scan.ends[probes - 1])
    truth = problem.exact[number][: problem.k]
    place = {int(row): at for at, row in enumerate(scan.rows)}
    list_of = {row: int(np.searchsorted(scan.ends, at, side="right")) for row, at in place.items()}
    ranked = scan.best(end, probes)
    rank_of = {int(row): rank for rank, row in enumerate(ranked, 1)}
    values = cosines(problem.vectors, vector[None, :])[0]

    def row_of(row: int) -> dict[str, Any]:
        return {
            "id": corpus.chunks[row].id, "cosine": float(values[row]), "list": list_of[row] + 1,
            "score": float(scan.scores[place[row]]), "code_rank": rank_of.get(row),
        }  # fmt: skip

    exact_rows = [int(row) for row in truth]
    nearest = next((row for row in exact_rows if row in rank_of), int(ranked[0]))
    terms = {corpus.chunks[row].id: query.text.lower().split() for row in {*exact_rows, *map(int, first)}}
    return {
        "query": {"id": query.id, "question": query.text, "doc": query.doc},
        "rule": "loses results to lists not probed and to codes, reranking mends some; both losses near their means",
        "code_bytes": params["case_bytes"], "probes": probes, "rerank": params["rerank"],
        "scanned": end,
        "lists": [
            {
                "order": at + 1, "size": int(index.lists.sizes[order[at]]),
                "cosine": float(index.lists.centroids[order[at]] @ vector),
                "exact": sum(list_of[row] == at for row in exact_rows), "probed": at < probes,
            }
            for at in range(min(SHOWN_LISTS, len(order)))
        ],
        "exact": [
            {"rank": rank, **row_of(row), "probed": row in rank_of, "found": row in set(map(int, first)),
             "reranked": row in set(map(int, again))}
            for rank, row in enumerate(exact_rows, 1)
        ],
        "found": [{"rank": rank, **row_of(int(row)), "exact": int(row) in exact_rows}
                  for rank, row in enumerate(first, 1)],
        "code": _code(corpus, problem, index, nearest, vector),
        "passages": passages(corpus, terms),
    }  # fmt: skip


def _code(corpus: Corpus, problem: Problem, index: Inverted, row: int, vector: Any) -> dict[str, Any]:
    """One passage's code: the number of each part, what the query's table gives for it, and the sum."""
    assert index.codes is not None and index.quantizer is not None
    at = int(np.flatnonzero(index.lists.rows == row)[0])
    owner = int(index.lists.owner[at])
    numbers = index.codes[:, at]
    table = index.quantizer.table(vector)
    parts = [float(line[number]) for line, number in zip(table, numbers, strict=True)]
    centre = float(index.lists.centroids[owner] @ vector)
    return {
        "id": corpus.chunks[row].id, "numbers": [int(number) for number in numbers], "parts": parts,
        "centroid": centre, "score": centre + sum(parts), "cosine": float(cosines(problem.vectors[row : row + 1],
                                                                                  vector[None, :])[0][0]),
    }  # fmt: skip
