"""About a dozen golden questions on their way through the whole pipeline, with what every stage held.

The questions are chosen by rule from all askings, so that each kind of question and each place of failure is among
them: they illustrate and are no sample. The rates over all questions are in the dataset ``diagnosis``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.capture.api import Capture, Determinism, Figure, Payload, Run
from harness.corpus.model import Query
from harness.evaluation.answers import quotes_evidence
from harness.measuring.answered import readers
from harness.measuring.answered.asked import Arm, Asked, ask_all, spread
from harness.measuring.answered.cases import evidence_of, named, stages
from harness.measuring.answered.outcome import ANSWERED, DECLINED, RIGHT, Outcome, outcome
from harness.measuring.pointed import pointed
from harness.retrieval import dense
from harness.store import as_principal

TIMED = ("lexical", "dense", "fusion", "answer")


@dataclass(frozen=True)
class Rule:
    """A reason to show a question: the reader, the outcome it must have, and the category ("" for any)."""

    why: str
    arm: Arm
    stage: str
    category: str = ""
    spread: bool = False
    """The evidence stands in more than one passage."""
    narrow: bool = False
    """Put by a reader who may see only the question's own working group."""


RULES = (
    Rule("answered with the evidence", "home", RIGHT),
    Rule("an identifier, answered with the evidence", "home", RIGHT, "identifier"),
    Rule("the evidence stands in more than one passage", "home", RIGHT, spread=True),
    Rule("asked by a reader of this working group only", "home", RIGHT, narrow=True),
    Rule("in neither list's first results", "home", "search"),
    Rule("an identifier, in neither list's first results", "home", "search", "identifier"),
    Rule("in a list, and lost between the lists and the context", "home", "cut"),
    Rule("hidden by the policy", "away", "policy"),
    Rule("in the context, and other sentences are quoted", "home", "company"),
    Rule("quoted, and declined by the floor", "home", "floor"),
    Rule("no answer in the corpus, declined", "none", DECLINED),
    Rule("no answer in the corpus, answered all the same", "none", ANSWERED),
)


def capture(run: Run) -> Payload:
    """Choose the questions, and show each at every stage."""
    params = run.params
    asked = ask_all(run)
    found = {
        (query.id, arm): outcome(asked, query, arm, params["raw_top"])
        for arm in ("home", "away", "none")
        for query in asked.arm(arm)
    }
    cases = [_case(asked, query, rule, found, params) for query, rule in chosen(asked, found)]
    times = {
        stage: [asked.traces[query.id, "home"].milliseconds[stage] for query in asked.arm("home")] for stage in TIMED
    }
    result: dict[str, Any] = {
        "population": {
            "chunks": len(asked.corpus.chunks), "documents": len(asked.corpus.documents),
            "tenants": len({chunk.tenant for chunk in asked.corpus.chunks}), "queries": len(asked.queries),
            "shown": len(cases), "failing": sum(case["failed"] for case in cases),
        },
        "floor": asked.floor,
        "cases": cases,
        "citations": _citations(cases),
        "agreement": _agreement(run, asked, cases, params["shown"]),
        "passages": named(asked, cases),
    }  # fmt: skip
    timings = {
        "stages": [{"stage": stage, "n": len(spent), **spread(spent)} for stage, spent in times.items()],
        "cases": [{"id": case["id"], **asked.traces[case["id"], case["reader"]].milliseconds} for case in cases],
    }  # fmt: skip
    return Payload(result, figures(result, timings), timings)


def chosen(asked: Asked, found: Mapping[tuple[str, str], Outcome]) -> list[tuple[Query, Rule]]:
    """For each rule the first question, by id, that fits and is not taken yet; a rule that nothing fits is left out."""
    taken: dict[str, Rule] = {}
    shown = []
    for rule in RULES:
        for query in asked.arm(rule.arm):
            if query.id not in taken and _fits(asked, query, rule, found[query.id, rule.arm]):
                taken[query.id] = rule
                shown.append((query, rule))
                break
    return shown


def _fits(asked: Asked, query: Query, rule: Rule, one: Outcome) -> bool:
    spread = len(asked.evidence.get(query.id, {})) > 1
    return one.stage == rule.stage and rule.category in ("", query.category) and (spread or not rule.spread)


