"""What a sample of the shingles costs: the error of the estimate, how far its own interval is right, what it finds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.dedup.index import Pairs, pairs
from harness.dedup.sets import Counted, residues, sample, without
from harness.dedup.shingles import Hashes
from harness.evaluation.bootstrap import mean_interval

Z = 1.959964
SIZES = ((200, 1000), (1000, 5000), (5000, 10**9))
"""Classes of documents by shingles left after boilerplate: from, below."""


def wilson(shared: Counted, left: Counted) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Bounds of the 95% score interval of a share (Wilson 1927); ``left`` is positive.

    It takes the sample as drawn with replacement: for 1 in N of a finite set it is too wide by about sqrt(N/(N-1)).
    """
    n = left.astype(np.float64)
    p = shared / n
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    reach = Z / (1 + Z * Z / n) * np.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    low, high = np.maximum(0.0, centre - reach), np.minimum(1.0, centre + reach)
    return np.where(shared == 0, 0.0, low), np.where(shared == left, 1.0, high)


def chosen_pairs(exact: Pairs, params: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Ordered pairs with something in common (``line`` or more) and enough to sample, at most ``error_pairs``."""
    shares = exact.containment(params["limit"], params["least_sampled"])
    every = np.argwhere(shares >= params["line"])
    rng = np.random.default_rng(params["seed"])
    kept = rng.choice(len(every), size=min(params["error_pairs"], len(every)), replace=False)
    return [(int(a), int(b)) for a, b in every[np.sort(kept)]]


def errors(
    chosen: Sequence[tuple[int, int]], sets: Sequence[Hashes], common: Hashes, params: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows by rate, and by rate and size of the document: |estimate - exact| over every sample of the rate.

    The mean error of a pair is taken over all samples of its rate (64 of them at 1 in 64), the interval over pairs.
    """
    used = {n: without(sets[n], common) for pair in chosen for n in pair}
    counted = [residues(used[a], used[b], max(params["rates"])) for a, b in chosen]
    by_rate, by_size = [], []
    for rate in params["rates"]:
        each = [_errors(one.at(rate)) for one in counted]
        means = [float(np.mean(one["error"])) for one in each if len(one["error"])]
        every = np.concatenate([one["error"] for one in each])
        interval = mean_interval(means, resamples=params["resamples"], seed=params["seed"])
        by_rate.append(
            {
                "rate": rate, "pairs": len(chosen), "samples": len(every),
                "mean": interval.mean, "low": interval.low, "high": interval.high,
                "p95": float(np.quantile(every, 0.95)), "largest": float(every.max()),
                "empty": sum(one["empty"] for one in each),
                "covered": float(np.mean(np.concatenate([one["covered"] for one in each]))),
                "expected": float(np.mean([one["expected"] for one in each])),
                "jaccard_mean": float(np.mean(np.concatenate([one["jaccard"] for one in each]))),
                "shingles": float(np.mean([one["left"] for one in each])),
            }
        )  # fmt: skip
        for low, high in SIZES:
            inside = [one for one, (a, _) in zip(each, chosen, strict=True) if low <= len(used[a]) < high]
            if inside:
                held = np.concatenate([one["error"] for one in inside])
                by_size.append(
                    {
                        "rate": rate, "from": low, "below": high if high < 10**9 else None, "pairs": len(inside),
                        "mean": float(held.mean()), "p95": float(np.quantile(held, 0.95)),
                    }
                )  # fmt: skip
    return by_rate, by_size


def _errors(counted: tuple[Counted, Counted, Counted]) -> dict[str, Any]:
    """Of one pair at one rate: errors of every sample with a shingle in it, and what theory expects of them."""
    left, right, shared = counted
    exact = shared.sum() / left.sum()
    exact_jaccard = shared.sum() / (left.sum() + right.sum() - shared.sum())
    some = left > 0
    rate = len(left)
    estimate = shared[some] / left[some]
    jaccard = shared[some] / (left + right - shared)[some]
    low, high = wilson(shared[some], left[some])
    spread = np.sqrt(exact * (1 - exact) / (left.sum() / rate) * (1 - 1 / rate))
    return {
        "error": np.abs(estimate - exact),
        "jaccard": np.abs(jaccard - exact_jaccard),
        "covered": (low <= exact + 1e-12) & (exact - 1e-12 <= high),
        "expected": float(spread * np.sqrt(2 / np.pi)),
        "empty": int((~some).sum()),
        "left": float(left.mean()),
    }


def passes(
    sets: Sequence[Hashes], exact: Pairs, params: Mapping[str, Any], log: Callable[[str], None]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(rows, timings): the whole corpus in one pass at each rate, and the flagged pairs it finds of the exact ones."""
    wanted = exact.containment(params["limit"], params["least"]) >= params["flag"]
    found, seconds = [], []
    for rate in params["rates"]:
        part = [sample(one, rate) for one in sets]
        spent, waited = [], []
        for _ in range(params["repeats"]):
            began, wall = time.process_time(), time.perf_counter()
            got = pairs(part, (params["limit"],))
            spent.append(time.process_time() - began)
            waited.append(time.perf_counter() - wall)
        shares = got.containment(params["limit"], max(1, round(params["least"] / rate)))
        flags = shares >= params["flag"]
        both = int((flags & wanted).sum())
        found.append(
            {
                "rate": rate, "postings": int(sum(len(one) for one in part)), "distinct": int(got.distinct.sum()),
                "flagged": int(flags.sum()), "right": both, "missed": int(wanted.sum()) - both,
                "wrong": int(flags.sum()) - both, "unusable": int(np.isnan(shares).all(axis=1).sum()),
            }
        )  # fmt: skip
        seconds.append({"rate": rate, "processor_seconds": spent, "seconds": waited})
        log(f"one pass at 1 in {rate}: {min(spent):.1f} s of processor time")
    return found, seconds
