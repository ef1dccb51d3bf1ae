"""What the two dials of BM25 do to one ranking, and to all questions: dataset ``bm25``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kinds import rank_flow
from render.views.kit import Bar, Cell, Col, arithmetic, bars, data, heat, pair, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs import _bm25_dials, _bm25_identifiers
from render.walkthroughs._bm25_case import Case, asked, case_of, place_text, ranking_list
from render.walkthroughs._passages import quoted

CURVES = (0.0, 0.5, 1.2, 2.0)


def steps(dataset: Dataset) -> list[Step]:
    """Nine states: the ranking with and without the dials, one score taken apart, each dial, the grid, all."""
    case = case_of(dataset)
    low_k1, high_k1, low_b, high_b = case.k1s[0], case.k1s[-1], case.bs[0], case.bs[-1]
    best = max(dataset.result["grid_quality"], key=lambda row: float(row["MRR@10 evidence"]))
    orders = case.query["grid"]["distinct_orders"]
    top = case.query["top"][0]
    return [
        Step(
            "dials",
            "One question, one index, two settings",
            f"The passage that answers is {place_text(case.rank(*case.worst))} under the first setting, "
            f"{place_text(case.rank(case.k1, case.b))} under the default.",
            asked(case)
            + pair(ranking_list(case, *case.worst), ranking_list(case, case.k1, case.b), titles=("", ""))
            + _excerpt(case, case.tracked),
        ),
        Step(
            "terms",
            "What each word is worth before any passage is looked at",
            "A term in few chunks weighs much, a term in most chunks little. Neither dial touches this.",
            _terms(case),
        ),
        Step(
            "sum",
            "The first result, taken apart",
            "A score is a sum over terms. The largest part and the sum open to their arithmetic.",
            _sum(case, top),
        ),
        Step(
            "saturation",
            "k1: what a second occurrence adds",
            "At 0 the first occurrence earns everything. The larger k1, the longer further occurrences go on counting; "
            "none ever counts as much as the one before.",
            _saturation(dataset.result["saturation"]),
        ),
        Step(
            "k1",
            "k1 at both ends of its range",
            f"b stays at {case.b:g}. Moves are against the default, k1 = {case.k1:g}.",
            pair(ranking_list(case, low_k1, case.b), ranking_list(case, high_k1, case.b), titles=("", "")),
        ),
        Step(
            "length",
            "b: what length costs",
            "One occurrence of a term in real chunk lengths, from the shortest to the longest. "
            "At b = 0 length is ignored; at b = 1 a chunk of twice the mean length is treated as if k1 had doubled.",
            _lengths(dataset.result["lengths"]),
        ),
        Step(
            "b",
            "b at both ends of its range",
            f"k1 stays at {case.k1:g}. Moves are against the default, b = {case.b:g}.",
            pair(ranking_list(case, case.k1, low_b), ranking_list(case, case.k1, high_b), titles=("", "")),
        ),
        Step(
            "grid",
            "Every pair of dials",
            f"{orders} different top tens in {len(case.cells)} cells. The passage that answers stands anywhere from "
            f"{place_text(min(case.ranks))} to {place_text(max(case.ranks))}.",
            _grid(case),
        ),
        Step(
            "all",
            "All questions: how much is at stake",
            f"The best mean stands at k1 = {best['k1']:g}, b = {best['b']:g}; there the question above has its passage "
            f"{place_text(case.rank(best['k1'], best['b']))}. The same questions "
            "measure and would choose, so this is a range, not a recommendation.",
            _quality(dataset, case),
            ("grid_lowest_mrr10", "grid_highest_mrr10"),
        ),
    ]


def _terms(case: Case) -> Markup:
    rows: list[list[Cell]] = [
        [term["term"], term["df"], 100 * term["df_share"], term["idf"]]
        for term in sorted(case.query["terms"], key=lambda term: (term["df"] == 0, -(term["idf"] or 0), term["term"]))
    ]
    columns = [Col("Term"), Col("chunks that hold it", numeric=True), Col("of all", 2, "%"), Col("idf", 3)]
    return table(columns, rows, title="The question’s terms, rarest first")


def _sum(case: Case, top: Mapping[str, Any]) -> Markup:
    parts = []
    for term, tf, part in zip(case.query["terms"], top["tf"], top["contribution"], strict=True):
        if tf:
            parts.append((term, tf, part))
    parts.sort(key=lambda item: -item[2])
    drawn = bars(
        [Bar(term["term"], part, "lexical", remark=f"tf {tf}") for term, tf, part in parts],
        title=f"{case.names[top['id']]}: what each term gives",
        digits=3,
    )
    first = parts[0]
    ratio = f"{top['length_ratio']:.3f}"
    count = f"{first[0]['count']} · " if first[0]["count"] > 1 else ""
    saturated = f"{first[1]} / ({first[1]} + {case.k1:g} · (1 − {case.b:g} + {case.b:g} · {ratio}))"
    one = arithmetic(
        Markup("{} = {}").format(first[0]["term"], data(first[2], 3)),
        f"{count}{first[0]['idf']:.3f} · {saturated}",
    )
    whole = arithmetic(
        Markup("score = {}").format(data(top["score"], 3)), " + ".join(f"{part:.3f}" for _, _, part in parts)
    )
    return drawn + Markup("<div>{} {}</div>").format(one, whole) + _excerpt(case, top["id"])


def _excerpt(case: Case, id: str) -> Markup:
    return quoted(case.passages[id], "lexical") if id in case.passages else Markup("")


def _saturation(found: Mapping[str, Any]) -> Markup:
    series = [
        Series(f"k1 = {k1:g}", [(row["tf"], row["factor"][at]) for row in found["rows"]])
        for at, k1 in enumerate(found["k1"])
        if k1 in CURVES
    ]
    return line_chart(
        series,
        title=f"“{found['term']}” in a chunk of mean length",
        desc="The frequency factor rises with every occurrence, less each time; at k1 = 0 it is 1 throughout.",
        x=Axis(f"occurrences (the most in one chunk is {found['largest_tf']})", 0),
        y=Axis("frequency factor", 2, low=0, high=1),
    )


def _lengths(found: Mapping[str, Any]) -> Markup:
    series = [
        Series(f"b = {b:g}", [(row["length"], row["factor"][at]) for row in found["rows"]])
        for at, b in enumerate(found["b"])
        if b in (0.0, 0.5, 0.75, 1.0)
    ]
    percentiles = ", ".join(str(row["percentile"]) for row in found["rows"])
    return line_chart(
        series,
        title=f"One occurrence at k1 = {found['k1']:g}",
        desc="The frequency factor falls with length, the more the larger b is; at b = 0 it is level.",
        x=Axis("chunk length in terms", 0),
        y=Axis("frequency factor", 2, low=0, high=1),
        note=f"Points: percentiles {percentiles} of the chunk lengths.",
    )


def _grid(case: Case) -> Markup:
    def cell(k1: float, b: float) -> Cell:
        return case.rank(k1, b) or Markup("beyond {}").format(data(len(case.default)))

    rows: list[list[Cell]] = [[f"{k1:g}", *(cell(k1, b) for b in case.bs)] for k1 in case.k1s]
    columns: list[str | Col] = [
        "k1",
        *(Col(f"b {b:g}" if b == case.bs[0] else f"{b:g}", numeric=True) for b in case.bs),
    ]
    what = "holds the evidence" if case.tracked in case.query["evidence_chunks"] else "is first at the default"
    return table(
        columns,
        rows,
        title=f"Rank of {case.names[case.tracked]}, the chunk that {what}; k1 down, b across",
        row_classes=["is-on" if k1 == case.k1 else "" for k1 in case.k1s],
    )


def _quality(dataset: Dataset, case: Case) -> Markup:
    by_cell = {(row["k1"], row["b"]): row["MRR@10 evidence"] for row in dataset.result["grid_quality"]}
    n = dataset.result["population"]["queries_evidence"]
    drawn = heat(
        [f"k1 {k1:g}" if k1 == case.k1s[0] else f"{k1:g}" for k1 in case.k1s],
        [f"b {b:g}" if b == case.bs[0] else f"{b:g}" for b in case.bs],
        [[by_cell[k1, b] for b in case.bs] for k1 in case.k1s],
        title=f"MRR@10 over {n} questions, evidence label; k1 down, b across",
        digits=3,
    )
    low, high = (dataset.figures[f"grid_{which}_mrr10"]["value"] for which in ("lowest", "highest"))
    return drawn + stats(
        [
            ("lowest", data(low, 3), ""),
            ("default", data(by_cell[case.k1, case.b], 3), ""),
            ("highest", data(high, 3), ""),
        ]
    )


WALKTHROUGH = Walkthrough(
    dataset="bm25",
    kind=rank_flow.KIND,
    id="bm25",
    title="What do k1 and b do to a ranking?",
    intro=(
        "One real question: of those captured, the one whose evidence the dials move most. The index is the same "
        "throughout; k1 and b are chosen when the question is asked."
    ),
    steps=steps,
    prediction=Prediction(
        before="b",
        ask="b goes from 0 to 1. Which chunks rise?",
        options=(
            Option("The long ones", False, "At b = 1 a chunk longer than the mean "
                   "needs more occurrences for the same factor."),
            Option("The short ones", True, "The same frequency counts for more in a chunk shorter than the mean."),
            Option("Those with the rarer terms", False, "Rarity is in the idf, which b does not touch."),
        ),
    ),
)  # fmt: skip

FURTHER = (_bm25_dials.WALKTHROUGH, _bm25_identifiers.WALKTHROUGH)
