"""One question fused at every k from 1 to the largest captured: dataset ``rrf``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import arithmetic, data, rank_list
from render.views.walkthrough import Dial, Step, Walkthrough
from render.walkthroughs._passages import places
from render.walkthroughs._rrf_case import SOURCES, Query, asked, entry, first, followed_of, rank_words, ranks_at

SHOWN = 5


@dataclass(frozen=True)
class Span:
    """Values of k, both ends included, between which the part of the list that is shown stays as it is."""

    low: int
    high: int

    @property
    def text(self) -> str:
        """``13`` or ``14–15``."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def _query(dataset: Dataset) -> Query:
    queries = dataset.result["queries"]
    query: Query = first(queries, "agreement") or queries[0]
    return query


def _list(query: Query, k: int) -> list[tuple[int, str]]:
    """(rank, id) of the captured passages among the first, and of the followed one, in order of rank."""
    pairs = sorted(zip(ranks_at(query, k), query["by_k"]["ids"], strict=True))
    return [(rank, id) for rank, id in pairs if rank <= SHOWN or id == followed_of(query)]


def spans(dataset: Dataset) -> list[Span]:
    """The values of k from the first captured to the largest, joined where the list shown does not change."""
    query, largest = _query(dataset), int(dataset.params["largest_k"])
    starts = [row["from_k"] for row in query["by_k"]["rows"]]
    kept = [k for i, k in enumerate(starts) if i == 0 or _list(query, k) != _list(query, starts[i - 1])]
    return [Span(low, high - 1) for low, high in zip(kept, [*kept[1:], largest + 1], strict=True)]


def _steps(dataset: Dataset) -> list[Step]:
    query = _query(dataset)
    names = places(dataset.result["passages"])
    return [_setting(query, span, names) for span in spans(dataset)]


def _setting(query: Query, span: Span, names: Mapping[str, str]) -> Step:
    followed, evidence = followed_of(query), set(query["evidence_chunks"])
    parts = {row["id"]: row for row in query["fused"]}
    shown = _list(query, span.low)
    entries = [
        entry(rank, id, "fused", names, evidence, followed, data(_sum(parts[id], span.low), 5)) for rank, id in shown
    ]
    rank = next(rank for rank, id in shown if id == followed)
    rival = next(id for _, id in shown if id != followed)
    sums = Markup("").join(
        arithmetic(
            Markup("{} {}").format(names[id], data(_sum(parts[id], span.low), 5)), _expression(parts[id], span.low)
        )
        for id in sorted((followed, rival), key=lambda id: -_sum(parts[id], span.low))
    )
    body = asked(query) + rank_list(entries, title=f"The fused list, scores at k = {span.low}")
    body += Markup("<div>{}</div>").format(sums)
    places_of = (f"{rank_words(parts[followed][source]['rank'])} in the {source} list" for source in SOURCES)
    says = f"The highlighted passage is {' and '.join(places_of)}, whatever k is."
    title = f"k = {span.text}: number {rank}"
    brief, tone = str(rank), sweep.tone(rank, 10, 1)
    return Step(f"k-{span.low}", title, says, body, brief=brief, tone=tone)


def _sum(row: Mapping[str, Any], k: int) -> float:
    return float(sum(1 / (k + row[source]["rank"]) for source in SOURCES if row[source]))


def _expression(row: Mapping[str, Any], k: int) -> str:
    return " + ".join(f"1/({k} + {row[source]['rank']})" for source in SOURCES if row[source])


def _opens(dataset: Dataset) -> str:
    k = int(dataset.params["k"])
    return next(f"k-{span.low}" for span in spans(dataset) if span.low <= k <= span.high)


WALKTHROUGH = Walkthrough(
    dataset="rrf",
    kind=sweep.KIND,
    id="rrf-k",
    title="From which k on does agreement win?",
    intro=(
        "The same question at every k captured. Values of k that give the same order are one setting; of the list, "
        "the passages that are first at the default k are shown."
    ),
    steps=_steps,
    dials=lambda dataset: (Dial("k", tuple(span.text for span in spans(dataset))),),
    opens=_opens,
    cells="Rank of the highlighted passage",
)
