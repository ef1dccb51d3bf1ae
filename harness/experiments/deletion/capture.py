"""Dataset ``deletion``: one document taken out of every surface, and what notices when a surface is forgotten.

The rows of the store stand in tables of their own: vectors under HNSW, lexical rows under GIN, answers that the
pipeline gave to the golden questions, and a BM25 index outside of the database. The document in most of those answers'
contexts is deleted in one transaction, with a tombstone. Then each surface in turn is left out on purpose, and a
reconciler looks. The rest is what PostgreSQL keeps: how many rows a search through the index returns before and after
VACUUM, and for how many of the deleted vectors the bytes still stand in the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from harness.capture.api import Capture, Determinism, JsonObject, Payload, Run
from harness.corpus.model import Corpus, Query, Vectors
from harness.deletion import tables
from harness.deletion.snapshot import Snapshot
from harness.experiments.deletion import life, returns, skips
from harness.experiments.deletion.answers import Cached, answers, most_used
from harness.experiments.deletion.figures import figures
from harness.experiments.deletion.views import view
from harness.pipeline import Pipeline
from harness.retrieval import lexical


def capture(run: Run) -> Payload:
    """Fill the tables and the cache, delete, forget, reconcile; then follow the index over several builds."""
    corpus, params, store = run.corpus, run.params, run.database()
    queries = sorted(corpus.queries, key=lambda query: query.id)
    vectors = corpus.query_vectors(queries)
    run.log(f"answering {len(queries)} questions")
    pipeline = Pipeline(corpus)
    cached = answers(pipeline, queries, vectors)
    doc = most_used(cached)
    affected = [i for i, query in enumerate(queries) if any(c.question == query.id and c.used(doc) for c in cached)]
    asked, asked_vectors = [queries[i] for i in affected], vectors[affected]
    snapshot = Snapshot(pipeline.index)
    own, alone = _vectors(corpus, doc)
    lived = life.Life()
    ef, k = params["ef_search"], params["k"]
    result: JsonObject = {"document": _document(corpus, doc, cached, asked) | {"alone": len(alone)}}
    for build in range(params["builds"]):
        run.log(f"build {build + 1} of {params['builds']}")
        tables.create(store, [(d.id, d.sha256) for d in corpus.documents.values()], run.log)
        with tables.connect(store) as conn:
            for one in cached:
                tables.cache(conn, one.question, one.quote, one.sources)
            if not build:
                look = partial(view, conn, snapshot, doc, asked, asked_vectors, ef, k)
                result["before"] = look()
                result["skips"] = skips.skips(conn, snapshot, doc, look)
            life.live(conn, doc, own, alone, lived, params)
            if not build:
                result["returns"] = returns.returns(conn, corpus, doc)
    tables.drop(store)
    result |= {
        "searches": life.readings(lived, params),
        "files": life.files(lived),
        "snapshot": _snapshot(corpus, snapshot, doc, asked),
    }
    timings = {"seconds": [{"what": what, "values": values} for what, values in lived.seconds.items()]}
    return Payload(result, figures(result, timings), timings)


def _vectors(corpus: Corpus, doc: str) -> tuple[Vectors, Vectors]:
    """The vectors of the document's chunks, and those of them that no chunk of another document has."""
    vectors = corpus.vectors()
    others = {vectors[i].tobytes() for i, chunk in enumerate(corpus.chunks) if chunk.doc != doc}
    own = vectors[[i for i, chunk in enumerate(corpus.chunks) if chunk.doc == doc]]
    return own, own[[vector.tobytes() not in others for vector in own]]


def _document(corpus: Corpus, doc: str, cached: Sequence[Cached], asked: Sequence[Query]) -> JsonObject:
    """The document deleted, and what every surface holds of it."""
    document, chunks = corpus.documents[doc], sum(chunk.doc == doc for chunk in corpus.chunks)
    used = [one for one in cached if one.used(doc)]
    return {
        "id": doc,
        "named": document.title,
        "address": document.url,
        "tenant": document.tenant,
        "chunks": chunks,
        "all_chunks": len(corpus.chunks),
        "all_documents": len(corpus.documents),
        "all_answers": len(cached),
        "answers": len(used),
        "answers_quoting": sum(one.quoted(doc) for one in used),
        "answers_of_others": sum(query.doc != doc for query in asked),
    }


def _snapshot(corpus: Corpus, snapshot: Snapshot, doc: str, asked: Sequence[Query]) -> JsonObject:
    """The index outside of the database: rows and word counts as it is, with rows hidden, and built again.

    The word shown is that of the affected questions whose count falls by the largest share; of equals the first.
    """
    before = snapshot.shown(doc)
    snapshot.hide(doc)
    rebuilt = Snapshot(lexical.index([chunk for chunk in corpus.chunks if chunk.doc != doc]))
    words = Counter(word for query in asked for word in set(query.text.lower().split()) if snapshot.df(word))
    word = min(words, key=lambda w: (rebuilt.df(w) / snapshot.df(w), w), default="")
    return {
        "held_before": before,
        "shown_hidden": snapshot.shown(doc),
        "held_hidden": snapshot.held(doc),
        "held_rebuilt": rebuilt.held(doc),
        "word": word,
        "word_hidden": snapshot.df(word),
        "word_rebuilt": rebuilt.df(word),
    }


CAPTURE = Capture(
    name="deletion",
    title="One document deleted from every surface",
    describes=(
        "One document deleted from vectors, lexical rows, cached answers and a lexical index outside of the database: "
        "rows by surface, what a reader still gets and what a reconciler finds when one surface is left out on "
        "purpose, which ways back the tombstone refuses, and what PostgreSQL's table and HNSW index keep before and "
        "after VACUUM."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={
        "ef_search": 40,
        "k": 10,
        "builds": 2,
        "resamples": 10_000,
        "seed": 20,
        "document": "the one in the contexts of most cached answers, ties by id",
        "tables_role": "owner of tables of its own beside the store; no row policy is measured here",
        "autovacuum": "off, so that each state can be read",
    },
    canary_params={"ef_search": 10, "builds": 1, "resamples": 1_000},
    caveats=(
        "The cache holds answers made without a floor under their quotes, also those that a floor would have withheld.",
        "One document was deleted, the one whose deletion touches most cached answers; others touch fewer.",
        "Searches of the index start from the vectors of the deleted document's own chunks, where the loss is largest.",
        "The write-ahead log, backups, replicas, server logs and free blocks of the disk were not looked at.",
        "Passages of other documents that hold the same text are not the deleted document's and stay.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=2, statistic="mean"),
    volatile=("/timings", "/result/searches/*/measured", "/result/files/*/measured"),
    minutes=6.0,
)
