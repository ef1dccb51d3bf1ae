"""Pairs that belong together: superseded and superseding, exhibit and filing, and what nobody announced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.dedup.index import Pairs
from harness.dedup.sets import compare
from harness.dedup.shingles import Hashes, Shingler
from harness.evaluation.bootstrap import mean_interval
from harness.experiments.dedup.sources import EXHIBIT, FORM, Item, Sources


def superseding(found: Sources, pairs: Pairs, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a pair: how much of the old text stands in the new one, and whether any other document holds more."""
    place = {item.id: n for n, item in enumerate(found.items)}
    raw, clear = pairs.containment(None), pairs.containment(params["limit"])
    jaccard = pairs.jaccard(params["limit"])
    rows = []
    for old, new in found.supersedes:
        a, b = place[old], place[new]
        rows.append(
            {
                "old": old, "old_title": found.items[a].title, "new": new, "new_title": found.items[b].title,
                "with_boilerplate": float(raw[a, b]), "containment": _number(clear[a, b]),
                "back": _number(clear[b, a]), "jaccard": _number(jaccard[a, b]),
                "rank": 1 + int((np.nan_to_num(clear[a]) > np.nan_to_num(clear[a, b])).sum()),
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: (-row["containment"], row["old"], row["new"]))


def superseded_summary(rows: Sequence[Mapping[str, Any]], params: Mapping[str, Any]) -> dict[str, Any]:
    """Counts over the pairs, the mean with its interval, and old documents whose best match is a successor."""
    values = [row["containment"] for row in rows]
    mean = mean_interval(values, resamples=params["resamples"], seed=params["seed"])
    best = {row["old"]: min(r["rank"] for r in rows if r["old"] == row["old"]) for row in rows}
    return {
        "pairs": len(rows), "mean": mean.mean, "low": mean.low, "high": mean.high,
        "old_documents": len(best), "successor_first": sum(rank == 1 for rank in best.values()),
        "over_line": sum(value >= params["line"] for value in values),
        "half": sum(value >= params["flag"] for value in values),
        "most": max(values), "least": min(values),
    }  # fmt: skip


def filed(found: Sources, sets: Sequence[Hashes], shingle: Shingler) -> list[dict[str, Any]]:
    """One row an exhibit: itself against the whole file that it was filed in, read as one text."""
    rows = []
    wholes: dict[str, Hashes] = {}
    for item, own in zip(found.items, sets, strict=True):
        if item.family != EXHIBIT or not len(own):
            continue
        text = found.filed_in[item.id]
        if text not in wholes:
            wholes[text] = shingle(text)
        one = compare(own, wholes[text])
        rows.append(
            {
                "exhibit": item.id, "title": item.title, "shingles": one.left, "file_shingles": one.right,
                "missing": one.left - one.shared, "containment": one.containment, "jaccard": one.jaccard,
            }
        )  # fmt: skip
    return rows


def announced_by_nobody(found: Sources, pairs: Pairs, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Pairs of documents of which one lies to ``params["contained"]`` or more in the other; forms are left out.

    No metadata says so: exhibits filed twice, contracts that stand twice in their collection, drafts and amendments.
    One row a pair, the direction with the larger containment.
    """
    clear, raw = pairs.containment(params["limit"], params["least"]), pairs.containment(None)
    jaccard, size = pairs.jaccard(params["limit"]), pairs.size()
    said = set(found.supersedes) | {(b, a) for a, b in found.supersedes}
    rows = []
    for a, b in np.argwhere(clear >= params["contained"]):
        one, other = found.items[a], found.items[b]
        back = np.nan_to_num(clear[b, a])
        if FORM in (one.family, other.family) or (one.id, other.id) in said:
            continue
        if back > clear[a, b] or (back == clear[a, b] and b < a):
            continue
        rows.append(
            {
                "inner": one.id, "inner_title": one.title, "outer": other.id, "outer_title": other.title,
                "family": one.family, "containment": float(clear[a, b]), "back": float(back),
                "jaccard": float(jaccard[a, b]), "with_boilerplate": float(raw[a, b]), "shingles": int(size[a]),
                "same_file": one.sha256 == other.sha256 != "",
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: (-row["containment"], -row["jaccard"], row["inner"]))


def flagged(items: Sequence[Item], pairs: Pairs, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How many ordered pairs reach each of ``params["lines"]``, with boilerplate and without, by family."""
    family = np.array([item.family for item in items])
    made = []
    for limit in (None, params["limit"]):
        shares = pairs.containment(limit, params["least"])
        for line in params["lines"]:
            reached = shares >= line
            counts = {f: int(reached[family == f].sum()) for f in dict.fromkeys(family)}
            made.append({"limit": limit, "line": line, "pairs": int(reached.sum()), **counts})
    return made


def _number(value: float) -> float:
    """A share, or 0 where nothing was left to compare."""
    return 0.0 if np.isnan(value) else float(value)
