"""The ladder of pipelines, row by row, with the questions that each change moves: dataset ``ablation``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kit import Bar, Cell, Col, bars, data, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

METRICS = {
    "context": "evidence in the context",
    "MRR@10": "MRR@10",
    "nDCG@10": "nDCG@10",
    "right": "evidence quoted",
}
LABELS = {"evidence": "strict", "source": "lenient"}
ROLES = {"dense": "dense", "lexical": "lexical"}
Gap = Mapping[str, Any]


def steps(dataset: Dataset) -> list[Step]:
    """The whole ladder, then each change with its differences and questions, then the floor."""
    result = dataset.result
    rows = {row["row"]: row for row in result["rows"]}
    first, last = rows["dense"], rows["fused"]
    total = first["n"]
    drawn = [
        Step(
            "ladder",
            "The ladder: what each row finds and what it quotes",
            f"From dense search alone to fused lists the context holds the evidence for {first['context count']}, then "
            f"{last['context count']} of {total} questions. The answers that quote it: {first['right count']}, then "
            f"{last['right count']}.",
            _ladder(result["rows"]),
            ("dense_context_count", "fused_context_count", "dense_right_count", "fused_right_count"),
        )
    ]
    drawn += [_change(result, rows, *pair) for pair in CHANGES]
    drawn.append(_floor(result["floor"]))
    return drawn


CHANGES = (
    ("lexical", "dense", "BM25 in place of dense search", "The same passages and questions, another retriever."),
    ("fused_short", "dense", "Both lists, cut at the size of the context, fused",
     "The second list is added. Each is cut where the context ends."),
    ("fused", "fused_short", "The same lists, deeper", "Only depth is added: passages low in both lists can rise."),
    ("headings", "fused", "Title and heading in the word index",
     "The words of the document's title and of the heading count as words of the passage."),
    ("neighbours", "fused", "Each passage with its neighbours", "The ranking stays. The context grows, and so does "
     "what the answerer must choose from."),
    ("longer", "neighbours", "The control: as many tokens, spent on more passages",
     "Compared with the row before: a context of about that size made of passages further down the list."),
)  # fmt: skip


def _change(result: Mapping[str, Any], rows: Mapping[str, Any], to: str, base: str, title: str, says: str) -> Step:
    gaps = [gap for gap in result["differences"] if (gap["base"], gap["to"]) == (base, to)]
    moved = next(one for one in result["moved"] if (one["base"], one["to"]) == (base, to))
    body = _differences(gaps, f"{rows[to]['says']}, minus {rows[base]['says']}") + _moved(moved)
    names = {"context": "context", "MRR@10": "mrr10", "nDCG@10": "ndcg10", "right": "right"}
    figures = tuple(f"gain_{names[gap['metric']]}_{to}_over_{base}" for gap in gaps if gap["label"] == "evidence")
    return Step(to.replace("_", "-"), title, f"{says} {_said(gaps)}", body, figures)


def _said(gaps: Sequence[Gap]) -> str:
    strict = [gap for gap in gaps if gap["label"] == "evidence"]
    parts = []
    for finding, words in (("higher", "Higher"), ("lower", "Lower"), ("not established", "Not established")):
        kept = [METRICS[gap["metric"]] for gap in strict if gap["finding"] == finding]
        if kept:
            parts.append(f"{words}: {', '.join(kept)}.")
    return "Strict label. " + " ".join(parts)


def _ladder(rows: Sequence[Mapping[str, Any]]) -> Markup:
    entries = [Bar(row["says"], row["context evidence"], ROLES.get(row["row"], "fused")) for row in rows]
    drawn = bars(entries, title="Contexts that hold the evidence, share", digits=3, maximum=1)
    columns: list[str | Col] = [
        "Row", Col("MRR@10", 3), Col("nDCG@10", 3), Col("evidence quoted", numeric=True), Col("tokens", 0),
    ]  # fmt: skip
    cells: list[list[Cell]] = [
        [row["says"], row["MRR@10 evidence"], row["nDCG@10 evidence"], row["right count"], row["tokens"]]
        for row in rows
    ]
    note = f"{rows[0]['n']} questions, strict label. “none”: the row does not change the ranking."
    return drawn + table(columns, cells, title="The same rows: rank, answers, size of the context", note=note)


def _differences(gaps: Sequence[Gap], title: str) -> Markup:
    columns: list[str | Col] = [
        "Measure", Col("difference", 3), Col("95% interval", numeric=True),
        *(Col(word, numeric=True) for word in ("better", "same", "worse")), "finding",
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [
            f"{METRICS[gap['metric']]}, {LABELS[gap['label']]}",
            gap["difference"],
            Markup("{} to {}").format(data(gap["low"], 3), data(gap["high"], 3)),
            gap["better"], gap["same"], gap["worse"], gap["finding"],
        ]
        for gap in gaps
    ]  # fmt: skip
    return table(columns, rows, title=title[:1].upper() + title[1:])


def _moved(moved: Mapping[str, Any]) -> Markup:
    columns: list[str | Col] = ["Question", Col("before", 3), Col("after", 3)]
    body = Markup("")
    for way in ("better", "worse"):
        rows: list[list[Cell]] = [[row["question"], row["before"], row["after"]] for row in moved[way]]
        if rows:
            body += table(columns, rows, title=f"Questions that do {way}, by {METRICS[moved['metric']]}")
    return body


def _floor(floor: Mapping[str, Any]) -> Step:
    working, held = (next(p for p in floor["parts"] if p["part"] == part) for part in ("working", "held_out"))
    curve = floor["curve"]
    drawing = line_chart(
        [
            Series("answerable, answered", [(row["floor"], row["answered"]) for row in curve]),
            Series("no evidence in sight, answered", [(row["floor"], row["false"]) for row in curve], "discarded"),
        ],
        title="Share answered, by floor",
        desc="Both shares fall from 1 to 0 as the floor rises; the answerable ones fall later. "
        "Working part and held-out fifth together.",
        x=Axis("floor", 2),
        y=Axis("share answered", 2, low=0, high=1),
    )
    columns: list[str | Col] = [
        "Questions",
        *(Col(word, numeric=True) for word in ("answered", "of", "evidence quoted")),
    ]
    rows: list[list[Cell]] = []
    for part, words in ((working, "working part"), (held, "held-out fifth")):
        rows.append([f"answerable, {words}", part["home_answered"], part["home"], part["home_right"]])
        rows.append([f"evidence hidden, {words}", part["away_answered"], part["away"], None])
        rows.append([f"no answer in the corpus, {words}", part["none_answered"], part["none"], None])
    return Step(
        "floor",
        "A floor under the answer",
        f"Chosen on the working part, read on the held-out fifth: {held['home_answered']} of {held['home']} answerable "
        f"questions are answered, and {held['away_answered']} of {held['away']} whose evidence is hidden.",
        drawing + table(columns, rows, title=f"Decisions at the floor of {floor['value']:.3f}"),
        ("home_answered_held_out", "away_answered_held_out", "home_answered_working", "away_answered_working"),
    )


WALKTHROUGH = Walkthrough(
    dataset="ablation",
    id="ablation",
    title="What did each part buy?",
    intro="The same questions and passages throughout, one change a row, each compared question by question.",
    steps=steps,
    prediction=Prediction(
        before="neighbours",
        ask="Each passage is handed over with the one before and the one after. What happens to the answers?",
        options=(
            Option("They improve too", False, "The answerer has three times as many sentences "
                   "to choose from, and most of the new ones are not the evidence."),
            Option("More contexts hold the evidence, not more answers", True,
                   "Finding is not quoting: compare the two counts of this row."),
            Option("Nothing changes, since the ranking stays", False, "The ranking stays, the text given does not."),
        ),
    ),
)  # fmt: skip
