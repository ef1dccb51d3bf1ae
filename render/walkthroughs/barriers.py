"""One question from both sides of a barrier, in a world with its document and in one without: ``barriers``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, Col, Slot, bars, excerpt, mark, pair, slots, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Row = Mapping[str, Any]
NAMES = {
    "missing": "rows missing from the page",
    "total": "number of results",
    "first_rank": "rank of the first row shown",
    "normalised": "score as a share of the best",
    "matches": "number of chunks with a word",
    "score": "BM25 score against own statistics",
    "hidden_df": "hidden chunks with the rarest word",
}
CHANCE = "Chance is one half: a coin tossed for each question is right that often."


def _steps(dataset: Dataset) -> list[Step]:
    case = dataset.at("/result/case")
    return [
        _sides(dataset, case),
        _after(case),
        _worlds(case),
        _numbers(case),
        _guesses(dataset),
        _before(dataset),
        _words(dataset),
        _time(dataset),
    ]


def _page(rows: Sequence[Row], title: str, note: str = "") -> Markup:
    """A page as it was ranked: hidden rows left visibly so; those of the source document are named."""
    entries = [
        Slot("permitted" if row["visible"] else "discarded", row["id"] + (" (source)" if row["source"] else ""))
        for row in rows
    ]
    return slots(entries, title=title, note=note)


def _sides(dataset: Dataset, case: Row) -> Step:
    inside = [Slot("permitted", row["id"] + (" (source)" if row["source"] else "")) for row in case["insider"]]
    outside = [Slot("permitted", ident) for ident in case["worlds"]["present"]["before"]]
    source = case["source"]
    body = Markup('<blockquote><p>{}</p></blockquote><p class="note-inline">Chosen by a rule: {}.</p>').format(
        case["question"], case["rule"]
    )
    body += pair(
        slots(inside, title="Exact search, its side"),
        slots(outside, title="Exact search, its side"),
        titles=(f"insider, {case['side']} side", f"outsider, {case['outside']} side"),
    )
    body += excerpt(
        source["excerpt"], title=source["title"], url=source["url"], licence=source["licence"],
        place=f"chunk {source['chunk']}, {case['side']} side by rule", role="permitted",
    )  # fmt: skip
    sides = dataset.at("/result/sides")
    says = (
        f"The insider gets the passage that answers, the outsider others. Over {number_text(sides['n'])} questions, "
        f"for {number_text(sides['insider_found'])} the insider gets the document among ten, for "
        f"{number_text(sides['outsider_found'])} the outsider does."
    )
    return Step("sides", "The answer stands on one side", says, body, ("insider_found", "outsider_found"))


def _after(case: Row) -> Step:
    world = case["worlds"]["present"]
    kept = [row for row in world["after"] if row["visible"]]
    body = pair(
        _page(world["after"], "All rows ranked, page cut at ten"),
        slots([Slot("permitted", row["id"]) for row in kept] + [Slot("empty")] * world["missing"], title="Shown"),
        titles=(mark("discarded", "before the barrier"), mark("permitted", "what the outsider gets")),
    )
    says = (
        f"Ranked first and filtered afterwards, the outsider's page has {number_text(len(kept))} rows instead of "
        f"{number_text(len(world['after']))}. No forbidden row is shown. The gap is."
    )
    return Step("after", "Filtered after ranking, the page is short", says, body)


def _worlds(case: Row) -> Step:
    present, absent = case["worlds"]["present"], case["worlds"]["absent"]
    body = pair(
        _page(present["after"], "With the document"),
        _page(absent["after"], "Without it"),
        titles=("the answer is behind the barrier", "the answer does not exist"),
    )
    says = (
        f"The same question in a store that lacks the document (and, so that both lack one, in the first a control "
        f"document: {case['control']['title']}). The outsider may see the same rows in both, yet misses "
        f"{number_text(present['missing'])} in one and {number_text(absent['missing'])} in the other."
    )
    return Step("worlds", "The same page in a store without the document", says, body)


def _numbers(case: Row) -> Step:
    present, absent = case["worlds"]["present"], case["worlds"]["absent"]
    k = len(present["after"])
    rows: list[list[Cell]] = [
        ["rows on the page, filtered after", k - present["missing"], k - absent["missing"]],
        ["number of results, filtered after", present["total"], absent["total"]],
        ["rank of the first row, filtered after", present["first_rank"], absent["first_rank"]],
        ["score of the first row, best = 1, filtered after", number_text(present["normalised"], 4),
         number_text(absent["normalised"], 4)],
        ["rows on the page, filtered before", len(present["before"]), len(absent["before"])],
        ["number of results, filtered before", present["total_before"], absent["total_before"]],
    ]  # fmt: skip
    columns: list[str | Col] = ["what the page says", Col("with the document", numeric=True),
                                Col("without", numeric=True)]  # fmt: skip
    on = ["is-on" if line[1] != line[2] else "" for line in rows]
    same = present["before"] == absent["before"]
    says = (
        "Every number that was taken before the barrier can carry the difference; shaded lines do. Filtered before "
        + ("ranking, the two pages are the same row for row." if same else "ranking, the pages differ.")
    )
    return Step("numbers", "Counts, ranks and scores", says, table(columns, rows, title="One question", row_classes=on))


def _observed(dataset: Dataset, order: str) -> list[Row]:
    return [row for row in dataset.at("/result/observables") if row["order"] == order]


def _bars(rows: Sequence[Row], attacker: str, title: str) -> Markup:
    return bars(
        [
            Bar(NAMES[row["observable"]], row[attacker], "", tuple(row[f"{attacker}_interval"]))
            for row in rows
        ],
        title=title,
        digits=3,
        maximum=1,
        note=CHANCE,
    )  # fmt: skip


def _guesses(dataset: Dataset) -> Step:
    rows = _observed(dataset, "after")
    body = _bars(rows, "single", "One look: right guesses by a threshold learnt on other questions")
    body += _bars(rows, "paired", "Both worlds compared: right guesses")
    missing = next(row for row in rows if row["observable"] == "missing")
    says = (
        f"All {number_text(missing['n'])} questions, filtered after ranking. From the rows missing, one look is right "
        f"in {_share(missing['single'])}, a comparison with yesterday's page in {_share(missing['paired'])}."
    )
    names = tuple(f"{a}_{row['observable']}_after" for row in rows for a in ("single", "paired"))
    return Step("guesses", "How often a guess is right", says, body, names)


def _before(dataset: Dataset) -> Step:
    after = {row["observable"]: row for row in _observed(dataset, "after") + _observed(dataset, "statistics")}
    rows: list[list[Cell]] = [
        [NAMES[row["observable"]], after[row["observable"]]["differs"], row["differs"], row["paired"]]
        for row in _observed(dataset, "before")
    ]
    columns: list[str | Col] = [
        "what the outsider sees", Col("questions that differ, filtered after", 0), Col("filtered before", 0),
        Col("right guesses, filtered before", 3),
    ]  # fmt: skip
    differing = sum(row["differs"] for row in _observed(dataset, "before"))
    says = (
        f"Filtered before ranking, and with statistics over the outsider's own rows, the two worlds differ in "
        f"{number_text(differing)} questions. There is nothing to guess from."
    )
    note = "For BM25 scores and words the first count is: filtered before, statistics over all rows."
    body = table(columns, rows, title="The same observables, filtered before ranking", note=note)
    return Step("before", "Filtered before, the worlds look alike", says, body)


def _words(dataset: Dataset) -> Step:
    rows = _observed(dataset, "statistics")
    body = _bars(rows, "paired", "Both worlds compared: right guesses, statistics over all rows")
    solved = dataset.at("/result/solved")
    score = next(row for row in rows if row["observable"] == "score")
    says = (
        f"Lexical search that drops hidden rows first but counts words over all of them. The score of a row that the "
        f"outsider may see changes with hidden ones: a comparison is right in {_share(score['paired'])}. From the "
        "score of a single word, the number of chunks that hold it was solved exactly in "
        f"{_share(solved['share'])} of the cases."
    )
    names = ("paired_score_statistics", "paired_hidden_df_statistics")
    return Step("words", "Statistics over hidden rows", says, body, names)


def _time(dataset: Dataset) -> Step:
    rows = dataset.at("/result/timed")
    drawn = bars(
        [
            Bar(row["words"], row["measured"]["paired"], "", tuple(row["measured"]["paired_interval"]))
            for row in rows
        ],
        title="Both worlds compared by median response time: right guesses",
        digits=3,
        maximum=1,
        note=CHANCE,
    )  # fmt: skip
    times = {row["way"]: row for row in dataset.at("/timings/searches")}
    lines: list[list[Cell]] = [
        [row["words"], row["filter"], times[row["way"]]["present"]["p50"], times[row["way"]]["absent"]["p50"],
         times[row["way"]]["difference"]["p50"], row["measured"]["single"], _told(row)]
        for row in rows
    ]  # fmt: skip
    columns: list[str | Col] = [
        "search", "barrier", Col("with the document", 2, "ms"), Col("without", 2, "ms"),
        Col("median of the differences, question by question", 3, "ms"),
        Col("one look: right guesses", 3), "leak established, and which answer it names",
    ]  # fmt: skip
    told = [f"{row['words']} ({_told(row)})" for row in rows if _told(row) != "no"]
    found = f"So it is for: {'; '.join(told)}" if told else "So it is for none of them"
    says = (
        f"Response time in PostgreSQL, {number_text(rows[0]['n'])} questions. A leak counts as established where the "
        f"interval of the comparison does not contain one half. {found}."
    )
    body = drawn + table(columns, lines, title="Medians over questions")
    names = tuple(f"paired_time_{row['way']}" for row in rows)
    return Step("time", "What the clock tells", says, body, names)


def _told(row: Row) -> str:
    """Whether the comparison tells the worlds apart, and which answer has the hidden document: the slower or faster."""
    low, high = row["measured"]["paired_interval"]
    return "the slower one" if low > 0.5 else "the faster one" if high < 0.5 else "no"


def _share(value: float) -> str:
    return f"{number_text(100 * value, 1)} %"


WALKTHROUGH = Walkthrough(
    dataset="barriers",
    kind=stepper.KIND,
    id="barrier-sides",
    title="What does a hidden answer leave on the outsider's page?",
    intro=(
        "Two sides of one barrier, one question. The document that answers it stands on one side; the reader of the "
        "other side has the same clearance and the same tenants. Sides are assigned to the documents by rule."
    ),
    steps=_steps,
    prediction=Prediction(
        before="guesses",
        ask="An outsider sees one page, filtered after ranking, with some rows missing. Does the number missing tell "
        "whether a hidden document answers this very question?",
        options=(
            Option("Yes, nearly always", False, "Rows are missing for many reasons: half of all rows are hidden."),
            Option(
                "More often than chance",
                True,
                "The level varies from question to question; the change of one question's page does not.",
            ),
            Option("No, a count carries no content", False, "It changes with the document, so it carries that much."),
        ),
    ),
)
