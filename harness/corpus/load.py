"""From acquired files to the corpus the captures read: parse, chunk, embed on demand.

Parsed and chunked documents are kept in the cache under the digest of their inputs: the document's checksum,
the window, the tokenizer and the code of the parser and the chunker. What changed is made again, nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.chunking import fixed
from harness.chunking.fixed import Window, chunk_document
from harness.corpus import rfc
from harness.corpus.acquire import document_path
from harness.corpus.manifest import Entry, read_manifest
from harness.corpus.model import Chunk, Corpus, Document, Query, Vectors
from harness.embedding.cache import VectorCache
from harness.embedding.model import Embedder, load_embedder
from harness.errors import HarnessError
from harness.golden.queries import read_queries
from harness.paths import MANIFEST, QUERIES, ROOT, cache_dir
from harness.progress import bar
from provenance.codehash import file_digest

Log = Callable[[str], None]


def parse_document(entry: Entry, raw: bytes) -> Document:
    """The document of ``entry`` from its bytes."""
    parsed = rfc.parse(raw)
    return Document(
        id=entry.id,
        title=entry.title,
        url=entry.url,
        sha256=entry.sha256,
        tenant=entry.tenant,
        tenant_name=entry.tenant_name,
        licence=entry.licence,
        pages=len(parsed.page_starts) or None,
        text=parsed.text,
        page_starts=parsed.page_starts,
        sections=parsed.sections,
    )


class Stage:
    """Parse and chunk one document at a time, through the cache."""

    def __init__(self, cache: Path, embedder: Embedder, window: Window) -> None:
        self._cache = cache
        self._embedder = embedder
        self._window = window
        code = "".join(file_digest(Path(module.__file__ or "")) for module in (rfc, fixed))
        tokenizer = embedder.folder / "tokenizer.json" if embedder.folder else None
        tokens = tokenizer.read_bytes() if tokenizer else embedder.name.encode()
        self._settings = f"{code}\0{asdict(window)}\0{hashlib.sha256(tokens).hexdigest()}"

    def run(self, entry: Entry) -> tuple[Document, list[Chunk]]:
        """The parsed document and its chunks; HarnessError when it was not acquired."""
        path = document_path(self._cache, entry.sha256)
        try:
            raw = path.read_bytes()
        except FileNotFoundError as error:
            raise HarnessError(f"{entry.id}: not acquired; run: python -m harness acquire") from error
        if hashlib.sha256(raw).hexdigest() != entry.sha256:
            raise HarnessError(f"{entry.id}: {path} was altered; run: python -m harness acquire")
        document = parse_document(entry, raw)
        return document, self._chunks(entry, document)

    def _chunks(self, entry: Entry, document: Document) -> list[Chunk]:
        key = hashlib.sha256(f"{entry.sha256}\0{entry.id}\0{entry.tenant}\0{self._settings}".encode()).hexdigest()
        path = self._cache / "chunks" / f"{key}.json"
        if path.exists():
            return [Chunk(**values) for values in json.loads(path.read_text("utf-8"))]
        chunks = chunk_document(document, self._embedder.tokenizer, self._window)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps([asdict(chunk) for chunk in chunks], ensure_ascii=False), "utf-8")
        os.replace(part, path)
        return chunks


def assemble(
    name: str,
    entries: Sequence[Entry],
    queries: Sequence[Query],
    cache: Path,
    window: Window | None = None,
    inputs: Sequence[dict[str, Any]] = (),
) -> Corpus:
    """The corpus of ``entries`` (acquired into ``cache`` before): parsed, chunked by ``window``, embedded on demand.

    The real corpus and the small one of the canary both come through here, so the canary runs the same code.
    """
    embedder = load_embedder()
    stage = Stage(cache, embedder, window or Window())
    progress = bar("parse and chunk")
    parts = []
    for done, entry in enumerate(entries, start=1):
        parts.append(stage.run(entry))
        progress(done, len(entries))
    vectors = VectorCache(cache / "vectors.sqlite")

    def embed(texts: Sequence[str]) -> Vectors:
        return vectors.embed(texts, embedder, bar("embedding"))

    return Corpus(
        name=name,
        documents=[document for document, _ in parts],
        chunks=[chunk for _, chunks in parts for chunk in chunks],
        queries=queries,
        embed=embed,
        inputs=inputs,
        models=[embedder.as_model()],
    )


def load_corpus(log: Log = lambda message: None, window: Window | None = None) -> Corpus:
    """The real corpus: the manifest's documents, acquired before, and the golden questions."""
    entries = read_manifest(MANIFEST)
    queries = read_queries(QUERIES)
    corpus = assemble("rfc", entries, queries, cache_dir(), window, _inputs(entries, queries))
    log(f"corpus: {len(corpus.documents)} documents, {len(corpus.chunks):,} chunks, {len(queries)} questions")
    return corpus


def _inputs(entries: Sequence[Entry], queries: Sequence[Query]) -> list[dict[str, Any]]:
    checksums = "".join(f"{entry.id} {entry.sha256}\n" for entry in entries)
    return [
        _repo_input("corpus manifest", MANIFEST, len(entries), "MIT"),
        {
            "name": "documents",
            "uri": "https://www.rfc-editor.org/rfc/ (one URL a document, in the manifest)",
            "sha256": hashlib.sha256(checksums.encode()).hexdigest(),
            "bytes": sum(entry.bytes for entry in entries),
            "records": len(entries),
            "licence": entries[0].licence,
            "available": "external",
        },
        _repo_input("golden questions", QUERIES, len(queries), "MIT"),
    ]


def _repo_input(name: str, path: Path, records: int, licence: str) -> dict[str, Any]:
    raw = path.read_bytes()
    return {
        "name": name,
        "uri": path.relative_to(ROOT).as_posix(),
        "sha256": hashlib.sha256(raw).hexdigest(),
        "bytes": len(raw),
        "records": records,
        "licence": licence,
        "available": "repo",
    }
