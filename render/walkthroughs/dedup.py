"""Which document stands in which, and how well a sample tells: dataset ``dedup``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, Col, bars, data, excerpt, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs._dedup_thresholds import WALKTHROUGH as THRESHOLDS
from render.walkthroughs._passages import document

Row = Mapping[str, Any]
CASE = {
    "filed": "An exhibit and its file",
    "twice": "An exhibit filed twice",
    "superseded": "An RFC and its successor",
    "unrelated": "Two unrelated RFCs",
}
SHOWN = 3
CONTROL = {
    "embedded": "put into another document",
    "reformatted": "in capitals, other lines, other quotes",
    "hyphenated": "a long word in {hyphenated} divided at a line end",
    "replaced": "a word in {one_in} replaced",
}


def steps(dataset: Dataset) -> list[Step]:
    """Eight states: four pairs, then each of them, then controls and what a sample costs."""
    result, params = dataset.result, dataset.params
    cases = {case["case"]: case for case in result["cases"]}
    filed, _, old, apart = (cases[name] for name in CASE)
    summary, known, limit = result["superseding_summary"], result["filed_summary"], params["limit"]
    widest = result["errors"][-1]
    return [
        Step(
            "pairs",
            "Four pairs, two measures",
            "Containment asks how much of the first text stands in the second. Jaccard similarity asks how alike both "
            "are as wholes. Only one of them notices a page inside a book.",
            _pairs(cases),
        ),
        Step(
            "filed",
            "An exhibit in the file it was filed in",
            f"All {number_text(filed['raw']['left'])} shingles of the exhibit are among the "
            f"{number_text(filed['raw']['right'])} of the file. Of {known['exhibits']} exhibits {known['whole']} stand "
            "in their file to the last shingle.",
            _two(filed["raw"]) + _quote(filed["shared"], "the longest shared run") + _filed(known),
            ("filed_whole", "filed_jaccard_mean"),
        ),
        Step(
            "twice",
            "Found, and nobody had said so",
            f"Every pair of which one stands to {number_text(params['contained'], 2)} or more in the other, without "
            "forms and without RFCs whose metadata says so: exhibits filed twice or inside another, "
            "contracts that their collection holds twice.",
            _found(result["twice"]),
        ),
        Step(
            "boilerplate",
            "Unrelated, and nearly a third in common",
            f"{_name(apart['inner'])} and {_name(apart['outer'])} come from two working groups. What they share is "
            f"the text that every RFC of their years prints. With shingles of more than {limit} texts taken out, "
            f"{apart['clear']['shared']} of {number_text(apart['raw']['shared'])} are left.",
            _boilerplate(apart),
        ),
        Step(
            "superseded",
            "Superseded is not contained",
            f"Of {summary['pairs']} pairs in which one RFC obsoletes another, {summary['half']} old texts stand to a "
            f"half or more in the new one. {summary['pairs'] - summary['over_line']} share no more than strangers do: "
            "the new text was written afresh, or another of several successors took the old one over.",
            _superseded(result["superseding"], old),
            ("superseding_mean",),
        ),
        Step(
            "controls",
            "Controls with a known answer",
            "Two must come out as one at every rate of sampling. Two are damaged on purpose, and show what the words "
            "of a shingle have to survive.",
            _controls(result["controls"], params, result["replaced_expected"]),
        ),
        Step(
            "sample",
            "The same pairs from a sample",
            "One shingle in four, in sixteen, in sixty-four: those whose number falls into one class, in every text "
            "alike. What is known exactly at the top widens with every row.",
            _samples(old) + _samples(filed),
        ),
        Step(
            "error",
            "What a sample costs",
            f"The mean error over {widest['pairs']} pairs and every possible sample. At 1 in {widest['rate']} a text "
            f"has {number_text(widest['shingles'], 0)} shingles left on average, and a short one has too few.",
            _errors(result["errors"]) + _sizes(result["errors_by_size"], params["rates"]) + _passes(result["passes"]),
            tuple(f"error_{row['rate']}" for row in result["errors"]),
        ),
    ]


def _name(side: Row) -> str:
    return document(side["doc"]) if side["family"] == "rfc" else str(side["title"])


def _pairs(cases: Mapping[str, Row]) -> Markup:
    rows: list[list[Cell]] = []
    for name, words in CASE.items():
        case = cases[name]
        what = Markup('{} <span class="note-inline">{}; {}</span>').format(
            words, _name(case["inner"]), _name(case["outer"])
        )
        rows.append([what, case["raw"]["containment"], case["raw"]["jaccard"], case["clear"]["containment"]])
    columns: list[str | Col] = [
        "Pair",
        Col("containment", 3),
        Col("Jaccard", 3),
        Col("containment, boilerplate out", 3),
    ]
    return table(columns, rows, title="How much of the first stands in the second")


def _two(overlap: Row) -> Markup:
    union = overlap["left"] + overlap["right"] - overlap["shared"]
    entries = [
        Bar("containment", overlap["containment"], "", None, f"{overlap['shared']} / {overlap['left']}"),
        Bar("Jaccard", overlap["jaccard"], "", None, f"{overlap['shared']} / {union}"),
    ]
    return bars(entries, title="One pair, two measures", digits=3, maximum=1)


def _quote(found: Row, place: str) -> Markup:
    if not found["excerpt"]:
        return Markup("")
    return excerpt(
        found["excerpt"], title=found["title"], url=found["url"], licence=found["licence"],
        place=f"{place}, as the words are compared",
    )  # fmt: skip


def _filed(known: Row) -> Markup:
    return stats(
        [
            (f"of {known['exhibits']} exhibits wholly in their file", data(known["whole"]), ""),
            ("lowest containment", data(known["lowest"], 3), ""),
            ("mean Jaccard", data(known["jaccard_mean"], 3), ""),
        ]
    )  # fmt: skip


def _found(rows: list[Row]) -> Markup:
    """Every pair of contracts, and of the exhibits the largest; the others stand on the dataset's page."""
    exhibits = sorted((row for row in rows if row["family"] == "exhibit"), key=lambda row: -row["shingles"])
    shown = [*exhibits[:SHOWN], *(row for row in rows if row["family"] != "exhibit")]
    cells: list[list[Cell]] = []
    for row in sorted(shown, key=lambda row: -row["containment"]):
        pair = Markup('{} <span class="note-inline">in {}</span>').format(
            _short(row["inner_title"]), _short(row["outer_title"])
        )
        cells.append([pair, row["shingles"], row["containment"], row["jaccard"]])
    columns: list[str | Col] = ["Text", Col("shingles", numeric=True), Col("in the other", 3), Col("Jaccard", 3)]
    left = Markup("{} of {} pairs; those left out are exhibits.").format(data(len(shown)), data(len(rows)))
    return table(columns, cells, title="Pairs that no metadata announces", note=left)


