"""One question through lists and codes, then all questions: dataset ``ivf_pq``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kit import Cell, Col, arithmetic, data, excerpt, mark, pair, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs._ivf_dials import DIALS, FLAT, RESIDUAL, reading

Row = Mapping[str, Any]


def _steps(dataset: Dataset) -> list[Step]:
    case = dataset.at("/result/case")
    return [
        _whole(dataset, case),
        _lists(dataset, case),
        _code(dataset, case),
        _scores(case),
        _ranking(case),
        _rerank(case),
        _questions(dataset, case),
    ]


def _asked(case: Row) -> Markup:
    return Markup('<blockquote><p>{}</p></blockquote><p class="note-inline">Chosen by a rule: {}.</p>').format(
        case["query"]["question"], case["rule"]
    )


def fate(row: Row) -> Markup:
    """What became of one of the exact ten, in a mark and words."""
    if not row["probed"]:
        return mark("discarded", "list not probed")
    if row["found"]:
        return mark("exact", "found by codes")
    return mark("exact", "back by reranking") if row["reranked"] else mark("approx", "lost to its code")


def _exact_table(case: Row, title: str, *, scored: bool = False) -> Markup:
    columns: list[str | Col] = [Col("exact rank", numeric=True), "passage", Col("cosine", 4)]
    columns += [Col("by its code", 4), Col("rank by code", numeric=True)] if scored else [Col("list", numeric=True)]
    rows: list[list[Cell]] = []
    for row in case["exact"]:
        score = row["score"] if row["probed"] else None
        middle: list[Cell] = [score, row["code_rank"]] if scored else [row["list"]]
        rows.append([row["rank"], row["id"], row["cosine"], *middle, fate(row)])
    return table([*columns, "what became of it"], rows, title=title)


def _counts(case: Row) -> tuple[int, int, int]:
    """Of the exact ten: in probed lists, found by codes, there after reranking."""
    rows = case["exact"]
    return tuple(sum(bool(row[key]) for row in rows) for key in ("probed", "found", "reranked"))  # type: ignore[return-value]


def _whole(dataset: Dataset, case: Row) -> Step:
    probed, found, again = _counts(case)
    total = len(case["exact"])
    says = (
        f"Lost of the exact ten: {total - probed} to lists that were not probed, {probed - found} to their codes. "
        f"Codes of {case['code_bytes']} bytes find {found}. Reranking the best {case['rerank']} brings the result to "
        f"{again}."
    )
    body = _asked(case) + _exact_table(case, "The exact ten, and what became of each")
    first = case["passages"]
    by_id = {row["id"]: row for row in first}
    source = by_id.get(case["exact"][0]["id"])
    if source:
        place = f"the nearest, cosine {number_text(case['exact'][0]['cosine'], 4)}"
        body += excerpt(
            source["excerpt"], title=source["title"], url=source["url"], licence=source["licence"], place=place
        )
    return Step("fate", "Two ways to lose a neighbour", says, body)


def _lists(dataset: Dataset, case: Row) -> Step:
    chunks, lists = dataset.at("/result/population/chunks"), int(dataset.params["lists"])
    rows: list[list[Cell]] = [
        [row["order"], row["cosine"], row["size"], row["exact"],
         "probed" if row["probed"] else mark("discarded", "not probed")]
        for row in case["lists"]
    ]  # fmt: skip
    shown = sum(row["exact"] for row in case["lists"])
    body = table(
        [Col("list, nearest first", numeric=True), Col("cosine of its centroid", 4), Col("vectors", numeric=True),
         Col("of the exact ten", numeric=True), ""],
        rows,
        title=f"The {len(rows)} lists nearest to the question, of {lists}",
        note=f"{shown} of the exact ten are in these; the others are in lists farther away.",
    )  # fmt: skip
    body += stats(
        [
            ("vectors compared", data(case["scanned"]), ""),
            ("of all", data(100 * case["scanned"] / chunks, 1, "%"), ""),
        ]
    )
    says = (
        f"Every vector stands in the list of its nearest centroid. The search compares the question with {lists} "
        f"centroids and looks into the {case['probes']} nearest lists only."
    )
    return Step("lists", "First cut: only the nearest lists", says, body)


def _code(dataset: Dataset, case: Row) -> Step:
    code = case["code"]
    half = (len(code["numbers"]) + 1) // 2
    columns: list[str | Col] = [Col("part", numeric=True), Col("byte", numeric=True), Col("table value", 4)]
    rows: list[list[Cell]] = [
        [number + 1, code["numbers"][number], code["parts"][number]] for number in range(len(code["numbers"]))
    ]
    shown = (
        table(columns, rows[:half], title=f"Bytes 1 to {half} and what the table gives for them"),
        table(columns, rows[half:], title=f"Bytes {half + 1} to {len(rows)} and what the table gives for them"),
    )
    body = pair(*shown, titles=("First half of the code", "Second half"))
    expression = f"{number_text(code['centroid'], 4)} + ({' + '.join(number_text(p, 4) for p in code['parts'])})"
    body += arithmetic(Markup("score by code: {}").format(data(code["score"], 4)), expression)
    body += stats(
        [
            ("centroid of its list", data(code["centroid"], 4), ""),
            ("sum of the parts", data(sum(code["parts"]), 4), ""),
            ("score by code", data(code["score"], 4), "approx"),
            ("true cosine", data(code["cosine"], 4), "exact"),
        ]
    )
    width = dataset.at("/result/population/dimensions") // case["code_bytes"]
    says = (
        f"{code['id']} is not kept as {dataset.at('/result/population/dimensions')} numbers but as "
        f"{case['code_bytes']} bytes, one for each part of {width} numbers. A byte names the nearest of "
        f"{dataset.params['centroids']} learnt parts. Its score is one look-up a part, and a sum."
    )
    return Step("code", "Second cut: a passage becomes a few bytes", says, body)


def _scores(case: Row) -> Step:
    worst = max((row for row in case["exact"] if row["probed"]), key=lambda row: abs(row["score"] - row["cosine"]))
    says = (
        "The code replaces a vector by another one near it, so every score is a little off: here by up to "
        f"{number_text(abs(worst['score'] - worst['cosine']), 4)}. The cosines of the exact ten differ by "
        f"{number_text(case['exact'][0]['cosine'] - case['exact'][-1]['cosine'], 4)} from first to last."
    )
    return Step(
        "scores", "The error is as large as the differences that matter", says,
        _exact_table(case, "The exact ten, scored by their codes", scored=True),
    )  # fmt: skip


def _ranking(case: Row) -> Step:
    others = sum(not row["exact"] for row in case["found"])
    nearest = sum(row["list"] == 1 for row in case["found"])
    flattered = "All" if nearest == len(case["found"]) else str(nearest or "None")
    rows: list[list[Cell]] = [
        [row["rank"], row["id"], mark("exact") if row["exact"] else mark("approx", "farther"), row["score"],
         row["cosine"], row["list"]]
        for row in case["found"]
    ]  # fmt: skip
    body = table(
        [Col("rank", numeric=True), "passage", "in truth", Col("by code", 4), Col("cosine", 4),
         Col("list", numeric=True)],
        rows,
        title="The first ten by codes",
        note="Exact: one of the exact ten. Farther: not one of them.",
    )  # fmt: skip
    says = (
        f"Ordered by codes, {others} of the first ten do not belong there. {flattered} of the ten stand in the nearest "
        "list: what a short code loses of the residual pulls the score towards that of the list’s centroid."
    )
    return Step("ranking", "So others come first", says, body)


def _rerank(case: Row) -> Step:
    probed, found, again = _counts(case)
    beyond = [row for row in case["exact"] if row["probed"] and not row["reranked"]]
    says = (
        f"The best {case['rerank']} by codes are compared again by their full vectors: {again} of the exact ten "
        f"instead of {found}. "
        + (
            f"Ranked too low by their codes to be looked at again: {len(beyond)}. "
            if beyond
            else "Everything that the probed lists held is back. "
        )
        + f"In other lists and never looked at: {len(case['exact']) - probed}."
    )
    rows: list[list[Cell]] = [
        [row["rank"], row["id"], row["code_rank"], fate(row)]
        for row in sorted(case["exact"], key=lambda row: row["code_rank"] or 10**9)
    ]
    body = table(
        [Col("exact rank", numeric=True), "passage", Col("rank by code", numeric=True), "what became of it"],
        rows,
        title=f"Rank by codes, of {number_text(case['scanned'])} compared",
    )
    return Step("rerank", "Reranking mends one of the two losses", says, body)


def _questions(dataset: Dataset, case: Row) -> Step:
    size, probes = case["code_bytes"], case["probes"]
    numbers = [int(number) for number in dataset.params["probes"]]
    flat = [reading(dataset, FLAT, 0, number) for number in numbers]
    coded = [reading(dataset, RESIDUAL, size, number) for number in numbers]
    body = line_chart(
        [
            Series("full vectors", [(row["probes"], row["recall"]) for row in flat], ""),
            Series("codes, reranked", [(row["probes"], row["reranked"]) for row in coded], ""),
            Series("codes alone", [(row["probes"], row["recall"]) for row in coded], "approx"),
        ],
        title=f"recall@10 by lists probed, codes of {size} bytes",
        desc="Full vectors reach one when all lists are probed; codes alone level off far below, reranked codes near.",
        x=Axis("lists probed (logarithmic)", log=True),
        y=Axis("recall@10", 2, low=0, high=1),
    )
    at, whole = reading(dataset, RESIDUAL, size, probes), reading(dataset, FLAT, 0, probes)
    says = (
        f"Over {at['n']} questions with {probes} lists probed: full vectors {number_text(whole['recall'], 3)}, codes "
        f"{number_text(at['recall'], 3)}, reranked {number_text(at['reranked'], 3)}. More lists mend the first loss, "
        "longer codes or reranking the second."
    )
    names = (f"recall_flat_p{probes}", f"recall_pq{size}_p{probes}", f"reranked_pq{size}_p{probes}")
    cited = probes in dataset.params["cited_probes"]
    return Step("questions", "Over all questions", says, body, names if cited else ())


WALKTHROUGH = Walkthrough(
    dataset="ivf_pq",
    id="ivf-pq",
    title="Where did the nearest ten go?",
    intro=(
        "One real question, searched in inverted lists of product-quantised vectors with the first seed. Everything is "
        "compared with brute force over the full vectors."
    ),
    steps=_steps,
    prediction=Prediction(
        before="rerank",
        ask="The best of the codes are compared again by their full vectors. Which loss can that not mend?",
        options=(
            Option("A passage whose code ranked it a little too low", False, "If it is among those compared again, its "
                   "true cosine decides."),
            Option("A passage in a list that was not probed", True, "It never had a score. Only more lists would have "
                   "found it."),
            Option("A passage that a flattering code put too high", False, "Its true cosine puts it in its place."),
        ),
    ),
)  # fmt: skip

FURTHER = (DIALS,)
