"""Dataset ``dedup``: which documents stand in which, over the whole corpus in one pass.

The texts are the documents of the corpus and every form and exhibit of an archive of full submissions. Their shingles
go through an inverted index once; everything else is read from what that pass counted, or from single pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.capture.api import EXACT, Capture, Payload, Run
from harness.dedup.index import Pairs, frequent, pairs
from harness.dedup.shingles import Shingler
from harness.experiments.dedup import cases, known, related, sampling, unrelated
from harness.experiments.dedup.figures import figures
from harness.experiments.dedup.sources import FAMILIES, Sources, sources


def capture(run: Run) -> Payload:
    """Shingle every text, count all pairs, then look at controls, thresholds, related pairs and samples."""
    params = run.params
    found = sources(run)
    shingle = Shingler(params["width"])
    sets = [shingle(item.text) for item in found.items]
    run.log(f"{len(sets)} texts, {sum(map(len, sets)):,} shingles")
    exact = pairs(sets, params["edges"])
    common = frequent(sets, params["limit"])
    run.log(f"{len(common):,} shingles stand in more than {params['limit']} texts")
    drawn = unrelated.drawn(found.items, found.supersedes, params["unrelated"], params["seed"])
    superseded = related.superseding(found, exact, params)
    filed = related.filed(found, sets, shingle)
    twice = related.announced_by_nobody(found, exact, params)
    chosen = sampling.chosen_pairs(exact, params)
    by_rate, by_size = sampling.errors(chosen, sets, common, params)
    passed, seconds = sampling.passes(sets, exact, params, run.log)
    wanted = cases.chosen(
        found, superseded, filed, twice, [(int(a), int(b)) for a, b in drawn["rfc"]], exact.containment(None)
    )
    result = {
        "population": _population(found, exact, common),
        "controls": known.rows(found.items, sets, common, shingle, params),
        "replaced_expected": known.expected_after(params["replaced"], params["width"]),
        "thresholds": _thresholds(exact, superseded_places(found), params),
        "unrelated": unrelated.rows(exact, drawn, params),
        "exceptions": unrelated.exceptions(exact, drawn, found.items, params),
        "superseding": superseded,
        "superseding_summary": related.superseded_summary(superseded, params),
        "filed": filed,
        "filed_summary": _filed(filed),
        "twice": twice[: params["listed"]],
        "twice_summary": _twice(twice),
        "flagged": related.flagged(found.items, exact, params),
        "errors": by_rate,
        "errors_by_size": by_size,
        "passes": passed,
        "cases": cases.cases(found, sets, common, shingle, wanted, params),
    }
    timings = {"passes": seconds}
    return Payload(result, figures(result, timings, params), timings)


def superseded_places(found: Sources) -> list[tuple[int, int]]:
    """The superseding pairs as rows of the index."""
    place = {item.id: n for n, item in enumerate(found.items)}
    return [(place[old], place[new]) for old, new in found.supersedes]


def _population(found: Sources, exact: Pairs, common: Any) -> dict[str, Any]:
    sizes = exact.size()
    families = [
        {
            "family": family,
            "texts": sum(item.family == family for item in found.items),
            "shingles": int(sum(size for item, size in zip(found.items, sizes, strict=True) if item.family == family)),
        }
        for family in FAMILIES
    ]
    return {
        "texts": len(found.items), "submissions": found.submissions, "families": families,
        "documents": sum(row["texts"] for row in families[:3]), "forms": families[3]["texts"],
        "exhibits": families[4]["texts"], "shingles": int(sizes.sum()), "distinct": int(exact.distinct.sum()),
        "boilerplate": len(common), "pairs": len(found.items) * (len(found.items) - 1) // 2,
        "pairs_sharing": int((np.triu(exact.common(), k=1) > 0).sum()),
    }  # fmt: skip


def _thresholds(exact: Pairs, places: list[tuple[int, int]], params: dict[str, Any]) -> list[dict[str, Any]]:
    """One row a threshold: what is taken out, which texts have too little left, what superseding pairs keep."""
    whole = exact.size()
    rows = []
    for limit in (None, *reversed(exact.edges)):
        size, shares = exact.size(limit), exact.containment(limit)
        values = [float(np.nan_to_num(shares[a, b])) for a, b in places]
        rows.append(
            {
                "limit": limit,
                "kept": float(size.sum() / whole.sum()),
                "too_little": int(((size < params["least"]) & (whole >= params["least"])).sum()),
                "superseding_mean": float(np.mean(values)),
                "superseding_half": sum(value >= params["flag"] for value in values),
            }
        )
    return rows


def _filed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    shares = [row["containment"] for row in rows]
    similar = [row["jaccard"] for row in rows]
    return {
        "exhibits": len(rows), "whole": sum(share == 1 for share in shares), "lowest": min(shares),
        "missing_most": max(row["missing"] for row in rows),
        "mean": float(np.mean(shares)), "jaccard_mean": float(np.mean(similar)), "jaccard_lowest": min(similar),
        "jaccard_half": sum(value >= 0.5 for value in similar),
    }  # fmt: skip


def _twice(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "pairs": len(rows),
        "equal": sum(row["jaccard"] == 1 for row in rows),
        "same_file": sum(row["same_file"] for row in rows),
        **{family: sum(row["family"] == family for row in rows) for family in FAMILIES if family != "form"},
    }


CAPTURE = Capture(
    name="dedup",
    title="Which documents stand in which, and how well a sample of their shingles tells",
    describes=(
        "Containment and Jaccard similarity of all pairs of the corpus and of an archive of full Form 8-K "
        "submissions, by shingles of five words in one pass over an inverted index; controls that are known "
        "beforehand, boilerplate at nine thresholds, and the error of samples of one shingle in four, sixteen and "
        "sixty-four."
    ),
    kind="measured",
    capture=capture,
    params={
        "width": 5, "edges": [2, 5, 10, 20, 40, 80, 160, 320], "limit": 10, "least": 50, "least_sampled": 200,
        "rates": [1, 4, 16, 64], "line": 0.05, "flag": 0.5, "contained": 0.9, "lines": [0.05, 0.2, 0.5, 0.8, 0.95],
        "controls": 100, "unrelated": 1000, "hyphenated": 40, "replaced": 0.05, "error_pairs": 1000, "listed": 40,
        "excerpt": 280, "repeats": 3, "resamples": 10000, "seed": 0,
    },
    canary_params={
        "edges": [2, 4, 6], "limit": 4, "least": 5, "least_sampled": 20, "rates": [1, 2, 4], "controls": 4,
        "unrelated": 20, "error_pairs": 20, "repeats": 1, "resamples": 200, "listed": 5,
    },
    caveats=(
        "A shingle is five words; shares count shingles once a document, not pages or bytes.",
        "Unless said otherwise, shingles that stand in more than ten texts are left out of both sides.",
        "Unrelated pairs are drawn from different tenants or issuers. No person has judged them.",
    ),
    determinism=EXACT,
    minutes=5.0,
    corpus="full",
)  # fmt: skip
