"""A corpus of a few made-up memos, with vectors counted from words: the stages can be run without model or database."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from harness.corpus.model import Chunk, Corpus, Document, Query, Vectors
from harness.retrieval.terms import Tokeniser

TEXTS = {
    "memo1": (
        "harbour",
        "A ferry leaves the northern quay every forty minutes. Its horn sounds twice before leaving.\n\n"
        "The pilot reports error FTP-E17 after six failed attempts. Nobody answers at night.",
    ),
    "memo2": (
        "harbour",
        "The southern quay is closed in winter. A ferry then leaves from the eastern quay instead.\n\n"
        "Fog delays are written into the harbour book by the pilot.",
    ),
    "memo3": (
        "library",
        "Books are returned within three weeks of lending. A late reader pays a fee of two coins a day.\n\n"
        "The catalogue lists every map under its surveyor. Maps never leave the reading room.",
    ),
    "memo4": (
        "library",
        "The reading room opens at nine in the morning. A reader who is late finds no seat by the window.\n\n"
        "Coins are changed at the desk, and the fee is noted in the catalogue.",
    ),
}
QUESTIONS = (
    ("q1", "How often does a ferry leave the northern quay?", "memo1", "fact",
     "A ferry leaves the northern quay every forty minutes."),
    ("q2", "What does FTP-E17 report?", "memo1", "identifier",
     "The pilot reports error FTP-E17 after six failed attempts."),
    ("q3", "Where does the ferry leave from when it is cold?", "memo2", "procedure",
     "A ferry then leaves from the eastern quay instead."),
    ("q4", "What does a late reader pay a day?", "memo3", "fact", "A late reader pays a fee of two coins a day."),
    ("q5", "Under whose name is a map listed?", "memo3", "rationale",
     "The catalogue lists every map under its surveyor."),
    ("q6", "When can the first visitor sit down?", "memo4", "comparison",
     "The reading room opens at nine in the morning."),
    ("q7", "How many moons does Jupiter have?", None, "unanswerable", None),
    ("q8", "What is the fee for a window cleaner's licence?", None, "unanswerable", None),
)  # fmt: skip


def embed(texts: Sequence[str]) -> Vectors:
    """Unit vectors from hashed words, every component positive."""
    found = np.full((len(texts), 64), 1e-3, dtype=np.float32)
    for row, text in enumerate(texts):
        for term in Tokeniser()(text):
            found[row, int(hashlib.sha256(term.encode()).hexdigest(), 16) % 64] += 1
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def corpus() -> Corpus:
    """Four memos of two groups, a chunk a paragraph, eight questions of which two have no answer."""
    documents, chunks = [], []
    for id, (tenant, text) in TEXTS.items():
        document = Document(
            id=id, title=f"Memo {id[-1]}", url=f"https://example.org/{id}", sha256="0" * 64, tenant=tenant,
            tenant_name=tenant, licence="MIT", pages=1, text=text, page_starts=((0, 1, "1"),),
            sections=((0, "1", "First"),),
        )  # fmt: skip
        documents.append(document)
        start = 0
        for ordinal, part in enumerate(text.split("\n\n")):
            end = start + len(part)
            chunks.append(
                Chunk(f"{id}:{ordinal:04d}", id, tenant, ordinal, start, end, part, len(part.split()), 1, 1, "1 First")
            )
            start = end + 2
    queries = [
        Query(id, text, TEXTS[doc][0] if doc else None, category, doc, "1", "", evidence, "the tests")
        for id, text, doc, category, evidence in QUESTIONS
    ]
    return Corpus("small", documents, chunks, queries, embed)
