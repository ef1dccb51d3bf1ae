"""Both searches over every question, three ways: as they are, filtered before ranking, and filtered afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.capture.api import JsonObject
from harness.corpus.model import Corpus, Query, Vectors
from harness.freshness.contract import Fresh, document, under_contract
from harness.freshness.validity import Register
from harness.pipeline import Pipeline
from harness.retrieval import lexical
from harness.retrieval.bm25 import DEFAULT, Hit, Mask, best_rows

SEARCHES = ("lexical", "dense")


@dataclass(frozen=True)
class Found:
    """What one search gave for one question: the first k without the contract, and what it gives under it."""

    open: tuple[Hit, ...]
    fresh: Fresh

    @property
    def left(self) -> int:
        """How many rows are left when the superseded are dropped from the open list instead."""
        return len(self.open) - len(self.fresh.excluded)


Lists = dict[str, dict[str, Found]]


def search_all(
    pipeline: Pipeline, queries: Sequence[Query], vectors: Vectors, register: Register, allowed: Mask, k: int
) -> Lists:
    """Search → question id → what it found."""
    found: Lists = {name: {} for name in SEARCHES}
    for query, vector in zip(queries, vectors, strict=True):
        for name, run in _searches(pipeline, query.text, vector, k).items():
            open_list = run(None)
            touched = any(register.superseded(document(hit.id)) for hit in open_list)
            filtered = run(allowed) if touched else open_list
            found[name][query.id] = Found(tuple(open_list), under_contract(open_list, filtered, register))
    return found


def _searches(
    pipeline: Pipeline, text: str, vector: Vectors, k: int
) -> Mapping[str, Callable[[Mask | None], list[Hit]]]:
    values = pipeline.cosines(vector)

    def dense(allowed: Mask | None) -> list[Hit]:
        rows = np.arange(len(values)) if allowed is None else np.flatnonzero(allowed)
        best = best_rows(values, rows, k)
        return [Hit(pipeline.index.ids[row], rank, float(values[row])) for rank, row in enumerate(best, start=1)]

    return {"lexical": lambda allowed: lexical.search(pipeline.index, text, k, DEFAULT, allowed), "dense": dense}


def summary(name: str, found: Mapping[str, Found], register: Register, corpus: Corpus) -> JsonObject:
    """How many questions one search answers with superseded passages, and what takes their places."""
    dead_first = {q: one for q, one in found.items() if one.open and register.superseded(document(one.open[0].id))}
    touched = [one for one in found.values() if one.fresh.excluded]
    after = [_instead(one, register, corpus) for one in dead_first.values()]
    return {
        "search": name,
        "questions": len(found),
        "first_superseded": len(dead_first),
        "any_superseded": len(touched),
        "superseded_rows": sum(len(one.fresh.excluded) for one in touched),
        "rows": sum(len(one.open) for one in found.values()),
        "all_superseded": sum(one.left == 0 for one in touched),
        "short_after": len(touched),
        "fewest_after": min((one.left for one in touched), default=0),
        "short_before": sum(len(one.fresh.hits) < len(one.open) for one in touched),
        "then_heir": after.count("heir"),
        "then_tenant": after.count("tenant"),
        "then_other": after.count("other"),
        "heir_in_ten": sum(_heir_found(one, register) for one in dead_first.values()),
        "heir_in_corpus": sum(
            bool(register.held(register.heirs(document(one.open[0].id)))) for one in dead_first.values()
        ),
    }


def _instead(one: Found, register: Register, corpus: Corpus) -> str:
    """Who stands first under the contract: an heir of the document that stood there, its tenant, or another."""
    before = document(one.open[0].id)
    if not one.fresh.hits:
        return "none"
    now = document(one.fresh.hits[0].id)
    if now in register.heirs(before):
        return "heir"
    return "tenant" if corpus.documents[now].tenant == corpus.documents[before].tenant else "other"


def _heir_found(one: Found, register: Register) -> bool:
    heirs = set(register.heirs(document(one.open[0].id)))
    return any(document(hit.id) in heirs for hit in one.fresh.hits)
