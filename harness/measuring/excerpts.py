"""Passages as a dataset shows them: where they stand, whose they are, and a short excerpt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.corpus.model import Chunk, Corpus
from harness.retrieval.terms import Tokeniser

EXCERPT = 160
"""Characters of an excerpt at most, the ellipses included; the rule for excerpts allows 300."""


def passages(corpus: Corpus, wanted: Mapping[str, Sequence[str]], length: int = EXCERPT) -> list[dict[str, Any]]:
    """One row a chunk id, in id order; the excerpt stands around the first of the chunk's ``wanted`` terms."""
    chunks = {chunk.id: chunk for chunk in corpus.chunks if chunk.id in wanted}
    return [
        _place(corpus, chunks[id]) | {"excerpt": excerpt(chunks[id].text, wanted[id], length)} for id in sorted(wanted)
    ]


def places(corpus: Corpus, ids: Iterable[str]) -> list[dict[str, Any]]:
    """The same rows without title, licence and excerpt: for chunks that are only named."""
    wanted = set(ids)
    return [
        {"id": chunk.id, "doc": chunk.doc, "section": chunk.section} for chunk in corpus.chunks if chunk.id in wanted
    ]


def excerpt(text: str, terms: Sequence[str], length: int = EXCERPT) -> str:
    """At most ``length`` characters of ``text``, white space folded, from a little before the first term found.

    Terms are tried in the given order; without any the excerpt is the beginning. Cuts fall between words and
    are marked with an ellipsis.
    """
    folded = re.sub(r"\s+", " ", text).strip()
    if len(folded) <= length:
        return folded
    start = max(0, min(_position(folded, terms) - length // 3, len(folded) - length + 1))
    if start:
        start = folded.find(" ", start) + 1
    room = length - (1 if start else 0)
    part = folded[start : start + room]
    if start + room < len(folded):
        part = part[: room - 1].rsplit(" ", 1)[0] + "…"
    return ("…" if start else "") + part


def _position(text: str, terms: Sequence[str]) -> int:
    lowered = text.lower()
    for term in terms:
        at = next((m.start() for m in re.finditer(re.escape(term), lowered) if _whole(lowered, m, term)), None)
        if at is not None:
            return at
    return 0


def _whole(text: str, match: re.Match[str], term: str) -> bool:
    around = text[max(match.start() - 1, 0) : match.end() + 1]
    return term in Tokeniser()(around)


def _place(corpus: Corpus, chunk: Chunk) -> dict[str, Any]:
    document = corpus.documents[chunk.doc]
    return {
        "id": chunk.id,
        "doc": document.id,
        "title": document.title,
        "section": chunk.section,
        "page": chunk.page_first,
        "url": document.url,
        "licence": document.licence,
    }
