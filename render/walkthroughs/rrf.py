"""How two ranked lists become one by reciprocal ranks, for one question and for all: dataset ``rrf``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kinds import rank_flow
from render.views.kit import Bar, Cell, Col, Rank, arithmetic, bars, data, mark, pair, rank_list, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs import _rrf_k
from render.walkthroughs._passages import bare, places, quoted
from render.walkthroughs._rrf_case import SOURCES, Query, asked, entry, first, followed_of, rank_words, ranks_at

SHOWN = 5
CHANGES = (0, 1, 10, 60, 100, 200)
RETRIEVERS = ("lexical", "dense", "fused")
LABELS = {"evidence": "evidence quote (strict)", "source": "source document (lenient)"}


def steps(dataset: Dataset) -> list[Step]:
    """Seven or eight states: one question in full, what k does to it, then all questions, and one that loses."""
    result, k = dataset.result, dataset.params["k"]
    names = places(result["passages"])
    query = first(result["queries"], "agreement") or result["queries"][0]
    lost = first(result["queries"], "fusion loses")
    winner = query["fused"][0]
    at = " and ".join(f"{_rank_text(winner[source])} in the {source} list" for source in SOURCES)
    drawn = [
        Step(
            "lists",
            "Two lists, and the list made of them",
            f"The passage that ends up first is {at}. No score of either list is looked at, only its ranks.",
            asked(query) + _three(query, names, k) + _quote(result["passages"], winner["id"]),
        ),
        Step(
            "sums",
            "Every sum in full",
            f"Each list that holds a passage gives it 1 / ({k} + rank). {_ranks_text(winner)} together give more than "
            f"{_ranks_text(query['fused'][1]).lower()}.",
            _sums(query, names, k),
        ),
        Step(
            "missing",
            "A list that does not hold a passage gives nothing",
            f"Counting the missing rank as 0 instead gives the absent 1/{k}, more than a first place earns. "
            f"It would change {result['missing_as_zero']['changed']} of {result['missing_as_zero']['n']} top tens.",
            _mistake(query, names, k),
            ("missing_as_zero_changed",),
        ),
        Step(
            "k",
            "k decides how much a first place is worth",
            "A small k makes the top of each list count for most; a large k makes all ranks nearly equal and leaves "
            "presence in both lists to decide.",
            _by_k(query, names, k),
        ),
        Step(
            "k-all",
            "k over all questions",
            f"MRR@10 of the fused list by k, and how many top tens differ, in members or order, from those of k = {k}.",
            _k_curve(result["by_k"], result["population"]["queries_evidence"], dataset.params["top"]),
            tuple(f"k{k_shown}_changed" for k_shown in CHANGES),
        ),
        Step(
            "quality",
            "Both lists and the fused one, over all questions",
            "The same questions under two labels. Both labels come from how the questions were drafted; nobody judged "
            "the passages.",
            _quality(result["quality"]),
            tuple(
                f"mrr10_{name}{suffix}" for name in RETRIEVERS for suffix in ("", "_evidence")
            ),
        ),
        Step(
            "differences",
            "What fusion gains, question by question",
            "Differences on the same questions, with the counts behind each mean. An interval across zero is no "
            "established gain.",
            _differences(result["differences"]),
            tuple(f"gain_mrr10_fused_over_{name}{suffix}" for name in SOURCES for suffix in ("", "_evidence")),
        ),
    ]  # fmt: skip
    if lost is not None:
        drawn.append(_loss(lost, names, k, result["passages"]))
    return drawn


def _loss(query: Query, names: Mapping[str, str], k: int, passages: Sequence[Mapping[str, Any]]) -> Step:
    ranks = query["evidence_rank"]
    said = ", ".join(f"{rank_words(ranks[name])} in the {name} list" for name in RETRIEVERS)
    return Step(
        "loss",
        "A question that fusion makes worse",
        f"The passage with the evidence is {said}. One part, however large, lost to sums of two.",
        asked(query) + _three(query, names, k) + _quote(passages, followed_of(query)),
    )


def _quote(passages: Sequence[Mapping[str, Any]], id: str) -> Markup:
    return next((quoted(passage, "fused") for passage in passages if passage["id"] == id), Markup(""))


def _ranks_text(row: Mapping[str, Any]) -> str:
    ranks = sorted(row[source]["rank"] for source in SOURCES if row[source])
    return f"Ranks {ranks[0]} and {ranks[1]}" if len(ranks) > 1 else f"Rank {ranks[0]} alone"


def _rank_text(part: Mapping[str, Any] | None) -> str:
    return rank_words(None if part is None else part["rank"])


def _three(query: Query, names: Mapping[str, str], k: int) -> Markup:
    """The first results of both lists and of the fused one; what is followed stands in all, wherever its rank."""
    evidence, followed = set(query["evidence_chunks"]), followed_of(query)
    fused = {row["id"]: row for row in query["fused"]}
    drawn = []
    for source in SOURCES:
        entries = [
            entry(rank, id, source, names, evidence, followed)
            for rank, id in enumerate(query[source], start=1)
            if rank <= SHOWN or id == followed
        ]
        part = fused[followed][source] if followed in fused else None
        if part is not None and part["rank"] > len(query[source]):
            entries.append(entry(part["rank"], followed, source, names, evidence, followed))
        drawn.append(rank_list(entries, title=f"The {source} list"))
    merged = [
        entry(row["rank"], row["id"], "fused", names, evidence, followed, data(row["score"], 5))
        for row in query["fused"]
        if row["rank"] <= SHOWN or row["id"] == followed
    ]
    if followed not in fused and followed in query["by_k"]["ids"]:
        rank = ranks_at(query, k)[query["by_k"]["ids"].index(followed)]
        merged.append(entry(rank, followed, "fused", names, evidence, followed))
    return pair(drawn[0], drawn[1], titles=("", "")) + rank_list(merged, title="The fused list")


def _sums(query: Query, names: Mapping[str, str], k: int) -> Markup:
    rows: list[list[Cell]] = [
        [
            f"{row['rank']}. {names[row['id']]}",
            *(_part(row[source], k) for source in SOURCES),
            arithmetic(Markup("sum {}").format(data(row["score"], 5)), _expression(row, k)),
        ]
        for row in query["fused"][: SHOWN + 3]
    ]
    columns: list[str | Col] = [
        "Fused rank and passage",
        *(Col(mark(source), numeric=True) for source in SOURCES),
        Col("sum", 5),
    ]
    classes = ["is-on" if row["evidence"] else "" for row in query["fused"][: SHOWN + 3]]
    return table(columns, rows, title="1 / (k + rank), list by list", row_classes=classes)


def _part(part: Mapping[str, Any] | None, k: int) -> Cell:
    if part is None:
        return Markup('<span class="note-inline">not in the list</span>')
    return Markup('{} <span class="note-inline">rank {}</span>').format(data(part["part"], 5), part["rank"])


def _expression(row: Mapping[str, Any], k: int) -> str:
    return " + ".join(f"1/({k} + {row[source]['rank']})" for source in SOURCES if row[source]) + f" = {row['fraction']}"


def _mistake(query: Query, names: Mapping[str, str], k: int) -> Markup:
    """The shown results in their order, and in the order that 1/k for every missing rank would give them."""
    rows = query["fused"]
    wrong = {row["id"]: row["score"] + sum(row[source] is None for source in SOURCES) / k for row in rows}
    order = sorted(rows, key=lambda row: (-wrong[row["id"]], row["id"]))

    def line(rank: int, row: Mapping[str, Any], score: float, move: int | None) -> Rank:
        absent = [source for source in SOURCES if row[source] is None]
        note = f"not in the {absent[0]} list" if absent else "in both lists"
        role = "fused" if not absent else next(source for source in SOURCES if row[source])
        return Rank(rank, names.get(row["id"], bare(row["id"])), data(score, 5), role, note, move, row["evidence"])

    right = [line(row["rank"], row, row["score"], None) for row in rows[:SHOWN]]
    failed = [line(rank, row, wrong[row["id"]], row["rank"] - rank) for rank, row in enumerate(order[:SHOWN], start=1)]
    note = Markup(
        '<div class="note-inline">Order among the {} fused results captured. What each missing rank adds: {}</div>'
    )
    return pair(
        rank_list(right, title="Missing gives nothing"),
        rank_list(failed, title="The mistake: missing counts as rank 0"),
        titles=("", ""),
    ) + note.format(len(rows), arithmetic(Markup("a part of {}").format(data(1 / k, 5)), f"1/({k} + 0)"))


def _by_k(query: Query, names: Mapping[str, str], k: int) -> Markup:
    tracked = query["by_k"]["ids"]
    followed = {row["id"] for row in query["fused"] if row["evidence"]}
    shown = [k_value for k_value in (1, 10, k, 200) if k_value >= query["by_k"]["rows"][0]["from_k"]]
    order = sorted(range(len(tracked)), key=lambda at: ranks_at(query, k)[at])
    rows: list[list[Cell]] = [
        [names[tracked[at]], *(ranks_at(query, value)[at] for value in shown)] for at in order[:10]
    ]
    columns: list[str | Col] = ["Passage", *(Col(f"k\u00a0=\u00a0{value}", numeric=True) for value in shown)]
    classes = ["is-on" if tracked[at] in followed else "" for at in order[:10]]
    return table(columns, rows, title="Fused rank by k", row_classes=classes)


def _k_curve(rows: Sequence[Mapping[str, Any]], n: int, top: int) -> Markup:
    series = [Series(words, [(row["k"], row[f"MRR@10 {label}"]) for row in rows]) for label, words in LABELS.items()]
    drawn = line_chart(
        series,
        title=f"MRR@{top} of the fused list by k",
        desc=f"Both lines by k, {n} questions, on one scale from 0 to 1.",
        x=Axis("k", 0),
        y=Axis(f"MRR@{top}", 3, low=0, high=1),
    )
    columns: list[str | Col] = ["k", Col(f"top tens of {n} that differ", numeric=True)]
    shown: list[list[Cell]] = [[str(row["k"]), row["changed"]] for row in rows if row["k"] in CHANGES]
    return drawn + table(columns, shown, title="Top tens that differ from those of the default k")


def _quality(rows: Sequence[Mapping[str, Any]]) -> Markup:
    def drawn(label: str) -> Markup:
        found = {row["retriever"]: row for row in rows if row["label"] == label and row["metric"] == "MRR@10"}
        entries = [
            Bar(mark(name), found[name]["mean"], name, (found[name]["low"], found[name]["high"])) for name in RETRIEVERS
        ]
        note = f"{found['fused']['n']} questions; 95% bootstrap intervals."
        return bars(entries, title=f"MRR@10, label: {LABELS[label]}", digits=3, maximum=1, note=note)

    return Markup("").join(drawn(label) for label in LABELS)


def _differences(rows: Sequence[Mapping[str, Any]]) -> Markup:
    def drawn(label: str) -> Markup:
        kept = [
            row for row in rows
            if row["to"] == "fused" and row["base"] in SOURCES and row["label"] == label
        ]  # fmt: skip
        cells: list[list[Cell]] = [
            [
                f"{row['metric']} against {row['base']}",
                row["difference"],
                Markup("{} to {}").format(data(row["low"], 3), data(row["high"], 3)),
                row["better"],
                row["same"],
                row["worse"],
            ]
            for row in kept
        ]
        columns: list[str | Col] = [
            "Fused list", Col("difference", 3), Col("95% interval", numeric=True),
            *(Col(word, numeric=True) for word in ("better", "same", "worse")),
        ]  # fmt: skip
        return table(columns, cells, title=f"Label: {LABELS[label]}, {kept[0]['n']} questions")

    return Markup("").join(drawn(label) for label in LABELS)


WALKTHROUGH = Walkthrough(
    dataset="rrf",
    kind=rank_flow.KIND,
    id="rrf",
    title="How does a passage that no list put first end up first?",
    intro=(
        "One real question, asked of an exact lexical and an exact dense search over the same chunks. The highlighted "
        "passage holds the sentence the question was drafted from."
    ),
    steps=steps,
    prediction=Prediction(
        before="k",
        ask="k goes from 60 to 1. Does agreement in the middle of both lists still beat a single first place?",
        options=(
            Option("Yes, the order hardly depends on k", False, "At k = 1 the first rank is worth 1/2 and the tenth "
                   "1/11; at k = 60 they are worth 1/61 and 1/70."),
            Option("Less often: first places gain weight", True, "Two third places give 2/4 at k = 1, as much as one "
                   "first place alone; at k = 60 they give nearly twice as much."),
            Option("More often: small k rewards presence in both lists", False, "That is what a large k does."),
        ),
    ),
)  # fmt: skip

FURTHER = (_rrf_k.WALKTHROUGH,)
