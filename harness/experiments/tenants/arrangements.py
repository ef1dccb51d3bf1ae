"""Four ways to say which tenant a row belongs to, all with the same tenants of (nearly) the same sizes.

``semantic``: as the manifest says. ``documents``: whole documents dealt to the tenants in the order of their digests.
``chunks``: single chunks dealt in the same way. ``orthogonal``: the rows as they are, with made-up vectors: a random
direction a tenant, and the tenant's chunks scattered around it. The names of the tenants stay, so that the same readers
ask under every arrangement; after dealing, a name says nothing but a size.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Corpus, Query, Vectors
from harness.experiments.tenants.cosines import closeness

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Arrangement:
    """Tenant and vector of every row (in the order of `corpus.chunks`), and the questions with their tenants.

    A question's tenant is that of its source chunk: of the chunks of the document it was drafted from, the nearest to
    it. `made_up`: whether the vectors are not those of the texts.
    """

    id: str
    tenants: tuple[str, ...]
    vectors: Vectors
    queries: tuple[Query, ...]
    query_vectors: Vectors
    made_up: bool = False


def arrangements(corpus: Corpus, queries: Sequence[Query], seed: int) -> list[Arrangement]:
    """Return the four arrangements; `queries` have a document of the corpus each."""
    vectors, asked = corpus.vectors(), corpus.query_vectors(queries)
    sources = source_rows(corpus, queries, vectors, asked)
    real = [chunk.tenant for chunk in corpus.chunks]
    by_document = deal_documents(corpus)
    dealt = {
        "semantic": real,
        "documents": [by_document[chunk.doc] for chunk in corpus.chunks],
        "chunks": deal([chunk.id for chunk in corpus.chunks], Counter(real)),
    }
    made = [_arranged(name, tenants, vectors, queries, asked, sources) for name, tenants in dealt.items()]
    rows, questions = scattered(vectors, asked, real, sources, seed)
    return [*made, replace(_arranged("orthogonal", real, rows, queries, questions, sources), made_up=True)]


def source_rows(corpus: Corpus, queries: Sequence[Query], vectors: Vectors, asked: Vectors) -> list[int]:
    """The row of each question's source chunk: the nearest to it among those of its document."""
    rows: dict[str, list[int]] = {}
    for row, chunk in enumerate(corpus.chunks):
        rows.setdefault(chunk.doc, []).append(row)
    found = []
    for query, vector in zip(queries, asked, strict=True):
        own = rows[query.doc or ""]
        found.append(own[int((vectors[own].astype(np.float64) @ vector.astype(np.float64)).argmax())])
    return found


def deal(ids: Sequence[str], sizes: Mapping[str, int]) -> list[str]:
    """A tenant for each id, such that every tenant gets exactly its size: in the order of the ids' digests."""
    order = sorted(range(len(ids)), key=lambda i: _digest(ids[i]))
    names = [tenant for tenant in sorted(sizes) for _ in range(sizes[tenant])]
    found = [""] * len(ids)
    for place, tenant in zip(order, names, strict=True):
        found[place] = tenant
    return found


def deal_documents(corpus: Corpus) -> dict[str, str]:
    """Document → tenant, each document to the tenant with most room left: sizes come out nearly as they were.

    Long documents come first, or a report of a thousand chunks would come last and find no room; among those of about
    one length (up to a factor of two) the digest decides.
    """
    room = Counter(chunk.tenant for chunk in corpus.chunks)
    length = Counter(chunk.doc for chunk in corpus.chunks)
    found = {}
    for doc in sorted(length, key=lambda doc: (-length[doc].bit_length(), _digest(doc))):
        tenant = max(sorted(room), key=lambda name: room[name])
        found[doc] = tenant
        room[tenant] -= length[doc]
    return found


def scattered(
    vectors: Vectors, asked: Vectors, tenants: Sequence[str], sources: Sequence[int], seed: int
) -> tuple[Vectors, Vectors]:
    """Made-up vectors for rows and questions: random directions of the tenants, and noise around them.

    The share of a tenant's direction in its rows is set so that two chunks of a tenant have the mean cosine that the
    real ones have; chunks of different tenants then have about none. A question lies as close to its source row as the
    real questions do to theirs, on average.
    """
    rng = np.random.default_rng(seed)
    names, rows = np.unique(np.asarray(tenants), return_inverse=True)
    within = closeness(vectors, tenants).within()
    centres = _unit(rng.normal(size=(len(names), vectors.shape[1])))
    made = _around(centres[rows], np.sqrt(max(within, 0.0)), rng)
    near = float(np.mean([vectors[row] @ vector for row, vector in zip(sources, asked, strict=True)]))
    return made.astype(np.float32), _around(made[list(sources)], near, rng).astype(np.float32)


def _around(centres: Floats, cosine: float, rng: np.random.Generator) -> Floats:
    """Unit vectors with exactly `cosine` to their centres, in a random direction otherwise."""
    noise = rng.normal(size=centres.shape)
    noise -= (noise * centres).sum(axis=1, keepdims=True) * centres
    found: Floats = cosine * centres + np.sqrt(1 - cosine**2) * _unit(noise)
    return found


def _unit(rows: Floats) -> Floats:
    found: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def _arranged(
    name: str,
    tenants: Sequence[str],
    vectors: Vectors,
    queries: Sequence[Query],
    asked: Vectors,
    sources: Sequence[int],
) -> Arrangement:
    renamed = tuple(replace(query, tenant=tenants[row]) for query, row in zip(queries, sources, strict=True))
    return Arrangement(name, tuple(tenants), vectors, renamed, asked)


def _digest(ident: str) -> str:
    return hashlib.sha256(ident.encode()).hexdigest()
