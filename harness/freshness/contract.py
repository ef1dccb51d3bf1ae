"""The contract of a search that never shows a superseded passage: filter first, and say what was left out.

A list that comes back short, or an answer that is declined, means one of two things that a reader must not mix up:
nothing was found, or what was found has been replaced. So every result carries how much was excluded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from harness.freshness.validity import Register
from harness.retrieval.bm25 import Hit

Outcome = Literal["answered", "nothing fresh", "nothing"]


@dataclass(frozen=True)
class Fresh:
    """What a search gives under the contract: results, and the superseded ones that would have stood among them."""

    hits: tuple[Hit, ...]
    excluded: tuple[Hit, ...]


def under_contract(open_list: Sequence[Hit], filtered: Sequence[Hit], register: Register) -> Fresh:
    """Join a filtered list with one of the same length that was not; ``excluded`` are the superseded of the latter.

    ValueError when a superseded passage stands in the filtered list: then the filter was not applied.
    """
    late = [hit.id for hit in filtered if register.superseded(document(hit.id))]
    if late:
        raise ValueError(f"superseded passages in a list that was filtered: {', '.join(late)}")
    return Fresh(tuple(filtered), tuple(hit for hit in open_list if register.superseded(document(hit.id))))


def outcome(*, answered: bool, answered_open: bool) -> Outcome:
    """What became of a question: ``answered`` under the contract, ``answered_open`` without it.

    A question that only superseded passages answer has nothing fresh, which is not the same as nothing.
    """
    if answered:
        return "answered"
    return "nothing fresh" if answered_open else "nothing"


def document(chunk: str) -> str:
    """The document of a chunk, by the chunk's id ("rfc8446:0012")."""
    return chunk.partition(":")[0]
