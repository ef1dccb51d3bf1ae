"""Where each golden question is lost: the first failing check of a ladder, for every wrong or missing answer.

Every answerable question is put by a reader who may see everything, and again by one who may not see the working group
that the question is about. What a reader may see comes from the policy in PostgreSQL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from harness.capture.api import Capture, Determinism, Figure, Payload, Run
from harness.corpus.model import Query
from harness.measuring.answered import readers
from harness.measuring.answered.asked import Arm, Asked, ask_all
from harness.measuring.answered.cases import evidence_of, named, stages
from harness.measuring.answered.outcome import ANSWERED, DECLINED, RIGHT, STAGES, Outcome, outcome
from harness.measuring.pointed import pointed

ARMS: tuple[Arm, ...] = ("home", "away", "none")
WORDS = {
    "home": "reader of everything",
    "away": "reader who may not see the working group",
    "none": "questions that the corpus cannot answer",
}


def capture(run: Run) -> Payload:
    """Diagnose every asking, count, and show cases of every stage that loses any."""
    params = run.params
    asked = ask_all(run)
    run.log("the ladder")
    found = {arm: {query.id: outcome(asked, query, arm, params["raw_top"]) for query in asked.arm(arm)} for arm in ARMS}
    cases = _cases(asked, found, params)
    result: dict[str, Any] = {
        "population": {
            "chunks": len(asked.corpus.chunks),
            "queries": len(asked.queries),
            **{arm: len(found[arm]) for arm in ARMS},
        },
        "floor": asked.floor,
        "ladder": [_rung(stage, found) for stage in STAGES],
        "outcomes": {arm: _outcomes(found[arm]) for arm in ARMS},
        "without_policy": _without_policy(asked, found["away"]),
        "policy_check": _policy_check(asked),
        "questions": [
            _question(query, arm, found[arm][query.id]) for arm in ARMS for query in asked.arm(arm)
        ],
        "cases": cases,
        "passages": named(asked, cases),
    }  # fmt: skip
    return Payload(result, figures(result, params))


def _rung(stage: str, found: Mapping[Arm, Mapping[str, Outcome]]) -> dict[str, Any]:
    """How many the check sees, and how many fail it, an arm."""
    row: dict[str, Any] = {"stage": stage, "says": STAGES[stage]}
    order = list(STAGES)
    for arm in ARMS[:2]:
        failing = [order.index(one.stage) for one in found[arm].values() if one.stage in STAGES]
        row[f"{arm}_reached"] = sum(at >= order.index(stage) for at in failing)
        row[f"{arm}_failed"] = sum(at == order.index(stage) for at in failing)
    return row


def _outcomes(found: Mapping[str, Outcome]) -> dict[str, int]:
    """How the askings of an arm ended: declined and answered, right and wrong."""
    given = [one for one in found.values() if one.answered]
    return {
        "asked": len(found),
        "right": sum(one.stage == RIGHT for one in found.values()),
        "wrong": sum(one.stage != RIGHT for one in given),
        "declined": len(found) - len(given),
        "failed": sum(one.failed for one in found.values()),
    }


def _without_policy(asked: Asked, away: Mapping[str, Outcome]) -> dict[str, int]:
    """What the policy takes from the away readers: contexts that would hold the evidence without it."""
    size = asked.depths.context
    return {
        "in_context_raw": sum(one.fused_raw is not None and one.fused_raw <= size for one in away.values()),
        "in_context": sum(one.fused is not None and one.fused <= size for one in away.values()),
        "empty_contexts": sum(not asked.traces[id, "away"].context for id in away),
    }


def _policy_check(asked: Asked) -> dict[str, int]:
    """Readers whose visible passages the policy gives exactly as their tenants say."""
    grants = readers.granted(asked.corpus)
    expected = readers.by_hand(asked.corpus, {name: grants[name] for name in asked.visible})
    return {"readers": len(expected), "equal": sum(asked.visible[name] == ids for name, ids in expected.items())}


def _question(query: Query, arm: Arm, one: Outcome) -> dict[str, Any]:
    return {
        "id": query.id, "category": query.category, "reader": arm, "stage": one.stage, "lexical": one.lexical,
        "dense": one.dense, "fused_raw": one.fused_raw, "fused": one.fused, "answered": one.answered,
    }  # fmt: skip


def _cases(asked: Asked, found: Mapping[Arm, Mapping[str, Outcome]], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The first questions, by id, that each check loses (home, the policy's away), and answered unanswerable ones."""
    wanted: list[tuple[str, Arm]] = [(stage, "away" if stage == "policy" else "home") for stage in STAGES]
    wanted += [(ANSWERED, "none"), (DECLINED, "none"), (RIGHT, "home")]
    shown = []
    for stage, arm in wanted:
        fitting = [query for query in asked.arm(arm) if found[arm][query.id].stage == stage]
        for query in fitting[: params["cases"]]:
            one, trace = found[arm][query.id], asked.traces[query.id, arm]
            shown.append(
                _question(query, arm, one)
                | {"ranks": {"lexical": one.lexical, "dense": one.dense, "fused": one.fused}}
                | {"question": query.text, "answer": query.answer, "of_stage": len(fitting)}
                | {"evidence": evidence_of(asked, query)}
                | stages(asked, query, trace, params["shown"])
            )
    return shown


