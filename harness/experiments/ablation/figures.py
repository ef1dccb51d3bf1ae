"""The scalars of ``ablation`` that prose may cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure
from harness.measuring.pointed import pointed

METRICS = {
    "context": ("context", "contexts that hold the evidence"),
    "MRR@10": ("mrr10", "MRR@10"),
    "nDCG@10": ("ndcg10", "nDCG@10"),
    "right": ("right", "answers that quote the evidence, no floor"),
}
LABELS = {"evidence": "strict label", "source": "lenient label"}
COUNTED = {
    "home": "answerable questions",
    "home_answered": "answerable questions answered at the floor",
    "home_right": "answerable questions answered with a quote of the evidence at the floor",
    "home_right_no_floor": "answerable questions answered with a quote of the evidence without a floor",
    "away": "questions put by a reader who may not see their working group",
    "away_answered": "of these, answered at the floor",
    "none": "questions that the corpus cannot answer",
    "none_answered": "of these, answered at the floor",
}
SHARES = (
    ("over_abstention", "home", "over-abstention at the floor"),
    ("false_away", "away", "false-answer rate of away questions at the floor"),
)
SIDES = {"working": "working part", "held_out": "held-out fifth", "all": "all questions"}


def figures(result: Mapping[str, Any], timings: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of the dataset."""
    found = {
        f"n_{key}": pointed(result, f"/result/population/{key}", words)
        for key, words in {
            "chunks": "passages searched", "documents": "documents", "queries": "golden questions",
            "answerable": "questions with evidence", "held_out": "questions held out",
            "none": "questions that the corpus cannot answer",
        }.items()
    }  # fmt: skip
    for at, row in enumerate(result["rows"]):
        found |= _row(result, at, row)
        for share in (50, 95):
            spent = timings["rows"][at]
            found[f"{row['row']}_p{share}"] = Figure(
                spent[f"p{share}"], "ms", f"p{share} of retrieval, {row['says']}", 1, row["n"],
                (spent[f"p{share}_low"], spent[f"p{share}_high"]), f"/timings/rows/{at}/p{share}", volatile=True,
            )  # fmt: skip
    for at, gap in enumerate(result["differences"]):
        found |= _difference(result, at, gap)
    return found | _floor(result)


def _row(result: Mapping[str, Any], at: int, row: Mapping[str, Any]) -> dict[str, Figure]:
    name, n = row["row"], row["n"]
    found = {
        f"{name}_tokens": pointed(result, f"/result/rows/{at}/tokens", f"context, mean, {row['says']}", 0, "tokens", n),
        f"{name}_context_count": pointed(
            result, f"/result/rows/{at}/context count", f"contexts that hold the evidence, {row['says']}", n=n
        ),
        f"{name}_right_count": pointed(
            result, f"/result/rows/{at}/right count", f"answers that quote the evidence, no floor, {row['says']}", n=n
        ),
    }
    for metric, (short, words) in METRICS.items():
        for label, kind in LABELS.items():
            if row.get(f"{metric} {label}") is not None:
                key = f"{name}_{short}" if label == "evidence" else f"{name}_{short}_source"
                found[key] = pointed(
                    result, f"/result/rows/{at}/{metric} {label}", f"{words}, {row['says']}, {kind}", 3, "", n
                )
    return found


def _difference(result: Mapping[str, Any], at: int, gap: Mapping[str, Any]) -> dict[str, Figure]:
    short, words = METRICS[gap["metric"]]
    suffix = "" if gap["label"] == "evidence" else "_source"
    name = f"{short}_{gap['to']}_over_{gap['base']}{suffix}"
    place = f"/result/differences/{at}"
    label = f"{words}, {gap['to']} minus {gap['base']}, {LABELS[gap['label']]}"
    found = {
        f"gain_{name}": pointed(
            result, f"{place}/difference", label, 3, "", gap["n"], (gap["low"], gap["high"])
        ),
        f"gain_{name}_finding": pointed(result, f"{place}/finding", f"finding: {label}", n=gap["n"]),
    }  # fmt: skip
    for way in ("better", "worse"):
        found[f"{way}_{name}"] = pointed(result, f"{place}/{way}", f"questions {way}: {label}", n=gap["n"])
    return found


def _floor(result: Mapping[str, Any]) -> dict[str, Figure]:
    found = {"floor": pointed(result, "/result/floor/value", "floor under the best quote's score", 3)}
    for at, part in enumerate(result["floor"]["parts"]):
        side = part["part"]
        for key, words in COUNTED.items():
            group = part[key.split("_")[0]]
            found[f"{key}_{side}"] = pointed(
                result, f"/result/floor/parts/{at}/{key}", f"{words}, {SIDES[side]}", n=group
            )
        for key, group, words in SHARES:
            share = part[f"{group}_answered"] / part[group]
            value = 100 * (1 - share if group == "home" else share)
            found[f"{key}_{side}"] = Figure(value, "%", f"{words}, {SIDES[side]}", 1, part[group])
    return found