def _short(title: str) -> str:
    """A title of at most some sixty characters, the submission's number kept."""
    title = title.replace("of the submission", "of")
    return title if len(title) <= 64 else f"{title[:40].rsplit(' ', 1)[0]}… {title[title.rfind('(') :]}"


def _boilerplate(case: Row) -> Markup:
    entries = [
        Bar("all shingles", case["raw"]["containment"], "", None, f"{case['raw']['shared']} / {case['raw']['left']}"),
        Bar("boilerplate taken out", case["clear"]["containment"], "", None,
            f"{case['clear']['shared']} / {case['clear']['left']}"),
    ]  # fmt: skip
    drawn = bars(entries, title=f"{_name(case['inner'])} in {_name(case['outer'])}", digits=3, maximum=1)
    return drawn + _quote(case["boilerplate"], "the longest run of shared boilerplate")


def _superseded(rows: list[Row], case: Row) -> Markup:
    """How many pairs fall into each tenth, and the ends of the list."""
    tenths = [0] * 10
    for row in rows:
        tenths[min(9, int(10 * row["containment"]))] += 1
    entries = [Bar(f"{n / 10:.1f} to {(n + 1) / 10:.1f}", count) for n, count in enumerate(tenths)]
    drawn = bars(entries, title="Pairs by the share of the old text that stands in its successor", digits=0)
    ends = [*rows[:SHOWN], *rows[-SHOWN:]]
    cells: list[list[Cell]] = [[_arrow(row), row["old_title"], row["containment"], row["jaccard"]] for row in ends]
    columns: list[str | Col] = ["RFC", "The old one", Col("in the new one", 3), Col("Jaccard", 3)]
    mean = stats([("mean of all pairs", data(sum(row["containment"] for row in rows) / len(rows), 3), "")])
    quote = _quote(case["shared"], f"the longest run shared with {_name(case['outer'])}")
    return mean + drawn + table(columns, cells, title="The most and the least of it left") + quote


def _arrow(row: Row) -> str:
    """An old document and its successor: "4590 → 5090" under the heading RFC."""
    return " → ".join(document(row[end]).removeprefix("RFC ") for end in ("old", "new"))


