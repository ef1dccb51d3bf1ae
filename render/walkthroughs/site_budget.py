"""What a first visit to this site costs, and what is left of it without script: dataset ``site_budget``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, Col, bars, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Row = Mapping[str, Any]


def steps(dataset: Dataset) -> list[Step]:
    """Six states: the heaviest concept page, what every page shares, all pages, kinds, script off, what is kept."""
    result, summary = dataset.result, dataset.result["summary"]
    concepts = [row for row in result["pages"] if row["kind"] == "concept"]
    heaviest = max(concepts, key=lambda row: row["transfer_kb"])
    foreign = summary["foreign"]
    return [
        Step(
            "heaviest",
            "The heaviest concept page, taken apart",
            f"A first visit to {_name(heaviest)} transfers {summary['heaviest_concept_kb']:.1f} kB in "
            f"{heaviest['requests']} requests. Its walkthroughs are in the page itself, not fetched later.",
            _parts(heaviest),
            ("heaviest_concept_kb",),
        ),
        Step(
            "shared",
            "The second page costs less",
            f"{summary['shared_files']} files are the same on every page, {summary['shared_kb']:.1f} kB together. "
            "A browser that has them asks for the next page alone.",
            _shared(result["shared"]),
            ("shared_files", "shared_kb"),
        ),
        Step(
            "concepts",
            "Every concept page, by weight",
            f"The median is {summary['median_concept_kb']:.1f} kB. Text and walkthroughs both vary; "
            "a walkthrough weighs by what its states draw, not by their number alone.",
            _concepts(concepts),
            ("median_concept_kb",),
        ),
        Step(
            "kinds",
            "Every kind of page",
            f"{summary['pages']} pages were opened, with scripting on and off; "
            f"{foreign or 'no'} {'requests' if foreign != 1 else 'request'} went to another host.",
            _kinds(result["kinds"]),
            ("pages",),
        ),
        Step(
            "script-off",
            "With scripting off",
            f"A visit asks for at most {summary['most_requests_plain']} files instead of {summary['most_requests']}. "
            f"All {summary['states']} states of all walkthroughs are in the pages.",
            _requests(concepts),
            ("most_requests_plain", "most_requests", "states"),
        ),
        Step(
            "promises",
            "What is left, asked of every page",
            f"{summary['promises_kept']} of {summary['promises']} promises were kept by every page they concern.",
            _promises(result["plain"]),
            ("promises_kept", "promises"),
        ),
    ]


def _name(row: Row) -> str:
    return str(row["path"]).removesuffix("/index.html").rpartition("/")[2]


def _parts(row: Row) -> Markup:
    entries = [
        Bar("Text", row["text_kb"]),
        Bar("Walkthroughs", row["walkthrough_kb"]),
        Bar("Style sheets", row["style_kb"]),
        Bar("Scripts", row["script_kb"]),
    ]
    note = "Compressed. Text and walkthroughs are parts of one file and compress together."
    return bars(entries, title=f"A first visit to {_name(row)}", unit="kB", digits=1, note=note)


def _shared(rows: Sequence[Row]) -> Markup:
    cells: list[list[Cell]] = [
        [Markup("<code>{}</code>").format(row["file"].removeprefix("assets/")), row["raw_kb"], row["transfer_kb"]]
        for row in rows
    ]
    return table(
        ["file", Col("raw", 1, "kB"), Col("compressed", 1, "kB")], cells, title="Files that every page asks for"
    )


def _concepts(rows: Sequence[Row]) -> Markup:
    ordered = sorted(rows, key=lambda row: -row["transfer_kb"])
    cells: list[list[Cell]] = [
        [_name(row), row["transfer_kb"], row["transfer_kb"] - row["walkthrough_kb"], row["states"]] for row in ordered
    ]
    columns: list[str | Col] = [
        "page",
        Col("first visit", 1, "kB"),
        Col("without walkthroughs", 1, "kB"),
        Col("states", 0),
    ]
    return table(columns, cells, title="First visits to concept pages, compressed")


def _kinds(rows: Sequence[Row]) -> Markup:
    cells: list[list[Cell]] = [
        [row["kind"], row["pages"], row["least_kb"], row["median_kb"], row["most_kb"], row["most_requests"]]
        for row in rows
    ]
    columns: list[str | Col] = [
        "kind",
        Col("pages", 0),
        Col("least", 1, "kB"),
        Col("median", 1, "kB"),
        Col("most", 1, "kB"),
        Col("requests, most", 0),
    ]
    return table(columns, cells, title="First visits by kind of page, compressed")


def _requests(rows: Sequence[Row]) -> Markup:
    ordered = sorted(rows, key=lambda row: -row["states"])
    cells: list[list[Cell]] = [[_name(row), row["requests"], row["requests_plain"], row["states"]] for row in ordered]
    columns: list[str | Col] = ["page", Col("requests", 0), Col("requests, script off", 0), Col("states shown", 0)]
    return table(columns, cells, title="Concept pages with scripting on and off")


def _promises(rows: Sequence[Row]) -> Markup:
    cells: list[list[Cell]] = [[row["says"], row["kept"], row["pages"], row["first_broken"] or "none"] for row in rows]
    columns: list[str | Col] = ["promise", Col("kept by", 0), Col("pages", 0), "first that breaks it"]
    return table(columns, cells, title="With scripting off, over all pages")


WALKTHROUGH = Walkthrough(
    dataset="site_budget",
    kind=stepper.KIND,
    id="site-budget",
    title="What does a first visit cost, and what is left of it without script?",
    intro="Every page of this site, opened in a browser with an empty cache, once with scripting on and once off.",
    steps=steps,
    prediction=Prediction(
        before="script-off",
        ask="Scripting is switched off. How many states of a walkthrough can still be read?",
        options=(
            Option("Only the first", False, "That is what a walkthrough drawn by a script would leave."),
            Option("None: the figure is empty", False, "Nothing here is drawn in the browser."),
            Option("All of them", True, "The server sends every state; the script only folds them into one place."),
        ),
    ),
)
