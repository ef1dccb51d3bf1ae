"""A server in a temporary folder and a small made-up corpus: clustered vectors, one cluster a tenant."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from harness.corpus.model import Chunk, Corpus, Document, Query, Vectors
from harness.store import Store, open_store, schema
from harness.store.server import Server, start

TENANTS = ("apples", "bees", "cedar", "delta")
WORDS = ("graft", "hive", "bark", "silt", "water", "season", "leaf", "river", "queen", "ring")

MakeCorpus = Callable[..., Corpus]


def _vector(text: str) -> list[float]:
    """A unit vector that depends on the text alone; texts that begin with the same word lie close together."""
    parts = []
    for word, weight in ((text.split()[0], 1.0), (text, 0.7)):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        parts.append(weight * np.random.default_rng(seed).normal(size=384))
    total = parts[0] + parts[1]
    return list(total / np.linalg.norm(total))


def _embed(texts: Sequence[str]) -> Vectors:
    return np.array([_vector(text) for text in texts], dtype=np.float32)


def _corpus(name: str = "small", chunks: int = 30, note: str = "") -> Corpus:
    rng = np.random.default_rng(7)
    documents, passages, queries = [], [], []
    for tenant in TENANTS:
        doc = f"{tenant}-1"
        documents.append(
            Document(
                doc, f"About {tenant}", f"https://example.org/{doc}", "0" * 64, tenant, tenant, "CC0-1.0", None, ""
            )
        )
        for ordinal in range(chunks):
            text = f"{tenant} {' '.join(rng.choice(WORDS, 12))} {ordinal}{note}"
            passages.append(Chunk(f"{doc}:{ordinal:04d}", doc, tenant, ordinal, 0, len(text), text, 14, None, None, ""))
        for number in range(5):
            asked = f"{tenant} {' '.join(rng.choice(WORDS, 3))}"
            queries.append(Query(f"{tenant}-{number}", asked, tenant, "fact", doc, None, None, None, "hand"))
    return Corpus(name, documents, passages, queries, _embed)


@pytest.fixture(scope="session")
def make_corpus() -> MakeCorpus:
    """Return the maker of corpora: `make_corpus(name, chunks a tenant, note appended to each text)`."""
    return _corpus


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store") / "pg"


@pytest.fixture(scope="session")
def server(data: Path) -> Iterator[Server]:
    started = start(data)
    yield started
    started.close()


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return _corpus()


@pytest.fixture(scope="session")
def store(server: Server, data: Path, corpus: Corpus) -> Store:
    opened = open_store(corpus, lambda message: None, data)
    assert opened.schema == schema.schema_name(corpus.name)
    opened.grant({"two": TENANTS[:2], "three": TENANTS[:3]})
    return opened
