"""Controls: what must come out as one, and what two kinds of damage do to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from harness.dedup import controls
from harness.dedup.sets import compare, residues, without
from harness.dedup.shingles import Hashes, Shingler
from harness.experiments.dedup.sources import Item

CERTAIN = ("embedded", "reformatted")
"""Controls whose containment is one by construction."""


def rows(
    items: Sequence[Item], sets: Sequence[Hashes], common: Hashes, shingle: Shingler, params: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """One row a control over the same drawn documents: containment of the document in what was made of it.

    Lowest and mean, with boilerplate and without; the Jaccard similarity; for the controls that must be one, the
    samples of every rate in which it is not.
    """
    rng = np.random.default_rng(params["seed"])
    usable = [n for n, one in enumerate(sets) if len(without(one, common)) >= params["least_sampled"]]
    chosen = sorted(int(n) for n in rng.choice(usable, size=min(params["controls"], len(usable)), replace=False))
    hosts = [int(n) for n in rng.choice(len(items), size=len(chosen))]
    hosts = [host if host != n else (host + 1) % len(items) for n, host in zip(chosen, hosts, strict=True)]
    made: dict[str, Callable[[int], str]] = {
        "embedded": lambda place: controls.embedded(items[chosen[place]].text, items[hosts[place]].text),
        "reformatted": lambda place: controls.reformatted(items[chosen[place]].text),
        "hyphenated": lambda place: controls.hyphenated(items[chosen[place]].text, params["hyphenated"]),
        "replaced": lambda place: controls.replaced(items[chosen[place]].text, params["replaced"], place),
    }
    found = []
    for name, make in made.items():
        whole, clear, both, samples, missed = [], [], [], 0, 0
        for place, n in enumerate(chosen):
            other = shingle(make(place))
            kept, kept_other = without(sets[n], common), without(other, common)
            plain = compare(sets[n], other)
            whole.append(plain.containment or 0.0)
            both.append(plain.jaccard or 0.0)
            clear.append(compare(kept, kept_other).containment or 0.0)
            counted = residues(kept, kept_other, max(params["rates"]))
            for rate in params["rates"]:
                left, _, shared = counted.at(rate)
                samples += int((left > 0).sum())
                missed += int((shared < left).sum())
        found.append(
            {
                "control": name, "n": len(chosen), "certain": name in CERTAIN,
                "lowest": min(whole), "mean": float(np.mean(whole)), "highest": max(whole),
                "lowest_clear": min(clear), "mean_clear": float(np.mean(clear)), "jaccard": float(np.mean(both)),
                "samples": samples, "samples_below_one": missed,
            }
        )  # fmt: skip
    return found


def expected_after(share: float, width: int) -> float:
    """The containment left when each word is replaced with probability ``share``: no word of a shingle may be."""
    return float((1 - share) ** width)
