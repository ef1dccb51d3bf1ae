"""BM25 on the corpus: scores taken apart, k1 and b over a grid, weights below zero, identifiers.

The index is :mod:`harness.retrieval.bm25`. Its default variant (Lucene's weight, never negative) ranks everything;
the unclamped weight of Robertson and Sparck Jones is captured beside it. Relevance is read off how the questions were
drafted (:mod:`harness.evaluation.relevance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture.api import Capture, Determinism, Payload, Run
from harness.corpus.model import Corpus, Query
from harness.evaluation.relevance import LABELS, Judged, Label, best_rank, judgments
from harness.experiments.bm25 import curves, scoring
from harness.experiments.bm25.figures import figures
from harness.experiments.bm25.scoring import Grid
from harness.measuring.excerpts import passages, places
from harness.measuring.ranked import quality
from harness.measuring.ranked.choose import BEYOND, Ranks, bm25_rules, chosen, evidence_ranks
from harness.measuring.ranked.lists import Lists, both, ids
from harness.retrieval import lexical
from harness.retrieval.bm25 import Settings
from harness.retrieval.terms import ENGLISH_STOP_WORDS, Tokeniser, is_identifier

UNCLAMPED = "robertson"


def capture(run: Run) -> Payload:
    """Rank every golden question, take the shown ones apart, and sum up."""
    params, corpus = run.params, run.corpus
    settings = Settings(params["k1"], params["b"], params["variant"])
    lists = both(corpus, settings, params["depth"])
    run.log("grid of k1 and b")
    grid = scoring.over_grid(lists.index, lists.queries, params["grid_k1"], params["grid_b"], params["k"])
    unclamped = _unclamped(lists, params)
    labels: dict[Label, Judged] = {label: judgments(corpus, label) for label in LABELS}
    ranks = evidence_ranks(lists, labels["evidence"])
    shown = _shown(lists, ranks, grid, unclamped, params)
    tops = {q.id: ids(hits[: params["k"]]) for q, hits in ((q, lists.lexical[q.id]) for q in lists.queries)}
    kept = scoring.overlap(tops, unclamped)
    run.log("other tokenisers")
    systems = {"bm25": tops, "bm25_unclamped": unclamped} | _other_tokenisers(corpus, lists, settings, params["k"])
    values = quality.measure(systems, labels)
    result: dict[str, Any] = {
        "population": _population(corpus, lists, labels),
        "queries": [_query(lists, q, why, ranks, labels, grid, params) for q, why in shown],
        "grid_axes": {"k1": params["grid_k1"], "b": params["grid_b"]},
        "grid_quality": _grid_quality(grid, labels, params),
        "common_terms": curves.common_terms(lists.index),
        "saturation": curves.saturation(
            lists.index, curves.telling_term(lists.index, [q.text for q, _ in shown]), params["grid_k1"]
        ),
        "lengths": curves.lengths(lists.index, params["k1"], params["grid_b"]),
        "unclamped": {
            "mean_kept": sum(kept.values()) / len(kept),
            "same_order": sum(1 for query in tops if tops[query] == unclamped[query]),
            "n": len(kept),
        },
        "identifiers": _identifiers(lists, labels, ranks, params["k"]),
        "found": _found(ranks, params["k"]),
        "audit": _audit(lists, settings, params["k"]),
        "quality": quality.rows(values, params["resamples"], params["seed"]),
        "differences": quality.difference_rows(
            values, [("bm25", name) for name in systems if name != "bm25"], params["resamples"], params["seed"]
        ),
    }
    result["passages"], result["pool"] = _passages(corpus, lists, result["queries"])
    return Payload(result, figures(result))


def _unclamped(lists: Lists, params: Mapping[str, Any]) -> dict[str, list[str]]:
    settings = Settings(params["k1"], params["b"], UNCLAMPED)
    return {query.id: ids(lists.index.search(query.text, params["k"], settings)) for query in lists.queries}


def _other_tokenisers(corpus: Corpus, lists: Lists, settings: Settings, k: int) -> dict[str, dict[str, list[str]]]:
    """The same ranking over other terms, one choice changed at a time."""
    tokenisers = {
        "bm25_stopped": Tokeniser(ENGLISH_STOP_WORDS),
        "bm25_stemmed": Tokeniser(stem="porter"),
        "bm25_split": Tokeniser(joints=""),
        "bm25_parts": Tokeniser(parts=True),
    }
    found = {}
    for name, tokeniser in tokenisers.items():
        index = lexical.index(corpus.chunks, tokeniser)
        found[name] = {query.id: ids(lexical.search(index, query.text, k, settings)) for query in lists.queries}
    return found


def _shown(
    lists: Lists, ranks: Ranks, grid: Grid, unclamped: Mapping[str, Sequence[str]], params: Mapping[str, Any]
) -> list[tuple[Query, str]]:
    home = grid[params["grid_k1"][0], params["grid_b"][0]]
    pools = {query: len({id for cell in grid.values() for id in cell[query]}) for query in home}
    tops = {query: ids(hits[: params["k"]]) for query, hits in lists.lexical.items()}
    return chosen(lists.queries, bm25_rules(lists, ranks, scoring.overlap(tops, unclamped), pools))


def _query(
    lists: Lists,
    query: Query,
    why: str,
    ranks: Ranks,
    labels: Mapping[Label, Judged],
    grid: Grid,
    params: Mapping[str, Any],
) -> dict[str, Any]:
    words, meaning = ranks.get(query.id, (BEYOND, BEYOND))
    settings = Settings(params["k1"], params["b"], params["variant"])
    without = Settings(params["k1"], params["b"], UNCLAMPED)
    top = scoring.explained(lists.index, query.text, settings, params["k"])
    evidence = labels["evidence"].get(query.id, {})
    return {
        "id": query.id,
        "question": query.text,
        "category": query.category,
        "doc": query.doc,
        "why": why,
        "evidence_chunks": sorted(evidence),
        "evidence_rank": {"bm25": _or_none(words), "dense": _or_none(meaning)},
        "terms": scoring.terms(lists.index, query.text),
        "top": [row | {"evidence": row["id"] in evidence} for row in top],
        "unclamped": [
            {key: row[key] for key in ("rank", "id", "score", "contribution")}
            for row in scoring.explained(lists.index, query.text, without, params["k"])
        ],
        "grid": scoring.grid_view(grid, query.id, params["grid_k1"], params["grid_b"]),
    }


def _population(corpus: Corpus, lists: Lists, labels: Mapping[Label, Judged]) -> dict[str, Any]:
    index = lists.index
    return {
        "chunks": len(corpus.chunks),
        "documents": len(corpus.documents),
        "queries": len(lists.queries),
        "queries_source": len(labels["source"]),
        "queries_evidence": len(labels["evidence"]),
        "vocabulary": len(index.vocabulary),
        "postings": len(index.rows),
        "mean_terms": index.mean_length,
        "mean_tokens": sum(chunk.tokens for chunk in corpus.chunks) / len(corpus.chunks),
        "chunks_a_document": len(corpus.chunks) / len(corpus.documents),
    }


def _grid_quality(grid: Grid, labels: Mapping[Label, Judged], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for (k1, b), rankings in grid.items():
        values = quality.measure({"bm25": rankings}, labels)
        row: dict[str, Any] = {"k1": k1, "b": b}
        for (_, label, typed), sample in values.by_cell.items():
            row[f"{typed} {label}"] = sum(sample) / len(sample)
        found.append(row)
    return found


def _identifiers(lists: Lists, labels: Mapping[Label, Judged], ranks: Ranks, k: int) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    asked = [query for query in lists.queries if query.category == "identifier" and query.id in ranks]
    for query in asked:
        source = labels["source"][query.id]
        rows.append(
            {
                "id": query.id,
                "question": query.text,
                "doc": query.doc,
                "identifiers": [t for t in dict.fromkeys(lists.index.tokeniser(query.text)) if is_identifier(t)],
                "source_bm25": best_rank(ids(lists.lexical[query.id]), source),
                "source_dense": best_rank(ids(lists.dense[query.id]), source),
                "evidence_bm25": _or_none(ranks[query.id][0]),
                "evidence_dense": _or_none(ranks[query.id][1]),
            }
        )
    return {"rows": rows, "found": _found({query.id: ranks[query.id] for query in asked}, k)}


def _found(ranks: Ranks, k: int) -> dict[str, int]:
    """How many questions have their evidence in the top ``k`` of both lists, of one, of neither."""
    pairs = [(words <= k, meaning <= k) for words, meaning in ranks.values()]
    return {
        "both": pairs.count((True, True)),
        "bm25_only": pairs.count((True, False)),
        "dense_only": pairs.count((False, True)),
        "neither": pairs.count((False, False)),
        "n": len(pairs),
    }


def _audit(lists: Lists, settings: Settings, k: int) -> dict[str, int]:
    """How many results were taken apart, and how many scores their parts give to the last bit."""
    pairs = [(query.text, hit) for query in lists.queries for hit in lists.lexical[query.id][:k]]
    exact = sum(1 for text, hit in pairs if lists.index.explain(text, hit.id, settings).score == hit.score)
    return {"explained": len(pairs), "exact": exact}


def _passages(
    corpus: Corpus, lists: Lists, shown: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Chunks of the top tens with excerpts around their weightiest term; the other chunks of the pools by name."""
    wanted: dict[str, list[str]] = {}
    for query in shown:
        names = [row["term"] for row in query["terms"]]
        for row in query["top"]:
            weights = row["contribution"]
            order = sorted(range(len(names)), key=lambda at: (-weights[at], names[at]))
            wanted.setdefault(row["id"], [names[at] for at in order])
    others = {id for query in shown for id in query["grid"]["pool"]}
    others |= {row["id"] for query in shown for row in query["unclamped"]}
    return passages(corpus, wanted), places(corpus, others - set(wanted))


