"""Whether a citation holds: its passage exists, was in the context, and contains the quote word for word.

Word for word means after white space is folded and typographic quotation marks are made plain; nothing else is
forgiven. This says where a sentence is. It does not say that the sentence answers the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.answering.sentences import folded
from harness.corpus.model import Chunk, Document

_PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


@dataclass(frozen=True)
class Citation:
    """What an answer claims: these words are in this passage."""

    chunk: str
    text: str


@dataclass(frozen=True)
class Verdict:
    """``exists``: the passage is one of the corpus; ``in_context``: the answerer was given it; ``verbatim``: it
    contains the words."""

    exists: bool
    in_context: bool
    verbatim: bool

    @property
    def holds(self) -> bool:
        """All three."""
        return self.exists and self.in_context and self.verbatim


def verify(citation: Citation, chunks: Mapping[str, Chunk], context: Iterable[str]) -> Verdict:
    """The verdict on one citation, against the passages there are and those of the context."""
    chunk = chunks.get(citation.chunk)
    words = _plain(citation.text)
    verbatim = chunk is not None and bool(words) and words in _plain(chunk.text)
    return Verdict(chunk is not None, citation.chunk in set(context), verbatim)


def place(document: Document, chunk: Chunk, start: int) -> tuple[int | None, str]:
    """(page, section) of the quote that begins at ``start`` of the chunk's text; page None without page breaks."""
    at = chunk.start + start
    return document.page_at(at), document.section_at(at)


def _plain(text: str) -> str:
    return folded(text.translate(_PLAIN))
