"""Reciprocal rank fusion of BM25 and exact dense search: every sum in full, what k does, and what fusion gains.

Both lists are exact, so nothing here is lost to an index. Relevance is read off how the questions were drafted
(:mod:`harness.evaluation.relevance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture.api import Capture, Determinism, Payload, Run
from harness.corpus.model import Corpus, Query
from harness.evaluation.relevance import LABELS, Judged, Label, best_rank, judgments
from harness.experiments.rrf import fusion
from harness.experiments.rrf.figures import figures
from harness.experiments.rrf.fusion import Two
from harness.measuring.excerpts import passages
from harness.measuring.ranked import quality
from harness.measuring.ranked.choose import BEYOND, chosen, evidence_ranks, rrf_rules
from harness.measuring.ranked.lists import Lists, both, ids
from harness.retrieval.bm25 import Settings
from harness.retrieval.rrf import Fused, fuse

PAIRS = (("lexical", "fused"), ("dense", "fused"), ("lexical", "dense"), ("fused", "fused_missing_as_zero"))


def capture(run: Run) -> Payload:
    """Fuse every golden question's lists, show some in full, and sum up."""
    params, corpus = run.params, run.corpus
    lists = both(corpus, Settings(params["k1"], params["b"], params["variant"]), params["depth"])
    two: dict[str, Two] = {
        query.id: {"lexical": ids(lists.lexical[query.id]), "dense": ids(lists.dense[query.id])}
        for query in lists.queries
    }
    run.log("fusing")
    fused = {query: fuse(pair, params["k"]) for query, pair in two.items()}
    labels: dict[Label, Judged] = {label: judgments(corpus, label) for label in LABELS}
    values = quality.measure(_systems(two, fused, params), labels)
    shown = _shown(lists, fused, labels["evidence"])
    result: dict[str, Any] = {
        "population": {
            "chunks": len(corpus.chunks),
            "documents": len(corpus.documents),
            "queries": len(lists.queries),
            "queries_source": len(labels["source"]),
            "queries_evidence": len(labels["evidence"]),
        },
        "worked": fusion.worked(params["k"]),
        "queries": [_query(lists, q, why, two[q.id], fused[q.id], labels, params) for q, why in shown],
        "agreement": fusion.agreement(fused, params["shown"], params["k"]),
        "overlap": _overlap(lists, two, params["overlap"]),
        "quality": quality.rows(values, params["resamples"], params["seed"]),
        "differences": quality.difference_rows(values, PAIRS, params["resamples"], params["seed"]),
        "by_k": _by_k(two, labels, params),
        "missing_as_zero": _mistake(two, fused, params),
    }
    result["passages"] = _passages(corpus, lists, result)
    return Payload(result, figures(result, params))


def _systems(
    two: Mapping[str, Two], fused: Mapping[str, Sequence[Fused]], params: Mapping[str, Any]
) -> dict[str, dict[str, list[str]]]:
    cut = params["top"]
    return {
        "lexical": {query: pair["lexical"][:cut] for query, pair in two.items()},
        "dense": {query: pair["dense"][:cut] for query, pair in two.items()},
        "fused": {query: [result.id for result in results[:cut]] for query, results in fused.items()},
        "fused_missing_as_zero": {query: fusion.missing_as_zero(pair, params["k"], cut) for query, pair in two.items()},
    }


def _shown(lists: Lists, fused: Mapping[str, Sequence[Fused]], evidence: Judged) -> list[tuple[Query, str]]:
    after = {
        query: best_rank([result.id for result in fused[query]], judged) or BEYOND for query, judged in evidence.items()
    }
    return chosen(lists.queries, rrf_rules(after, evidence_ranks(lists, evidence)))


def _query(
    lists: Lists,
    query: Query,
    why: str,
    pair: Two,
    results: Sequence[Fused],
    labels: Mapping[Label, Judged],
    params: Mapping[str, Any],
) -> dict[str, Any]:
    evidence = labels["evidence"].get(query.id, {})
    scores = {"lexical": lists.lexical[query.id], "dense": lists.dense[query.id]}
    rows = fusion.rows(results[: params["shown"]], scores)
    tracked = list(
        dict.fromkeys([row["id"] for row in rows[: params["top"]]] + pair["lexical"][:3] + pair["dense"][:3])
    )
    return {
        "id": query.id,
        "question": query.text,
        "category": query.category,
        "doc": query.doc,
        "why": why,
        "evidence_chunks": sorted(evidence),
        "evidence_rank": {
            "lexical": best_rank(pair["lexical"], evidence),
            "dense": best_rank(pair["dense"], evidence),
            "fused": best_rank([result.id for result in results], evidence),
        },
        "lexical": pair["lexical"][: params["top"]],
        "dense": pair["dense"][: params["top"]],
        "overlap": len(set(pair["lexical"][: params["overlap"]]) & set(pair["dense"][: params["overlap"]])),
        "fused": [row | {"evidence": row["id"] in evidence} for row in rows],
        "by_k": {"ids": tracked, "rows": fusion.orders_by_k(pair, tracked, params["largest_k"])},
    }