def _case(
    asked: Asked,
    query: Query,
    rule: Rule,
    found: Mapping[tuple[str, str], Outcome],
    params: Mapping[str, Any],
) -> dict[str, Any]:
    one, trace = found[query.id, rule.arm], asked.traces[query.id, rule.arm]
    reader = readers.EVERYTHING if rule.arm != "away" else readers.without(query.tenant or "")
    stage, answered = one.stage, one.answered
    if rule.narrow:
        reader = readers.only(query.tenant or "")
        vector, allowed = asked.corpus.query_vectors([query])[0], asked.pipeline.mask(asked.visible[reader])
        trace = asked.pipeline.ask(query.text, vector, allowed, depths=asked.depths)
        answered = trace.answer.score >= asked.floor
        right = quotes_evidence(query.evidence, [quote.text for quote in trace.answer.quotes])
        stage = (RIGHT if answered else "floor") if right else "company"
    return {
        "id": query.id, "question": query.text, "category": query.category, "why": rule.why, "reader": rule.arm,
        "narrow": rule.narrow, "principal": reader, "tenant": query.tenant,
        "visible": len(asked.visible[reader]), "stage": stage, "failed": stage not in (RIGHT, DECLINED),
        "answered": answered,
        "answer": query.answer, "evidence": evidence_of(asked, query),
        "ranks": {
            "lexical": _rank(asked, query, [hit.id for hit in trace.lexical]),
            "dense": _rank(asked, query, [hit.id for hit in trace.dense]),
            "fused": _rank(asked, query, [hit.id for hit in trace.fused]),
        },
        "raw_ranks": {"lexical": one.lexical, "dense": one.dense, "fused": one.fused_raw},
    } | stages(asked, query, trace, params["shown"])  # fmt: skip


def _rank(asked: Asked, query: Query, ids: Sequence[str]) -> int | None:
    judged = asked.evidence.get(query.id, {})
    return next((rank for rank, id in enumerate(ids, start=1) if id in judged), None)


def _citations(cases: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    quotes = [quote for case in cases for quote in case["quotes"]]
    return {
        "quotes": len(quotes),
        "verified": sum(quote["verified"] for quote in quotes),
        "with_page": sum(quote["page"] is not None for quote in quotes),
    }


def _agreement(run: Run, asked: Asked, cases: Sequence[Mapping[str, Any]], top: int) -> dict[str, int]:
    """A control: exact search inside PostgreSQL, as each reader, against the dense list shown; same distances?"""
    queries = {query.id: query for query in asked.queries}
    equal = 0
    with run.database().application() as conn:
        for case in cases:
            vector = asked.corpus.query_vectors([queries[case["id"]]])[0]
            with as_principal(conn, case["principal"]) as session:
                hits = dense.exact_search(session, vector, k=top)
            shown = [1 - row["score"] for row in case["dense"]]
            equal += len(hits) == len(shown) and bool(np.allclose([h.distance for h in hits], shown, atol=1e-4))
    return {"cases": len(cases), "equal": equal, "top": top}


def figures(result: Mapping[str, Any], timings: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of the dataset."""
    found = {
        f"n_{key}": pointed(result, f"/result/population/{key}", words)
        for key, words in {
            "chunks": "passages", "documents": "documents", "tenants": "working groups", "queries": "golden questions",
            "shown": "questions shown", "failing": "questions shown that end wrongly",
        }.items()
    }  # fmt: skip
    found["floor"] = pointed(result, "/result/floor", "floor under the best quote's score", 3)
    for key, words in {"quotes": "quotes in the shown answers", "verified": "of these, verified word for word"}.items():
        found[f"citations_{key}"] = pointed(result, f"/result/citations/{key}", words)
    found["agreement"] = pointed(
        result, "/result/agreement/equal", "shown questions whose dense list PostgreSQL returns under the policy",
        n=result["agreement"]["cases"],
    )  # fmt: skip
    for at, row in enumerate(timings["stages"]):
        for share in ("p50", "p95"):
            found[f"{row['stage']}_{share}"] = Figure(
                row[share], "ms", f"{share} of the stage {row['stage']}, reader of everything", 1, row["n"],
                (row[f"{share}_low"], row[f"{share}_high"]),
                f"/timings/stages/{at}/{share}", volatile=True,
            )  # fmt: skip
    return found


CAPTURE = Capture(
    name="pipeline_trace",
    title="Questions on their way through the pipeline",
    describes=(
        "A dozen golden questions over the RFC corpus with the state of every stage: the passages that the row policy "
        "lets the reader see, BM25 list, exact dense list, the fused list, the context, the quotes of the extractive "
        "answerer with the verdict on each citation, and the decision at the floor."
    ),
    kind="measured",
    capture=capture,
    params={"depth": 100, "k": 60, "context": 5, "raw_top": 50, "shown": 5},
    canary_params={"depth": 20, "raw_top": 10},
    caveats=(
        "The questions are chosen by rule to show each kind and each place of failure. They are no sample.",
        "A right answer is one that quotes the sentence the question was drafted from; other passages may answer it.",
        "The questions were drafted by a language model and not verified by a person.",
    ),
    determinism=Determinism("tolerance", rel=0.0, abs=1e-4),
    minutes=2.0,
)
