"""Real pages, what they print, and estimates held against them: dataset ``pages``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, Col, bars, data, excerpt, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Row = Mapping[str, Any]
FAMILY = {"rfc": "RFCs", "contract": "Contracts", "filing": "Annual reports"}
ESTIMATE = {
    "rule": "characters, a fixed rule",
    "characters": "characters, from the family",
    "lines": "lines, from the family",
    "count": "page count, spread evenly",
}
KIND = {
    "same": "its own index",
    "shifted": "another number",
    "roman": "a roman numeral",
    "prefixed": "a letter and a number",
    "none": "nothing",
}
CHUNKER = {"fixed": "fixed windows", "section_aware": "section-aware packing"}


def steps(dataset: Dataset) -> list[Step]:
    """Seven states: all estimates, one passage, one document, depth, labels, a document without pages, two pages."""
    result = dataset.result
    cases = {case["case"]: case for case in result["cases"]}
    quote, label, unpaged = cases["quote"], cases["label"], cases["unpaged"]
    trail = max(result["trails"], key=lambda one: int(one["pages"]))

    invented = result["population"]["page_invented"]
    spans = {row["chunker"]: row for row in result["quotes"]}
    return [
        Step(
            "all",
            "Every estimate is often wrong",
            "Each passage of a document with real pages was given an estimated page. It counts as wrong when the "
            "passage does not stand on that page at all, neither its beginning nor its end.",
            _all(result["wrong"]),
            tuple(f"wrong_{row['family']}_{row['estimate']}" for row in result["wrong"]),
        ),
        Step(
            "passage",
            f"One passage: pages {quote['page_first']} and {quote['page_last']}",
            f"It begins on page {quote['page_first']} and ends on page {quote['page_last']}. The sentence that answers "
            f"the question stands on page {quote['quote_page']}: that is the page to cite, not the first page of the "
            "passage.",
            _asked(quote) + _excerpt(quote, f"page {quote['quote_label']}") + _guesses(quote),
        ),
        Step(
            "document",
            "One document, page by page",
            f"{trail['title']}, {trail['pages']} pages. What a constant gets wrong on one page it carries to the "
            "next. Spreading the known number of pages is right at both ends, and drifts between them.",
            _trail(trail),
        ),
        Step(
            "depth",
            "Mostly worse, the deeper",
            "Shares of wrong pages by where the passage really stands. An estimate that looks fine on the first pages "
            "has said nothing about the fiftieth.",
            _depths(result["depths"]),
        ),
        Step(
            "labels",
            f"Page {label['page_first']} prints “{label['label_first']}”",
            "A page has an index, which a viewer counts, and may print a number, which a reader sees. Of contracts and "
            "annual reports fewer than half of the pages print their index, so a citation says which of the two it "
            "gives.",
            _excerpt(label, f"index {label['page_first']}, printed {label['label_first']}")
            + _labels(result["families"]),
        ),
        Step(
            "unpaged",
            "A document without pages: no page is shown",
            f"{unpaged['title']} was published without page breaks. Its publisher's record says "
            f"{unpaged['publisher_pages']} pages; the text says nowhere where they begin. The citation names the "
            "section.",
            _asked(unpaged)
            + _excerpt(unpaged, f"section {unpaged['section']}")
            + _unpaged(result["families"], invented),
        ),
        Step(
            "two-pages",
            "The page of the quote, not of the passage",
            f"Of {spans['fixed']['paged']} quotes in documents with pages, {spans['fixed']['elsewhere']} stand on a "
            "later page than the first of their fixed window. Section-aware chunks are shorter and leave "
            f"{spans['section_aware']['elsewhere']}.",
            _two(result, spans),
            ("quote_elsewhere_fixed", "quote_elsewhere_section_aware"),
        ),
    ]  # fmt: skip


def _all(rows: list[Row]) -> Markup:
    drawn = Markup("")
    for family, words in FAMILY.items():
        entries = [
            Bar(ESTIMATE[row["estimate"]], 100 * row["wrong"], "approx", (100 * row["low"], 100 * row["high"]))
            for row in rows
            if row["family"] == family
        ]
        n = next(row for row in rows if row["family"] == family)
        title = f"{words}: passages cited to a wrong page, percent"
        note = Markup("{} passages of {} documents.").format(data(n["n"]), data(n["documents"]))
        drawn += bars(entries, title=title, digits=1, maximum=100, note=note)
    return drawn


def _asked(case: Row) -> Markup:
    return Markup("<blockquote><p>{}</p></blockquote>").format(case["question"])


def _excerpt(case: Row, place: str) -> Markup:
    return excerpt(case["excerpt"], title=case["title"], url=case["url"], licence=case["licence"], place=place)


def _guesses(case: Row) -> Markup:
    rows: list[list[Cell]] = [[ESTIMATE[name], page, _verdict(page, case)] for name, page in case["estimates"].items()]
    real = Markup("{} to {}").format(data(case["page_first"]), data(case["page_last"]))
    rows.append(["real pages", real, ""])
    columns: list[str | Col] = ["Estimate", Col("page", numeric=True), "where the passage is"]
    return table(columns, rows, title="Where this passage begins", row_classes=[""] * (len(rows) - 1) + ["is-on"])


def _verdict(page: int, case: Row) -> str:
    off = max(case["page_first"] - page, page - case["page_last"], 0)
    return "✓ on it" if not off else f"✕ {off} off"


def _trail(trail: Row) -> Markup:
    step = max(1, len(trail["points"]) // 24)
    points = trail["points"][::step]
    series = [Series(words, [(p["page"], p[name] - p["page"]) for p in points]) for name, words in ESTIMATE.items()]
    return line_chart(
        series,
        title=f"{trail['title']}: estimated page minus real page",
        desc="Each line starts near nought and leaves it; only the one from the page count must end at nought.",
        x=Axis("real page", 0),
        y=Axis("pages off", 0),
        note=Markup('<a href="{}">{}</a>. Licence: {}').format(trail["url"], trail["title"], trail["licence"]),
    )


def _depths(rows: list[Row]) -> Markup:
    drawn = Markup("")
    for family, words in FAMILY.items():
        inside = [row for row in rows if row["family"] == family]
        starts = list(dict.fromkeys((row["from"], row["to"]) for row in inside))
        cells: list[list[Cell]] = []
        for low, high in starts:
            found = {row["estimate"]: row for row in inside if row["from"] == low}
            name = f"{low} to {high}" if high else f"{low} and on"
            shares = [100 * found[one]["wrong"] for one in ESTIMATE]
            cells.append([name, *shares, next(iter(found.values()))["n"]])
        columns: list[str | Col] = [
            "Real page",
            *(Col(word, 0, "%") for word in ESTIMATE.values()),
            Col("passages", numeric=True),
        ]
        drawn += table(columns, cells, title=f"{words}: cited to a wrong page")
    return drawn


def _labels(families: list[Row]) -> Markup:
    rows: list[list[Cell]] = [
        [f"prints {words}", *(100 * row["labels"][kind] / row["pages"] for row in families)]
        for kind, words in KIND.items()
    ]
    columns: list[str | Col] = ["Of all pages", *(Col(FAMILY[row["family"]], 1, "%") for row in families)]
    return table(columns, rows, title="What a page prints")


def _unpaged(families: list[Row], invented: int) -> Markup:
    rows: list[list[Cell]] = [
        [FAMILY[row["family"]], row["paged"], row["unpaged"], row["chunkers"]["fixed"]["of_unpaged"]]
        for row in families
    ]
    columns: list[str | Col] = [
        "Family",
        Col("documents with pages", numeric=True),
        Col("without", numeric=True),
        Col("their fixed windows", numeric=True),
    ]
    return table(columns, rows, title="Documents with and without pages") + stats(
        [("passages without a page that were given one, both chunkers", data(invented), "")]
    )


def _two(result: Row, spans: Mapping[str, Row]) -> Markup:
    entries = [
        Bar(CHUNKER[name], 100 * row["share"], "", (100 * row["low"], 100 * row["high"])) for name, row in spans.items()
    ]
    quotes = bars(entries, title="Quotes on a later page than their passage begins, percent", digits=1, maximum=100)
    rows: list[list[Cell]] = []
    for row in result["families"]:
        shares = [
            100 * (row["chunkers"][name]["two"] + row["chunkers"][name]["more"]) / row["chunkers"][name]["paged"]
            for name in CHUNKER
        ]
        rows.append([FAMILY[row["family"]], *shares, number_text(row["chunkers"]["fixed"]["more"])])
    columns: list[str | Col] = [
        "On two pages or more",
        *(Col(words, 1, "%") for words in CHUNKER.values()),
        Col("windows on three or more", numeric=True),
    ]
    return quotes + table(columns, rows, title="Passages that a page break runs through")


WALKTHROUGH = Walkthrough(
    dataset="pages",
    kind=stepper.KIND,
    id="pages",
    title="How often is an estimated page the wrong one?",
    intro=(
        "Documents whose pages are known, and four ways to guess them. No page on this site comes from a guess: they "
        "are made here to be held against the real one."
    ),
    steps=steps,
    prediction=Prediction(
        before="document",
        ask="The number of pages of a report is known, and spread evenly over its text. How far does that get?",
        options=(
            Option("Most passages land on their page", False, "Pages with tables and pages full of prose hold very "
                   "different amounts of text, and the differences add up from page to page."),
            Option("Right at both ends, wrong in between", True, "First and last page are fixed. Between them the "
                   "error grows with every page that holds more or less text than the mean."),
            Option("No better than a fixed rule", False, "It cannot run past the last page, so it stays closer than a "
                   "rule does. Close is not the page."),
        ),
    ),
)  # fmt: skip
