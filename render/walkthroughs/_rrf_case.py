"""The question that the walkthroughs of ``rrf`` follow: what is asked, what is followed, a line of a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.views.kit import Rank
from render.walkthroughs._passages import bare

SOURCES = ("lexical", "dense")
Query = Mapping[str, Any]


def followed_of(query: Query) -> str:
    """The passage with the evidence where one of the lists shows it, else the first fused result."""
    shown = [*(row["id"] for row in query["fused"]), *query["lexical"], *query["dense"]]
    return next((id for id in shown if id in query["evidence_chunks"]), str(shown[0]))


def first(queries: Sequence[Query], why: str) -> Query | None:
    """The first question that was captured for a reason that begins with ``why``."""
    return next((query for query in queries if query["why"].startswith(why)), None)


def asked(query: Query) -> Markup:
    """The question."""
    return Markup('<p class="pair-title">Question: {}</p>').format(query["question"])


def rank_words(rank: int | None) -> str:
    """A rank in words."""
    return "not" if rank is None else f"number {rank}"


def entry(
    rank: int,
    id: str,
    role: str,
    names: Mapping[str, str],
    evidence: set[str],
    followed: str,
    score: Markup | str = "",
) -> Rank:
    """A passage in a list; the one with the evidence says so, the followed one is marked."""
    note = "holds the evidence" if id in evidence else ""
    return Rank(rank, names.get(id, bare(id)), score, role, note, on=id == followed)


def ranks_at(query: Query, k: int) -> list[int]:
    """The fused ranks of the captured passages at one k."""
    rows = [row for row in query["by_k"]["rows"] if row["from_k"] <= k]
    ranks: list[int] = rows[-1]["ranks"]
    return ranks
