"""The scalars of ``dedup`` that prose may cite, each pointing at the place in the result where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from harness.capture.api import Figure

FAMILY = {
    "rfc": "RFCs", "contract": "contracts", "filing": "annual reports", "form": "Forms 8-K",
    "exhibit": "exhibits", "across": "texts of two families",
}  # fmt: skip
CONTROL = {
    "embedded": "a document put into another", "reformatted": "a document printed another way",
    "hyphenated": "a document with words divided at line ends", "replaced": "a document with words replaced",
}  # fmt: skip


def threshold_name(limit: int | None) -> str:
    """How figures name a threshold: ``all`` where nothing is taken out, else the number of texts."""
    return "all" if limit is None else str(limit)


def figures(result: Mapping[str, Any], timings: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Figure]:
    """Return every figure of the dataset."""
    return {
        **_population(result["population"]),
        **_controls(result, params),
        **_thresholds(result),
        **_related(result),
        **_sampling(result),
        **_times(timings),
    }


def _population(population: Mapping[str, Any]) -> dict[str, Figure]:
    labels = {
        "texts": "texts compared", "documents": "documents of the corpus", "submissions": "submissions in the archive",
        "forms": "forms in the archive", "exhibits": "exhibits in the archive",
        "shingles": "shingles, counted once a text", "distinct": "different shingles",
        "boilerplate": "different shingles taken out as boilerplate", "pairs": "pairs of texts",
        "pairs_sharing": "pairs of texts with a shingle in common",
    }  # fmt: skip
    found = {
        name: Figure(population[name], "", label, at=f"/result/population/{name}") for name, label in labels.items()
    }
    for i, row in enumerate(population["families"]):
        at = f"/result/population/families/{i}/texts"
        found[f"texts_{row['family']}"] = Figure(row["texts"], "", f"texts: {FAMILY[row['family']]}", at=at)
    return found


def _controls(result: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Figure]:
    found = {}
    for i, row in enumerate(result["controls"]):
        name, what, at = row["control"], CONTROL[row["control"]], f"/result/controls/{i}"
        for key, label in (
            ("lowest", "lowest containment"), ("mean", "mean containment"), ("highest", "highest containment"),
            ("lowest_clear", "lowest containment without boilerplate"), ("jaccard", "mean Jaccard similarity"),
        ):  # fmt: skip
            found[f"{name}_{key}"] = Figure(row[key], "", f"{label}: {what}", 3, row["n"], at=f"{at}/{key}")
        for key, label in (("samples", "samples taken"), ("samples_below_one", "samples in which it is below one")):
            found[f"{name}_{key}"] = Figure(row[key], "", f"{label}: {what}", at=f"{at}/{key}")
    found["controls"] = Figure(result["controls"][0]["n"], "", "documents of each control", at="/result/controls/0/n")
    found["replaced_expected"] = Figure(
        result["replaced_expected"], "", "containment expected with words replaced", 3, at="/result/replaced_expected"
    )
    return found


def _thresholds(result: Mapping[str, Any]) -> dict[str, Figure]:
    found = {}
    for i, row in enumerate(result["thresholds"]):
        name, at = threshold_name(row["limit"]), f"/result/thresholds/{i}"
        words = "nothing taken out" if row["limit"] is None else f"shingles of over {row['limit']} texts taken out"
        found[f"taken_{name}"] = Figure(100 * (1 - row["kept"]), "%", f"share of shingles gone, {words}", 1)
        found[f"too_little_{name}"] = Figure(
            row["too_little"], "", f"texts with too little left, {words}", at=f"{at}/too_little"
        )
        found[f"superseding_mean_{name}"] = Figure(
            row["superseding_mean"], "", f"mean containment of superseded RFCs, {words}", 3,
            at=f"{at}/superseding_mean",
        )  # fmt: skip
    for i, row in enumerate(result["unrelated"]):
        name = f"{row['family']}_{threshold_name(row['limit'])}"
        words = "nothing taken out" if row["limit"] is None else f"shingles of over {row['limit']} texts taken out"
        what, at = f"unrelated {FAMILY[row['family']]}, {words}", f"/result/unrelated/{i}"
        found[f"unrelated_mean_{name}"] = Figure(
            row["mean"], "", f"mean containment, {what}", 4, row["n"], (row["low"], row["high"]), f"{at}/mean"
        )
        found[f"unrelated_p99_{name}"] = Figure(
            row["p99"], "", f"99th percentile of containment, {what}", 3, row["n"], at=f"{at}/p99"
        )
        found[f"unrelated_largest_{name}"] = Figure(
            row["largest"], "", f"largest containment, {what}", 3, row["n"], at=f"{at}/largest"
        )
        found[f"unrelated_over_{name}"] = Figure(
            row["over"], "", f"pairs at the line or above, {what}", 0, row["n"], at=f"{at}/over"
        )
        found[f"unrelated_n_{name}"] = Figure(row["n"], "", f"pairs drawn, {what}", at=f"{at}/n")
    return found


def _related(result: Mapping[str, Any]) -> dict[str, Figure]:
    summary, filed, twice = result["superseding_summary"], result["filed_summary"], result["twice_summary"]
    n = summary["pairs"]
    found = {
        "superseding_mean": Figure(
            summary["mean"], "", "mean containment of superseded RFCs in their successor", 3, n,
            (summary["low"], summary["high"]), "/result/superseding_summary/mean",
        ),
    }  # fmt: skip
    for key, label, digits in (
        ("pairs", "pairs of a superseded RFC and its successor", 0),
        ("old_documents", "superseded RFCs with a successor in the corpus", 0),
        ("successor_first", "superseded RFCs that a successor contains more of than any other text", 0),
        ("over_line", "superseding pairs at the line of unrelated texts or above", 0),
        ("half", "superseded RFCs half or more in their successor, pairs", 0),
        ("most", "largest containment of a superseded RFC", 3),
        ("least", "smallest containment of a superseded RFC", 3),
    ):
        found[f"superseding_{key}"] = Figure(
            summary[key], "", label, digits, n, at=f"/result/superseding_summary/{key}"
        )
    for key, label, digits in (
        ("exhibits", "exhibits held against the file they were filed in", 0),
        ("whole", "exhibits that stand in their file to the last shingle", 0),
        ("missing_most", "most shingles of an exhibit that its file lacks", 0),
        ("lowest", "lowest containment of an exhibit in its file", 3),
        ("mean", "mean containment of exhibits in their file", 3),
        ("jaccard_mean", "mean Jaccard similarity of exhibits and their file", 3),
        ("jaccard_lowest", "lowest Jaccard similarity of an exhibit and its file", 3),
        ("jaccard_half", "exhibits whose Jaccard similarity to their file reaches one half", 0),
    ):
        found[f"filed_{key}"] = Figure(
            filed[key], "", label, digits, filed["exhibits"], at=f"/result/filed_summary/{key}"
        )
    for key, label in (
        ("pairs", "pairs of texts of which one is nearly or wholly in the other, in no metadata"),
        ("equal", "of them with equal sets of shingles"),
        ("same_file", "of them whose files have the same checksum"), ("exhibit", "of them exhibits"),
        ("contract", "of them contracts"), ("rfc", "of them RFCs"), ("filing", "of them annual reports"),
    ):  # fmt: skip
        found[f"twice_{key}"] = Figure(twice[key], "", label, at=f"/result/twice_summary/{key}")
    return found


def _sampling(result: Mapping[str, Any]) -> dict[str, Figure]:
    found = {}
    for i, row in enumerate(result["errors"]):
        rate, at, n = row["rate"], f"/result/errors/{i}", row["pairs"]
        found[f"error_{rate}"] = Figure(
            row["mean"], "", f"mean error of containment at 1 in {rate}", 4, n, (row["low"], row["high"]), f"{at}/mean"
        )
        for key, label, digits in (
            ("p95", "95th percentile of the error", 3), ("largest", "largest error", 3),
            ("expected", "mean error expected of a random sample", 4),
            ("jaccard_mean", "mean error of the Jaccard similarity", 4), ("shingles", "mean shingles in a sample", 0),
        ):  # fmt: skip
            found[f"error_{key}_{rate}"] = Figure(row[key], "", f"{label} at 1 in {rate}", digits, n, at=f"{at}/{key}")
        found[f"covered_{rate}"] = Figure(
            100 * row["covered"],
            "%",
            f"nominal 95% intervals that hold the exact value, 1 in {rate}",
            1,
            row["samples"],
        )
        found[f"samples_{rate}"] = Figure(row["samples"], "", f"estimates at 1 in {rate}", at=f"{at}/samples")
    found["error_pairs"] = Figure(
        result["errors"][0]["pairs"], "", "pairs whose estimates were compared", at="/result/errors/0/pairs"
    )
    for i, row in enumerate(result["errors_by_size"]):
        found[f"error_{row['rate']}_from_{row['from']}"] = Figure(
            row["mean"], "", f"mean error at 1 in {row['rate']}, documents of {row['from']} shingles and more", 4,
            row["pairs"], at=f"/result/errors_by_size/{i}/mean",
        )  # fmt: skip
    for i, row in enumerate(result["passes"]):
        for key, label in (
            ("postings", "postings of the index"), ("flagged", "ordered pairs flagged"),
            ("right", "flagged pairs that are right"), ("missed", "pairs missed"), ("wrong", "pairs flagged wrongly"),
        ):  # fmt: skip
            found[f"pass_{key}_{row['rate']}"] = Figure(
                row[key], "", f"{label} at 1 in {row['rate']}", at=f"/result/passes/{i}/{key}"
            )
    return found


def _times(timings: Mapping[str, Any]) -> dict[str, Figure]:
    return {
        f"pass_seconds_{row['rate']}": Figure(
            float(np.median(row["processor_seconds"])), "s",
            f"processor time of one pass over all pairs at 1 in {row['rate']}, median", 1,
            len(row["processor_seconds"]), (min(row["processor_seconds"]), max(row["processor_seconds"])),
            volatile=True,
        )
        for row in timings["passes"]
    }  # fmt: skip
