"""Dataset ``pages``: real page breaks, what is printed on the pages, and how wrong estimated pages are.

A page is real when the source marks where it ends: a form feed, the marks of a printed contract, a page break that a
report's style sheet sets. Documents without such marks have no pages, and none are invented; estimates are made here
only for documents whose real pages are known, to be held against them.
"""

from __future__ import annotations

from typing import Any

from harness.capture.api import EXACT, Capture, Payload, Run
from harness.chunking.fixed import Window
from harness.chunking.sectioned import chunk_document_by_section
from harness.corpus.manifest import Entry, read_manifest
from harness.corpus.model import Chunk
from harness.embedding.model import load_embedder
from harness.experiments.pages import cases, families, quotes, wrong
from harness.experiments.pages.figures import figures
from harness.paths import FULL_MANIFEST


def capture(run: Run) -> Payload:
    """Look up pages and labels, chunk both ways, and hold four estimates against the pages."""
    corpus, params = run.corpus, run.params
    source = {entry.id: entry for entry in _entries(run)}
    documents = sorted(corpus.documents.values(), key=lambda document: document.id)
    cut = {"fixed": _by_document(corpus.chunks), "section_aware": _sectioned(run)}
    rows = families.rows(documents, source, cut)
    held = wrong.held_against(documents, source, cut["fixed"], params)
    run.log("estimates held against real pages")
    result = {
        "population": _population(rows),
        "families": rows,
        **held,
        "quotes": quotes.rows(corpus, cut, params),
        "cases": cases.cases(corpus, source, cut["fixed"], params),
        "trails": cases.trails(documents, source, params),
    }
    return Payload(result, figures(result))


def _entries(run: Run) -> list[Entry]:
    if not run.canary:
        return read_manifest(FULL_MANIFEST)
    from harness.capture.canary_corpus import raw_memos

    return [memo.entry for memo in raw_memos()]


def _by_document(chunks: list[Chunk]) -> dict[str, list[Chunk]]:
    found: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        found.setdefault(chunk.doc, []).append(chunk)
    return found


def _sectioned(run: Run) -> dict[str, list[Chunk]]:
    tokenizer, window = load_embedder().tokenizer, Window(run.params["size"], 0)
    found = {}
    for number, document in enumerate(run.corpus.documents.values(), start=1):
        found[document.id] = chunk_document_by_section(document, tokenizer, window)
        if number % 100 == 0:
            run.log(f"section-aware chunks of {number} documents")
    return found


def _population(rows: list[dict[str, Any]]) -> dict[str, int]:
    def total(key: str, chunker: str = "") -> int:
        return sum(row["chunkers"][chunker][key] if chunker else row[key] for row in rows)

    both = ("fixed", "section_aware")
    return {
        **{key: total(key) for key in ("documents", "paged", "unpaged", "pages", "ambiguous")},
        **{f"chunks_{name}": total("chunks", name) for name in both},
        **{f"two_{name}": total("two", name) + total("more", name) for name in both},
        "page_invented": sum(total("page_invented", name) for name in both),
        "page_missing": sum(total("page_missing", name) for name in both),
    }


CAPTURE = Capture(
    name="pages",
    title="Real pages, printed labels, and how wrong an estimated page is",
    describes=(
        "Page breaks and printed page numbers of RFCs, contracts and annual reports, the pages of every chunk under "
        "two chunkers, the page of every quote of the golden questions, and four ways to estimate a page held against "
        "the real one for every fixed window of a document that has pages."
    ),
    kind="measured",
    capture=capture,
    params={"size": 254, "rule": 3000, "excerpt": 280, "resamples": 2000, "seed": 0},
    canary_params={"size": 48, "rule": 900, "resamples": 200},
    caveats=(
        "Estimated pages stand here to be held against real ones; no page of a document is shown from an estimate.",
        "Intervals draw documents, not passages: passages of one document go wrong together.",
        "Pages of contracts are read from marks in text that was extracted from PDF; no person has checked the marks.",
    ),
    determinism=EXACT,
    minutes=4.0,
    corpus="full",
)
