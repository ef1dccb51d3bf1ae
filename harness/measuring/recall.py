"""Recall against exact search, with ties on the last place right either way."""

from __future__ import annotations

from collections.abc import Sequence

from harness.retrieval.dense import Hit


def recall(found: Sequence[Hit], exact: Sequence[Hit]) -> float:
    """Return the share of the exact result that was found, 0 to 1.

    A chunk counts when it is no farther than the last of the exact result: chunks of equal text have equal
    vectors, and either of two that tie for the last place is right. (The rival convention compares ids.)
    """
    if not exact:
        raise ValueError("recall needs an exact result with at least one row")
    limit = exact[-1].distance
    return min(sum(hit.distance <= limit for hit in found), len(exact)) / len(exact)
