"""A lexical index outside of the database (BM25 over arrays): it takes part in no transaction.

Rows can be hidden at once and are gone when the index is built again. Until then its statistics still count them: how
many passages hold a word is counted over all rows, hidden or not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.retrieval import lexical
from harness.retrieval.bm25 import DEFAULT, Hit, Index


class Snapshot:
    """An index with the rows that may be shown. Chunk ids begin with their document's id and a colon."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._shown = np.ones(len(index.ids), dtype=bool)

    def search(self, text: str, k: int) -> list[Hit]:
        """The `k` best rows that are shown."""
        return lexical.search(self.index, text, k, DEFAULT, self._shown)

    def hide(self, doc: str) -> int:
        """Hide a document's rows; return how many were shown."""
        rows = [row for row in self._rows(doc) if self._shown[row]]
        self._shown[rows] = False
        return len(rows)

    def show_all(self) -> None:
        """Show every row again: the state of an index that nobody told of a deletion."""
        self._shown[:] = True

    def shown(self, doc: str) -> int:
        """How many rows of a document a search could return."""
        return sum(bool(self._shown[row]) for row in self._rows(doc))

    def held(self, doc: str) -> int:
        """How many rows of a document the index holds, shown or not."""
        return len(self._rows(doc))

    def df(self, term: str) -> int:
        """How many rows hold a word, hidden ones included."""
        return int(self.index.df(term))

    def _rows(self, doc: str) -> Sequence[int]:
        return [row for row, id in enumerate(self.index.ids) if id.partition(":")[0] == doc]
