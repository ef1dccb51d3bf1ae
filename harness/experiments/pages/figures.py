"""The scalars of ``pages`` that prose may cite, each pointing at the place in the result where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure
from harness.experiments.pages.families import FAMILIES
from harness.experiments.pages.page_labels import KINDS
from harness.experiments.pages.wrong import ESTIMATES

CHUNKER = {"fixed": "fixed windows", "section_aware": "section-aware packing"}


def figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    """Return every figure of the dataset."""
    found: dict[str, Figure] = {}
    for i, row in enumerate(result["families"]):
        found |= _family(row, f"/result/families/{i}")
    for key, label in (
        ("documents", "documents"), ("paged", "documents with real page breaks"),
        ("unpaged", "documents without page breaks"), ("pages", "pages"),
        ("chunks_fixed", "chunks of fixed windows"), ("chunks_section_aware", "chunks of section-aware packing"),
        ("two_fixed", "fixed windows that lie on two pages or more"),
        ("two_section_aware", "section-aware chunks that lie on two pages or more"),
        ("page_invented", "chunks of documents without pages that carry a page"),
        ("page_missing", "chunks of documents with pages that carry none"),
        ("ambiguous", "pages whose printed label another page of the document prints too"),
    ):  # fmt: skip
        found[key] = Figure(result["population"][key], "", label, at=f"/result/population/{key}")
    for i, row in enumerate(result["sizes"]):
        words, at = FAMILIES[row["family"]], f"/result/sizes/{i}"
        for key, label in (("characters", "characters a page"), ("lines", "lines a page")):
            for part, which in (("", "mean"), ("_p10", "10th percentile"), ("_p90", "90th percentile")):
                found[f"{key}{part}_{row['family']}"] = Figure(
                    row[key + part], "", f"{label} of {words}, {which} of documents", 0, row["documents"],
                    at=f"{at}/{key}{part}",
                )  # fmt: skip
    for i, row in enumerate(result["wrong"]):
        found |= _wrong(row, f"/result/wrong/{i}")
    for row in result["depths"]:
        to = row["to"] or "end"
        name = f"depth_{row['family']}_{row['estimate']}_{row['from']}_{to}"
        label = f"passages cited to a wrong page by {ESTIMATES[row['estimate']]}: {FAMILIES[row['family']]}"
        found[name] = Figure(
            100 * row["wrong"], "%", f"{label}, real pages {row['from']} to {to}", 1, row["n"],
            (100 * row["low"], 100 * row["high"]),
        )  # fmt: skip
    for i, row in enumerate(result["quotes"]):
        found |= _quotes(row, f"/result/quotes/{i}")
    return found


def _family(row: Mapping[str, Any], at: str) -> dict[str, Figure]:
    family, words = row["family"], FAMILIES[row["family"]]
    found = {}
    for key, label in (
        ("documents", "all"), ("paged", "with real page breaks"), ("unpaged", "without page breaks"),
        ("pages", "pages"), ("ambiguous", "pages whose label another page of the document prints too"),
        ("documents_same", "documents whose every page prints its index"),
        ("documents_unlabelled", "documents with pages that print no number"),
        ("publisher_counts", "documents with pages and a count of the publisher's"),
        ("publisher_agrees", "of them, those where both agree"),
        ("unpaged_with_count", "documents without page breaks whose publisher states a number of pages"),
    ):  # fmt: skip
        found[f"{key}_{family}"] = Figure(row[key], "", f"{words}: {label}", at=f"{at}/{key}")
    for kind, label in KINDS.items():
        found[f"label_{kind}_{family}"] = Figure(
            row["labels"][kind],
            "",
            f"pages of {words} of which each {label}",
            0,
            row["pages"],
            at=f"{at}/labels/{kind}",
        )
        if row["pages"]:
            found[f"share_label_{kind}_{family}"] = Figure(
                100 * row["labels"][kind] / row["pages"], "%", f"share of pages of {words} of which each {label}", 1,
                row["pages"],
            )  # fmt: skip
    for chunker, counts in row["chunkers"].items():
        where = f"{at}/chunkers/{chunker}"
        n = counts["paged"]
        for key, label in (
            ("chunks", "chunks"), ("paged", "chunks with a page"), ("two", "chunks on two pages"),
            ("more", "chunks on three pages or more"), ("of_unpaged", "chunks without a page"),
            ("label_differs", "chunks whose first page prints another label than its index"),
            ("label_none", "chunks whose first page prints no label"),
        ):  # fmt: skip
            found[f"{key}_{family}_{chunker}"] = Figure(
                counts[key], "", f"{words}, {CHUNKER[chunker]}: {label}", at=f"{where}/{key}"
            )
        if n:
            found[f"share_spanning_{family}_{chunker}"] = Figure(
                100 * (counts["two"] + counts["more"]) / n, "%",
                f"share of the paged chunks of {words} on two pages or more, {CHUNKER[chunker]}", 1, n,
            )  # fmt: skip
            found[f"share_label_differs_{family}_{chunker}"] = Figure(
                100 * counts["label_differs"] / n, "%",
                f"share of the paged chunks of {words} whose page prints another label, {CHUNKER[chunker]}", 1, n,
            )  # fmt: skip
    return found


def _wrong(row: Mapping[str, Any], at: str) -> dict[str, Figure]:
    name = f"{row['family']}_{row['estimate']}"
    what = f"{FAMILIES[row['family']]}, {ESTIMATES[row['estimate']]}"
    return {
        f"wrong_{name}": Figure(
            100 * row["wrong"], "%", f"passages cited to a page they do not stand on: {what}", 1, row["n"],
            (100 * row["low"], 100 * row["high"]),
        ),
        f"far_{name}": Figure(100 * row["far"], "%", f"passages cited two pages off or more: {what}", 1, row["n"]),
        f"distance_{name}": Figure(
            row["mean_distance"], "pages", f"mean distance to the passage: {what}", 1, row["n"],
            at=f"{at}/mean_distance",
        ),
        f"largest_{name}": Figure(
            row["largest"], "pages", f"largest distance to the passage: {what}", 0, row["n"], at=f"{at}/largest"
        ),
        f"right_documents_{name}": Figure(
            row["documents_right"], "", f"documents without one wrong page: {what}", 0, row["documents"],
            at=f"{at}/documents_right",
        ),
    }  # fmt: skip


def _quotes(row: Mapping[str, Any], at: str) -> dict[str, Figure]:
    words = CHUNKER[row["chunker"]]
    found = {
        f"quote_elsewhere_{row['chunker']}": Figure(
            100 * row["share"], "%", f"quotes on another page than the first of their chunk, {words}", 1, row["paged"],
            (100 * row["low"], 100 * row["high"]),
        )
    }  # fmt: skip
    for key, label in (
        ("questions", "questions with a document"), ("paged", "quotes in documents with pages"),
        ("unpaged", "quotes in documents without pages"), ("unplaced", "quotes that stand in no chunk word for word"),
        ("elsewhere", "quotes on another page than the first of their chunk"),
        ("across", "quotes that run over a page break"), ("spanning", "quotes whose chunk lies on two pages or more"),
    ):  # fmt: skip
        found[f"quotes_{key}_{row['chunker']}"] = Figure(row[key], "", f"{label}, {words}", at=f"{at}/{key}")
    return found
