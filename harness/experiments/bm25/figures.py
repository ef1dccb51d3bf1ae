"""The scalars of ``bm25`` that prose may cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure
from harness.measuring.pointed import difference_figures, pointed, quality_figures


def figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of the dataset."""
    found = {
        "n_chunks": pointed(result, "/result/population/chunks", "chunks searched"),
        "n_documents": pointed(result, "/result/population/documents", "documents searched"),
        "n_queries": pointed(result, "/result/population/queries", "golden questions"),
        "n_queries_source": pointed(result, "/result/population/queries_source", "questions with a source document"),
        "n_queries_evidence": pointed(
            result, "/result/population/queries_evidence", "questions whose evidence sentence stands whole in a chunk"
        ),
        "vocabulary": pointed(result, "/result/population/vocabulary", "distinct terms"),
        "postings": pointed(result, "/result/population/postings", "postings (pairs of term and chunk)"),
        "mean_chunk_terms": pointed(result, "/result/population/mean_terms", "mean length of a chunk", 1, "terms"),
        "mean_chunk_tokens": pointed(
            result, "/result/population/mean_tokens", "mean length of a chunk by the embedder's count", 1, "tokens"
        ),
        "chunks_a_document": pointed(result, "/result/population/chunks_a_document", "chunks a document, mean", 1),
        "unclamped_kept": pointed(
            result, "/result/unclamped/mean_kept", "of ten results, how many stay under the unclamped weight, mean",
            2, "", result["unclamped"]["n"],
        ),
        "unclamped_same_order": pointed(
            result, "/result/unclamped/same_order", "questions with the same top ten in the same order either way",
            n=result["unclamped"]["n"],
        ),
        "explanations": pointed(result, "/result/audit/explained", "results taken apart into terms"),
        "explanations_exact": pointed(
            result, "/result/audit/exact", "of these, scores that the parts give to the last bit",
            n=result["audit"]["explained"],
        ),
        "negative_idf_terms": Figure(
            len(result["common_terms"]), "", "terms in more than half of the chunks, unclamped weight below zero",
        ),
    }  # fmt: skip
    if result["common_terms"]:
        found |= {
            "commonest_term": pointed(result, "/result/common_terms/0/term", "the commonest term"),
            "commonest_share": pointed(result, "/result/common_terms/0/df_share", "share of chunks that hold it", 3),
            "commonest_idf": pointed(result, "/result/common_terms/0/idf", "its weight, Lucene's form", 3),
            "commonest_idf_unclamped": pointed(
                result, "/result/common_terms/0/idf_unclamped", "its weight, unclamped", 3
            ),
        }
    for key, words in (
        ("both", "both"),
        ("bm25_only", "BM25 only"),
        ("dense_only", "dense retrieval only"),
        ("neither", "neither"),
    ):
        for prefix, path, whose in (
            ("", "/result/found", ""),
            ("identifier_", "/result/identifiers/found", "identifier "),
        ):
            n = (result["found"] if not prefix else result["identifiers"]["found"])["n"]
            found[f"{prefix}found_{key}"] = pointed(
                result, f"{path}/{key}", f"{whose}questions with the evidence in the top ten of {words}", n=n
            )
    found["n_identifier_queries"] = pointed(
        result, "/result/identifiers/found/n", "identifier questions with locatable evidence"
    )
    return (
        found
        | _length_figures(result)
        | _grid_figures(result)
        | difference_figures(result, counts=False)
        | quality_figures(result)
    )


def _length_figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    rows = {row["percentile"]: at for at, row in enumerate(result["lengths"]["rows"])}
    return {
        f"length_p{percentile}": pointed(
            result, f"/result/lengths/rows/{rows[percentile]}/length", f"chunk length, {percentile}th percentile",
            unit="terms",
        )
        for percentile in (5, 50, 95)
    }  # fmt: skip


def _grid_figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    """The lowest and highest MRR@10 over the grid, and where: how much is at stake in the two dials."""
    found: dict[str, Figure] = {}
    rows, n = result["grid_quality"], result["population"]["queries_evidence"]
    column = "MRR@10 evidence"
    for which, sign in (("lowest", 1), ("highest", -1)):
        at = min(range(len(rows)), key=lambda number: (sign * rows[number][column], number))
        where = f"/result/grid_quality/{at}"
        found[f"grid_{which}_mrr10"] = pointed(
            result, f"{where}/{column}", f"{which} MRR@10 over the grid, evidence label", 3, "", n
        )
        found[f"grid_{which}_k1"] = pointed(result, f"{where}/k1", f"k1 of the {which} MRR@10", 1)
        found[f"grid_{which}_b"] = pointed(result, f"{where}/b", f"b of the {which} MRR@10", 2)
    return found
