"""A dozen questions on their way through the pipeline, stage by stage: dataset ``pipeline_trace``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import Cell, Col, Rank, data, excerpt, pair, rank_list, stats, table
from render.views.walkthrough import Dial, Step, Walkthrough
from render.walkthroughs._passages import bare, places

STAGES = ("permitted", "lists", "fused", "context", "answer")
ENDS = {
    "right": "right",
    "search": "not found",
    "cut": "cut off",
    "policy": "hidden",
    "sentence": "wrong quote",
    "company": "wrong quote",
    "floor": "declined",
    "declined": "declined, rightly",
    "answered": "false answer",
}
"""Outcome → what the last cell of a question's row says."""
SHORT = {
    "answered with the evidence": "answered",
    "an identifier, answered with the evidence": "identifier, answered",
    "the evidence stands in more than one passage": "repeated evidence",
    "asked by a reader of this working group only": "one group only",
    "in neither list's first results": "too far down",
    "an identifier, in neither list's first results": "identifier, too far down",
    "in a list, and lost between the lists and the context": "cut off",
    "hidden by the policy": "hidden",
    "in the context, and other sentences are quoted": "other quote",
    "quoted, and declined by the floor": "below the floor",
    "no answer in the corpus, declined": "no answer, declined",
    "no answer in the corpus, answered all the same": "no answer, answered",
}
"""Rule of choice → its name beside the grid."""
OWNERS = {
    "search": "The search owns this failure: neither list has the passage among its first {raw_top}.",
    "cut": "Fusion and the cut own this failure: a list has the passage among its first {raw_top}, "
    "the context does not.",
    "policy": "Nothing failed: the policy did its work. To this reader the passage does not exist.",
    "sentence": "The answerer owns this failure: the passage is before it, and it quotes other sentences.",
    "company": "The answerer owns this failure: the passage is before it, and it quotes other sentences.",
    "floor": "The floor owns this failure: the quote is there, and its score is too low to be let through.",
    "right": "No stage failed: a quote is of the sentence that the question was drafted from.",
    "declined": "No stage failed: the corpus holds no answer, and none was given.",
    "answered": "The floor owns this failure: the corpus holds no answer, and the best quote scores high all the same.",
}
Case = Mapping[str, Any]


def dials(dataset: Dataset) -> tuple[Dial, ...]:
    """The question, by number and kind, and the stage."""
    names = tuple(
        f"{at}. {SHORT.get(case['why'], case['why'])}" for at, case in enumerate(dataset.result["cases"], start=1)
    )
    return Dial("question", names), Dial("stage", STAGES)


def steps(dataset: Dataset) -> list[Step]:
    """Every question at every stage."""
    names = places(dataset.result["passages"])
    numbered = list(enumerate(dataset.result["cases"], start=1))
    return sweep.grid(numbered, STAGES, lambda one, stage: _state(dataset, names, one[0], one[1], stage))


def opens(dataset: Dataset) -> str:
    """The first question that fails, at its end: which stage owns it is said at once."""
    cases = dataset.result["cases"]
    at = next((at for at, case in enumerate(cases, start=1) if case["stage"] == "cut"), 1)
    return _id(at, "answer")


def _id(at: int, stage: str) -> str:
    return f"q{at}-{stage}"


def _state(dataset: Dataset, names: Mapping[str, str], at: int, case: Case, stage: str) -> Step:
    title, says, body, brief, alive = {
        "permitted": _permitted,
        "lists": _lists,
        "fused": _fused,
        "context": _context,
        "answer": _answer,
    }[stage](dataset, names, case)
    asked = Markup(
        '<p class="pair-title">Question: {}</p><p class="note-inline">Shown as an example of: {}.</p>'
    ).format(case["question"], case["why"])
    return Step(_id(at, stage), title, says, asked + body, brief=brief, tone=3 if alive else 0)


Drawn = tuple[str, str, Markup, str, bool]


def _permitted(dataset: Dataset, names: Mapping[str, str], case: Case) -> Drawn:
    total = dataset.result["population"]["chunks"]
    seen = case["visible"]
    columns: list[str | Col] = ["Term of the question", Col("passages with it", numeric=True)]
    rows: list[list[Cell]] = [[row["term"], row["df"]] for row in case["terms"]]
    body = stats(
        [("passages the reader may see", data(seen), "permitted"), ("hidden", data(total - seen), "discarded")]
    )
    hidden = case["reader"] == "away"
    who = "everything" if seen == total else "one working group" if case["narrow"] else "every working group but one"
    return (
        "What the reader may see",
        f"The reader may see {who}. The row policy of the database decides it before anything is ranked.",
        body + table(columns, rows, title="The question as BM25 reads it"),
        "no evidence" if case["evidence"] is None else "hidden" if hidden else "seen",
        case["evidence"] is not None and not hidden,
    )


