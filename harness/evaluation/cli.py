"""``python -m harness eval``: a public collection through the project's own retrieval and metrics.

Example::

    python -m harness eval --collection collections/scifact --k1 0.9 --b 0.4 --stem porter --stop-words --joints ._
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError
from harness.evaluation import bootstrap, metrics
from harness.evaluation.collections import Collection, read
from harness.paths import cache_dir
from harness.progress import bar
from harness.retrieval.bm25 import DEFAULT, Settings, build
from harness.retrieval.bm25_formulas import VARIANTS
from harness.retrieval.exact import search_many
from harness.retrieval.rrf import fuse
from harness.retrieval.terms import ENGLISH_STOP_WORDS, JOINTS, Tokeniser

Rankings = dict[str, list[str]]
EXAMPLE = "example: python -m harness eval --collection collections/scifact --k1 0.9 --b 0.4 --stem porter"
DEFAULT_MEASURES = ("nDCG@10", "MRR@10", "hit@10", "recall@10", "recall@100")


@dataclass(frozen=True)
class Row:
    """One printed line: a metric's mean over the judged queries with its bootstrap interval."""

    metric: str
    interval: bootstrap.Interval

    def as_dict(self) -> dict[str, object]:
        """Plain values for ``--json``."""
        it = self.interval
        return {"metric": self.metric, "mean": it.mean, "low": it.low, "high": it.high, "n": it.n}


def lexical_rankings(collection: Collection, tokeniser: Tokeniser, settings: Settings, depth: int) -> Rankings:
    """BM25's first ``depth`` document ids for every judged query."""
    index = build(collection.documents.items(), tokeniser)
    return {
        query: [hit.id for hit in index.search(text, depth, settings)]
        for query, text in collection.judged_queries.items()
    }


def dense_rankings(collection: Collection, depth: int) -> Rankings:
    """The packaged embedder's first ``depth`` ids by exact cosine. Embeds every document: minutes."""
    # Imported here: the lexical path must not need torch.
    from harness.embedding.cache import VectorCache
    from harness.embedding.model import load_embedder

    cache, embedder = VectorCache(cache_dir() / "vectors.sqlite"), load_embedder()
    ids = sorted(collection.documents)
    vectors = cache.embed([collection.documents[id] for id in ids], embedder, bar("embedding"))
    queries = collection.judged_queries
    found = search_many(vectors, cache.embed(list(queries.values()), embedder), ids, depth)
    return {query: [hit.id for hit in hits] for query, hits in zip(queries, found, strict=True)}


def fused_rankings(lists: Mapping[str, Rankings], depth: int) -> Rankings:
    """Reciprocal rank fusion (k = 60) of several systems' rankings, query by query."""
    queries = next(iter(lists.values()))
    return {
        query: [result.id for result in fuse({name: run[query] for name, run in lists.items()}, limit=depth)]
        for query in queries
    }


def score(collection: Collection, rankings: Rankings, measures: Sequence[str], seed: int = 0) -> list[Row]:
    """Every measure's mean over the judged queries, with a 95% bootstrap interval over queries."""
    chosen = [metrics.metric(typed) for typed in measures]
    values = metrics.evaluate(chosen, rankings, collection.judgments)
    return [Row(name, bootstrap.mean_interval(list(by_query.values()), seed=seed)) for name, by_query in values.items()]


def main(argv: Sequence[str]) -> int:
    """Runs the command; 0 on success, 1 with one line on stderr for a user's mistake."""
    options = _parser().parse_args(argv)
    try:
        collection = read(options.collection, options.split)
        settings = Settings(options.k1, options.b, options.variant)
        started = time.perf_counter()
        rankings = _rankings(collection, options, settings)
        seconds = time.perf_counter() - started
        rows = score(collection, rankings, options.measures, options.seed)
    except (HarnessError, ValueError, ModuleNotFoundError) as error:
        print(f"eval: {error}", file=sys.stderr)
        return 1
    if options.run_out:
        _write_run(options.run_out, rankings, options.retriever)
    _report(collection, rows, options, seconds)
    return 0


