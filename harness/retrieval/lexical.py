"""Lexical search over a corpus's chunks: BM25 with the project's one setting of its dials.

A chunk is indexed as its own text; nothing of its document's title or heading is added. Every place that says
"lexical" or "BM25" on the site means this function with these settings, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness.retrieval.bm25 import DEFAULT, Hit, Index, Mask, Settings, build
from harness.retrieval.terms import Tokeniser


class Passage(Protocol):
    """What is indexed: anything with an id and a text, such as ``harness.corpus.model.Chunk``."""

    @property
    def id(self) -> str:
        """Unique name."""

    @property
    def text(self) -> str:
        """What is searched."""


def index(passages: Sequence[Passage], tokeniser: Tokeniser | None = None) -> Index:
    """The BM25 index over ``passages``; rows are in id order, like ``Corpus.chunks``."""
    return build(((passage.id, passage.text) for passage in passages), tokeniser)


def search(index: Index, query: str, k: int, settings: Settings = DEFAULT, allowed: Mask | None = None) -> list[Hit]:
    """The ``k`` best passages for ``query``, best first; ``allowed`` hides rows before ranking.

    Hiding rows loses no recall among the rest. It does not hide *statistics*: document frequencies are still
    counted over all rows, so a score can tell how common a word is in passages the reader may not see.
    """
    return index.search(query, k, settings, allowed)
