"""From acquired files to the corpus the captures read: parse, chunk, embed on demand.

Parsed and chunked documents are kept in the cache under the digest of their inputs: the document's checksum,
the window, the tokenizer and the code of the parser and the chunker. What changed is made again, nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from harness.chunking import fixed
from harness.chunking.fixed import Window, chunk_document
from harness.corpus.fetch.place import document_path
from harness.corpus.manifest import Entry, read_manifest
from harness.corpus.model import Chunk, Corpus, Document, Query, Vectors
from harness.corpus.parse import PARSERS, document_of, parse_document, parser_code
from harness.embedding.cache import VectorCache
from harness.embedding.model import Embedder, load_embedder
from harness.errors import HarnessError
from harness.golden.queries import read_queries
from harness.paths import FULL_MANIFEST, FULL_QUERIES, MANIFEST, QUERIES, ROOT, cache_dir
from harness.progress import bar
from provenance.codehash import file_digest

Log = Callable[[str], None]


CORPORA: dict[str, tuple[Path, tuple[Path, ...]]] = {
    "rfc": (MANIFEST, (QUERIES,)),
    "full": (FULL_MANIFEST, (QUERIES, FULL_QUERIES)),
}
"""Corpus → its manifest and the files of its golden questions. The documents of "rfc" are among those of "full"."""


class Stage:
    """Parse and chunk one document at a time, through the cache."""

    def __init__(self, cache: Path, embedder: Embedder, window: Window) -> None:
        self._cache = cache
        self._embedder = embedder
        self._window = window
        code = file_digest(Path(fixed.__file__))
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
        return self.made(entry, raw)

    def made(self, entry: Entry, raw: bytes) -> tuple[Document, list[Chunk]]:
        """The parsed document and its chunks from the bytes, or from what was kept of either."""
        parsed = f"{entry.sha256}\0{entry.id}\0{parser_code(entry.source)}"
        document = self._document(entry, raw, parsed)
        path = self._kept("chunks", f"{parsed}\0{self._settings}")
        if path.exists():
            return document, [Chunk(**(v | {"tenant": entry.tenant})) for v in json.loads(path.read_text("utf-8"))]
        chunks = chunk_document(document, self._embedder.tokenizer, self._window)
        _keep(path, [asdict(chunk) for chunk in chunks])
        return document, chunks

    def _document(self, entry: Entry, raw: bytes, parsed: str) -> Document:
        """What the parser found is kept; names, tenant and the like are the manifest's as it stands now."""
        path = self._kept("parsed", parsed)
        if path.exists():
            data = json.loads(path.read_text("utf-8"))
            starts, sections, tables = (tuple(tuple(row) for row in data[name]) for name in PARSED[1:])
            return document_of(entry, data["text"], starts, sections, tables)
        document = parse_document(entry, raw)
        _keep(path, {name: getattr(document, name) for name in PARSED})
        return document

    def _kept(self, stage: str, key: str) -> Path:
        return self._cache / stage / f"{hashlib.sha256(key.encode()).hexdigest()}.json"


PARSED = ("text", "page_starts", "sections", "tables")
"""What of a document comes from the parser; the rest is the manifest's."""


def _keep(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(data, ensure_ascii=False), "utf-8")
    os.replace(part, path)


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


def load_corpus(log: Log = lambda message: None, window: Window | None = None, name: str = "rfc") -> Corpus:
    """The real corpus ``name`` ("rfc" or "full"): its manifest's documents, acquired before, and its questions."""
    path, files = CORPORA[name]
    named = read_manifest(path)
    entries = [entry for entry in named if entry.source in PARSERS]
    queries = questions_of(entries, [query for file in files for query in read_queries(file)])
    corpus = assemble(name, entries, queries, cache_dir(), window, _inputs(path, named, files, queries))
    log(f"corpus {name}: {len(corpus.documents)} documents, {len(corpus.chunks):,} chunks, {len(queries)} questions")
    return corpus


def questions_of(entries: Sequence[Entry], queries: Sequence[Query]) -> list[Query]:
    """The questions with the tenant that their document, or their group, has in this corpus after folding."""
    by_document = {entry.id: entry.tenant for entry in entries}
    by_origin = {entry.original_tenant: entry.tenant for entry in entries}
    return [
        replace(query, tenant=by_document.get(query.doc or "", by_origin.get(query.tenant or "", query.tenant)))
        for query in queries
    ]


FAMILIES: dict[str, tuple[str, str]] = {
    "rfc": ("documents", "https://www.rfc-editor.org/rfc/ (one URL a document, in the manifest)"),
    "contract": ("contracts", "https://www.atticusprojectai.org/cuad (one URL a document, in the manifest)"),
    "filing": ("annual reports", "https://www.sec.gov/edgar (one URL a document, in the manifest)"),
}
"""Source → how the block's inputs call its documents, and where they come from."""


def _inputs(
    manifest: Path, entries: Sequence[Entry], files: Sequence[Path], queries: Sequence[Query]
) -> list[dict[str, Any]]:
    made = [_repo_input("corpus manifest", manifest, len(entries), "MIT")]
    for source, (called, uri) in FAMILIES.items():
        members = [entry for entry in entries if entry.source == source]
        if members:
            checksums = "".join(f"{entry.id} {entry.sha256}\n" for entry in members)
            made.append(
                {
                    "name": called,
                    "uri": uri,
                    "sha256": hashlib.sha256(checksums.encode()).hexdigest(),
                    "bytes": sum(entry.bytes for entry in members),
                    "records": len(members),
                    "licence": members[0].licence,
                    "available": "external",
                }
            )
    for file in files:
        name = "golden questions" if file == files[0] else "golden questions on contracts and filings"
        made.append(_repo_input(name, file, len(read_queries(file)), "MIT"))
    return made


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
