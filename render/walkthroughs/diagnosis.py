"""The ladder of checks over every golden question, with cases for each rung: dataset ``diagnosis``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kit import Bar, Cell, Col, Rank, bars, data, excerpt, mark, pair, rank_list, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs._passages import bare, places

NAMES = {
    "chunk": "in a passage",
    "search": "in a raw list",
    "cut": "in the context",
    "policy": "permitted",
    "sentence": "quoted from it alone",
    "company": "quoted in company",
    "floor": "let through",
}
"""Stage → the check in short, as the evidence passes it."""
Case = Mapping[str, Any]


def steps(dataset: Dataset) -> list[Step]:
    """The ladder, then a case of each rung that loses any, then the reader who may not see the evidence."""
    result = dataset.result
    names = places(result["passages"])
    home = result["outcomes"]["home"]
    drawn = [
        Step(
            "ladder",
            "The first check that fails, for every lost answer",
            f"Of {home['asked']} answerable questions {home['right']} are answered with the evidence. Each of the "
            f"other {home['failed']} is counted at the first check that it fails.",
            _ladder(result["ladder"], "home", "Lost at each check, reader of everything"),
            (*(f"home_{row['stage']}" for row in result["ladder"]), "home_failed"),
        )
    ]
    drawn += [
        _rung(case, names, dataset)
        for stage in ("search", "cut", "sentence", "company", "floor")
        for case in _of(result["cases"], stage)[:1]
    ]
    raw = result["without_policy"]
    drawn.append(
        Step(
            "policy",
            "The same questions, by a reader who may not see the working group",
            f"For {raw['in_context_raw']} of {result['population']['away']} questions the policy is what removes the "
            f"evidence. The others would have been lost anyway. {raw['empty_contexts'] or 'No'} "
            "contexts are empty.",
            pair(
                _ladder(result["ladder"], "home", "Reader of everything"),
                _ladder(result["ladder"], "away", "Reader without the working group"),
                titles=(mark("permitted", "may see the evidence"), mark("discarded", "may not")),
            ),
            ("away_policy", "away_in_context_raw", "away_empty_contexts"),
        )
    )
    none = result["outcomes"]["none"]
    false = _of(result["cases"], "answered")[:1]
    drawn.append(
        Step(
            "none",
            "Questions that nothing in the corpus answers",
            f"{none['wrong']} of {none['asked']} are answered all the same. No check of retrieval can catch these: "
            "there is nothing to find, and something is always found.",
            _outcomes(result["outcomes"]) + Markup("").join(_shown(case, names) for case in false),
            ("none_wrong", "none_declined"),
        )
    )
    return drawn


def _of(cases: Sequence[Case], stage: str) -> list[Case]:
    return [case for case in cases if case["stage"] == stage]


def _ladder(rows: Sequence[Mapping[str, Any]], arm: str, title: str) -> Markup:
    entries = [
        Bar(f"not {NAMES[row['stage']]}", row[f"{arm}_failed"], "discarded" if row["stage"] == "policy" else "")
        for row in rows
    ]
    top = max(row[f"{arm}_reached"] for row in rows)
    return bars(entries, title=title, maximum=top, note=f"{top} questions in all, each counted once.")


SAID = {
    "search": "Nothing later can help. A deeper list, other words or another embedder might.",
    "cut": "The search has done its work. What is too short or in the wrong order is the list handed on.",
    "sentence": "Retrieval has done its work. Given this one passage, the answerer still quotes other sentences.",
    "company": "Given the passage alone, the answerer quotes the evidence. Beside others it prefers their sentences.",
    "floor": "The right sentence is quoted, and its score stands below the floor: the answer is withheld.",
}


def _rung(case: Case, names: Mapping[str, str], dataset: Dataset) -> Step:
    stage = case["stage"]
    where = ", ".join(f"{name} {_at(rank)}" for name, rank in sorted(case["ranks"].items(), key=_order))
    return Step(
        stage,
        f"Not {NAMES[stage]}: a case",
        f"One of {case['of_stage']}. {SAID[stage]} The evidence in the lists: {where}.",
        _shown(case, names),
        (f"home_{stage}",),
    )


def _order(item: tuple[str, int | None]) -> int:
    return ("lexical", "dense", "fused").index(item[0])


def _at(rank: int | None) -> str:
    """Where the first passage with the evidence stands in the whole of a list."""
    return "nowhere" if rank is None else f"number {rank}"


def _shown(case: Case, names: Mapping[str, str]) -> Markup:
    body = Markup('<p class="pair-title">Question: {}</p>').format(case["question"])
    if case["evidence"] is not None:
        body += Markup('<p class="note-inline">Wanted:</p>') + _cited(case["evidence"], "permitted")
    entries = [
        Rank(at, names.get(row["id"], bare(row["id"])), "", "fused", "holds the evidence" if row["evidence"] else "",
             on=row["evidence"])
        for at, row in enumerate(case["context"], start=1)
    ]  # fmt: skip
    body += rank_list(entries, title="The context")
    if case["quotes"]:
        best = case["quotes"][0]
        body += Markup('<p class="note-inline">Best quote, score {}, {}:</p>').format(
            data(case["score"], 3), "answered" if case["answered"] else "declined"
        ) + _cited(best, "")
    return body


def _cited(row: Mapping[str, Any], role: str) -> Markup:
    return excerpt(
        row["excerpt"], title=row["title"], url=row["url"], licence=row["licence"], place=row["section"], role=role
    )


def _outcomes(outcomes: Mapping[str, Mapping[str, int]]) -> Markup:
    words = {"home": "may see the evidence", "away": "may not see it", "none": "there is no evidence"}
    columns: list[str | Col] = [
        "The reader", *(Col(word, numeric=True) for word in ("asked", "right", "other answers", "declined"))
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [words[arm], row["asked"], row["right"], row["wrong"], row["declined"]] for arm, row in outcomes.items()
    ]
    return table(columns, rows, title="How the questions end, at one floor")


WALKTHROUGH = Walkthrough(
    dataset="diagnosis",
    id="diagnosis",
    title="Where are the lost answers lost?",
    intro="Every golden question, checked in order from passage to decision. Each lost answer is counted once.",
    steps=steps,
    prediction=Prediction(
        before="policy",
        ask="A reader may not see the working group that a question is about. What does the context look like?",
        options=(
            Option("It is empty", False, "Other groups' passages are permitted, and something is always nearest."),
            Option("It is full, of other passages", True, "A search ranks what it may see. It does not know that the "
                   "best is missing."),
            Option("The search reports that rows were hidden", False, "It must not: that would tell the reader that "
                   "they exist."),
        ),
    ),
)  # fmt: skip
