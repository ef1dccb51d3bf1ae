"""BM25 beside bm25s and rank_bm25: build time, peak memory, query time, and the ratios, all from one run.

    python bench/bm25_speed.py --texts DIR [--passages 50000] [--queries 100]

``DIR`` holds text files (``*.txt``, searched recursively), cut into passages of 220 words; without ``--texts``
words are drawn from a Zipf-like distribution. Every system runs in a process of its own, one after the other, on
the same passages, with the same tokeniser (its time is part of the build) and the same queries. rank_bm25 is left
out when it is not installed: pip install rank_bm25. Times are processor time of that process (all three use one
thread), so that a busy machine does not decide the ratios.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.retrieval.bm25 import DEFAULT, build
from harness.retrieval.terms import Tokeniser

WORDS = 220
Search = Callable[[str], object]
Prepare = Callable[[Sequence[str]], Search]


def ours(passages: Sequence[str]) -> Search:
    """This project's index."""
    index = build((f"{number:06}", text) for number, text in enumerate(passages))
    return lambda query: index.search(query, 10)


def with_bm25s(passages: Sequence[str]) -> Search:
    """bm25s, with 64-bit scores as ours."""
    import bm25s

    tokeniser = Tokeniser()
    engine = bm25s.BM25(k1=DEFAULT.k1, b=DEFAULT.b, method="lucene", dtype="float64")
    engine.index([tokeniser(text) for text in passages], show_progress=False)
    return lambda query: engine.retrieve([tokeniser(query)], k=10, show_progress=False)


def with_rank_bm25(passages: Sequence[str]) -> Search:
    """rank_bm25's Okapi."""
    from rank_bm25 import BM25Okapi  # type: ignore[import-not-found]  # only here, only if installed

    tokeniser = Tokeniser()
    engine = BM25Okapi([tokeniser(text) for text in passages], k1=DEFAULT.k1, b=DEFAULT.b)
    return lambda query: engine.get_scores(tokeniser(query)).argsort()[::-1][:10]


SYSTEMS: dict[str, Prepare] = {"ours": ours, "bm25s": with_bm25s, "rank_bm25": with_rank_bm25}


def passages_of(texts: Path | None, count: int) -> list[str]:
    """``count`` passages: real text in file order, or drawn words; fewer when the text runs out."""
    if texts is None:
        rng = random.Random(0)
        return [" ".join(f"w{int(rng.paretovariate(0.5)) % 80_000}" for _ in range(WORDS)) for _ in range(count)]
    found: list[str] = []
    for path in sorted(texts.rglob("*.txt")):
        words = path.read_text(encoding="utf-8", errors="replace").split()
        found += [" ".join(words[start : start + WORDS]) for start in range(0, len(words), WORDS)]
        if len(found) >= count:
            break
    return found[:count]


def queries_of(passages: Sequence[str], count: int) -> list[str]:
    """Runs of ten consecutive words of random passages: function words and rare words as they come."""
    rng = random.Random(1)
    chosen = [rng.choice(passages).split() for _ in range(count)]
    return [" ".join(words[at : at + 10]) for words in chosen for at in [rng.randrange(max(len(words) - 10, 1))]]


def measure(name: str, passages: Sequence[str], queries: Sequence[str], answer: Connection) -> None:
    """Runs in the child: seconds to build, MiB added at the peak, milliseconds of each query."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    search = SYSTEMS[name](passages)
    search(queries[0])  # what is done on first use belongs to the build
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for query in queries:
        started = time.process_time()
        search(query)
        times.append(1000 * (time.process_time() - started))
    answer.send({"build_s": seconds, "added_mib": (peak - before) / 1024, "peak_mib": peak / 1024, "query_ms": times})


def run(name: str, passages: Sequence[str], queries: Sequence[str]) -> dict[str, float]:
    """One system in a process of its own, summed up."""
    receive, send = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=measure, args=(name, passages, queries, send))
    child.start()
    send.close()
    found: dict[str, Any] = receive.recv()
    child.join()
    times: list[float] = sorted(found.pop("query_ms"))
    return found | {
        "queries": len(times),
        "p50_ms": statistics.median(times),
        "p95_ms": times[int(0.95 * (len(times) - 1))],
    }


def main() -> None:
    """Measures every installed system and prints the table and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, metavar="DIR", help="folder of text files")
    parser.add_argument("--passages", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    passages = passages_of(options.texts, options.passages)
    queries = queries_of(passages, options.queries)
    rows: dict[str, dict[str, float]] = {}
    for name in SYSTEMS:
        if name != "ours" and importlib.util.find_spec(name) is None:
            print(f"{name}: not installed, left out", file=sys.stderr)
            continue
        rows[name] = run(name, passages, queries[:30] if name == "rank_bm25" else queries)
    load = os.getloadavg()[0]
    if options.json:
        print(json.dumps({"passages": len(passages), "load": load, "systems": rows}, indent=2))
        return
    source = options.texts or "drawn words"
    print(f"{len(passages):,} passages of {WORDS} words, {source}; {os.cpu_count()} cores, load {load:.1f}")
    print(f"{'':<10} {'build s':>8} {'peak MiB':>9} {'p50 ms':>8} {'p95 ms':>8} {'queries':>8}")
    for name, row in rows.items():
        print(
            f"{name:<10} {row['build_s']:>8.1f} {row['peak_mib']:>9.0f} {row['p50_ms']:>8.2f} "
            f"{row['p95_ms']:>8.2f} {row['queries']:>8}"
        )
    for name, row in rows.items():
        if name != "ours":
            print(
                f"against {name}: build takes {rows['ours']['build_s'] / row['build_s']:.2f} of its time, "
                f"a query {rows['ours']['p50_ms'] / row['p50_ms']:.3f} (p50)"
            )


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
