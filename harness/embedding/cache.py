"""Vectors by content: key = sha256(weights digest, normalised text). A repeated text is free, a new model misses."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
SAVE_EVERY = 256


class Encoder(Protocol):
    """What the cache needs of an embedder."""

    @property
    def sha256(self) -> str:
        """Digest of the weights."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text."""
        ...


def normalise(text: str) -> str:
    """The text as the embedder is given it: runs of white space folded to one space."""
    return re.sub(r"\s+", " ", text).strip()


def key(model_sha256: str, text: str) -> str:
    """The cache key of ``text`` under a model."""
    return hashlib.sha256(f"{model_sha256}\0{normalise(text)}".encode()).hexdigest()


class VectorCache:
    """An SQLite file of vectors; written in small transactions, so an interrupted run keeps what it made."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, timeout=60)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("CREATE TABLE IF NOT EXISTS vector (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")

    def get(self, keys: Sequence[str]) -> dict[str, Vectors]:
        """The known vectors among ``keys``."""
        found: dict[str, Vectors] = {}
        for start in range(0, len(keys), 500):
            part = list(keys[start : start + 500])
            marks = ",".join("?" * len(part))
            for name, value in self._db.execute(f"SELECT key, value FROM vector WHERE key IN ({marks})", part):
                found[name] = np.frombuffer(value, dtype=np.float32)
        return found

    def put(self, rows: Sequence[tuple[str, Vectors]]) -> None:
        """Store rows in one transaction."""
        with self._db:
            self._db.executemany(
                "INSERT OR REPLACE INTO vector VALUES (?, ?)",
                [(name, np.asarray(value, dtype=np.float32).tobytes()) for name, value in rows],
            )

    def embed(
        self, texts: Sequence[str], encoder: Encoder, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Vectors:
        """float32 ``(len(texts), dimensions)``; only texts not in the cache are encoded, shortest first."""
        keys = [key(encoder.sha256, text) for text in texts]
        known = self.get(list(dict.fromkeys(keys)))
        missing = {name: normalise(text) for name, text in zip(keys, texts, strict=True) if name not in known}
        order = sorted(missing, key=lambda name: (len(missing[name]), name))
        for start in range(0, len(order), SAVE_EVERY):
            part = order[start : start + SAVE_EVERY]
            vectors = encoder.encode([missing[name] for name in part])
            self.put(list(zip(part, vectors, strict=True)))
            known.update(zip(part, vectors, strict=True))
            progress(min(start + SAVE_EVERY, len(order)), len(order))
        return np.stack([known[name] for name in keys]) if keys else np.zeros((0, 0), dtype=np.float32)
