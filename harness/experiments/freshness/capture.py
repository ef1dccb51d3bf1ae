"""Dataset ``freshness``: superseded documents in search and answers, with and without a contract that keeps them out.

An RFC's metadata names what replaced it. The golden questions are put to lexical and dense search and to the pipeline
twice: over everything, and with superseded documents hidden before anything is ranked. Counted is what the contract
excluded and what stands in its place, so that a question that only dead documents answer is told from one that nothing
answers. The text of no document is consulted for its validity.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from harness.capture.api import MODEL_TOLERANCE, Capture, JsonObject, Payload, Run
from harness.corpus.manifest import Entry, read_manifest
from harness.corpus.model import Corpus, Query
from harness.evaluation.bootstrap import mean_interval
from harness.experiments.freshness import answers, searches
from harness.experiments.freshness.cases import cases
from harness.experiments.freshness.figures import figures
from harness.freshness.contract import document
from harness.freshness.validity import STATED, Register, register
from harness.paths import FULL_MANIFEST
from harness.pipeline import Pipeline


def capture(run: Run) -> Payload:
    """Ask every question with and without the contract."""
    corpus, params = run.corpus, run.params
    entries = _entries(run)
    known = register(entries)
    queries = sorted(corpus.queries, key=lambda query: query.id)
    vectors = corpus.query_vectors(queries)
    pipeline = Pipeline(corpus)
    allowed = pipeline.mask({chunk.id for chunk in corpus.chunks if not known.superseded(chunk.doc)})
    run.log(f"searching: {len(queries)} questions, {int(np.sum(~allowed))} chunks superseded")
    lists = searches.search_all(pipeline, queries, vectors, known, allowed, params["k"])
    run.log("answering")
    answered = answers.answer_all(pipeline, corpus, queries, vectors, known, allowed)
    result: JsonObject = {
        "population": _population(corpus, entries, known, queries),
        "searches": [
            searches.summary(name, found, known, corpus)
            | _share([float(_first_superseded(one, known)) for one in found.values()], params)
            for name, found in lists.items()
        ],
        "answers": answers.summary(answered, pipeline, queries, known),
        "by_source": answers.by_source(answered, corpus, queries, known),
        "superseded": _superseded(entries, known, queries),
        "cases": cases(pipeline, corpus, queries, lists, answered, known),
    }
    return Payload(result, figures(result))


def _entries(run: Run) -> list[Entry]:
    """What the manifest says of every document of the corpus."""
    named = read_manifest(FULL_MANIFEST)
    if run.canary:
        from harness.capture.canary_corpus import raw_memos

        named = [memo.entry for memo in raw_memos()]
    return [entry for entry in named if entry.id in run.corpus.documents]


def _first_superseded(one: searches.Found, known: Register) -> bool:
    return bool(one.open) and known.superseded(document(one.open[0].id))


def _share(values: Sequence[float], params: JsonObject) -> JsonObject:
    interval = mean_interval(list(values), resamples=params["resamples"], seed=params["seed"])
    return {"share": interval.mean, "share_low": interval.low, "share_high": interval.high}


def _population(corpus: Corpus, entries: Sequence[Entry], known: Register, queries: Sequence[Query]) -> JsonObject:
    dead = [entry for entry in entries if known.superseded(entry.id)]
    states = [known.states[entry.id] for entry in entries]
    return {
        "documents": len(entries),
        "stated": sum(entry.source in STATED for entry in entries),
        "current": states.count("current"),
        "superseded": len(dead),
        "unstated": states.count("unstated"),
        "chunks": len(corpus.chunks),
        "superseded_chunks": sum(known.superseded(chunk.doc) for chunk in corpus.chunks),
        "next_held": sum(bool(known.held(entry.obsoleted_by)) for entry in dead),
        "heir_held": sum(bool(known.held(known.heirs(entry.id))) for entry in dead),
        "next_all_superseded": sum(_all_superseded(entry, known) for entry in dead),
        "longest_chain": max((_steps(entry.id, known) for entry in dead), default=0),
        "one_sided": _one_sided(entries),
        "questions": len(queries),
        "from_superseded": sum(query.doc in known.states and known.superseded(query.doc or "") for query in queries),
    }


def _all_superseded(entry: Entry, known: Register) -> bool:
    held = known.held(entry.obsoleted_by)
    return bool(held) and all(known.superseded(doc) for doc in held)


def _steps(doc: str, known: Register) -> int:
    return max((1 + _steps(after, known) for after in known.successors.get(doc, ())), default=0)


def _one_sided(entries: Sequence[Entry]) -> int:
    """Pairs of documents of which one names the other and is not named in return."""
    obsoletes = {(entry.id, old) for entry in entries for old in entry.obsoletes}
    obsoleted = {(new, entry.id) for entry in entries for new in entry.obsoleted_by}
    here = {entry.id for entry in entries}
    return sum(new in here and old in here for new, old in obsoletes ^ obsoleted)


def _superseded(entries: Sequence[Entry], known: Register, queries: Sequence[Query]) -> list[JsonObject]:
    """Every superseded document with where its chain ends."""
    drafted = {doc: len(list(of)) for doc, of in itertools.groupby(sorted(query.doc or "" for query in queries))}
    return [
        {
            "id": entry.id,
            "named": entry.title,
            "successors": ", ".join(entry.obsoleted_by),
            "ends": ", ".join(known.heirs(entry.id)),
            "ends_held": len(known.held(known.heirs(entry.id))),
            "drafted": drafted.get(entry.id, 0),
        }
        for entry in entries
        if known.superseded(entry.id)
    ]


CAPTURE = Capture(
    name="freshness",
    title="Superseded documents, with and without a contract that keeps them out",
    describes=(
        "The golden questions put to lexical search, dense search and the extractive pipeline over RFCs, contracts and "
        "annual reports, without a contract and with documents that their own metadata calls obsoleted hidden before "
        "ranking: first results and citations of superseded documents, what was excluded, and what stands in its place."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={"k": 10, "resamples": 10_000, "seed": 20, "validity": "obsoleted_by in the RFC's metadata"},
    canary_params={"resamples": 1_000},
    caveats=(
        "Validity is read from the metadata of RFCs alone; contracts and annual reports carry none here and count as "
        "unstated, which is not the same as current.",
        "A successor outside of the corpus is known by name only; a chain that leaves the corpus ends there.",
        "RFCs that were updated and not obsoleted count as current.",
        "The questions were drafted by a language model from single documents, the superseded ones included: such a "
        "question asks for what the old document says.",
    ),
    determinism=MODEL_TOLERANCE,
    minutes=4.0,
)
