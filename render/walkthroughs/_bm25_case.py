"""The question that the walkthroughs of ``bm25`` follow, and its ranking at one pair of dials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kit import Rank, rank_list
from render.walkthroughs._passages import places

SHOWN = 5


@dataclass(frozen=True)
class Case:
    """One question with everything captured of it: its rankings by cell, and the passages by name."""

    query: Mapping[str, Any]
    names: Mapping[str, str]
    passages: Mapping[str, Mapping[str, Any]]
    k1s: Sequence[float]
    bs: Sequence[float]
    k1: float
    b: float

    def ranking(self, k1: float, b: float) -> list[str]:
        """The ids of the top ten at one pair of dials."""
        grid = self.query["grid"]
        cell = grid["cells"][self.k1s.index(k1)][self.bs.index(b)]
        return [grid["pool"][position] for position in cell]

    @property
    def default(self) -> list[str]:
        """The top ten at the default dials."""
        return self.ranking(self.k1, self.b)

    @property
    def cells(self) -> list[tuple[float, float]]:
        """Every pair of dials."""
        return [(k1, b) for k1 in self.k1s for b in self.bs]

    @property
    def tracked(self) -> str:
        """The chunk followed through the grid: the evidence if it is ever in the ten, else the default's first."""
        evidence = set(self.query["evidence_chunks"])
        return next((id for id in [*self.default, *self.query["grid"]["pool"]] if id in evidence), self.default[0])

    def rank(self, k1: float, b: float) -> int | None:
        """The rank of the followed chunk in one cell, None beyond the ten."""
        ranking = self.ranking(k1, b)
        return ranking.index(self.tracked) + 1 if self.tracked in ranking else None

    @property
    def ranks(self) -> list[int]:
        """The rank of the followed chunk in every cell, one past the last where it is not in the ten."""
        return [self.rank(k1, b) or len(self.default) + 1 for k1, b in self.cells]

    @property
    def worst(self) -> tuple[float, float]:
        """The dials under which the followed chunk stands lowest."""
        return max(zip(self.ranks, self.cells, strict=True))[1]


def case_of(dataset: Dataset) -> Case:
    """Of the captured questions with the evidence in the default's ten, the one whose evidence the dials move most."""
    result, params = dataset.result, dataset.params
    names = places(result["passages"], result["pool"])
    passages = {row["id"]: row for row in result["passages"]}
    axes = result["grid_axes"]["k1"], result["grid_axes"]["b"]
    cases = [Case(query, names, passages, *axes, params["k1"], params["b"]) for query in result["queries"]]
    found = [case for case in cases if set(case.query["evidence_chunks"]) & set(case.default)]
    return max(found or cases, key=lambda case: max(case.ranks) - min(case.ranks))


def asked(case: Case) -> Markup:
    """The question."""
    return Markup('<p class="pair-title">Question: {}</p>').format(case.query["question"])


def place_text(rank: int | None) -> str:
    """A rank of the ten in words."""
    return "beyond the first ten" if rank is None or rank > 10 else f"number {rank}"


def ranking_list(case: Case, k1: float, b: float) -> Markup:
    """The first results of a cell, and the followed chunk at its rank; moves are against the default."""
    home = {id: rank for rank, id in enumerate(case.default, start=1)}
    here = (k1, b) == (case.k1, case.b)
    entries = []
    for rank, id in enumerate(case.ranking(k1, b), start=1):
        if rank > SHOWN and id != case.tracked:
            continue
        notes = ["holds the evidence"] if id in case.query["evidence_chunks"] else []
        if id not in home:
            notes.append("not among the default’s ten")
        move = None if here or id not in home else home[id] - rank
        entries.append(Rank(rank, case.names[id], "", "lexical", "; ".join(notes), move, id == case.tracked))
    return rank_list(entries, title=f"k1 = {k1:g}, b = {b:g}" + (" (default)" if here else ""))
