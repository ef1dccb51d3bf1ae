"""The scalars of ``ivf_pq`` that prose may cite."""

from __future__ import annotations

from typing import Any

from harness.capture.api import Figure, JsonObject
from harness.experiments.ivf_pq.coded import DIRECT, FLAT, RESIDUAL, ROTATED
from harness.measuring.indexes.summary import latency_figures, range_figure, spread_figure
from harness.measuring.layouts.summary import latency_figure, reader, reading_figures

WORDS = {
    FLAT: "full vectors",
    RESIDUAL: "codes of residuals",
    DIRECT: "codes of vectors",
    ROTATED: "codes of rotated residuals",
}


def figures(result: JsonObject, timings: JsonObject, params: JsonObject) -> dict[str, Figure]:
    """Every figure of the dataset."""
    return {
        **_counts(result),
        **_sizes(result["bytes"]),
        **_readings(result["readings"], params),
        **_postgres(result, timings),
        **_filtered(result["filtered"], timings["filtered"]),
    }


def short(row: JsonObject) -> str:
    """The name of an index in figures: "flat", "pq32", "direct32", "rotated32"."""
    name = {RESIDUAL: "pq"}.get(row["variant"], row["variant"])
    return str(name) if row["variant"] == FLAT else f"{name}{row['code_bytes']}"


def _vectors(row: JsonObject, unit: str = "") -> str:
    """How an index holds its vectors; codes with their size."""
    words = WORDS[row["variant"]]
    return words if row["variant"] == FLAT else f"{words}, {row['code_bytes']} bytes{unit}"


def _lists(probes: int) -> str:
    return f"{probes} list{'' if probes == 1 else 's'}"


def _counts(result: JsonObject) -> dict[str, Figure]:
    labels = {
        "chunks": "chunks in the store", "documents": "documents in the store", "questions": "questions asked",
        "dimensions": "dimensions of a vector", "vector_bytes": "bytes of a full vector",
        "labelled": "questions whose evidence a chunk holds word for word",
    }  # fmt: skip
    found = {k: Figure(result["population"][k], "", v, at=f"/result/population/{k}") for k, v in labels.items()}
    exact = result["exact"]
    found["exact_same"] = Figure(
        exact["same_ids"], "", "exact results of PostgreSQL with the same ids as numpy's", 0, exact["questions"],
        at="/result/exact/same_ids",
    )  # fmt: skip
    found["hit_exact"] = Figure(
        exact["hit"], "", "hit@10 of exact search (evidence label)", 3, exact["labelled"], at="/result/exact/hit"
    )
    for name, label in (("smallest", "smallest"), ("median", "median"), ("largest", "largest")):
        found[f"list_{name}"] = Figure(
            result["lists"][name], "", f"vectors of the {label} list, mean over seeds", 0, at=f"/result/lists/{name}"
        )
    return found


def _sizes(rows: list[JsonObject]) -> dict[str, Figure]:
    found = {}
    for i, row in enumerate(rows):
        name, said = short(row), _vectors(row, " a code")
        for key, label, digits in (
            ("total", "bytes a vector in all", 1), ("shared", "bytes a vector of what all vectors share", 1),
        ):  # fmt: skip
            found[f"{key}_bytes_{name}"] = Figure(
                row[f"{key}_bytes"], "bytes", f"{label}, {said}", digits, at=f"/result/bytes/{i}/{key}_bytes"
            )
        if row["variant"] != FLAT:
            found[f"error_{name}"] = Figure(
                row["error"], "", f"mean squared coding error, {said}", 3, at=f"/result/bytes/{i}/error"
            )
    return found


def _readings(rows: list[JsonObject], params: JsonObject) -> dict[str, Figure]:
    """Every code size at the cited numbers of probes, by codes alone and after reranking."""
    found: dict[str, Figure] = {}
    for i, row in enumerate(rows):
        if row["probes"] not in params["cited_probes"]:
            continue
        name, at = f"{short(row)}_p{row['probes']}", f"/result/readings/{i}"
        said = f"{_vectors(row)}, {_lists(row['probes'])} probed"
        for key, word in (("recall", "recall@10"), ("reranked", f"recall@10, best {params['rerank']} reranked")):
            if key == "reranked" and row["variant"] == FLAT:
                continue
            found[f"{key}_{name}"] = Figure(
                row[key], "", f"{word}, {said}", 3, row["n"], (row[f"{key}_low"], row[f"{key}_high"]), f"{at}/{key}"
            )
        found[f"hit_{name}"] = Figure(row["hit"], "", f"hit@10 (evidence label), {said}", 3, at=f"{at}/hit")
        if row["variant"] != FLAT:
            found[f"reranked_hit_{name}"] = Figure(
                row["reranked_hit"], "", f"hit@10 (evidence label), best {params['rerank']} reranked, {said}", 3,
                at=f"{at}/reranked_hit",
            )  # fmt: skip
        else:
            found[f"scanned_p{row['probes']}"] = Figure(
                row["scanned"], "", f"share of all vectors compared, {_lists(row['probes'])} probed", 3, row["n"],
                at=f"{at}/scanned",
            )  # fmt: skip
    return found


def _postgres(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    found: dict[str, Figure] = {}
    for i, (row, time) in enumerate(zip(result["postgres"], timings["postgres"], strict=True)):
        dial = "ef" if row["index"] == "hnsw" else "p"
        name = f"{row['index']}_{dial}{row['setting']}"
        said = f"pgvector {row['index'].replace('_', ', lists ')}, {'ef_search' if dial == 'ef' else 'probes'} "
        said += str(row["setting"])
        at = f"/result/postgres/{i}/measured/recall"
        found[f"recall_{name}"] = spread_figure(row["measured"]["recall"], f"recall@10, {said}", row["n"], at)
        found |= latency_figures(name, said, time, f"/timings/postgres/{i}")
    for i, (row, time) in enumerate(zip(result["indexes"], timings["indexes"], strict=True)):
        said = f"pgvector {row['index'].replace('_', ', lists ')}"
        found[f"bytes_{row['index']}"] = range_figure(
            row["measured"]["bytes_per_vector"], "bytes", f"index bytes a vector, {said}",
            f"/result/indexes/{i}/measured/bytes_per_vector", 0,
        )  # fmt: skip
        found[f"build_{row['index']}"] = range_figure(
            time["seconds"], "s", f"CREATE INDEX, {said}", f"/timings/indexes/{i}/seconds"
        )
    return found


def _filtered(rows: list[JsonObject], times: list[JsonObject]) -> dict[str, Figure]:
    found: dict[str, Figure] = {}
    for i, (row, time) in enumerate(zip(rows, times, strict=True)):
        name = f"{row['cell']}_{row['way']}"
        said = f"{reader(row['cell'])}, {_way(row['way'])}"
        found |= reading_figures(name, said, row, f"/result/filtered/{i}/measured", ("empty", "returned"))
        found[f"latency_{name}"] = latency_figure(said, time, f"/timings/filtered/{i}")
    return found


def _way(way: str) -> Any:
    if way == "hnsw":
        return "HNSW"
    return "IVFFlat, more lists as needed" if way == "relaxed" else f"IVFFlat, {way.removeprefix('probes')} probes"