def _or_none(rank: int) -> int | None:
    return None if rank == BEYOND else rank


CAPTURE = Capture(
    name="bm25",
    title="BM25, taken apart",
    describes=(
        "BM25 over the chunks of the RFC corpus for the golden questions: per-term contributions of shown questions, "
        "top tens over a grid of k1 and b, terms with a weight below zero, chunk ranks of identifier questions beside "
        "exact dense search, and hit@10 and MRR@10 under two labels that come from how the questions were drafted."
    ),
    kind="measured",
    capture=capture,
    params={
        "k1": 1.2,
        "b": 0.75,
        "variant": "lucene",
        "tokeniser": "lower case; letters and digits joined by . - _; no stemming, no stop words",
        "grid_k1": [0.0, 0.5, 0.9, 1.2, 1.6, 2.0],
        "grid_b": [0.0, 0.25, 0.5, 0.75, 1.0],
        "k": 10,
        "depth": 100,
        "resamples": 10_000,
        "seed": 7,
    },
    canary_params={"grid_k1": [0.0, 1.2], "grid_b": [0.0, 0.75], "resamples": 500},
    caveats=(
        "Nobody judged the chunks. Label source: any chunk of the document a question was drafted from counts as "
        "relevant, which is lenient. Label evidence: only chunks holding the evidence sentence word for word count, "
        "which is strict.",
        "The questions were drafted by a language model from the documents and may share their words, which favours "
        "lexical search.",
        "k1 and b of the grid are compared on the same questions that would choose them: no setting is recommended.",
        "Intervals are 95% percentile bootstrap intervals over questions; differences are paired.",
    ),
    determinism=Determinism("tolerance", rel=0.0, abs=1e-4),
    minutes=2.0,
)
