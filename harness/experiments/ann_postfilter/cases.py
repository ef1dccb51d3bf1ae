"""Three searches in full: the candidate list slot by slot, and what exact search would have returned.

The candidate list of a search does not depend on who asks: with iterative scan off the index fills it without
knowing the policy. It is read through the principal who sees everything, and checked against what the
restricted principal was given: the permitted slots, in order, cut to ten, or the capture fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.corpus.model import Corpus, Query, Vectors
from harness.experiments.ann_postfilter.measure import Readings
from harness.measuring.readings import recall
from harness.measuring.trials import Asking, Cell
from harness.retrieval import dense
from harness.retrieval.dense import Hit
from harness.store import Connection, as_principal

EXCERPT = 300


@dataclass(frozen=True)
class Choice:
    """A case to show: its id, the rule that chose it, and who asks what."""

    id: str
    rule: str
    cell: Cell
    asking: Asking


def choose(
    by_label: Mapping[str, Cell],
    taken: Mapping[tuple[str, int], Readings],
    exact: Mapping[str, Sequence[Sequence[Hit]]],
    ef: int,
) -> list[Choice]:
    """Return the three cases, chosen from the last build by rule, not by hand.

    Away: of the questions with no result (or, were there none, with fewest), the one whose nearest permitted chunk is
    nearest. Home: of those whose recall is closest to one half, the one whose nearest permitted chunk is nearest.
    Control: the question of the home case, asked with everything visible.
    """
    last = -1
    away, home = by_label["away1"], by_label["home1"]
    kept = taken["away1", ef].kept[last]
    empty = min(range(len(kept)), key=lambda i: (kept[i], exact["away1"][i][0].distance))
    shares = taken["home1", ef].recall[last]
    half = min(range(len(shares)), key=lambda i: (abs(shares[i] - 0.5), exact["home1"][i][0].distance))
    control = by_label["all"]
    return [
        Choice("away", "no result; the nearest permitted chunk is nearest", away, away.askings[empty]),
        Choice("home", "recall closest to one half; the nearest permitted chunk is nearest", home, home.askings[half]),
        Choice("all", "the question of the home case, everything visible", control, control.askings[half]),
    ]


def show(
    conn: Connection, corpus: Corpus, query: Query, vector: Vectors, choice: Choice, efs: Sequence[int], ef: int, k: int
) -> dict[str, Any]:
    """Return one case in full: slots, results, exact results with excerpts, what each ef_search keeps, the
    plan."""
    principal = choice.asking.principal
    with as_principal(conn, "all") as session:
        lists = {e: dense.candidate_list(session, vector, ef_search=e) for e in efs}
    with as_principal(conn, principal.name) as session:
        exact = dense.exact_search(session, vector, k=k)
        returned = {e: dense.hnsw_search(session, vector, ef_search=e, k=k) for e in efs}
        plan = dense.hnsw_plan_text(session, vector, ef_search=ef, k=k)
        exact_plan = dense.exact_plan_text(session, vector, k=k)
    for e in efs:
        _agree(choice, e, [hit for hit in lists[e] if hit.tenant in principal.tenants][:k], returned[e])
    where = {hit.id: slot for slot, hit in enumerate(lists[ef], 1)}
    text = {chunk.id: chunk.text for chunk in corpus.chunks}
    return {
        "id": choice.id,
        "rule": choice.rule,
        "cell": choice.cell.label,
        "principal": principal.name,
        "tenants": list(principal.tenants),
        "query": {"id": query.id, "question": query.text, "tenant": query.tenant, "doc": query.doc},
        "ef_search": ef,
        "slots": [
            {"slot": slot, **_hit(hit), "permitted": hit.tenant in principal.tenants}
            for slot, hit in enumerate(lists[ef], 1)
        ],
        "returned": [_hit(hit) for hit in returned[ef]],
        "exact": [
            {"rank": rank, **_hit(hit), "slot": where.get(hit.id), "excerpt": excerpt(text[hit.id])}
            for rank, hit in enumerate(exact, 1)
        ],
        "by_ef": [
            {
                "ef_search": e,
                "candidates": len(lists[e]),
                "permitted": sum(hit.tenant in principal.tenants for hit in lists[e]),
                "returned": len(returned[e]),
                "recall": recall(returned[e], exact),
                "found": [hit.id for hit in returned[e]],
            }
            for e in efs
        ],
        "plan": plan,
        "exact_plan": exact_plan,
    }


def roles(
    design: Sequence[Cell], taken: Mapping[tuple[str, int], Readings], query: int, efs: Sequence[int]
) -> list[dict[str, Any]]:
    """Return what each cell's principal got for one question in the last build, by ef_search.

    The candidate list is the same for all of them, so a case's slots can be read with any of these tenant sets.
    """
    return [
        {
            "cell": cell.label,
            "principal": cell.askings[query].principal.name,
            "tenants": list(cell.askings[query].principal.tenants),
            "by_ef": [
                {
                    "ef_search": ef,
                    "returned": int(taken[cell.label, ef].kept[-1, query]),
                    "recall": float(taken[cell.label, ef].recall[-1, query]),
                }
                for ef in efs
            ],
        }
        for cell in design
    ]


def sources(corpus: Corpus, cases: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """Return title, url, licence and tenant of every document that a case names."""
    docs = {row["doc"] for case in cases for part in ("slots", "exact") for row in case[part]}
    docs |= {case["query"]["doc"] for case in cases}
    return {
        doc: {
            "title": corpus.documents[doc].title,
            "url": corpus.documents[doc].url,
            "licence": corpus.documents[doc].licence,
            "tenant": corpus.documents[doc].tenant,
        }
        for doc in sorted(docs)
    }


def excerpt(text: str) -> str:
    """Return the beginning of a passage on one line, at most 300 characters, cut between words."""
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1].rsplit(" ", 1)[0] + "…"


def _hit(hit: Hit) -> dict[str, Any]:
    return {"id": hit.id, "doc": hit.doc, "tenant": hit.tenant, "distance": round(hit.distance, 4)}


def _agree(choice: Choice, ef: int, permitted: Sequence[Hit], returned: Sequence[Hit]) -> None:
    if [hit.distance for hit in permitted] != [hit.distance for hit in returned]:
        raise RuntimeError(
            f"case {choice.id}, ef_search {ef}: the permitted candidates are not what the principal was given "
            f"({[hit.id for hit in permitted]} against {[hit.id for hit in returned]})"
        )
