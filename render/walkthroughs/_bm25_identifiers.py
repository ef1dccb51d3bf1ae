"""How deep the passage with an identifier lies in both lists, cut off at each captured rank: dataset ``bm25``."""

from __future__ import annotations

from collections.abc import Sequence

from render.reading.source import Dataset
from render.views.chart import Axis, Series
from render.views.kinds import curve
from render.views.kit import mark
from render.views.walkthrough import Dial, Step, Walkthrough

LISTS = (("evidence_bm25", "lexical"), ("evidence_dense", "dense"))
Ranks = Sequence[int | None]


def _ranks(dataset: Dataset) -> dict[str, Ranks]:
    """Role → the rank of the evidence for each question, None beyond the captured depth."""
    rows = dataset.result["identifiers"]["rows"]
    return {role: [row[key] for row in rows] for key, role in LISTS}


def _cuts(dataset: Dataset) -> list[int]:
    """Every rank at which evidence stands in a list, the default cut, and the captured depth."""
    found = {rank for ranks in _ranks(dataset).values() for rank in ranks if rank is not None}
    return sorted(found | {dataset.params["k"], dataset.params["depth"]})


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (Dial("cut", tuple(str(cut) for cut in _cuts(dataset))),)


def _steps(dataset: Dataset) -> list[Step]:
    ranks, cuts = _ranks(dataset), _cuts(dataset)
    found = {role: [sum(r is not None and r <= cut for r in ranks[role]) for cut in cuts] for role in ranks}
    series = [Series(f"{role} list", list(zip(cuts, found[role], strict=True)), role) for role in ranks]
    n = len(ranks["lexical"])
    return [_cut(cut, ranks, series, n, at) for at, cut in enumerate(cuts)]


def _cut(cut: int, ranks: dict[str, Ranks], series: Sequence[Series], n: int, at: int) -> Step:
    groups = [curve.cut_at(mark(role), ranks[role], cut, "low") for role in ranks]
    lexical, dense = (group.low for group in groups)
    body = curve.state(
        series,
        groups,
        at=cut,
        word=f"first {cut}",
        sides=(f"within the first {cut}", "beyond, or not in the list"),
        title="Questions whose evidence stands at or above a rank",
        desc=f"Both lines rise with the rank; at {cut} the lexical one is at {lexical} of {n}, the other at {dense}.",
        x=Axis("rank (logarithmic)", 0, log=True),
        y=Axis("questions", 0, low=0, high=n),
        verdicts=("found", "missed"),
    )
    says = f"Of {n} questions that name an identifier, BM25 has the evidence within the first {cut} for {lexical}, "
    title = f"Cut after {cut}: {lexical} against {dense}"
    return Step(f"cut-{cut}", title, f"{says}dense retrieval for {dense}.", body, brief=f"{lexical} : {dense}")


WALKTHROUGH = Walkthrough(
    dataset="bm25",
    kind=curve.KIND,
    id="bm25-identifiers",
    title="How far down must one read to find an identifier?",
    intro=(
        "Questions that name an error code, a header field or the like. The threshold is the rank at which reading "
        "stops; it moves among the ranks at which evidence was found."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"cut-{dataset.params['k']}",
    cells="Questions found, lexical : dense",
)
