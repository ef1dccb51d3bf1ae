"""Figures that take their value from the place in the result they point at, so the two cannot differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.capture.api import Figure


def pointed(
    result: Mapping[str, Any],
    at: str,
    label: str,
    digits: int = 0,
    unit: str = "",
    n: int | None = None,
    interval: tuple[float, float] | None = None,
) -> Figure:
    """A figure with the value at the JSON pointer ``at``, which begins with ``/result``."""
    value: Any = {"result": result}
    for part in at.split("/")[1:]:
        value = value[int(part)] if isinstance(value, Sequence) else value[part]
    return Figure(value, unit, label, digits, n, interval, at)


def quality_figures(result: Mapping[str, Any], rows_at: str = "quality") -> dict[str, Figure]:
    """``hit10_bm25``, ``mrr10_dense_evidence``, …: one figure a row of ``result[rows_at]``."""
    found = {}
    for number, row in enumerate(result[rows_at]):
        label = f"{row['metric']} of {row['retriever']}, {relevant(row['label'])}"
        found[figure_name(row["metric"], row["retriever"], row["label"])] = pointed(
            result, f"/result/{rows_at}/{number}/mean", label, 3, "", row["n"], (row["low"], row["high"])
        )
    return found


def difference_figures(result: Mapping[str, Any], counts: bool = True) -> dict[str, Figure]:
    """``gain_mrr10_fused_over_dense_evidence`` with its interval, and with ``counts`` better, same, worse."""
    found = {}
    for number, row in enumerate(result["differences"]):
        name = figure_name(row["metric"], f"{row['to']}_over_{row['base']}", row["label"])
        at = f"/result/differences/{number}"
        found[f"gain_{name}"] = pointed(
            result, f"{at}/difference", f"{row['metric']} of {row['to']} minus {row['base']}, {relevant(row['label'])}",
            3, "", row["n"], (row["low"], row["high"]),
        )  # fmt: skip
        for count in ("better", "same", "worse") if counts else ():
            found[f"{count}_{name}"] = pointed(
                result, f"{at}/{count}",
                f"questions {count} by {row['metric']} with {row['to']} than with {row['base']}, "
                f"{relevant(row['label'])}",
                n=row["n"],
            )  # fmt: skip
    return found


def figure_name(metric: str, retriever: str, label: str) -> str:
    """``hit10_bm25`` for the label ``source``, ``hit10_bm25_evidence`` for the label ``evidence``."""
    short = metric.lower().replace("@", "")
    return f"{short}_{retriever}" if label == "source" else f"{short}_{retriever}_{label}"


def relevant(label: str) -> str:
    """What a label counts as relevant, in words."""
    return {
        "source": "any chunk of the source document counting as relevant",
        "evidence": "only chunks with the evidence sentence counting as relevant",
    }[label]
