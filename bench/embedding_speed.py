"""The embedder in fp32 beside the same weights in int8 under ONNX Runtime: speed, drift, and what drift costs.

    pip install onnx onnxruntime
    python bench/embedding_speed.py [--passages 4000] [--threads 2]

Both encode the same passages of the prepared corpus, batch by batch in turn, so that a busy machine slows both
alike; the ratio is of their summed times. int8 is dynamic, per channel, with reduced range (full range drifts
further). Printed: passages a second, the ratio, cosine of each int8 vector to its fp32 one, and over the golden
questions recall@10 of int8 against exact fp32 search, and hit@10 of both on the passages that hold the quoted
evidence. The site's vectors are fp32 for as long as the drift moves results by more than a hundredth.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from harness.corpus.load import load_corpus
from harness.corpus.model import Corpus, Vectors
from harness.embedding.cache import normalise
from harness.embedding.model import READS, Embedder, load_embedder
from harness.evaluation.relevance import judgments

BATCH = 16


def export_int8(embedder: Embedder, folder: Path) -> Path:
    """The embedder with mean pooling and unit length as one int8 ONNX graph; returns its path."""
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    encoder = embedder.model[0].auto_model.eval()
    encoder.config._attn_implementation = "eager"

    class Pooled(torch.nn.Module):
        def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            states = encoder(input_ids=ids, attention_mask=mask).last_hidden_state
            weights = mask.unsqueeze(-1).to(states.dtype)
            return torch.nn.functional.normalize((states * weights).sum(1) / weights.sum(1), dim=1)

    example = torch.ones(2, 8, dtype=torch.long)
    axes = {"ids": {0: "batch", 1: "token"}, "mask": {0: "batch", 1: "token"}, "vector": {0: "batch"}}
    torch.onnx.export(
        Pooled(), (example, example), str(folder / "fp32.onnx"), input_names=["ids", "mask"],
        output_names=["vector"], dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    quantize_dynamic(
        folder / "fp32.onnx", folder / "int8.onnx", per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
    )
    return folder / "int8.onnx"


class Int8:
    """Encodes like the embedder, through ONNX Runtime."""

    def __init__(self, path: Path, embedder: Embedder, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(str(path), options)
        self._tokenizer = embedder.tokenizer

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32 ``(len(texts), dimensions)``, rows of length 1."""
        rows = [self._tokenizer.encode(text).ids for text in texts]
        rows = [row if len(row) <= READS else [*row[: READS - 1], row[-1]] for row in rows]
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
        mask = (np.arange(ids.shape[1]) < np.array([len(row) for row in rows])[:, None]).astype(np.int64)
        return np.asarray(self._session.run(None, {"ids": ids, "mask": mask})[0], dtype=np.float32)


def sample(corpus: Corpus, size: int, seed: int = 20) -> list[int]:
    """Positions of ``size`` passages: every one that holds quoted evidence, then others drawn by seed."""
    labelled = {chunk for chunks in judgments(corpus, "evidence").values() for chunk in chunks}
    kept = [position for position, chunk in enumerate(corpus.chunks) if chunk.id in labelled]
    others = [position for position in range(len(corpus.chunks)) if corpus.chunks[position].id not in labelled]
    drawn = random.Random(seed).sample(others, max(0, min(size - len(kept), len(others))))
    return sorted([*kept, *drawn])


def nearest(queries: Vectors, passages: Vectors, k: int = 10) -> Any:
    """int ``(queries, k)``: positions of the k nearest passages."""
    return np.argsort(-(queries @ passages.T), axis=1, kind="stable")[:, :k]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=4000)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError:
        print("left out: pip install onnx onnxruntime")
        return 0
    import torch

    torch.set_num_threads(asked.threads)
    embedder, corpus = load_embedder(), load_corpus()
    positions = sample(corpus, asked.passages)
    texts = [normalise(corpus.chunks[position].text) for position in positions]
    with tempfile.TemporaryDirectory() as folder:
        int8 = Int8(export_int8(embedder, Path(folder)), embedder, asked.threads)
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        full, small = np.zeros((len(texts), 384), np.float32), np.zeros((len(texts), 384), np.float32)
        spent = [0.0, 0.0]
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            for turn, (encode, into) in enumerate(((embedder.encode, full), (int8.encode, small))):
                began = time.perf_counter()
                into[part] = encode([texts[index] for index in part])
                spent[turn] += time.perf_counter() - began
        judged = judgments(corpus, "evidence")
        queries = [query for query in corpus.queries if query.id in judged]
        asks = [normalise(query.text) for query in queries]
        full_queries = embedder.encode(asks)
        small_queries = np.concatenate([int8.encode([text]) for text in asks])
    cosine = (full * small).sum(axis=1)
    truth, found = nearest(full_queries, full), nearest(small_queries, small)
    overlap = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(truth, found, strict=True)])
    ids = [corpus.chunks[position].id for position in positions]
    hits = [
        np.mean([any(ids[p] in judged[query.id] for p in row) for query, row in zip(queries, rows, strict=True)])
        for rows in (truth, found)
    ]
    print(f"{len(texts):,} passages, {len(queries)} questions, {asked.threads} threads, batches of {BATCH}")
    rates = [len(texts) / seconds for seconds in spent]
    print(f"fp32 {rates[0]:.1f} passages/s, int8 {rates[1]:.1f}: {rates[1] / rates[0]:.2f} times")
    print(f"cosine to fp32: mean {cosine.mean():.4f}, lowest {cosine.min():.4f}")
    print(f"recall@10 against exact fp32 search: {overlap:.3f}")
    print(f"hit@10 on the quoted evidence: fp32 {hits[0]:.3f}, int8 {hits[1]:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
