"""Pages, labels and chunks of each family of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.corpus.manifest import Entry
from harness.corpus.model import Chunk, Document
from harness.experiments.pages.page_labels import KINDS, ambiguous, kind, label_at, spread

FAMILIES = {"rfc": "RFCs", "contract": "contracts", "filing": "annual reports"}
Cut = Mapping[str, Mapping[str, Sequence[Chunk]]]
"""Chunker → document id → its chunks."""


def rows(documents: Sequence[Document], source: Mapping[str, Entry], cut: Cut) -> list[dict[str, Any]]:
    """One row a family."""
    return [
        _row(family, [d for d in documents if source[d.id].source == family], source, cut)
        for family in FAMILIES
        if any(source[d.id].source == family for d in documents)
    ]


def _row(family: str, members: Sequence[Document], source: Mapping[str, Entry], cut: Cut) -> dict[str, Any]:
    paged = [d for d in members if d.page_starts]
    unpaged = [d for d in members if not d.page_starts]
    kinds = dict.fromkeys(KINDS, 0)
    for document in paged:
        for _, physical, label in document.page_starts:
            kinds[kind(physical, label)] += 1
    counted = [d for d in paged if source[d.id].pages is not None]
    return {
        "family": family, "documents": len(members), "paged": len(paged), "unpaged": len(unpaged),
        "pages": sum(len(d.page_starts) for d in paged), "labels": kinds,
        "ambiguous": sum(ambiguous(d) for d in paged),
        "documents_same": sum(
            all(kind(n, label) == "same" for _, n, label in d.page_starts) for d in paged
        ),
        "documents_unlabelled": sum(not any(label for *_, label in d.page_starts) for d in paged),
        "publisher_counts": len(counted),
        "publisher_agrees": sum(source[d.id].pages == d.page_starts[-1][1] for d in counted),
        "unpaged_with_count": sum(source[d.id].pages is not None for d in unpaged),
        "chunkers": {name: _chunks(paged, unpaged, chunks) for name, chunks in cut.items()},
    }  # fmt: skip


def _chunks(
    paged: Sequence[Document], unpaged: Sequence[Document], chunks: Mapping[str, Sequence[Chunk]]
) -> dict[str, int]:
    """Chunks by pages; of the paged ones, those whose page prints another label, or none."""
    of_paged = [(d, c) for d in paged for c in chunks[d.id]]
    kinds = [kind(c.page_first or 0, label_at(d, c.start)) for d, c in of_paged]
    counts = spread([(c.page_first, c.page_last) for _, c in of_paged])
    return {
        "chunks": len(of_paged) + sum(len(chunks[d.id]) for d in unpaged),
        "paged": len(of_paged), "one": counts["one"], "two": counts["two"], "more": counts["more"],
        "page_missing": counts["none"],
        "label_differs": sum(one in ("shifted", "roman", "prefixed") for one in kinds),
        "label_none": kinds.count("none"),
        "of_unpaged": sum(len(chunks[d.id]) for d in unpaged),
        "page_invented": sum(
            c.page_first is not None or c.page_last is not None for d in unpaged for c in chunks[d.id]
        ),
    }  # fmt: skip
