"""The scalars of ``freshness`` that prose may cite, each pointing at the place in the result where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure

POPULATION = {
    "documents": "documents in the corpus",
    "stated": "documents whose publisher says what replaced them",
    "current": "documents for which no successor is named, where successors would be",
    "superseded": "documents for which a successor is named",
    "unstated": "documents whose family has no such metadata",
    "chunks": "chunks in the corpus",
    "superseded_chunks": "chunks of superseded documents",
    "next_held": "superseded documents with an immediate successor in the corpus",
    "heir_held": "superseded documents with an heir that holds in the corpus",
    "next_all_superseded": "superseded documents whose immediate successors in the corpus are all superseded",
    "longest_chain": "steps of the longest chain of successors",
    "one_sided": "pairs of documents in the corpus of which only one names the other",
    "questions": "questions asked",
    "from_superseded": "questions drafted from a superseded document",
}
SEARCH = {
    "first_superseded": "questions whose first result is of a superseded document",
    "any_superseded": "questions with a superseded document among the first ten",
    "superseded_rows": "superseded rows among all first tens",
    "rows": "rows of all first tens",
    "all_superseded": "questions whose first ten are all superseded",
    "fewest_after": "rows left in the shortest list when filtered after ranking",
    "short_after": "questions with fewer than ten rows when filtered after ranking",
    "short_before": "questions with fewer rows than without the contract when filtered before ranking",
    "then_heir": "of those with a superseded first result, questions whose first result is then of an heir",
    "then_tenant": "of those with a superseded first result, questions whose first result is then of the same tenant",
    "then_other": "of those with a superseded first result, questions whose first result is then of another tenant",
    "heir_in_ten": "of those with a superseded first result, questions with an heir among the ten under the contract",
    "heir_in_corpus": "of those with a superseded first result, questions with an heir in the corpus",
}
ANSWERS = {
    "given": "answers given without the contract",
    "given_fresh": "answers given under the contract",
    "nothing_fresh": "questions that only superseded passages answer",
    "nothing": "questions that nothing answers, with or without the contract",
    "citing": "answers that cite a superseded document, without the contract",
    "citing_only": "answers that cite nothing but superseded documents, without the contract",
    "citations": "citations of superseded documents",
    "citations_hold": "of those, citations that verify word for word",
    "citing_then_answered": "of the answers that cited one, questions still answered under the contract",
    "citing_then_nothing_fresh": "of the answers that cited one, questions for which nothing fresh is left",
    "context_touched": "questions with a superseded passage in the context, without the contract",
}
SOURCE = {
    "questions": "questions",
    "right": "answers that quote their evidence, without the contract",
    "right_fresh": "answers that quote their evidence, under the contract",
    "answered": "answers given, without the contract",
    "answered_fresh": "answers given, under the contract",
    "heir_in_corpus": "questions whose document has an heir in the corpus",
    "same_words": "questions whose evidence stands word for word in an heir in the corpus",
}


def figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    """Return every figure of the dataset."""
    population = result["population"]
    made = {
        key: Figure(population[key], "", label, at=f"/result/population/{key}") for key, label in POPULATION.items()
    }
    for i, row in enumerate(result["searches"]):
        for key, label in SEARCH.items():
            of = row["first_superseded"] if key.startswith(("then", "heir")) else row["questions"]
            made[f"{row['search']}_{key}"] = Figure(
                row[key], "", f"{label}, {row['search']} search", n=of, at=f"/result/searches/{i}/{key}"
            )
        made[f"{row['search']}_first_share"] = Figure(
            row["share"], "", f"share of questions whose first result is superseded, {row['search']} search", 3,
            row["questions"], (row["share_low"], row["share_high"]), f"/result/searches/{i}/share",
        )  # fmt: skip
    answers = result["answers"]
    for key, label in ANSWERS.items():
        made[f"answers_{key}"] = Figure(answers[key], "", label, n=answers["questions"], at=f"/result/answers/{key}")
    made["answers_floor"] = Figure(answers["floor"], "", "floor of an answer's score", 2, at="/result/answers/floor")
    for i, row in enumerate(result["by_source"]):
        name = "dead" if row["source"] == "superseded" else "living"
        for key, label in SOURCE.items():
            made[f"{name}_{key}"] = Figure(
                row[key], "", f"{label}; drafted from {row['source']} documents", n=row["questions"],
                at=f"/result/by_source/{i}/{key}",
            )  # fmt: skip
    return made
