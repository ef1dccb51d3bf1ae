"""Containment of all pairs of the full corpus in one pass: seconds and peak memory, and plain sets beside it.

    python bench/containment.py [--sample 120] [--json]

Needs the acquired corpus (python -m harness acquire). The texts are read before the clock starts; measured are the
shingles and the pass over all pairs, in a process of its own, at every sampling rate. Then both implementations, the
index and sets of Python compared pair by pair, do the same part of the corpus, each in a process of its own; the
ratio is of that run. Times are processor time (the clock on the wall beside it), so that a busy machine does not
decide; memory is what the process added over the texts it was given.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.capture.api import Run
from harness.corpus.load import load_corpus
from harness.dedup.index import pairs
from harness.dedup.sets import RATES, sample
from harness.dedup.shingles import WIDTH, Shingler, words
from harness.experiments.dedup.sources import sources

LIMIT = 10


def index_of(texts: Sequence[str], rate: int) -> dict[str, float]:
    """Shingles, then every pair in one pass."""
    began = time.process_time()
    shingle = Shingler()
    sets = [sample(shingle(text), rate) for text in texts]
    made = time.process_time()
    found = pairs(sets, (LIMIT,))
    return {
        "shingle_s": made - began, "pass_s": time.process_time() - made,
        "postings": float(sum(map(len, sets))), "pairs_sharing": float((found.common() > 0).sum() / 2),
    }  # fmt: skip


def plain_sets(texts: Sequence[str], rate: int) -> dict[str, float]:
    """Sets of word tuples, every pair by itself; ``rate`` is not used."""
    began = time.process_time()
    sets = []
    for text in texts:
        found = words(text)
        sets.append({tuple(found[n : n + WIDTH]) for n in range(len(found) - WIDTH + 1)})
    made = time.process_time()
    shared = [len(one & other) for n, one in enumerate(sets) for other in sets[:n]]
    return {
        "shingle_s": made - began, "pass_s": time.process_time() - made,
        "postings": float(sum(map(len, sets))), "pairs_sharing": float(sum(map(bool, shared))),
    }  # fmt: skip


def measure(system: Callable[..., dict[str, float]], texts: Sequence[str], rate: int, answer: Connection) -> None:
    """Runs in the child."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall = time.perf_counter()
    found = system(texts, rate)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer.send(
        found | {"wall_s": time.perf_counter() - wall, "added_mib": (peak - before) / 1024, "peak_mib": peak / 1024}
    )


def run(system: Callable[..., dict[str, float]], texts: Sequence[str], rate: int = 1) -> dict[str, Any]:
    """One system in a process of its own."""
    receive, send = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=measure, args=(system, texts, rate, send))
    child.start()
    send.close()
    found: dict[str, Any] = receive.recv()
    child.join()
    return found | {"texts": len(texts), "rate": rate, "total_s": found["shingle_s"] + found["pass_s"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=120, help="texts that both implementations compare")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    texts = [item.text for item in sources(Run.over(load_corpus(name="full"), canary=False)).items]
    part = texts[:: max(1, len(texts) // options.sample)][: options.sample]
    rows = [{"system": "one pass"} | run(index_of, texts, rate) for rate in RATES]
    rows += [{"system": name} | run(system, part) for name, system in (("index", index_of), ("sets", plain_sets))]
    ratio = rows[-1]["total_s"] / rows[-2]["total_s"]
    same = rows[-1]["pairs_sharing"] == rows[-2]["pairs_sharing"]
    if options.json:
        print(json.dumps({"rows": rows, "sets_to_index": ratio, "same_pairs": same}, indent=2))
        return
    heads = ("texts", "1 in", "shingles", "shingling", "pass", "wall", "peak", "added")
    widths = (7, 6, 12, 11, 8, 8, 10, 10)
    print(" " * 10 + "".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True)))
    for row in rows:
        print(
            f"{row['system']:10}{row['texts']:>7,}{row['rate']:>6}{int(row['postings']):>12,}"
            f"{row['shingle_s']:>9.1f} s{row['pass_s']:>6.1f} s{row['wall_s']:>6.1f} s"
            f"{row['peak_mib']:>6.0f} MiB{row['added_mib']:>6.0f} MiB"
        )
    print(f"sets to index on the same {len(part)} texts: {ratio:.1f} times, same pairs: {'yes' if same else 'no'}")


if __name__ == "__main__":
    main()
