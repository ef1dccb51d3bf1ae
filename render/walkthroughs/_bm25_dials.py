"""Both dials of BM25 over their captured grid, for one question: dataset ``bm25``."""

from __future__ import annotations

from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import data, stats
from render.views.walkthrough import Dial, Step, Walkthrough
from render.walkthroughs._bm25_case import Case, asked, case_of, place_text, ranking_list


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    axes = dataset.result["grid_axes"]
    return tuple(Dial(name, tuple(f"{value:g}" for value in axes[name])) for name in ("k1", "b"))


def _id(k1: float, b: float) -> str:
    return f"k1-{k1:g}-b-{b:g}"


def _steps(dataset: Dataset) -> list[Step]:
    case = case_of(dataset)
    quality = {(row["k1"], row["b"]): row for row in dataset.result["grid_quality"]}
    n = dataset.result["population"]["queries_evidence"]
    return sweep.grid(case.k1s, case.bs, lambda k1, b: _setting(case, k1, b, quality[k1, b], n))


def _setting(case: Case, k1: float, b: float, quality: dict[str, float], n: int) -> Step:
    rank, beyond = case.rank(k1, b), len(case.default) + 1
    body = asked(case) + ranking_list(case, k1, b)
    body += stats(
        [(f"{name}, {n} questions", data(quality[f"{name} evidence"], 3), "") for name in ("MRR@10", "hit@10")]
    )
    return Step(
        _id(k1, b),
        f"k1 = {k1:g}, b = {b:g}: {place_text(rank)}",
        "The passage that answers, and below it the mean over all questions with an evidence label.",
        body,
        brief=str(rank) if rank else f">{beyond - 1}",
        tone=sweep.tone(rank or beyond, beyond, 1),
    )


WALKTHROUGH = Walkthrough(
    dataset="bm25",
    kind=sweep.KIND,
    id="bm25-dials",
    title="Where does the answer stand at every pair of dials?",
    intro="The same question, at every setting of k1 and b that was captured. Moves are against the default.",
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: _id(dataset.params["k1"], dataset.params["b"]),
    cells="Rank of the passage that answers",
)
