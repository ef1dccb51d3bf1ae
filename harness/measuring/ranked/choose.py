"""Which questions a capture shows in full: chosen by rule from the measurements, never by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from harness.corpus.model import Query
from harness.evaluation.relevance import Judged, best_rank
from harness.measuring.ranked.lists import Lists, ids

BEYOND = 1_000_000
"""Stands for "not in the list" when ranks are compared."""
Ranks = dict[str, tuple[int, int]]
"""Question id → (rank of the evidence under BM25, under dense retrieval), ``BEYOND`` when not in the list."""


@dataclass(frozen=True)
class Rule:
    """A reason to show questions: in words, how many, which qualify, and which of these come first."""

    why: str
    count: int
    qualifies: Callable[[Query], bool]
    order: Callable[[Query], tuple[float, ...]]


def evidence_ranks(lists: Lists, evidence: Judged) -> Ranks:
    """Where each list has the first chunk with the evidence, for the questions that have one."""
    return {
        query: (
            best_rank(ids(lists.lexical[query]), judged) or BEYOND,
            best_rank(ids(lists.dense[query]), judged) or BEYOND,
        )
        for query, judged in evidence.items()
    }


def chosen(queries: Iterable[Query], rules: Iterable[Rule]) -> list[tuple[Query, str]]:
    """The questions with their reason, rule by rule, none twice; ties fall by id."""
    pool = sorted(queries, key=lambda query: query.id)
    found: dict[str, tuple[Query, str]] = {}
    for rule in rules:
        fitting = sorted(filter(rule.qualifies, pool), key=lambda query: (*rule.order(query), query.id))
        for query in [query for query in fitting if query.id not in found][: rule.count]:
            found[query.id] = (query, rule.why)
    return list(found.values())


def bm25_rules(lists: Lists, ranks: Ranks, kept: Mapping[str, int], pools: Mapping[str, int]) -> list[Rule]:
    """The rules of the ``bm25`` dataset.

    ``kept``: of each question's top ten, how many stay under the unclamped weight. ``pools``: how many chunks reach
    its top ten somewhere on the grid of k1 and b.
    """

    def ranked(query: Query) -> tuple[int, int]:
        return ranks.get(query.id, (BEYOND, BEYOND))

    def identifier(query: Query) -> bool:
        return query.category == "identifier"

    def words(query: Query) -> int:
        return len(lists.index.tokeniser(query.text))

    return [
        Rule("short, and both retrievers have the evidence first", 1,
             lambda q: ranked(q) == (1, 1), lambda q: (words(q),)),
        Rule("identifier: BM25 has the evidence among its first ten, dense retrieval does not", 2,
             lambda q: identifier(q) and ranked(q)[0] <= 10 < ranked(q)[1],
             lambda q: (-min(ranked(q)[1], 101), ranked(q)[0])),
        Rule("identifier: dense retrieval has the evidence among its first ten, BM25 does not", 1,
             lambda q: identifier(q) and ranked(q)[1] <= 10 < ranked(q)[0],
             lambda q: (-min(ranked(q)[0], 101), ranked(q)[1])),
        Rule("other words: dense retrieval has the evidence among its first ten, BM25 far down", 1,
             lambda q: not identifier(q) and ranked(q)[1] <= 10 < ranked(q)[0],
             lambda q: (-min(ranked(q)[0], 101), ranked(q)[1])),
        Rule("the unclamped weight changes the top ten most", 1,
             lambda q: q.id in kept, lambda q: (kept[q.id],)),
        Rule("k1 and b move the top ten most", 1,
             lambda q: q.id in pools, lambda q: (-pools[q.id],)),
    ]  # fmt: skip


def rrf_rules(fused: Mapping[str, int], ranks: Ranks) -> list[Rule]:
    """The rules of the ``rrf`` dataset; ``fused``: rank of the evidence in the fused list."""

    def at(query: Query) -> tuple[int, int, int]:
        return (*ranks.get(query.id, (BEYOND, BEYOND)), fused.get(query.id, BEYOND))

    def known(query: Query) -> bool:
        return query.id in ranks

    return [
        Rule("agreement: the evidence is first only after fusion", 2,
             lambda q: known(q) and at(q)[2] == 1 and min(at(q)[:2]) > 1 and max(at(q)[:2]) <= 20,
             lambda q: (-sum(at(q)[:2]),)),
        Rule("only BM25 has the evidence among its first hundred", 1,
             lambda q: known(q) and at(q)[0] <= 10 and at(q)[1] == BEYOND, lambda q: (at(q)[0],)),
        Rule("only dense retrieval has the evidence among its first hundred", 1,
             lambda q: known(q) and at(q)[1] <= 10 and at(q)[0] == BEYOND, lambda q: (at(q)[1],)),
        Rule("fusion loses: one list has the evidence first, the fused list does not have it among its first ten", 1,
             lambda q: known(q) and min(at(q)[:2]) == 1 and at(q)[2] > 10, lambda q: (-at(q)[2],)),
        Rule("identifier: BM25 has the evidence higher than dense retrieval", 1,
             lambda q: known(q) and q.category == "identifier" and at(q)[0] < at(q)[1],
             lambda q: (at(q)[0] - at(q)[1],)),
    ]  # fmt: skip
