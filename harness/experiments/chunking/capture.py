"""Dataset ``chunking``: the same documents under fixed windows and under section-aware packing.

Both chunkers count in the embedder's tokens and may fill the same window. What is measured is what a boundary
does: to sections, sentences, drawn tables and diagrams, to the quotes that answer the golden questions, and to
lexical retrieval over each set of chunks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from harness.capture.api import EXACT, Capture, Figure, Payload, Run
from harness.chunking import audit
from harness.chunking.fixed import Window, chunk_document, expected_windows
from harness.chunking.sectioned import chunk_document_by_section
from harness.corpus.model import Chunk, Corpus, Document
from harness.embedding.model import load_embedder
from harness.evaluation.bootstrap import mean_interval, paired_difference
from harness.evaluation.relevance import answerable, best_rank, judgments
from harness.retrieval.bm25 import build

Chunker = Callable[[Document, Any, Window], list[Chunk]]
CHUNKERS: dict[str, Chunker] = {"fixed": chunk_document, "section_aware": chunk_document_by_section}
BINS = 8


def capture(run: Run) -> Payload:
    """Chunk every document both ways and audit the boundaries; then ask the golden questions of both."""
    corpus, params = run.corpus, run.params
    window = Window(params["size"], params["overlap"])
    tokenizer = load_embedder().tokenizer
    documents = sorted(corpus.documents.values(), key=lambda document: document.id)
    tokens = {d.id: len(tokenizer.encode(d.text, add_special_tokens=False).ids) for d in documents}
    cut = {name: {d.id: chunker(d, tokenizer, window) for d in documents} for name, chunker in CHUNKERS.items()}
    run.log(f"chunking: {', '.join(f'{name} {sum(map(len, chunks.values()))}' for name, chunks in cut.items())}")
    ranks = {name: _evidence_ranks(corpus, chunks, params["k"]) for name, chunks in cut.items()}
    rows = {name: _totals(documents, chunks, tokens) | _found(ranks[name], params) for name, chunks in cut.items()}
    result = {
        "population": {
            "documents": len(documents),
            "tokens": sum(tokens.values()),
            "sections": sum(len(d.sections) for d in documents),
            "boxes": sum(len(audit.boxes(d)) for d in documents),
            "questions": len(ranks["fixed"]),
        },
        "chunkers": rows,
        "formula": _formula(cut["fixed"], tokens, window),
        "sizes": [_bin(index, window.size, cut) for index in range(BINS)],
        "differences": [
            {"metric": f"hit rate@{params['k']}"} | _difference(ranks, _hits, params),
            {"metric": f"MRR@{params['k']}"} | _difference(ranks, _reciprocals, params),
        ],
        "case": _case(corpus.documents[params["case"]], tokens, cut, params["excerpt"]),
    }  # fmt: skip
    return Payload(result=result, figures=_figures(result, params))


def _totals(
    documents: Sequence[Document], chunks: Mapping[str, Sequence[Chunk]], tokens: Mapping[str, int]
) -> dict[str, Any]:
    pairs = [(document, chunk) for document in documents for chunk in chunks[document.id]]
    sizes = [chunk.tokens for _, chunk in pairs]
    return {
        "chunks": len(pairs),
        "mean_tokens": float(np.mean(sizes)),
        "median_tokens": float(np.median(sizes)),
        "under_quarter": sum(size < max(sizes) / 4 for size in sizes),
        "cross_section": sum(audit.crosses_section(chunk, document) for document, chunk in pairs),
        "start_mid_sentence": sum(audit.starts_mid_sentence(chunk, document) for document, chunk in pairs),
        "end_mid_sentence": sum(audit.ends_mid_sentence(chunk, document) for document, chunk in pairs),
        "boxes_cut": sum(audit.boxes_cut(document, chunks[document.id]) for document in documents),
        "repeated_tokens": sum(audit.repeated_tokens(chunks[d.id], tokens[d.id]) for d in documents),
        "span_two_pages": sum(c.page_first != c.page_last for _, c in pairs if c.page_first is not None),
    }


def _evidence_ranks(corpus: Corpus, cut: Mapping[str, Sequence[Chunk]], k: int) -> dict[str, tuple[bool, int | None]]:
    """Question → (does a chunk hold the whole quote, rank of the first such chunk among BM25's best ``k``)."""
    chunks = [chunk for group in cut.values() for chunk in group]
    other = Corpus(corpus.name, list(corpus.documents.values()), chunks, corpus.queries, embed=_no_vectors)
    judged = judgments(other, "evidence")
    index = build((chunk.id, chunk.text) for chunk in other.chunks)
    found = {}
    for query in answerable(corpus):
        ranking = [hit.id for hit in index.search(query.text, k)]
        found[query.id] = (query.id in judged, best_rank(ranking, judged.get(query.id, {})))
    return found


def _no_vectors(texts: Sequence[str]) -> Any:
    raise RuntimeError("this capture is lexical: no vectors are made")


def _hits(ranks: Mapping[str, tuple[bool, int | None]]) -> list[float]:
    return [float(rank is not None) for _, rank in ranks.values()]


def _reciprocals(ranks: Mapping[str, tuple[bool, int | None]]) -> list[float]:
    return [1 / rank if rank else 0.0 for _, rank in ranks.values()]


def _difference(
    ranks: Mapping[str, Mapping[str, tuple[bool, int | None]]],
    values: Callable[[Mapping[str, tuple[bool, int | None]]], list[float]],
    params: Mapping[str, Any],
) -> dict[str, float]:
    """Section-aware minus fixed on the same questions, with interval and counts."""
    found = paired_difference(
        values(ranks["fixed"]), values(ranks["section_aware"]), resamples=params["resamples"], seed=params["seed"]
    )
    return {
        "mean": found.interval.mean, "low": found.interval.low, "high": found.interval.high,
        "better": found.better, "same": found.same, "worse": found.worse,
    }  # fmt: skip


def _found(ranks: Mapping[str, tuple[bool, int | None]], params: Mapping[str, Any]) -> dict[str, Any]:
    hits = mean_interval(_hits(ranks), resamples=params["resamples"], seed=params["seed"])
    return {
        "evidence_whole": sum(whole for whole, _ in ranks.values()),
        "hit": hits.mean,
        "hit_low": hits.low,
        "hit_high": hits.high,
        "mrr": float(np.mean(_reciprocals(ranks))),
    }


def _formula(cut: Mapping[str, Sequence[Chunk]], tokens: Mapping[str, int], window: Window) -> dict[str, Any]:
    """The closed formula against the windows really made: word boundaries make a few more."""
    expected = {name: expected_windows(count, window) for name, count in tokens.items()}
    return {
        "expected": sum(expected.values()),
        "made": sum(len(chunks) for chunks in cut.values()),
        "documents_equal": sum(expected[name] == len(cut[name]) for name in tokens),
        "largest_excess": max(len(cut[name]) - expected[name] for name in tokens),
    }


def _bin(index: int, size: int, cut: Mapping[str, Mapping[str, Sequence[Chunk]]]) -> dict[str, int]:
    low, high = index * size // BINS + 1, (index + 1) * size // BINS
    counts = {
        name: sum(low <= chunk.tokens <= high for group in chunks.values() for chunk in group)
        for name, chunks in cut.items()
    }
    return {"from": low, "to": high, **counts}


def _case(
    document: Document, tokens: Mapping[str, int], cut: Mapping[str, Mapping[str, Sequence[Chunk]]], length: int
) -> dict[str, Any]:
    """One document in full outline: its sections and both sets of boundaries, and one boundary up close."""
    fixed = cut["fixed"][document.id]
    index = next(
        (i for i in range(1, len(fixed)) if _telling(fixed[i - 1], fixed[i], document)),
        min(1, len(fixed) - 1),
    )
    before, after = fixed[index - 1], fixed[index]
    cuts = {name: _drawn(document, chunks[document.id]) for name, chunks in cut.items()}
    holder = next(c for c in cut["section_aware"][document.id] if c.end > after.start)
    return {
        "document": {
            "doc": document.id, "title": document.title, "url": document.url, "licence": document.licence,
            "tokens": tokens[document.id], "characters": len(document.text), "pages": document.pages,
        },
        "sections": [{"start": s, "number": number, "heading": heading} for s, number, heading in document.sections],
        **cuts,
        "boundary": {
            "doc": document.id, "title": document.title, "url": document.url, "licence": document.licence,
            "chunk": after.ordinal, "section": after.section, "page": after.page_first,
            "before": _tail(document.text[before.start : after.start], length // 2),
            "excerpt": _head(document.text[after.start : after.end], length // 2),
            "overlap_tokens": _overlap(document, before, after),
            "next_heading": next(
                (f"{number} {heading}" for s, number, heading in document.sections if after.start < s < after.end), ""
            ),
        },
        "same_place": {
            "doc": document.id, "title": document.title, "url": document.url, "licence": document.licence,
            "chunk": holder.ordinal, "section": holder.section, "tokens": holder.tokens,
            "excerpt": _head(holder.text, length),
        },
    }  # fmt: skip


def _telling(before: Chunk, after: Chunk, document: Document) -> bool:
    """A boundary that shows both faults: it starts in mid-sentence and runs over a numbered heading."""
    numbered = any(after.start < start < after.end and number for start, number, _ in document.sections)
    body = bool(re.match(r"\d", before.section)) and bool(re.match(r"\d", after.section))
    return numbered and body and audit.starts_mid_sentence(after, document)


def _overlap(document: Document, before: Chunk, after: Chunk) -> int:
    shared = document.text[after.start : before.end]
    return len(load_embedder().tokenizer.encode(shared, add_special_tokens=False).ids)


def _drawn(document: Document, chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
    return [
        {
            "start": chunk.start,
            "end": chunk.end,
            "tokens": chunk.tokens,
            "crosses": audit.crosses_section(chunk, document),
            "mid_sentence": audit.starts_mid_sentence(chunk, document),
            "section": chunk.section,
        }
        for chunk in chunks
    ]


def _head(text: str, length: int) -> str:
    folded = re.sub(r"\s+", " ", text).strip()
    return folded if len(folded) <= length else folded[: length - 1].rsplit(" ", 1)[0] + "…"


def _tail(text: str, length: int) -> str:
    folded = re.sub(r"\s+", " ", text).strip()
    return folded if len(folded) <= length else "…" + folded[-(length - 1) :].split(" ", 1)[-1]


def _figures(result: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Figure]:
    population, chunkers = result["population"], result["chunkers"]
    made: dict[str, Figure] = {}

    def add(name: str, at: str, label: str, unit: str = "", digits: int = 0, **more: Any) -> None:
        value: Any = result
        for key in at.strip("/").split("/")[1:]:
            value = value[key]
        made[name] = Figure(value=value, unit=unit, label=label, digits=digits, at=at, **more)

    words = {"fixed": "fixed windows", "section_aware": "section-aware packing"}
    for key in ("documents", "tokens", "sections", "boxes", "questions"):
        add(key, f"/result/population/{key}", f"{key} in the corpus")
    for name, row in chunkers.items():
        n = row["chunks"]
        add(f"chunks_{name}", f"/result/chunkers/{name}/chunks", f"chunks under {words[name]}")
        for key, label in COUNTED.items():
            of = population["boxes"] if key == "boxes_cut" else n
            add(f"{key}_{name}", f"/result/chunkers/{name}/{key}", f"{label} under {words[name]}", n=of)
            if of:
                what = f"share: {label} under {words[name]}"
                made[f"share_{key}_{name}"] = Figure(100 * row[key] / of, "%", what, digits=1, n=of)
        add(
            f"mean_tokens_{name}",
            f"/result/chunkers/{name}/mean_tokens",
            f"mean chunk, {words[name]}",
            "tokens",
            0,
            n=n,
        )
        add(
            f"repeated_{name}", f"/result/chunkers/{name}/repeated_tokens", f"tokens repeated by overlap, {words[name]}"
        )
        asked = population["questions"]
        add(
            f"whole_{name}",
            f"/result/chunkers/{name}/evidence_whole",
            f"quotes whole in a chunk, {words[name]}",
            n=asked,
        )
        add(
            f"hit10_{name}", f"/result/chunkers/{name}/hit", f"hit rate@{params['k']} of BM25 over {words[name]}",
            digits=3, n=asked, interval=(row["hit_low"], row["hit_high"]),
        )  # fmt: skip
        add(
            f"mrr10_{name}",
            f"/result/chunkers/{name}/mrr",
            f"MRR@{params['k']}, BM25 over {words[name]}",
            digits=3,
            n=asked,
        )
    made["overhead_fixed"] = Figure(
        100 * chunkers["fixed"]["repeated_tokens"] / population["tokens"], "%",
        "tokens stored twice because of overlap, of all tokens", digits=1, n=population["tokens"],
    )  # fmt: skip
    for key in ("expected", "made", "documents_equal", "largest_excess"):
        add(f"formula_{key}", f"/result/formula/{key}", f"windows, formula against made: {key.replace('_', ' ')}")
    for number, gap in enumerate(result["differences"]):
        short, at = ("hit10", "mrr10")[number], f"/result/differences/{number}"
        made[f"{short}_difference"] = Figure(
            gap["mean"], "", f"{gap['metric']}, section-aware minus fixed, same questions", 3, population["questions"],
            (gap["low"], gap["high"]), f"{at}/mean",
        )  # fmt: skip
        for key in ("better", "same", "worse"):
            label = f"questions that do {key} by {gap['metric']} with section-aware packing"
            made[f"{short}_{key}"] = Figure(gap[key], "", label, 0, population["questions"], None, f"{at}/{key}")
    return made


COUNTED = {
    "cross_section": "chunks that run over a heading",
    "start_mid_sentence": "chunks that start in mid-sentence",
    "end_mid_sentence": "chunks that end in mid-sentence",
    "boxes_cut": "drawn tables and diagrams that stand whole in no chunk",
    "under_quarter": "chunks of less than a quarter of a window",
    "span_two_pages": "chunks that span two printed pages",
}

CAPTURE = Capture(
    name="chunking",
    title="Fixed windows and section-aware packing, boundary by boundary",
    describes=(
        "Every document of the corpus cut twice with the same token budget, by fixed overlapping windows and by "
        "packing paragraphs inside one section: what the boundaries cut, what overlap repeats, and whether BM25 "
        "finds the quote that answers each golden question in either set of chunks."
    ),
    kind="measured",
    capture=capture,
    params={"size": 254, "overlap": 32, "k": 10, "case": "rfc8297", "excerpt": 280, "resamples": 10000, "seed": 0},
    canary_params={"size": 48, "overlap": 8, "case": "rfc90101", "resamples": 200},
    caveats=(
        "A sentence start is judged by the punctuation before it: a list item or code line can count as mid-sentence.",
        "A question counts as found only when a chunk holds its quote word for word; other chunks may answer it too.",
        "The questions and their quotes were drafted by a language model and not verified by a person.",
    ),
    determinism=EXACT,
    volatile=("/timings",),
    minutes=2.0,
)
