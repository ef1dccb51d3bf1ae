"""Four passages up close, and one document of each family page by page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.corpus.manifest import Entry
from harness.corpus.model import Chunk, Corpus, Document
from harness.evaluation.relevance import answerable
from harness.experiments.pages.estimates import Measures, distance, measures
from harness.experiments.pages.families import FAMILIES
from harness.experiments.pages.page_labels import kind, label_at
from harness.experiments.pages.quotes import place_of
from harness.experiments.pages.wrong import estimators


class Family:
    """The paged documents of one family with their measures, for estimates of any of its documents."""

    def __init__(self, members: Sequence[Document], rule: float) -> None:
        self.paged = [d for d in members if d.page_starts]
        self.measures = {d.id: measures(d) for d in self.paged}
        self._rule = rule

    def estimates(self, document: Document, offset: int) -> dict[str, int]:
        """Estimate → page; without real pages only what needs no page count."""
        every = list(self.measures.values())
        own = self.measures.get(document.id) or Measures(len(document.text), document.text.count("\n"), 1)
        made = estimators(document, every, own, self._rule)
        return {name: guess(offset) for name, guess in made.items() if document.page_starts or name != "count"}


def families(documents: Sequence[Document], source: Mapping[str, Entry], rule: float) -> dict[str, Family]:
    """Family → its documents, those without any left out."""
    found = {f: Family([d for d in documents if source[d.id].source == f], rule) for f in FAMILIES}
    return {name: family for name, family in found.items() if family.paged}


def cases(
    corpus: Corpus, source: Mapping[str, Entry], chunks: Mapping[str, Sequence[Chunk]], params: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """``quote``: a quote on its chunk's second page. ``label``: a page that prints another number than its index.
    ``unpaged``: a document without pages. ``furthest``: the passage that the family's characters miss by most pages.

    Each is the first by id (the furthest: the largest distance) that is what its name says; a case that the corpus
    does not have is left out.
    """
    documents = sorted(corpus.documents.values(), key=lambda d: d.id)
    every = families(documents, source, params["rule"])
    found = [
        *_quote(corpus, source, chunks, every, params),
        *_label(documents, source, chunks, every, params),
        *_unpaged(corpus, source, chunks, every, params),
        *_furthest(source, chunks, every, params),
    ]
    return found


def _quote(
    corpus: Corpus, source: Mapping[str, Entry], chunks: Mapping[str, Sequence[Chunk]], every: Mapping[str, Family],
    params: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    for query in answerable(corpus):
        document = corpus.documents[query.doc or ""]
        place = place_of(query.evidence or "", document.text)
        if place is None or not document.page_starts:
            continue
        holder = next((c for c in chunks[document.id] if c.start <= place[0] and place[1] <= c.end), None)
        page = document.page_at(place[0])
        if holder and page != holder.page_first and page == document.page_at(place[1] - 1):
            case = _case("quote", document, holder, source, every, params)
            said = document.text[place[0] : place[1]]
            yield case | {
                "question": query.text, "quote_page": page, "quote_label": label_at(document, place[0]),
                "excerpt": _folded(said, params["excerpt"]),
            }  # fmt: skip
            return


def _label(
    documents: Sequence[Document], source: Mapping[str, Entry], chunks: Mapping[str, Sequence[Chunk]],
    every: Mapping[str, Family], params: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    order = ("filing", "contract", "rfc")
    for document in sorted(documents, key=lambda d: order.index(source[d.id].source)):
        shifted = [
            c for c in chunks[document.id]
            if c.page_first and c.page_first == c.page_last
            and kind(c.page_first, label_at(document, c.start)) == "shifted"
        ]  # fmt: skip
        if shifted:
            yield _case("label", document, shifted[len(shifted) // 2], source, every, params)
            return


def _unpaged(
    corpus: Corpus, source: Mapping[str, Entry], chunks: Mapping[str, Sequence[Chunk]], every: Mapping[str, Family],
    params: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    for query in answerable(corpus):
        document = corpus.documents[query.doc or ""]
        place = place_of(query.evidence or "", document.text)
        if place is None or document.page_starts or source[document.id].source not in every:
            continue
        holder = next((c for c in chunks[document.id] if c.start <= place[0] and place[1] <= c.end), None)
        if holder and holder.section:
            case = _case("unpaged", document, holder, source, every, params)
            said = _folded(document.text[place[0] : place[1]], params["excerpt"])
            yield case | {"question": query.text, "excerpt": said}
            return


def _furthest(
    source: Mapping[str, Entry], chunks: Mapping[str, Sequence[Chunk]], every: Mapping[str, Family],
    params: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    best: tuple[int, Document, Chunk] | None = None
    for family in every.values():
        for document in family.paged:
            own = family.measures[document.id]
            guess = estimators(document, list(family.measures.values()), own, params["rule"])["characters"]
            for chunk in chunks[document.id]:
                off = distance(guess(chunk.start), chunk.page_first or 0, chunk.page_last or 0)
                if best is None or off > best[0]:
                    best = (off, document, chunk)
    if best:
        yield _case("furthest", best[1], best[2], source, every, params) | {"off": best[0]}


def _case(
    name: str, document: Document, chunk: Chunk, source: Mapping[str, Entry], every: Mapping[str, Family],
    params: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    family = source[document.id].source
    return {
        "case": name, "doc": document.id, "title": document.title, "url": document.url, "licence": document.licence,
        "family": family, "chunk": chunk.id, "section": chunk.section[:120],
        "pages": document.page_starts[-1][1] if document.page_starts else 0,
        "publisher_pages": source[document.id].pages,
        "page_first": chunk.page_first, "page_last": chunk.page_last,
        "label_first": label_at(document, chunk.start), "label_last": label_at(document, chunk.end - 1),
        "estimates": every[family].estimates(document, chunk.start),
        "excerpt": _folded(chunk.text, params["excerpt"]),
    }  # fmt: skip


def trails(
    documents: Sequence[Document], source: Mapping[str, Entry], params: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Of each family the document with the median number of pages: at every page start, what is estimated there."""
    made = []
    for name, family in families(documents, source, params["rule"]).items():
        ordered = sorted(family.paged, key=lambda d: (family.measures[d.id].pages, d.id))
        document = ordered[len(ordered) // 2]
        made.append(
            {
                "family": name, "doc": document.id, "title": document.title, "url": document.url,
                "licence": document.licence, "pages": family.measures[document.id].pages,
                "points": [
                    {"page": page, "label": label, **family.estimates(document, start)}
                    for start, page, label in document.page_starts
                ],
            }
        )  # fmt: skip
    return made


def _folded(text: str, length: int) -> str:
    folded = re.sub(r"\s+", " ", text).strip()
    return folded if len(folded) <= length else folded[: length - 1].rsplit(" ", 1)[0] + "…"
