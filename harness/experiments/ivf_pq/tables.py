"""The numbers of ``ivf_pq`` that text may cite."""

from __future__ import annotations

from typing import Any

from harness.capture.tables import Column, Table, counts
from harness.experiments.ivf_pq.coded import DIRECT, FLAT, RESIDUAL, ROTATED
from harness.measuring.population import LATENCY, P95, quality
from harness.measuring.trials import READERS

VECTORS = {
    FLAT: "full vectors",
    RESIDUAL: "codes of residuals",
    DIRECT: "codes of vectors",
    ROTATED: "codes of rotated residuals",
}
PROBED = {"1": "1 list probed", "*": "{} lists probed"}
SHORT = {"variant": {RESIDUAL: "pq"}, "code_bytes": {"0": ""}}
CITED: dict[str, list[Any]] = {"probes": [1, 8, 16, 64, 256]}
CODED: dict[str, list[Any]] = {"variant": [RESIDUAL, DIRECT, ROTATED]}
FULL: dict[str, list[Any]] = {"variant": [FLAT]}

BYTES: dict[str, Any] = {
    "key": "{variant}{code_bytes}", "label": "{variant}{code_bytes}", "keys": SHORT,
    "words": {"variant": VECTORS, "code_bytes": {"0": "", "*": ", {} bytes a code"}},
}  # fmt: skip
PROBES: dict[str, Any] = {
    "key": "{variant}{code_bytes}_p{probes}", "label": "{variant}{code_bytes}, {probes}", "keys": SHORT,
    "words": {"variant": VECTORS, "code_bytes": {"0": "", "*": ", {} bytes"}, "probes": PROBED},
}  # fmt: skip
INDEX = {"hnsw": "pgvector hnsw", "*": "pgvector {}"} | {
    f"ivfflat_{lists}": f"pgvector ivfflat, lists {lists}" for lists in (64, 256)
}
SETTING: dict[str, Any] = {
    "key": "{index}{setting}", "label": "{index} {setting}", "keys": {"index": {"hnsw": "hnsw_ef", "*": "{}_p"}},
    "words": {"index": {name: f"{words}, {'ef_search' if name == 'hnsw' else 'probes'}"
                        for name, words in INDEX.items()}},
}  # fmt: skip
FILTERED: dict[str, Any] = {
    "key": "{cell}_{way}", "label": "{cell}, {way}",
    "words": {"cell": READERS, "way": {"hnsw": "HNSW", "relaxed": "IVFFlat, more lists as needed"}
              | {f"probes{n}": f"IVFFlat, {n} probes" for n in (1, 8, 16, 64)}},
}  # fmt: skip


def shares(key: str, hit: str, words: str = "") -> list[Column]:
    """Recall with its interval over questions, and hits, by codes alone or after reranking."""
    return [
        Column(key, key, f"recall@10{words}, {{row}}", 3, n="n", interval=(f"{key}_low", f"{key}_high")),
        Column(hit, hit, f"hit@10 (evidence label){words}, {{row}}", 3),
    ]


def over_builds(name: str, at: str, label: str, digits: int, unit: str) -> Column:
    """A mean over builds with the smallest and the largest of them."""
    return Column(name, f"{at}/mean", f"{label}, {{row}}", digits, unit, "builds", f"{at}/by_build")


TABLES = (
    counts(
        "/result/population",
        {
            "chunks": "chunks in the store", "documents": "documents in the store", "questions": "questions asked",
            "dimensions": "dimensions of a vector", "vector_bytes": "bytes of a full vector",
            "labelled": "questions whose evidence a chunk holds word for word",
        },
    ),
    Table(
        "/result/exact",
        [Column("exact_same", "same_ids", "exact results of PostgreSQL with the same ids as numpy's", n="questions"),
         Column("hit_exact", "hit", "hit@10 of exact search (evidence label)", 3, n="labelled")],
    ),
    counts("/result/lists", {which: f"vectors of the {which} list, mean over seeds"
                             for which in ("smallest", "median", "largest")}, "list_"),
    Table(
        "/result/bytes",
        [Column("total_bytes", "total_bytes", "bytes a vector in all, {row}", 1, "bytes"),
         Column("shared_bytes", "shared_bytes", "bytes a vector of what all vectors share, {row}", 1, "bytes")],
        **BYTES,
    ),
    Table("/result/bytes", [Column("error", "error", "mean squared coding error, {row}", 3)], only=CODED, **BYTES),
    Table("/result/readings", shares("recall", "hit"), only=CITED, **PROBES),
    Table("/result/readings", shares("reranked", "reranked_hit", ", best {/params/rerank} reranked"),
          only=CITED | CODED, **PROBES),
    Table(
        "/result/readings", [Column("scanned", "scanned", "share of all vectors compared, {row}", 3, n="n")],
        "p{probes}", "{probes}", words={"probes": PROBED}, only=CITED | FULL,
    ),
    Table(
        "/result/postgres",
        [Column("recall", "measured/recall/mean", "recall@10, {row}", 3, n="n", interval="measured/recall/interval")],
        **SETTING,
    ),
    Table("/timings/postgres", [LATENCY, P95], **SETTING),
    Table(
        "/result/indexes",
        [over_builds("bytes", "measured/bytes_per_vector", "index bytes a vector", 0, "bytes")],
        "{index}", "{index}", words={"index": INDEX},
    ),
    Table(
        "/timings/indexes",
        [over_builds("build", "seconds", "CREATE INDEX", 1, "s")],
        "{index}", "{index}", words={"index": INDEX},
    ),
    Table("/result/filtered", quality("empty", "returned"), **FILTERED),
    Table("/timings/filtered", [LATENCY], **FILTERED),
)  # fmt: skip
