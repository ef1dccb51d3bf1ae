"""What became of a question, and the first check that fails: the ladder of the ``diagnosis`` dataset.

The checks, in order, for a question whose evidence is known: is the evidence whole in any chunk; is such a chunk among
the first of either list when everybody may see everything; is one in the context when permissions are off; does the
policy remove it for this reader; does the answerer quote the evidence when it is given only that chunk; does it still
when given the whole context; does the floor let the answer through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.corpus.model import Query
from harness.evaluation.answers import quotes_evidence
from harness.evaluation.relevance import best_rank
from harness.measuring.answered.asked import Arm, Asked

STAGES: dict[str, str] = {
    "chunk": "the evidence stands whole in no chunk",
    "search": "no chunk with the evidence is high enough in either list",
    "cut": "a list has it, the context does not",
    "policy": "the policy hides it from this reader",
    "sentence": "given only that chunk, the answerer quotes other sentences",
    "company": "given that chunk alone it quotes the evidence, in the context other sentences",
    "floor": "the evidence is quoted, and the floor declines the answer",
}
"""Stage that loses the answer → what its check found, in the order of the checks."""

RIGHT = "right"
"""A quote of the evidence was given."""
ANSWERED = "answered"
"""No evidence exists for this question, and it was answered."""
DECLINED = "declined"
"""No evidence exists for this question, and it was declined."""


@dataclass(frozen=True)
class Outcome:
    """``stage``: a key of :data:`STAGES`, or :data:`RIGHT`, :data:`ANSWERED`, :data:`DECLINED`; ranks of the evidence
    (None beyond the lists) with permissions off, and in the reader's fused list."""

    stage: str
    lexical: int | None
    dense: int | None
    fused_raw: int | None
    fused: int | None
    answered: bool

    @property
    def failed(self) -> bool:
        """Whether something went wrong."""
        return self.stage not in (RIGHT, DECLINED)


def outcome(asked: Asked, query: Query, arm: Arm, raw_top: int) -> Outcome:
    """The outcome of one asking; ``raw_top``: how far down a raw list the second check looks."""
    trace, answered = asked.traces[query.id, arm], asked.answers(query, arm)
    if arm == "none":
        return Outcome(ANSWERED if answered else DECLINED, None, None, None, None, answered)
    judged = asked.evidence.get(query.id, {})
    raw = asked.traces[query.id, "home"]
    ranks = [best_rank([hit.id for hit in hits], judged) for hits in (raw.lexical, raw.dense)]
    fused_raw, fused = (best_rank([one.id for one in t.fused], judged) for t in (raw, trace))
    stage = _stage(asked, query, arm, ranks, fused_raw, raw_top)
    return Outcome(stage, ranks[0], ranks[1], fused_raw, fused, answered)


def _stage(
    asked: Asked, query: Query, arm: Arm, ranks: Sequence[int | None], fused_raw: int | None, raw_top: int
) -> str:
    judged, trace, size = asked.evidence.get(query.id, {}), asked.traces[query.id, arm], asked.depths.context
    if asked.quotes_right(query, arm):
        return RIGHT if asked.answers(query, arm) else "floor"
    if not judged:
        return "chunk"
    if min((rank for rank in ranks if rank is not None), default=raw_top + 1) > raw_top:
        return "search"
    if fused_raw is None or fused_raw > size:
        return "cut"
    held = [(chunk, cosine) for chunk, cosine in trace.context if chunk.id in judged]
    if not held:
        return "policy"
    alone = asked.pipeline.answerer.answer(query.text, held[:1])
    found = quotes_evidence(query.evidence, [quote.text for quote in alone.quotes])
    return "company" if found else "sentence"


def rates(asked: Asked, held: bool | None) -> dict[str, float | int]:
    """Answers at the floor on one side of the split (None: both): the shares that one floor decides together."""
    home, away, none = (asked.arm(arm, held) for arm in ("home", "away", "none"))
    given = [query for query in home if asked.answers(query, "home")]
    return {
        "home": len(home),
        "home_answered": len(given),
        "home_right": sum(asked.quotes_right(query, "home") for query in given),
        "home_right_no_floor": sum(asked.quotes_right(query, "home") for query in home),
        "away": len(away),
        "away_answered": sum(asked.answers(query, "away") for query in away),
        "none": len(none),
        "none_answered": sum(asked.answers(query, "none") for query in none),
    }
