"""A working part and a held-out fifth of the questions: settings are chosen on the one and reported on the other.

The split is decided by each question's id, so it is the same for every capture, and it is made within each category, so
that the few unanswerable questions are on both sides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from harness.corpus.model import Query

PARTS = 5


def held_out(queries: Sequence[Query]) -> set[str]:
    """The ids of the held-out questions: in each category every fifth, by the order of their ids' digests."""
    groups: dict[str, list[Query]] = {}
    for query in queries:
        groups.setdefault(query.category, []).append(query)
    return {query.id for group in groups.values() for query in sorted(group, key=_digest)[::PARTS]}


def _digest(query: Query) -> str:
    return hashlib.sha256(query.id.encode()).hexdigest()