def _lists(dataset: Dataset, names: Mapping[str, str], case: Case) -> Drawn:
    ranks = case["ranks"]
    best = min((rank for rank in (ranks["lexical"], ranks["dense"]) if rank), default=None)
    body = pair(_ranked(case, "lexical", names, 2), _ranked(case, "dense", names, 3), titles=("", ""))
    said = "The passage with the evidence is {} in the lexical list and {} in the dense list.".format(
        *(_rank(ranks[name]) for name in ("lexical", "dense"))
    )
    return (
        "Two lists over the permitted passages",
        said if case["evidence"] else NO_EVIDENCE,
        body,
        _brief(best),
        best is not None and best <= dataset.params["raw_top"],
    )


def _fused(dataset: Dataset, names: Mapping[str, str], case: Case) -> Drawn:
    rank = case["ranks"]["fused"]
    return (
        "One list, by rank",
        f"After fusion the passage with the evidence is {_rank(rank)}." if case["evidence"] else NO_EVIDENCE,
        _ranked(case, "fused", names, 5),
        _brief(rank),
        rank is not None and rank <= dataset.params["raw_top"],
    )


def _context(dataset: Dataset, names: Mapping[str, str], case: Case) -> Drawn:
    size = dataset.params["context"]
    held = any(row["evidence"] for row in case["context"])
    entries = [
        Rank(at, names.get(row["id"], bare(row["id"])), "", "fused", "holds the evidence" if row["evidence"] else "",
             on=row["evidence"])
        for at, row in enumerate(case["context"], start=1)
    ]  # fmt: skip
    if case["evidence"] is None:
        says = f"The first {size} passages go to the answerer. {NO_EVIDENCE}"
    else:
        says = f"The first {size} passages go to the answerer. "
        says += "The evidence is among them." if held else "The passage labelled with the evidence is not among them."
    part = not held and any(quote["evidence"] for quote in case["quotes"])
    if part:
        says += " Another passage among them holds the same sentence, or a part of it."
    brief = "in" if held else "part" if part else "out"
    return ("What the answerer is given", says, rank_list(entries, title="The context"), brief, held or part)


def _answer(dataset: Dataset, names: Mapping[str, str], case: Case) -> Drawn:
    floor, stage = dataset.result["floor"], case["stage"]
    verdict = "answered" if case["answered"] else "declined"
    body = stats(
        [("best quote's score", data(case["score"], 3), ""), ("floor", data(floor, 3), ""), ("decision", verdict, "")]
    )
    quotes = [
        quote
        for at, quote in enumerate(case["quotes"])
        if case["answered"] or at == 0 or (stage == "floor" and quote["evidence"])
    ]
    body += Markup("").join(_quote(quote) for quote in quotes)
    if case["evidence"] is not None:
        wanted = case["evidence"]
        body += Markup('<p class="pair-title">The sentence that the question was drafted from</p>') + excerpt(
            wanted["excerpt"], title=wanted["title"], url=wanted["url"], licence=wanted["licence"],
            place=wanted["section"], role="permitted",
        )  # fmt: skip
    return (
        f"Decision: {verdict}",
        OWNERS[stage].format(raw_top=dataset.params["raw_top"]),
        body,
        ENDS[stage],
        stage in ("right", "declined"),
    )


def _quote(quote: Mapping[str, Any]) -> Markup:
    where = ", ".join(part for part in (quote["section"], f"page {quote['page']}" if quote["page"] else "") if part)
    verdict = "verbatim in its passage" if quote["verified"] else "not verbatim in its passage"
    note = Markup('<p class="note-inline">Quote, {}: covers {} of the question’s weight, passage cosine {}.</p>')
    return note.format(verdict, data(quote["coverage"], 2), data(quote["cosine"], 2)) + excerpt(
        quote["excerpt"], title=quote["title"], url=quote["url"], licence=quote["licence"], place=where
    )


NO_EVIDENCE = "No passage holds an answer to this question."


def _ranked(case: Case, source: str, names: Mapping[str, str], digits: int) -> Markup:
    rows: Sequence[Mapping[str, Any]] = case[source]
    entries = [
        Rank(row["rank"], names.get(row["id"], bare(row["id"])), data(row["score"], digits), source,
             "holds the evidence" if row["evidence"] else "", on=row["evidence"])
        for row in rows
    ]  # fmt: skip
    return rank_list(entries, title=f"The {source} list, first {len(rows)}")


def _rank(rank: int | None) -> str:
    return "nowhere" if rank is None else f"number {rank}"


def _brief(rank: int | None) -> str:
    return "none" if rank is None else str(rank)


WALKTHROUGH = Walkthrough(
    dataset="pipeline_trace",
    kind=sweep.KIND,
    id="pipeline-trace",
    title="Which stage lost the answer?",
    intro=(
        "A dozen golden questions, chosen by rule so that each place of failure is among them. Choose a question, then "
        "move along the stages. A cell says where the evidence is at that stage; shaded: it is still in play."
    ),
    steps=steps,
    dials=dials,
    opens=opens,
    cells="Rank of the evidence, or what became of it",
)
