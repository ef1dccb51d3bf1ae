"""Inverted lists of full vectors and of codes, in numpy: recall by how many lists are probed, over several seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Corpus, Query, Vectors
from harness.measuring.intervals import interval
from harness.measuring.readings import Readings
from harness.quantization.inverted import Inverted, Lists, Rows, coded_part, rerank, training_rows
from harness.quantization.product import ProductQuantizer, distortion
from harness.quantization.rotation import learn_rotation
from harness.retrieval.exact import cosines

FLAT, RESIDUAL, DIRECT, ROTATED = "flat", "residual", "direct", "rotated"
Log = Callable[[str], None]


@dataclass(frozen=True)
class Made:
    """An index made with one seed: what it stores, its mean squared coding error (None for full vectors)."""

    index: Inverted
    error: float | None


@dataclass(frozen=True)
class Problem:
    """The vectors of the corpus and of the questions, the labels, and the exact answer as a threshold a question."""

    vectors: Vectors
    queries: Sequence[Query]
    query_vectors: Vectors
    labelled: Sequence[NDArray[np.int64] | None]
    exact: Sequence[Rows]
    k: int

    @classmethod
    def of(cls, corpus: Corpus, queries: Sequence[Query], judged: Mapping[str, Mapping[str, int]], k: int) -> Problem:
        """Exact results by brute force, ties at the last place included, so they may be a few more than ``k``."""
        vectors, query_vectors = corpus.vectors(), corpus.query_vectors(queries)
        row_of = {chunk.id: row for row, chunk in enumerate(corpus.chunks)}
        labelled = [np.array(sorted(row_of[id] for id in judged[q.id])) if q.id in judged else None for q in queries]
        exact = []
        for query in query_vectors:
            values = cosines(vectors, query[None, :])[0]
            least = np.partition(values, len(values) - k)[len(values) - k]
            rows = np.flatnonzero(values >= least)
            exact.append(rows[np.lexsort((rows, -values[rows]))].astype(np.int32))
        return cls(vectors, queries, query_vectors, labelled, exact, k)

    def recall(self, number: int, rows: Rows) -> float:
        """The share of the exact ``k`` that was found; of chunks that tie for the last place any counts."""
        return min(int(np.isin(rows, self.exact[number]).sum()), self.k) / self.k

    def hit(self, number: int, rows: Rows) -> float:
        """Whether a labelled chunk was found; NaN for a question without a label."""
        wanted = self.labelled[number]
        return float("nan") if wanted is None else float(bool(np.isin(rows, wanted).any()))


def variants(params: Mapping[str, Any]) -> list[tuple[str, int]]:
    """(variant, bytes of a code) of every index; 0 bytes for full vectors."""
    found = [(FLAT, 0), *((RESIDUAL, size) for size in params["code_bytes"])]
    return found + [(name, size) for name in (DIRECT, ROTATED) for size in params["compared_bytes"]]


def make(problem: Problem, lists: Lists, variant: str, size: int, seed: int, params: Mapping[str, Any]) -> Made:
    """Train on a sample, code everything."""
    if variant == FLAT:
        return Made(Inverted.flat(problem.vectors, lists), None)
    residual = variant != DIRECT
    part = coded_part(problem.vectors, lists, residual=residual, rotation=None)
    chosen = training_rows(len(part), params["sample"], seed)
    rotation = None
    if variant == ROTATED:
        rotation, _ = learn_rotation(part[chosen], size, centroids=params["centroids"], seed=seed)
        part = part @ rotation
    quantizer = ProductQuantizer.train(
        part[chosen], size, centroids=params["centroids"], seed=seed, iterations=params["iterations"]
    )
    index = Inverted.coded(problem.vectors, lists, quantizer, residual=residual, rotation=rotation)
    return Made(index, distortion(quantizer, part[chosen]))


def take(problem: Problem, index: Inverted, into: Sequence[Readings], seed: int, params: Mapping[str, Any]) -> None:
    """Every question at every number of probes, one of `into` each: one scan, of which fewer probes are a prefix."""
    for number, query in enumerate(problem.query_vectors):
        scan = index.scan(query)
        for readings, probes in zip(into, params["probes"], strict=True):
            short = scan.best(params["rerank"], probes)
            first, again = short[: problem.k], rerank(problem.vectors, query, short, problem.k)
            readings.put(
                seed, number, "", [],
                recall=problem.recall(number, first), reranked=problem.recall(number, again),
                hit=problem.hit(number, first), reranked_hit=problem.hit(number, again),
                scanned=scan.ends[probes - 1] / len(problem.vectors),
            )  # fmt: skip


def rows_of(variant: str, size: int, taken: Sequence[Readings], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a number of probes: means over questions and seeds, intervals over questions, the range over seeds."""
    found = []
    for probes, readings in zip(params["probes"], taken, strict=True):
        row: dict[str, Any] = {"variant": variant, "code_bytes": size, "probes": probes, "n": readings.shape[1]}
        for name in ("recall", "reranked"):
            it, by_seed = interval(readings[name], params), readings[name].mean(axis=1)
            row |= {name: it.mean, f"{name}_low": it.low, f"{name}_high": it.high}
            row[f"{name}_seeds"] = [float(by_seed.min()), float(by_seed.max())]
        row["hit"] = float(np.nanmean(readings["hit"]))
        row["reranked_hit"] = float(np.nanmean(readings["reranked_hit"]))
        row["scanned"] = float(readings["scanned"].mean())
        found.append(row)
    return found


def size_row(variant: str, size: int, made: Sequence[Made], count: int) -> dict[str, Any]:
    """Bytes a vector by what they are for, from the arrays; the coding error as the mean over seeds."""
    parts = made[0].index.bytes()
    errors = [one.error for one in made if one.error is not None]
    return {
        "variant": variant, "code_bytes": size,
        **{f"{name}_bytes": value / count for name, value in parts.items()},
        "total_bytes": sum(parts.values()) / count,
        "error": float(np.mean(errors)) if errors else 0.0,
    }  # fmt: skip