def figures(result: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of the dataset."""
    found = {
        "n_chunks": pointed(result, "/result/population/chunks", "passages searched"),
        "n_queries": pointed(result, "/result/population/queries", "golden questions"),
        "floor": pointed(result, "/result/floor", "floor under the best quote's score", 3),
    }
    for arm in ARMS:
        n = result["population"][arm]
        for key in ("asked", "right", "wrong", "declined", "failed"):
            found[f"{arm}_{key}"] = pointed(result, f"/result/outcomes/{arm}/{key}", f"{key}, {WORDS[arm]}", n=n)
    for at, row in enumerate(result["ladder"]):
        for arm in ("home", "away"):
            n, stage = result["population"][arm], row["stage"]
            found[f"{arm}_{stage}"] = pointed(
                result, f"/result/ladder/{at}/{arm}_failed", f"first failing check: {row['says']}, {WORDS[arm]}", n=n
            )
    n = result["population"]["away"]
    for key, words in {
        "in_context_raw": "away contexts that would hold the evidence without the policy",
        "in_context": "away contexts that hold the evidence",
        "empty_contexts": "away contexts that are empty",
    }.items():
        found[f"away_{key}"] = pointed(result, f"/result/without_policy/{key}", words, n=n)
    for key in ("readers", "equal"):
        words = {"readers": "readers checked", "equal": "readers who see exactly the passages of their tenants"}[key]
        found[f"policy_{key}"] = pointed(result, f"/result/policy_check/{key}", words)
    return found | _categories(result)


def _categories(result: Mapping[str, Any]) -> dict[str, Figure]:
    """``home_identifier_right`` and the like: how many of a category are right, of how many."""
    home = [row for row in result["questions"] if row["reader"] == "home"]
    asked = Counter(row["category"] for row in home)
    right = Counter(row["category"] for row in home if row["stage"] == RIGHT)
    return {
        f"home_{category}_right": Figure(right[category], "", f"right answers to {category} questions", 0, n)
        for category, n in sorted(asked.items())
    }


CAPTURE = Capture(
    name="diagnosis",
    title="Where an answer is lost, check by check",
    describes=(
        "Every golden question put to the pipeline over the RFC corpus, by a reader of everything and by one who may "
        "not see the question's working group; for each answer that is wrong or missing the first failing check: "
        "evidence whole in a passage, passage in a raw list, passage in the context, policy, the answerer alone with "
        "that passage, the answerer with the context, the floor."
    ),
    kind="measured",
    capture=capture,
    params={"depth": 100, "k": 60, "context": 5, "raw_top": 50, "cases": 2, "shown": 5},
    canary_params={"depth": 20, "raw_top": 10, "cases": 1},
    caveats=(
        "A right answer is one that quotes the sentence the question was drafted from. Another passage may hold the "
        "answer, and then a question is counted as lost that a reader would call answered.",
        "The ladder names the first failing check. A question that fails an early one could fail a later one too.",
        "The answerer quotes sentences by the words they share with the question; it is no language model.",
        "The questions were drafted by a language model and not verified by a person.",
    ),
    determinism=Determinism("tolerance", rel=0.0, abs=1e-4),
    minutes=2.0,
)
