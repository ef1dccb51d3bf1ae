"""The second implementation: shingles as tuples of words, sets of Python, every pair by itself. No hash, no index."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

Shingle = tuple[str, ...]


def shingles(text: str, width: int) -> set[Shingle]:
    kept = "".join(c for c in text if c not in "\u00ad\u200b\u200c\u200d\ufeff")
    found = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", kept).casefold())
    return {tuple(found[n : n + width]) for n in range(len(found) - width + 1)}


def without_common(sets: Sequence[set[Shingle]], limit: int | None) -> list[set[Shingle]]:
    if limit is None:
        return list(sets)
    counted = Counter(one for each in sets for one in each)
    return [{one for one in each if counted[one] <= limit} for each in sets]


def containment(left: set[Shingle], right: set[Shingle]) -> float | None:
    return len(left & right) / len(left) if left else None


def jaccard(left: set[Shingle], right: set[Shingle]) -> float | None:
    return len(left & right) / len(left | right) if left | right else None
