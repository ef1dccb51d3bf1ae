"""Rows and scalars of `barriers` that prose may cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.capture.api import Figure, JsonObject
from harness.experiments.barriers.guess import Guessed, guess
from harness.experiments.barriers.observe import OBSERVABLES, Seen
from harness.experiments.barriers.timed import Timed, Way

ORDERS = {
    "after": "filtered after ranking",
    "statistics": "filtered before ranking, statistics over all rows",
    "before": "filtered before ranking",
}
POPULATION = {
    "chunks": "chunks in the store",
    "documents": "documents in the store",
    "tenants": "tenants in the store",
    "questions": "questions whose evidence stands on one side only",
    "left_out": "golden questions with a document that were left out",
    "north": "of these questions, those whose document is on the north side",
    "south": "of these questions, those whose document is on the south side",
    "chunks_north": "chunks on the north side",
    "chunks_south": "chunks on the south side",
    "timed": "questions asked in both worlds of the database",
}
SIDES = {
    "insider_found": "questions whose document is among the insider's exact ten",
    "insider_rows": "rows of such documents that insiders get",
    "outsider_found": "questions whose document is among the outsider's exact ten",
    "outsider_full": "questions for which the outsider gets a full page",
}


def observed(found: Mapping[tuple[str, str], Seen], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one row an observable and order of filtering: how well its worlds can be told apart."""
    rows = []
    for observable in OBSERVABLES:
        for order in ORDERS:
            seen = found.get((observable.id, order))
            if seen is None:
                continue
            result = guess(
                seen.present,
                seen.absent,
                higher=observable.higher,
                resamples=params["resamples"],
                seed=params["seed"],
            )
            rows.append(
                {"observable": observable.id, "words": observable.words, "order": order, "n": len(seen.present)}
                | _guessed(result)
                | {"mean_present": float(np.mean(seen.present)), "mean_absent": float(np.mean(seen.absent))}
            )
    return rows


def timed_rows(
    made: Sequence[Way], taken: Mapping[str, Timed], params: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return one row a way with its accuracies (they rest on a clock), and one with its times.

    Slower speaks for a hidden answer. `rows`: the rows missing from the page as a second observable of the same search.
    """
    rows, times = [], []
    for way in made:
        one = taken[way.id]
        options = {"higher": True, "resamples": params["resamples"], "seed": params["seed"]}
        by_time = guess(one.present, one.absent, **options)
        missing = [[params["k"] - count for count in counts] for counts in (one.present_rows, one.absent_rows)]
        by_rows = guess(missing[0], missing[1], **options)
        rows.append(
            {"way": way.id, "words": way.words, "filter": way.filter, "n": len(one.present)}
            | {"measured": _guessed(by_time) | {"rows": _guessed(by_rows)}}
        )
        difference = np.asarray(one.present) - np.asarray(one.absent)
        times.append(
            {"way": way.id, "n": len(one.present), "repeats": way.repeats}
            | {
                "present": _spread(one.present),
                "absent": _spread(one.absent),
                "difference": _spread(difference.tolist()),
            }
        )
    return rows, times


def _guessed(found: Guessed) -> dict[str, Any]:
    return {
        "single": found.single.mean,
        "single_interval": [found.single.low, found.single.high],
        "paired": found.paired.mean,
        "paired_interval": [found.paired.low, found.paired.high],
        "differs": found.differs,
        "told": "yes" if found.established else "no",
    }


def _spread(milliseconds: Sequence[float]) -> dict[str, float]:
    p05, p50, p95 = np.percentile(milliseconds, [5, 50, 95])
    return {"p05": round(float(p05), 3), "p50": round(float(p50), 3), "p95": round(float(p95), 3)}


def figures(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    """Return every figure of the dataset, each pointing at the place where it stands."""
    found = {
        name: Figure(result["population"][name], "", label, at=f"/result/population/{name}")
        for name, label in POPULATION.items()
    }
    sides = result["sides"]
    for name, label in SIDES.items():
        found[name] = Figure(sides[name], "", label, n=sides["n"], at=f"/result/sides/{name}")
    for name in ("rows", "searches", "foreign"):
        label = {"rows": "rows returned and checked against the rules", "searches": "searches whose rows were checked",
                 "foreign": "rows returned that the reader may not see"}[name]  # fmt: skip
        found[f"checked_{name}"] = Figure(result["checked"][name], "", label, at=f"/result/checked/{name}")
    solved = result["solved"]
    found["solved_share"] = Figure(
        solved["share"], "", "share of hidden word counts solved exactly from a printed score", 3, solved["asked"],
        at="/result/solved/share",
    )  # fmt: skip
    found["any_share"] = Figure(
        solved["any_share"], "", "share of words whose score says rightly whether a hidden chunk holds them", 3,
        solved["asked"], at="/result/solved/any_share",
    )  # fmt: skip
    for i, row in enumerate(result["observables"]):
        name, at = f"{row['observable']}_{row['order']}", f"/result/observables/{i}"
        _accuracies(found, name, f"{row['words']}, {ORDERS[row['order']]}", row, row["n"], at, volatile=False)
        for world, words in (("present", "with the document"), ("absent", "without it")):
            found[f"mean_{world}_{name}"] = Figure(
                row[f"mean_{world}"], "", f"mean over questions, {words}: {row['words']}, {ORDERS[row['order']]}", 2,
                row["n"], at=f"{at}/mean_{world}",
            )  # fmt: skip
    for i, (row, time) in enumerate(zip(result["timed"], timings["searches"], strict=True)):
        at = f"/result/timed/{i}/measured"
        _accuracies(found, f"time_{row['way']}", f"response time, {row['words']}", row["measured"], row["n"], at, True)
        name = f"rows_{row['way']}"
        part = row["measured"]["rows"]
        _accuracies(found, name, f"rows missing, {row['words']}", part, row["n"], f"{at}/rows", True)
        for world, words in (("present", "with the document"), ("absent", "without it")):
            part = time[world]
            found[f"latency_{world}_{row['way']}"] = Figure(
                part["p50"], "ms", f"median time {words}, {row['words']} (interval: 5th to 95th percentile)", 2,
                row["n"], (part["p05"], part["p95"]), f"/timings/searches/{i}/{world}/p50", volatile=True,
            )  # fmt: skip
    return found


def _accuracies(
    found: dict[str, Figure], name: str, said: str, row: Mapping[str, Any], n: int, at: str, volatile: bool
) -> None:
    attackers = {"single": "one look", "paired": "both worlds compared"}
    for attacker, words in attackers.items():
        found[f"{attacker}_{name}"] = Figure(
            row[attacker], "", f"accuracy of the guess, {words}: {said}", 3, n, tuple(row[f"{attacker}_interval"]),
            f"{at}/{attacker}", volatile=volatile,
        )  # fmt: skip
    if not volatile:
        found[f"differs_{name}"] = Figure(
            row["differs"], "", f"questions whose worlds look different: {said}", 0, n, at=f"{at}/differs"
        )
