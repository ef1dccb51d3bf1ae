"""The rows of the ablation: each a ranking and a context for every question, made from lists that exist."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from harness.corpus.model import Chunk, Corpus, Query
from harness.embedding.model import load_embedder
from harness.measuring.answered.asked import Asked
from harness.retrieval import lexical
from harness.retrieval.bm25 import DEFAULT
from harness.retrieval.rrf import fuse

Context = list[Chunk]


class Headed(NamedTuple):
    """A passage as an index reads it when its document's title and its heading stand before it."""

    id: str
    text: str


@dataclass(frozen=True)
class Rung:
    """One row. ``against``: the row it is compared with, "" for the first. ``rankings`` is None where only the context
    differs. ``milliseconds``: one number a question, of this row's retrieval."""

    name: str
    says: str
    against: str
    rankings: Mapping[str, list[str]] | None
    contexts: Mapping[str, Context]
    milliseconds: Mapping[str, float]


def rungs(asked: Asked, longer: int) -> list[Rung]:
    """All rows over the questions that have evidence; ``longer``: passages of the control with a longer context."""
    queries = asked.arm("home")
    traces = {query.id: asked.traces[query.id, "home"] for query in queries}
    words = {id: [hit.id for hit in trace.lexical] for id, trace in traces.items()}
    meaning = {id: [hit.id for hit in trace.dense] for id, trace in traces.items()}
    spent = {id: trace.milliseconds for id, trace in traces.items()}
    embedding = _embedding(queries)
    size = asked.depths.context
    top = {id: {"lexical": words[id][:size], "dense": meaning[id][:size]} for id in traces}
    headed, headed_ms = _headed(asked.corpus, queries, asked.depths.lists)
    fused = {id: [one.id for one in trace.fused] for id, trace in traces.items()}
    both = {id: spent[id]["lexical"] + spent[id]["dense"] + spent[id]["fusion"] + embedding[id] for id in traces}
    deep = {id: {"lexical": headed[id], "dense": meaning[id]} for id in traces}

    def row(name: str, says: str, against: str, ranked: Mapping[str, list[str]], ms: Mapping[str, float]) -> Rung:
        contexts = {id: [asked.pipeline.chunks[one] for one in ids[:size]] for id, ids in ranked.items()}
        return Rung(name, says, against, ranked, contexts, ms)

    found = [
        row("dense", f"dense, first {size}", "", meaning, {id: embedding[id] + spent[id]["dense"] for id in traces}),
        row("lexical", "BM25 alone", "dense", words, {id: spent[id]["lexical"] for id in traces}),
        row("fused_short", f"both lists {size} deep, fused", "dense", _fused(top, asked.depths.k), both),
        row("fused", f"both lists {asked.depths.lists} deep, fused", "fused_short", fused, both),
        row("headings", "BM25 also reads title and heading", "fused", _fused(deep, asked.depths.k),
            {id: both[id] - spent[id]["lexical"] + headed_ms[id] for id in traces}),
    ]  # fmt: skip
    wide, wide_ms = _widened(asked.corpus, found[3].contexts)
    found.append(
        Rung("neighbours", "each passage with the one before and after", "fused", None, wide,
             {id: both[id] + wide_ms[id] for id in traces})
    )  # fmt: skip
    long = {id: [asked.pipeline.chunks[one] for one in ids[:longer]] for id, ids in fused.items()}
    found.append(Rung("longer", f"the first {longer} passages instead", "neighbours", None, long, both))
    return found


def _fused(lists: Mapping[str, Mapping[str, list[str]]], k: int) -> dict[str, list[str]]:
    return {id: [one.id for one in fuse(two, k)] for id, two in lists.items()}


def _timed(queries: Sequence[Query], work: Callable[[Query], object]) -> dict[str, float]:
    """Milliseconds a question; the first is worked once before, to warm up."""
    work(queries[0])
    spent = {}
    for query in queries:
        began = time.perf_counter()
        work(query)
        spent[query.id] = 1000 * (time.perf_counter() - began)
    return spent


def _embedding(queries: Sequence[Query]) -> dict[str, float]:
    """What making each question's vector takes, one question at a time and without the cache."""
    embedder = load_embedder()
    return _timed(queries, lambda query: embedder.encode([query.text]))


def _headed(corpus: Corpus, queries: Sequence[Query], depth: int) -> tuple[dict[str, list[str]], dict[str, float]]:
    """BM25 over passages with their document's title and their heading before them, and the time a search takes."""
    index = lexical.index(
        [
            Headed(chunk.id, f"{corpus.documents[chunk.doc].title}\n{chunk.section}\n{chunk.text}")
            for chunk in corpus.chunks
        ]
    )
    found: dict[str, list[str]] = {}

    def search(query: Query) -> None:
        found[query.id] = [hit.id for hit in lexical.search(index, query.text, depth, DEFAULT)]

    return found, _timed(queries, search)


def _widened(corpus: Corpus, contexts: Mapping[str, Sequence[Chunk]]) -> tuple[dict[str, Context], dict[str, float]]:
    """Every passage from where the window before it begins to where the window after it ends."""
    at = {(chunk.doc, chunk.ordinal): chunk for chunk in corpus.chunks}

    def wide(chunk: Chunk) -> Chunk:
        start = at.get((chunk.doc, chunk.ordinal - 1), chunk).start
        end = at.get((chunk.doc, chunk.ordinal + 1), chunk).end
        text = corpus.documents[chunk.doc].text[start:end]
        return replace(chunk, id=f"{chunk.id} with neighbours", start=start, end=end, text=text)

    found: dict[str, Context] = {}
    spent = {}
    for id, chunks in contexts.items():
        began = time.perf_counter()
        found[id] = [wide(chunk) for chunk in chunks]
        spent[id] = 1000 * (time.perf_counter() - began)
    return found, spent


def tokens(contexts: Mapping[str, Sequence[Chunk]]) -> float:
    """Mean tokens of a context by the embedder's tokenizer; text in two passages counts twice."""
    tokenizer = load_embedder().tokenizer
    counted: dict[str, int] = {}
    for chunks in contexts.values():
        for chunk in chunks:
            if chunk.id not in counted:
                counted[chunk.id] = len(tokenizer.encode(chunk.text, add_special_tokens=False).ids)
    return sum(counted[chunk.id] for chunks in contexts.values() for chunk in chunks) / len(contexts)