def _controls(rows: list[Row], params: Row, expected: float) -> Markup:
    words = {"hyphenated": params["hyphenated"], "one_in": round(1 / params["replaced"])}
    cells: list[list[Cell]] = [
        [
            CONTROL[row["control"]].format(**words),
            row["lowest"],
            row["mean"],
            row["jaccard"],
            Markup("{} of {}").format(data(row["samples_below_one"]), data(row["samples"])),
        ]
        for row in rows
    ]
    columns: list[str | Col] = [
        f"The document, {rows[0]['n']} times", Col("lowest", 3), Col("mean", 3), Col("Jaccard", 3),
        Col("samples below one", numeric=True),
    ]  # fmt: skip
    left = Markup("A word in {0} replaced leaves (1 − 1/{0})<sup>{1}</sup> = {2} by arithmetic.").format(
        data(words["one_in"]), data(params["width"]), data(expected, 3)
    )
    return table(columns, cells, title="Containment of a document in what was made of it", note=left)


def _samples(case: Row) -> Markup:
    entries = [
        Bar(
            "every shingle" if row["rate"] == 1 else f"1 in {row['rate']}",
            row["estimate"],
            "exact" if row["rate"] == 1 else "approx",
            None if row["rate"] == 1 else (row["low"], row["high"]),
            f"{row['shared']} / {row['left']}",
        )
        for row in case["estimates"]
    ]
    note = Markup("Whiskers: 95% score interval of the sample.")
    return bars(entries, title=f"{_name(case['inner'])} in {_name(case['outer'])}", digits=3, maximum=1, note=note)


def _errors(rows: list[Row]) -> Markup:
    cells: list[list[Cell]] = [
        [
            "every shingle" if row["rate"] == 1 else f"1 in {row['rate']}",
            row["shingles"],
            Markup('{} <span class="interval">[{}, {}]</span>').format(
                data(row["mean"], 4), data(row["low"], 4), data(row["high"], 4)
            ),
            row["p95"],
            row["largest"],
            100 * row["covered"],
        ]
        for row in rows
    ]
    columns: list[str | Col] = [
        "Sample", Col("shingles, mean", 0), Col("mean error", numeric=True), Col("95 in 100 below", 3),
        Col("largest", 3), Col("95% intervals that hold", 1, "%"),
    ]  # fmt: skip
    return table(columns, cells, title="Error of estimated containment")


def _sizes(rows: list[Row], rates: list[int]) -> Markup:
    classes = list(dict.fromkeys((row["from"], row["below"]) for row in rows))
    mean = {(row["rate"], row["from"]): row["mean"] for row in rows}
    cells: list[list[Cell]] = [
        [f"{number_text(low)} to {number_text(high)}" if high else f"{number_text(low)} and more",
         *(mean[rate, low] for rate in rates if rate > 1)]
        for low, high in classes
    ]  # fmt: skip
    columns: list[str | Col] = ["Shingles of the text", *(Col(f"1 in {rate}", 3) for rate in rates if rate > 1)]
    return table(columns, cells, title="Mean error by size")


def _passes(rows: list[Row]) -> Markup:
    cells: list[list[Cell]] = [
        ["every shingle" if row["rate"] == 1 else f"1 in {row['rate']}", row["postings"], row["right"], row["missed"],
         row["wrong"]]
        for row in rows
    ]  # fmt: skip
    columns: list[str | Col] = [
        "All pairs in one pass", *(Col(word, numeric=True) for word in ("shingles held", "found", "missed", "wrong")),
    ]  # fmt: skip
    return table(columns, cells, title="Ordered pairs half or more contained, against every shingle")


WALKTHROUGH = Walkthrough(
    dataset="dedup",
    kind=stepper.KIND,
    id="dedup",
    title="Does one document stand in another?",
    intro=(
        "Real documents, compared by runs of five words. Each pair is chosen by a rule: the exhibit least like its "
        "file, the largest exhibit filed twice, the largest RFC of which half is left, the unrelated pair that shares "
        "most."
    ),
    steps=steps,
    prediction=Prediction(
        before="boilerplate",
        ask="Nearly a third of one RFC stands in an RFC of another working group. What does it mean?",
        options=(
            Option("One was copied in part from the other", False, "Nothing in either was. What they have in common "
                   "stands in hundreds of others too."),
            Option("Both print the same legal text", True, "Status, copyright and licence of their years fill a large "
                   "part of a short RFC."),
            Option("Five words are too short", False, "Longer shingles would not help: the shared text runs on for "
                   "paragraphs, word for word."),
        ),
    ),
)  # fmt: skip
FURTHER = (THRESHOLDS,)
