"""What the captures read: documents, chunks, queries, and the corpus that holds them with their vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True)
class Document:
    """One document after parsing. All offsets count characters of ``text`` from 0."""

    id: str
    title: str
    url: str
    sha256: str
    tenant: str
    tenant_name: str
    licence: str
    pages: int | None
    text: str = field(repr=False)
    page_starts: tuple[tuple[int, int, str | None], ...] = field(default=(), repr=False)
    """(offset, physical page from 1, printed label); empty when the source has no real page breaks."""
    sections: tuple[tuple[int, str, str], ...] = field(default=(), repr=False)
    """(offset of the heading, number such as "4.2.1", heading text), in order."""
    tables: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)
    """(start, end of the header rows, end) of each table, one text line per row."""

    def page_at(self, offset: int) -> int | None:
        """The physical page (from 1) that holds ``offset``, or None when the source has no page breaks."""
        page = None
        for start, number, _ in self.page_starts:
            if start > offset:
                break
            page = number
        return page

    def section_at(self, offset: int) -> str:
        """The heading in force at ``offset`` as "4.2.1 Title", or "" before the first heading."""
        found = ""
        for start, number, heading in self.sections:
            if start > offset:
                break
            found = f"{number} {heading}".strip()
        return found


@dataclass(frozen=True)
class Chunk:
    """A passage: the slice ``[start, end)`` of its document's text, and where it stands there.

    ``text`` is that slice; when it begins inside a table, ``header`` (the table's header rows) stands before it.
    """

    id: str
    doc: str
    tenant: str
    ordinal: int
    start: int
    end: int
    text: str = field(repr=False)
    tokens: int
    """Tokens of the passage by the embedder's tokenizer, special tokens not counted."""
    page_first: int | None
    page_last: int | None
    section: str
    header: str = field(default="", repr=False)


@dataclass(frozen=True)
class Query:
    """A golden question. ``doc`` is the document it was drafted from; None for an unanswerable one."""

    id: str
    text: str
    tenant: str | None
    category: str
    doc: str | None
    section: str | None
    answer: str | None
    evidence: str | None
    drafted_by: str


class Corpus:
    """Documents, chunks in id order, golden queries, and unit vectors made on demand by ``embed``.

    ``read`` names the stage outputs that were asked for: "documents", "chunks", "vectors", "questions".
    """

    def __init__(
        self,
        name: str,
        documents: Sequence[Document],
        chunks: Sequence[Chunk],
        queries: Sequence[Query],
        embed: Embed,
        inputs: Sequence[dict[str, Any]] = (),
        models: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.name = name
        self.read: set[str] = set()
        self._documents = {document.id: document for document in documents}
        self._chunks = sorted(chunks, key=lambda chunk: chunk.id)
        self._queries = list(queries)
        self.models = [dict(model) for model in models]
        self._embed = embed
        self._inputs = [dict(entry) for entry in inputs]
        self._vectors: Vectors | None = None

    @property
    def documents(self) -> dict[str, Document]:
        """The documents by id."""
        self.read.add("documents")
        return self._documents

    @property
    def chunks(self) -> list[Chunk]:
        """The chunks in id order."""
        self.read.add("chunks")
        return self._chunks

    @property
    def queries(self) -> list[Query]:
        """The golden questions in id order."""
        self.read.add("questions")
        return self._queries

    def vectors(self) -> Vectors:
        """float32 ``(len(chunks), 384)``, rows of length 1; row i belongs to ``chunks[i]``."""
        self.read.add("vectors")
        if self._vectors is None:
            self._vectors = self._embed([chunk.text for chunk in self._chunks])
        return self._vectors

    def query_vectors(self, queries: Sequence[Query]) -> Vectors:
        """float32 ``(len(queries), 384)``, rows of length 1."""
        return self._embed([query.text for query in queries])

    @property
    def digest(self) -> str:
        """sha256 over every chunk's id and text and every document's checksum: is it the same corpus?"""
        sha = hashlib.sha256()
        for document in sorted(self._documents.values(), key=lambda document: document.id):
            sha.update(f"{document.id}\0{document.sha256}\0{document.tenant}\n".encode())
        for chunk in self._chunks:
            sha.update(f"{chunk.id}\0{chunk.text}\n".encode())
        return sha.hexdigest()

    def inputs(self) -> list[dict[str, Any]]:
        """Entries for ``inputs`` of the provenance block: manifest, documents, golden queries."""
        return [dict(entry) for entry in self._inputs]
