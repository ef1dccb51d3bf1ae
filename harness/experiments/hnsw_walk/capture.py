"""Capture ``hnsw_walk``: a small HNSW graph over real vectors, and each node that some searches visit in it.

The graph is our own (:mod:`harness.retrieval.hnsw_graph`): pgvector's cannot be watched from SQL. It is compared
with brute force over the same sample, and checked for its structure before anything is published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.capture.api import Capture, Determinism, JsonObject, Payload, Run
from harness.corpus.model import Corpus, Query, Vectors
from harness.errors import HarnessError
from harness.evaluation.bootstrap import mean_interval
from harness.evaluation.relevance import answerable
from harness.experiments.hnsw_walk import record
from harness.experiments.hnsw_walk.figures import figures
from harness.experiments.hnsw_walk.record import Projection, Shown
from harness.measuring.excerpts import passages, places
from harness.retrieval.hnsw_graph import Graph, Walk, build, faults, nearest, search

Walks = dict[int, list[Walk]]
"""ef → one walk a question."""


def capture(run: Run) -> Payload:
    """Build the graphs, ask every question at every ef, and keep two questions in full."""
    params, corpus = run.params, run.corpus
    queries = answerable(corpus)
    asked = corpus.query_vectors(queries)
    picked = _sample(len(corpus.chunks), params["sample"], params["seed"])
    vectors = corpus.vectors()[picked]
    graphs = [_sound(vectors, params, params["seed"] + i, run) for i in range(params["builds"])]
    taken = [{ef: [search(graph, one, ef=ef) for one in asked] for ef in params["efs"]} for graph in graphs]
    exact = [{node for _, node in nearest(graphs[0], one, params["k"])} for one in asked]
    shown = _shown(queries, asked, taken[0], exact, params)
    graph, place = graphs[0], Projection.of(vectors)
    ids = [corpus.chunks[i].id for i in picked]
    result: JsonObject = {
        "population": {
            "chunks": len(corpus.chunks),
            "sample": len(picked),
            "documents": len({corpus.chunks[i].doc for i in picked}),
            "queries": len(queries),
        },
        "graph": record.structure(graph),
        "projection": {"variance_share": sum(place.shares), "first": place.shares[0], "second": place.shares[1]},
        "by_ef": [_row(ef, [walks[ef] for walks in taken], exact, params, len(picked)) for ef in params["efs"]],
        "walks": [record.walked(graph, one, place, params["k"]) for one in shown],
        "nodes": [
            {"node": node, "id": ids[node], "level": graph.levels[node], **place(vectors[node])}
            for node in record.met(graph, shown, params["k"])
        ],
        "links": record.links(graph, shown),
    }
    result |= _words(corpus, ids, result)
    return Payload(result, figures(result))


def _sample(n: int, size: int, seed: int) -> list[int]:
    """Rows of the corpus, drawn without replacement, in the corpus' order."""
    drawn = np.random.default_rng(seed).choice(n, size=min(n, size), replace=False)
    return sorted(int(i) for i in drawn)


def _sound(vectors: Vectors, params: Mapping[str, Any], seed: int, run: Run) -> Graph:
    """A graph without a fault; HarnessError names the first one otherwise."""
    run.log(f"graph of {len(vectors)} vectors, seed {seed}")
    graph = build(vectors, m=params["m"], ef_construction=params["ef_construction"], seed=seed)
    fault = next(faults(graph), None)
    if fault is not None:
        raise HarnessError(f"hnsw_walk: {fault}")
    return graph


def _hits(walk: Walk, exact: set[int], k: int) -> int:
    return len(exact & {node for _, node in walk.found[:k]})


def _row(
    ef: int, builds: Sequence[Sequence[Walk]], exact: Sequence[set[int]], params: Mapping[str, Any], n: int
) -> dict[str, Any]:
    """Recall against brute force and distances computed at one ef; each question counts as the mean of its builds."""
    k = params["k"]
    by_build = [[_hits(walk, found, k) / k for walk, found in zip(walks, exact, strict=True)] for walks in builds]
    interval = mean_interval(np.mean(by_build, axis=0).tolist(), resamples=params["resamples"], seed=params["seed"])
    distances = float(np.mean([[walk.distances for walk in walks] for walks in builds]))
    return {
        "ef": ef,
        "recall": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "recall_by_build": [float(np.mean(values)) for values in by_build],
        "distances": distances,
        "share": distances / n,
    }


def _shown(
    queries: Sequence[Query], asked: Vectors, walks: Walks, exact: Sequence[set[int]], params: Mapping[str, Any]
) -> list[Shown]:
    """Two questions of the first build, by rule: one that a short list loses, one that it finds."""
    few, many = params["shown_ef"]
    k = params["k"]
    at = {ef: [_hits(walk, found, k) for walk, found in zip(walks[ef], exact, strict=True)] for ef in (few, many)}
    order = range(len(queries))
    lost = min(order, key=lambda i: (-at[many][i], at[few][i], queries[i].id))
    found = min((i for i in order if i != lost), key=lambda i: (-at[few][i], walks[few][i].distances, queries[i].id))
    why = {
        lost: f"of the questions with the most of the exact {k} at ef {many}, the one with the fewest at ef {few}",
        found: f"of the questions with the most of the exact {k} at ef {few}, the one with the fewest distances",
    }
    return [Shown(queries[i], asked[i], why[i], {ef: walks[ef][i] for ef in (few, many)}) for i in (lost, found)]


def _words(corpus: Corpus, ids: Sequence[str], result: JsonObject) -> JsonObject:
    """Where the passages stand that a reader is shown by name, and excerpts of the few that steps quote."""
    named = {result["graph"]["entry"]}
    quoted = {result["graph"]["entry"]}
    for walk in result["walks"]:
        named |= set(walk["exact"])
        for row in walk["by_ef"]:
            named |= set(row["list"][:10]) | {step["node"] for step in row["openings"] if step["layer"]}
            missed = [node for node in walk["exact"] if node not in row["list"]]
            quoted |= {walk["exact"][0], *missed[:1]}
    return {
        "places": places(corpus, [ids[node] for node in named]),
        "passages": passages(corpus, {ids[node]: () for node in quoted}),
    }


CAPTURE = Capture(
    name="hnsw_walk",
    title="A walk through an HNSW graph",
    describes=(
        "A graph of our own (m 8, ef_construction 64) over a random sample of the corpus' passage vectors: every node "
        "that two questions visit at two list lengths, and recall@10 against brute force and distances computed over "
        "all golden questions, three builds."
    ),
    kind="measured",
    capture=capture,
    params={
        "sample": 2000,
        "seed": 7,
        "builds": 3,
        "m": 8,
        "ef_construction": 64,
        "k": 10,
        "efs": [10, 20, 40, 80, 160],
        "shown_ef": [10, 40],
        "resamples": 10_000,
    },
    canary_params={"sample": 150, "builds": 1, "m": 4, "efs": [10, 20], "shown_ef": [10, 20], "resamples": 500},
    caveats=(
        "The graph is ours, written to be read: not pgvector's, which cannot be watched from SQL. It follows the same "
        "paper; its sizes, links and counts are its own.",
        "A random sample of the passages, so recall is against the nearest passages of the sample; a larger graph "
        "needs longer lists for the same recall.",
        "Intervals are 95% percentile bootstrap intervals over questions.",
    ),
    determinism=Determinism("tolerance", rel=0.0, abs=1e-4),
    minutes=2.0,
)