def _rankings(collection: Collection, options: argparse.Namespace, settings: Settings) -> Rankings:
    tokeniser = Tokeniser(
        stop_words=ENGLISH_STOP_WORDS if options.stop_words else frozenset(),
        stem=options.stem,
        joints=options.joints,
    )
    depth = max([options.depth, *(metrics.metric(typed).k for typed in options.measures)])
    systems: dict[str, Rankings] = {}
    if options.retriever in ("bm25", "rrf"):
        systems["lexical"] = lexical_rankings(collection, tokeniser, settings, depth)
    if options.retriever in ("dense", "rrf"):
        systems["dense"] = dense_rankings(collection, depth)
    return fused_rankings(systems, depth) if options.retriever == "rrf" else next(iter(systems.values()))


def _report(collection: Collection, rows: Sequence[Row], options: argparse.Namespace, seconds: float) -> None:
    settings = {"retriever": options.retriever, "split": options.split, "seed": options.seed}
    if options.retriever != "dense":
        settings |= {
            "k1": options.k1, "b": options.b, "variant": options.variant,
            "stem": options.stem, "joints": options.joints, "stop_words": options.stop_words,
        }  # fmt: skip
    if options.json:
        summary = {
            "collection": collection.name, "documents": len(collection.documents), "settings": settings,
            "rows": [row.as_dict() for row in rows],
        }  # fmt: skip
        print(json.dumps(summary, indent=2))
        return
    print(f"{collection.name}: {len(collection.documents)} documents, {rows[0].interval.n} judged queries")
    print("  " + ", ".join(f"{key} {value}" for key, value in settings.items()))
    for row in rows:
        it = row.interval
        print(f"  {row.metric:<12} {it.mean:.4f}  [{it.low:.4f}, {it.high:.4f}]")
    print(f"  retrieval took {seconds:.1f} s", file=sys.stderr)


def _write_run(path: Path, rankings: Rankings, tag: str) -> None:
    """A TREC run file; the score is minus the rank, so that every evaluator keeps this order."""
    lines = [
        f"{query} Q0 {id} {rank} {-rank} {tag}\n"
        for query, ids in rankings.items()
        for rank, id in enumerate(ids, start=1)
    ]
    path.write_text("".join(lines), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m harness eval",
        description="Run a test collection (BEIR or Cranfield layout) through our retrieval and metrics.",
        epilog=EXAMPLE,
    )
    add = parser.add_argument
    add("--collection", type=Path, required=True, metavar="DIR", help="folder of the collection")
    add("--split", default="test", help="judgments of the BEIR layout: qrels/SPLIT.tsv (default test)")
    add("--retriever", choices=("bm25", "dense", "rrf"), default="bm25", help="default bm25")
    add("--k1", type=float, default=DEFAULT.k1, help=f"saturation of frequency (default {DEFAULT.k1})")
    add("--b", type=float, default=DEFAULT.b, help=f"length normalisation (default {DEFAULT.b})")
    add("--variant", choices=sorted(VARIANTS), default=DEFAULT.variant, help=f"default {DEFAULT.variant}")
    add("--stem", choices=("none", "porter"), default="none", help="stemming (default none)")
    add("--joints", default=JOINTS, help="characters that join runs into one term (default %(default)s)")
    add("--stop-words", action="store_true", help="drop English stop words")
    add("--measures", nargs="+", default=list(DEFAULT_MEASURES), metavar="NAME@K", help="what to report")
    add("--depth", type=int, default=100, help="results a query at least (default 100)")
    add("--seed", type=int, default=0, help="of the bootstrap (default 0)")
    add("--run-out", type=Path, metavar="FILE", help="also write a TREC run file")
    add("--json", action="store_true", help="machine-readable output")
    return parser
