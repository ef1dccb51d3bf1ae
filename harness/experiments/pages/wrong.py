"""Estimated pages held against real ones, passage by passage, for documents that have real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.corpus.manifest import Entry
from harness.corpus.model import Chunk, Document
from harness.experiments.pages.estimates import (
    Estimate,
    Measures,
    by_characters,
    by_count,
    by_lines,
    distance,
    measures,
    of_others,
)
from harness.experiments.pages.families import FAMILIES
from harness.experiments.pages.shares import share_interval

ESTIMATES = {
    "rule": "a fixed number of characters a page",
    "characters": "characters a page of the other documents of the family",
    "lines": "lines a page of the other documents of the family",
    "count": "the document's own number of pages, spread evenly",
}
DEPTHS = ((1, 5), (6, 10), (11, 20), (21, 50), (51, 10**6))
"""Real pages of a document, from and to: how deep in it a passage lies."""


def estimators(document: Document, family: Sequence[Measures], own: Measures, rule: float) -> dict[str, Estimate]:
    """The four estimates of one document; ``family`` are the measures of every paged document of its family."""
    characters, lines = of_others(family, own)
    return {
        "rule": by_characters(rule),
        "characters": by_characters(characters),
        "lines": by_lines(document.text, lines),
        "count": by_count(own.characters, own.pages),
    }


def held_against(
    documents: Sequence[Document],
    source: Mapping[str, Entry],
    chunks: Mapping[str, Sequence[Chunk]],
    params: Mapping[str, Any],
) -> dict[str, list[dict[str, Any]]]:
    """Rows by family and estimate; the same by depth; and what a page takes in each family."""
    rows, depths, sizes = [], [], []
    for family in FAMILIES:
        members = [d for d in documents if source[d.id].source == family and d.page_starts]
        if not members:
            continue
        every = [measures(d) for d in members]
        sizes.append(_sizes(family, every))
        found: dict[str, list[list[tuple[int, int]]]] = {name: [] for name in ESTIMATES}
        for document, own in zip(members, every, strict=True):
            guesses = estimators(document, every, own, params["rule"])
            for name, guess in guesses.items():
                found[name].append([_distance(guess, chunk) for chunk in chunks[document.id]])
        for name, by_document in found.items():
            rows.append({"family": family, "estimate": name, **_summary(by_document, params)})
            for low, high in DEPTHS:
                inside = [[one for one in each if low <= one[0] <= high] for each in by_document]
                inside = [each for each in inside if each]
                if inside:
                    wrong = [sum(d > 0 for _, d in each) for each in inside]
                    share, least, most = share_interval(
                        wrong, [len(each) for each in inside], params["resamples"], params["seed"]
                    )
                    depths.append(
                        {
                            "family": family, "estimate": name, "from": low, "to": high if high < 10**6 else None,
                            "n": sum(map(len, inside)), "documents": len(inside), "wrong": share, "low": least,
                            "high": most,
                        }
                    )  # fmt: skip
    return {"wrong": rows, "depths": depths, "sizes": sizes}


def _distance(guess: Estimate, chunk: Chunk) -> tuple[int, int]:
    """(real first page, pages between the estimate and the passage)."""
    if chunk.page_first is None or chunk.page_last is None:
        raise ValueError(f"{chunk.id} has no page, its document has")
    return chunk.page_first, distance(guess(chunk.start), chunk.page_first, chunk.page_last)


def _summary(by_document: Sequence[Sequence[tuple[int, int]]], params: Mapping[str, Any]) -> dict[str, Any]:
    wrong = [sum(d > 0 for _, d in each) for each in by_document]
    total = [len(each) for each in by_document]
    share, low, high = share_interval(wrong, total, params["resamples"], params["seed"])
    every = np.array([d for each in by_document for _, d in each])
    return {
        "n": int(sum(total)), "documents": len(by_document), "wrong": share, "low": low, "high": high,
        "far": float((every >= 2).mean()), "mean_distance": float(every.mean()),
        "p90_distance": int(np.quantile(every, 0.9, method="higher")), "largest": int(every.max()),
        "documents_right": sum(not count for count in wrong),
    }  # fmt: skip


def _sizes(family: str, every: Sequence[Measures]) -> dict[str, Any]:
    """Characters and lines a page, document by document: mean and the middle eight in ten."""
    characters = [one.characters / one.pages for one in every]
    lines = [one.lines / one.pages for one in every]
    return {
        "family": family, "documents": len(every),
        "characters": sum(one.characters for one in every) / sum(one.pages for one in every),
        "characters_p10": float(np.quantile(characters, 0.1)), "characters_p90": float(np.quantile(characters, 0.9)),
        "lines": sum(one.lines for one in every) / sum(one.pages for one in every),
        "lines_p10": float(np.quantile(lines, 0.1)), "lines_p90": float(np.quantile(lines, 0.9)),
    }  # fmt: skip
