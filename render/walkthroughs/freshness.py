"""Results and answers with and without a contract on validity, one question, then all: dataset ``freshness``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kinds import rank_flow
from render.views.kit import Cell, Col, Rank, data, excerpt, mark, pair, rank_list, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Row = Mapping[str, Any]
SHOWN = 6
SEARCHES = ("lexical", "dense")


def steps(dataset: Dataset) -> list[Step]:
    """A dead answer and what the contract makes of it; two other questions; then all questions."""
    result = dataset.result
    cases = {case["id"]: case for case in result["cases"]}
    dead, heir, outside = (cases.get(name) for name in ("nothing-fresh", "heir", "outside"))
    drawn = []
    if dead is not None:
        drawn += [
            _cited(dead),
            _lists(dead, "lists", "The lists behind that answer", "lexical"),
            _nothing(dead, result["answers"]["floor"]),
        ]
    if heir is not None:
        drawn.append(_lists(heir, "heir", "Here the successor steps forward", "lexical"))
    if outside is not None:
        drawn.append(_lists(outside, "outside", "Here the successor is not in the corpus", "dense"))
    return [
        *drawn,
        Step(
            "searches",
            "All questions: how often a dead document comes first",
            "Both searches rank old and new by the same words and vectors, and nothing in either knows of dates.",
            _searches(result["searches"]),
            tuple(f"{name}_{key}" for name in SEARCHES for key in ("first_superseded", "any_superseded")),
        ),
        Step(
            "answers",
            "All answers: the citations verify, and the documents are dead",
            "Every quote of a superseded document was checked word for word. The check says where a sentence stands, "
            "not whether it still holds.",
            _answers(result["answers"]),
            tuple(f"answers_{key}" for key in ("citing", "citations", "citations_hold", "nothing_fresh", "nothing")),
        ),
        Step(
            "cost",
            "What the contract takes away",
            "Questions that were drafted from superseded documents ask for what those say. Under the contract their "
            "source is out of reach, and its heir rarely uses the same words.",
            _cost(result["by_source"]),
            tuple(f"{name}_{key}" for name in ("dead", "living") for key in ("right", "right_fresh")),
        ),
    ]  # fmt: skip


def _question(case: Row) -> Markup:
    return Markup('<p class="pair-title">Question: {}</p>').format(case["query"]["question"])


def _cited(case: Row) -> Step:
    quote = case["answers"]["open"]["quote"]
    about = _about(case, quote["doc"])
    verdict = "verifies word for word" if quote["verifies"] else "does not verify"
    says = f"The quote {verdict}. The document it stands in, {_rfc(quote['doc'])}, was replaced by {_by(about)}."
    return Step("cited", "A correct citation of a dead document", says, _question(case) + _quote(quote))


def _nothing(case: Row, floor: float) -> Step:
    before, after = (case["answers"][key] for key in ("open", "fresh"))
    facts = stats(
        [
            ("score without the contract", data(before["score"], 2), "discarded"),
            ("score under the contract", data(after["score"], 2), "permitted"),
            ("floor", data(floor, 2), ""),
        ]
    )
    best = _quote(after["quote"]) if after["quote"] else Markup("")
    says = (
        "With superseded passages hidden, the best quote left stands below the floor, so the question is declined. The "
        "outcome says why: something was found, and none of it is fresh."
    )
    return Step("nothing-fresh", "Nothing fresh is not nothing", says, _question(case) + facts + best)


def _lists(case: Row, ident: str, title: str, search: str) -> Step:
    found = next(row for row in case["searches"] if row["search"] == search)
    first = found["open"][0]
    about = _about(case, next((r["doc"] for r in found["open"] if r["superseded"]), first["doc"]))
    held = ", ".join(_rfc(doc) for doc in about["heirs_held"])
    says = (
        f"{_rfc(about['doc'])} was replaced by {_by(about)}; of the documents where that chain ends, "
        f"{held or 'none'} {'are' if len(about['heirs_held']) > 1 else 'is'} in the corpus. The contract excludes "
        f"{found['excluded']} of the first {len(found['open'])} results of this {search} search."
    )
    after = {row["id"]: row["rank"] for row in found["fresh"]}
    before = {row["id"]: row["rank"] for row in found["open"]}
    left = rank_list([_rank(row, case, search) for row in found["open"][:SHOWN]], title=f"First {SHOWN}, as they are")
    right = rank_list(
        [
            _rank(row, case, search, before[row["id"]] - after[row["id"]] if row["id"] in before else None)
            for row in found["fresh"][:SHOWN]
        ],
        title=f"First {SHOWN}, under the contract",
    )
    return Step(ident, title, says, _question(case) + pair(left, right, titles=("", "")))


def _rank(row: Row, case: Row, search: str, move: int | None = None) -> Rank:
    about = _about(case, row["doc"])
    note: str | Markup = {"current": "current", "unstated": "validity unstated"}.get(about["state"], "")
    if row["superseded"]:
        note = mark("discarded", "superseded") + f" by {_by(about, 1)}"
    label = Markup("{}: {}").format(row["id"], _short(about["title"]))
    return Rank(row["rank"], label, role="discarded" if row["superseded"] else search, note=note, move=move)


def _short(title: str, limit: int = 60) -> str:
    return title if len(title) <= limit else title[: limit - 1].rsplit(" ", 1)[0] + "…"


def _about(case: Row, doc: str) -> Row:
    found: Row = next(row for row in case["documents"] if row["doc"] == doc)
    return found


def _rfc(doc: str) -> str:
    """The document as it is cited: "rfc2616" is RFC 2616; what has no number stays as it is."""
    number = doc.removeprefix("rfc")
    return f"RFC {number}" if number.isdigit() else doc


def _by(about: Row, most: int = 3) -> str:
    """The immediate successors in words: at most three by name."""
    names = [_rfc(name) for name in about["successors"]]
    if not names:
        return "nothing"
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _quote(quote: Row) -> Markup:
    place = ", ".join(part for part in (quote["section"], f"page {quote['page']}" if quote["page"] else "") if part)
    return excerpt(
        quote["excerpt"], title=quote["title"], url=quote["url"], licence=quote["licence"], place=place,
        role="discarded" if quote["superseded"] else "permitted",
    )  # fmt: skip


def _searches(rows: Sequence[Row]) -> Markup:
    lines = (
        ("questions", "questions"),
        ("first_superseded", "first result superseded"),
        ("any_superseded", "a superseded result among ten"),
        ("superseded_rows", "superseded rows in all first tens"),
        ("heir_in_corpus", "first superseded, an heir is in the corpus"),
        ("heir_in_ten", "first superseded, an heir is among ten under the contract"),
        ("then_heir", "first superseded, an heir comes first instead"),
        ("fewest_after", "rows left in the shortest list, filtered after ranking"),
        ("short_before", "lists shortened, filtered before ranking"),
    )
    cells: list[list[Cell]] = [[said, *(row[key] for row in rows)] for key, said in lines]
    columns: list[str | Col] = ["", *(Col(f"{row['search']} search", numeric=True) for row in rows)]
    return table(columns, cells, title="Superseded results, and what stands in their place")


def _answers(row: Row) -> Markup:
    lines = (
        ("given", "answered without the contract"),
        ("citing", "of these, citing a superseded document"),
        ("citations", "citations of superseded documents"),
        ("citations_hold", "of these, verified word for word"),
        ("given_fresh", "answered under the contract"),
        ("nothing_fresh", "declined: nothing fresh"),
        ("nothing", "declined: nothing"),
    )
    cells: list[list[Cell]] = [[said, row[key]] for key, said in lines]
    columns: list[str | Col] = ["", Col("count", numeric=True)]
    return table(columns, cells, title=f"Answers to {row['questions']} questions")


def _cost(rows: Sequence[Row]) -> Markup:
    lines = (
        ("questions", "questions"),
        ("right", "answers that quote their evidence, without the contract"),
        ("right_fresh", "the same under the contract"),
        ("heir_in_corpus", "questions whose document has an heir in the corpus"),
        ("same_words", "questions whose evidence stands in an heir word for word"),
    )
    cells: list[list[Cell]] = [[said, *(row[key] for row in rows)] for key, said in lines]
    columns: list[str | Col] = ["", *(Col(f"drafted from {row['source']}", numeric=True) for row in rows)]
    return table(columns, cells, title="By the document that a question was drafted from")


WALKTHROUGH = Walkthrough(
    dataset="freshness",
    kind=rank_flow.KIND,
    id="freshness",
    title="Can a citation be correct and the document dead?",
    intro=(
        "The same questions twice: over everything, and under a contract that hides documents which their own metadata "
        "calls obsoleted, before anything is ranked."
    ),
    steps=steps,
    prediction=Prediction(
        before="nothing-fresh",
        ask="The superseded passages are hidden before ranking. What should the reader be told?",
        options=(
            Option(
                "That the corpus has nothing on the question",
                False,
                "It has: passages that answer it, in a document that no longer holds. Saying “nothing” hides that.",
            ),
            Option(
                "That what was found has been replaced, and how much of it",
                True,
                "Then the reader can look for the successor, or ask for the old text on purpose.",
            ),
            Option(
                "The next best passage, whatever its score",
                False,
                "The floor exists so that a weak passage is not given for want of a better one.",
            ),
        ),
    ),
)