def _overlap(lists: Lists, two: Mapping[str, Two], top: int) -> dict[str, Any]:
    """How many results the first ``top`` of both lists share: mean, by category, and the distribution."""
    shared = {query: len(set(pair["lexical"][:top]) & set(pair["dense"][:top])) for query, pair in two.items()}
    groups: dict[str, list[int]] = {}
    for query in lists.queries:
        groups.setdefault(query.category, []).append(shared[query.id])
    counts = list(shared.values())
    return {
        "top": top,
        "mean": sum(counts) / len(counts),
        "n": len(counts),
        "none": counts.count(0),
        "distribution": [{"shared": number, "questions": counts.count(number)} for number in range(top + 1)],
        "categories": [
            {"category": name, "mean": sum(group) / len(group), "n": len(group)}
            for name, group in sorted(groups.items())
        ],
    }


def _by_k(two: Mapping[str, Two], labels: Mapping[Label, Judged], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Quality over all questions, and how many top tens differ from those of the default k."""
    found = []
    home = {query: [r.id for r in fuse(pair, params["k"], params["top"])] for query, pair in two.items()}
    for k in params["quality_k"]:
        rankings = {query: [r.id for r in fuse(pair, k, params["top"])] for query, pair in two.items()}
        row: dict[str, Any] = {"k": k}
        for (_, label, typed), sample in quality.measure({"fused": rankings}, labels).by_cell.items():
            row[f"{typed} {label}"] = sum(sample) / len(sample)
        row["changed"] = sum(1 for query in two if rankings[query] != home[query])
        found.append(row)
    return found


def _mistake(two: Mapping[str, Two], fused: Mapping[str, Sequence[Fused]], params: Mapping[str, Any]) -> dict[str, int]:
    """How the top tens change when a missing rank is taken for 0."""
    top, changed, first = params["top"], 0, 0
    for query, pair in two.items():
        wrong = fusion.missing_as_zero(pair, params["k"], top)
        right = [result.id for result in fused[query][:top]]
        changed += wrong != right
        first += wrong[:1] != right[:1]
    return {"changed": changed, "first_changed": first, "n": len(two)}


def _passages(corpus: Corpus, lists: Lists, result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The chunks of the fused rows shown and of the agreement example, excerpts around the rarest question term."""
    wanted: dict[str, list[str]] = {}
    texts = {query.id: query.text for query in lists.queries}

    def want(query: str, id: str) -> None:
        terms = [term for term in dict.fromkeys(lists.index.tokeniser(texts[query])) if lists.index.df(term)]
        wanted.setdefault(id, sorted(terms, key=lambda term: (lists.index.df(term), term)))

    for query in result["queries"]:
        for id in query["by_k"]["ids"]:
            want(query["id"], id)
    if (example := result["agreement"]) is not None:
        want(example["query"], example["above"]["id"])
        want(example["query"], example["below"]["id"])
    return passages(corpus, wanted)


CAPTURE = Capture(
    name="rrf",
    title="Reciprocal rank fusion",
    describes=(
        "Fusion of the first hundred results of BM25 and of exact dense search over the chunks of the RFC corpus by "
        "1/(k + rank), for the golden questions: the sums of shown questions, k from 1 to 200, the overlap of both "
        "lists, and hit@10 and MRR@10 of both lists and the fused one with paired bootstrap differences, under two "
        "labels that come from how the questions were drafted."
    ),
    kind="measured",
    capture=capture,
    params={
        "k": 60,
        "k1": 1.2,
        "b": 0.75,
        "variant": "lucene",
        "depth": 100,
        "top": 10,
        "shown": 12,
        "overlap": 20,
        "largest_k": 200,
        "quality_k": [0, 1, 5, 10, 20, 40, 60, 80, 100, 150, 200],
        "resamples": 10_000,
        "seed": 7,
    },
    canary_params={"largest_k": 20, "quality_k": [0, 60], "resamples": 500},
    caveats=(
        "Nobody judged the chunks. Label source: any chunk of the document a question was drafted from counts as "
        "relevant, which is lenient. Label evidence: only chunks holding the evidence sentence word for word count, "
        "which is strict.",
        "The questions were drafted by a language model from the documents and may share their words, which favours "
        "lexical search.",
        "Intervals are 95% percentile bootstrap intervals over questions; differences are paired.",
    ),
    determinism=Determinism("tolerance", rel=0.0, abs=1e-4),
    minutes=2.0,
)
