"""Digests of what the stages gave for a corpus: is it still the same material, whatever code made it?

Documents, chunks and questions are compared by every field. Vectors rest on a model, and processors differ in the
last bits of a matrix product: of them the texts, the weights and a sample of rounded components are kept, and a
sample within ``TOLERANCE`` of the recorded one counts as the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from harness.corpus.model import Corpus
from harness.embedding.cache import key
from harness.paths import ROOT, write_atomically
from provenance.canonical import pretty
from provenance.codehash import file_digest
from provenance.imports import closure
from provenance.stages import ENTRY, RECORD, recorded

SAMPLED = 8
DIGITS = 4
TOLERANCE = 1e-3

Output = dict[str, Any]


def outputs(corpus: Corpus, names: Iterable[str]) -> dict[str, Output]:
    """The digest and number of records of the named stage outputs of a corpus."""
    makers = {
        "documents": lambda: _records(asdict(one) for _, one in sorted(corpus.documents.items())),
        "chunks": lambda: _records(asdict(one) for one in corpus.chunks),
        "vectors": lambda: _vectors(corpus),
        "questions": lambda: _records(asdict(one) for one in corpus.queries),
    }
    return {name: makers[name]() for name in names}


def _records(records: Iterable[Mapping[str, Any]]) -> Output:
    sha, count = hashlib.sha256(), 0
    for record in records:
        sha.update(json.dumps(record, sort_keys=True, ensure_ascii=False).encode() + b"\n")
        count += 1
    return {"digest": sha.hexdigest(), "records": count}


def _vectors(corpus: Corpus) -> Output:
    vectors = corpus.vectors()
    weights = "".join(str(model["sha256"]) for model in corpus.models)
    sha = hashlib.sha256(f"{weights}\0{vectors.shape}\n".encode())
    for chunk in corpus.chunks:
        sha.update(key(weights, chunk.text).encode())
    rows = np.unique(np.linspace(0, len(vectors) - 1, SAMPLED).round().astype(int))
    sample = np.round(vectors[rows].astype(np.float64), DIGITS) + 0.0
    texts = sha.hexdigest()
    sha.update(sample.tobytes())
    return {"digest": sha.hexdigest(), "records": len(vectors), "texts": texts, "sample": sample.tolist()}


def settled(found: Mapping[str, Output], corpus: str, root: Path = ROOT) -> dict[str, Output]:
    """The outputs, with the recorded digest of vectors where the sample equals the recorded one within tolerance."""
    known = recorded(root).get(corpus, {}).get("outputs", {}).get("vectors", {})
    new = found.get("vectors")
    if not new or known.get("texts") != new["texts"]:
        return dict(found)
    near = np.allclose(known["sample"], new["sample"], rtol=0, atol=TOLERANCE)
    return {**found, "vectors": dict(known)} if near else dict(found)


def entries(corpus: Corpus, root: Path = ROOT) -> list[Output]:
    """The ``stages`` of a provenance block: what a capture read of its corpus."""
    found = settled(outputs(corpus, sorted(corpus.read)), corpus.name, root)
    return [{"corpus": corpus.name, "name": name, **_shown(output)} for name, output in found.items()]


def _shown(output: Output) -> Output:
    return {"digest": output["digest"], "records": output["records"]}


def record(corpus: Corpus, root: Path = ROOT) -> list[str]:
    """Write the outputs of a prepared corpus into the record; returns the names of those that changed."""
    known = recorded(root)
    last = known.get(corpus.name, {}).get("outputs", {})
    found = settled(outputs(corpus, ("documents", "chunks", "vectors", "questions")), corpus.name, root)
    inputs = [entry["uri"] for entry in corpus.inputs() if entry["available"] == "repo"]
    known[corpus.name] = {
        "outputs": found,
        "inputs": {path: file_digest(root / path) for path in sorted(inputs)},
        "code": {path: file_digest(root / path) for path in sorted(closure(root, [ENTRY]))},
    }
    write_atomically(root / RECORD, pretty(dict(sorted(known.items()))))
    return [name for name, output in found.items() if name in last and last[name]["digest"] != output["digest"]]
