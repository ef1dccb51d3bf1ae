"""Where an equal canary proves too little: code whose effect only shows on the real corpus.

The canary runs a capture on a small corpus of its own, with settings of its own. It loads, but never asks, what
reads the manifest and the questions, what the capture's real parameters say, the default window and the index
settings. A change there can change every published number and leave the canary equal, so an equal canary does
not excuse it: the dataset has to be captured again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

REAL_ONLY: dict[str, str] = {
    r"harness/experiments/[a-z0-9_]+/capture\.py": "the capture's own parameters and words",
    r"harness/corpus/(?:load|manifest)\.py": "which documents are read",
    r"harness/corpus/(?:contract|clauses|filing|items|markup|table_text)\.py": "how contracts and filings are read",
    r"harness/golden/queries\.py": "which questions are asked",
    r"harness/chunking/fixed\.py": "the default window",
    r"harness/embedding/(?:model|cache)\.py": "how much the embedder reads, and which vectors are kept",
    r"harness/store/(?:schema|layouts/indexes)\.py": "the settings of the index",
    r"harness/experiments/dedup/sources\.py": "which texts are compared",
    r"harness/dedup/index\.py": "how shingles of many texts are counted",
}
"""Pattern of a path → what of it the canary does not see."""


def unvouched(reasons: Iterable[str]) -> list[tuple[str, str]]:
    """(reason, what the canary does not see) for each "code changed: PATH" that an equal canary does not excuse."""
    found = []
    for reason in reasons:
        path = reason.partition(": ")[2]
        for pattern, what in REAL_ONLY.items():
            if re.fullmatch(pattern, path):
                found.append((reason, what))
    return found
