"""A few pairs up close: what they share, shown as text, and their estimate at every rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.dedup.sets import compare, residues, without
from harness.dedup.shingles import Hashes, Shingler, words
from harness.experiments.dedup.sampling import wilson
from harness.experiments.dedup.sources import EXHIBIT, Item, Sources


def cases(
    found: Sources,
    sets: Sequence[Hashes],
    common: Hashes,
    shingle: Shingler,
    wanted: Mapping[str, tuple[str, str]],
    params: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """One row a named pair (inner id, outer id): sizes, shares, an excerpt of both kinds, the estimates."""
    place = {item.id: n for n, item in enumerate(found.items)}
    made = []
    for name, (inner, outer) in wanted.items():
        one, other = found.items[place[inner]], found.items[place[outer]]
        own, their = sets[place[inner]], sets[place[outer]]
        if name == "filed":
            text = found.filed_in[inner]
            other, their = _file(one, text), shingle(text)
        made.append(_case(name, one, other, own, their, common, shingle, params))
    return made


def _file(exhibit: Item, text: str) -> Item:
    accession = exhibit.id.removeprefix("8k-").rpartition("-")[0]
    title = f"the whole submission {accession}"
    return Item(f"8k-{accession}", "file", exhibit.group, title, exhibit.url, exhibit.licence, text)


def _case(
    name: str, one: Item, other: Item, own: Hashes, their: Hashes, common: Hashes, shingle: Shingler,
    params: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    raw = compare(own, their)
    kept, kept_other = (own, their) if name == "filed" else (without(own, common), without(their, common))
    clear = compare(kept, kept_other)
    counted = residues(kept, kept_other, max(params["rates"]))
    estimates = []
    for rate in params["rates"]:
        left, right, shared = (part[:1] for part in counted.at(rate))
        low, high = wilson(shared, left) if left[0] else (np.zeros(1), np.ones(1))
        estimates.append(
            {
                "rate": rate, "left": int(left[0]), "right": int(right[0]), "shared": int(shared[0]),
                "estimate": float(shared[0] / left[0]) if left[0] else None,
                "low": float(low[0]), "high": float(high[0]),
            }
        )  # fmt: skip
    shared_hashes = kept[np.isin(kept, kept_other, assume_unique=True)]
    both = own[np.isin(own, their, assume_unique=True)]
    printed = both[np.isin(both, common, assume_unique=True)]
    return {
        "case": name,
        "inner": one.source | {"family": one.family, "shingles": raw.left},
        "outer": other.source | {"family": other.family, "shingles": raw.right},
        "raw": _shares(raw), "clear": _shares(clear),
        "estimates": estimates,
        "shared": one.source | {"excerpt": passage(one.text, shared_hashes, shingle, params["excerpt"])},
        "boilerplate": one.source | {"excerpt": passage(one.text, printed, shingle, params["excerpt"])},
    }  # fmt: skip


def _shares(overlap: Any) -> dict[str, Any]:
    return {
        "left": overlap.left, "right": overlap.right, "shared": overlap.shared,
        "containment": overlap.containment, "jaccard": overlap.jaccard,
    }  # fmt: skip


def passage(text: str, hashes: Hashes, shingle: Shingler, length: int) -> str:
    """The words of the longest run of shingles that are all among ``hashes``, cut to ``length``; "" without one."""
    running = shingle.running(text)
    inside = np.isin(running, hashes)
    if not inside.any():
        return ""
    edges = np.diff(np.concatenate(([0], inside.astype(np.int8), [0])))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    longest = int(np.argmax(ends - starts))
    found = " ".join(words(text)[starts[longest] : ends[longest] + shingle.width - 1])
    return found if len(found) <= length else found[: length - 1].rsplit(" ", 1)[0] + "…"


def chosen(found: Sources, superseded: Sequence[Mapping[str, Any]], filed: Sequence[Mapping[str, Any]],
           twice: Sequence[Mapping[str, Any]], unrelated: Sequence[tuple[int, int]],
           raw: Any) -> dict[str, tuple[str, str]]:  # fmt: skip
    """The pairs shown, each chosen by a rule: named by what it shows, never by hand.

    ``superseded``: the pair with the largest old document of those that stand to more than a half in their successor.
    ``filed``: the exhibit with the lowest Jaccard similarity to its file among those wholly in it, of 500 shingles or
    more. ``twice``: the largest pair of exhibits that are equal. ``unrelated``: of the drawn RFCs the pair that shares
    the most before boilerplate is taken out.
    """
    sizes = {item.id: len(item.text) for item in found.items}
    wanted = {}
    half = [row for row in superseded if row["containment"] >= 0.5] or list(superseded)
    first = max(half, key=lambda row: (sizes[row["old"]], row["old"], row["new"]))
    wanted["superseded"] = (first["old"], first["new"])
    whole = [row for row in filed if row["containment"] == 1 and row["shingles"] >= 500] or list(filed)
    lowest = min(whole, key=lambda row: (row["jaccard"], row["exhibit"]))
    wanted["filed"] = (lowest["exhibit"], lowest["exhibit"])
    equal = [row for row in twice if row["family"] == EXHIBIT] or list(twice)
    if equal:
        largest = max(equal, key=lambda row: (row["jaccard"], row["shingles"], row["inner"]))
        wanted["twice"] = (largest["inner"], largest["outer"])
    a, b = max(unrelated, key=lambda pair: (raw[pair[0], pair[1]], -pair[0]))
    wanted["unrelated"] = (found.items[a].id, found.items[b].id)
    return wanted
