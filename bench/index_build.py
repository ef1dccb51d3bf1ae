"""COPY and HNSW build of the store beside what pgvector itself needs, alternating in one run.

    python bench/index_build.py [--chunks 20000] [--repeat 3] [--corpus full]

Chunks and vectors are those of the prepared corpus, on the server that the store uses, in schemas of this script's own
that are dropped at the end. Three tables are filled by binary COPY and indexed in turn, so that a busy machine slows
all alike:

- *vectors*: a number and the vector, nothing else;
- *same columns*: the columns of the store's ``chunk``, without keys and without the full-text column;
- *store*: the store's own tables by the store's own code: primary key, foreign key, full-text column.

The first two are filled by pgvector's psycopg types alone and indexed by a bare CREATE INDEX; all builds are given the
same memory and workers. ``same table`` fills the store's table by the bare loop as well: what the store's code adds is
the ratio to it, what the table's keys and its full-text column add is the rest.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.corpus.load import load_corpus
from harness.corpus.model import Corpus, Vectors
from harness.store import load, schema
from harness.store.server import Connection, prepare_connection, start

PLAIN, OURS = "zeroth_bench_plain", "zeroth_bench_store"
COLUMNS = "id text, doc text, tenant text, ordinal integer, text text"
TYPES = ["text", "text", "text", "int4", "text", "vector"]


def seconds(work: Callable[[], object]) -> float:
    """How long ``work`` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def bare_copy(conn: Connection, target: str, types: list[str], rows: Iterator[tuple[Any, ...]]) -> None:
    """Binary COPY as pgvector's documentation shows it."""
    with conn.cursor().copy(f"COPY {target} FROM STDIN WITH (FORMAT BINARY)".encode()) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def bare_index(conn: Connection, table: str) -> None:
    """CREATE INDEX with the store's m, ef_construction, memory and workers, and nothing around it."""
    with conn.transaction():
        conn.execute(f"SET LOCAL maintenance_work_mem = '{load.BUILD_MEMORY}'".encode())
        conn.execute(f"SET LOCAL max_parallel_maintenance_workers = {load.BUILD_WORKERS}".encode())
        conn.execute(
            f"CREATE INDEX ON {table} USING hnsw (embedding vector_cosine_ops) "
            f"WITH (m = {schema.HNSW_M}, ef_construction = {schema.HNSW_EF_CONSTRUCTION})".encode()
        )


def rows_of(corpus: Corpus, vectors: Vectors, count: int) -> Iterator[tuple[Any, ...]]:
    """The rows of ``chunk``, as the store writes them."""
    for i, c in enumerate(corpus.chunks[:count]):
        yield c.id, c.doc, c.tenant, c.ordinal, c.text, vectors[i]


@contextmanager
def schemas(conn: Connection) -> Iterator[None]:
    """Both schemas, empty; dropped at the end."""
    drop = f"DROP SCHEMA IF EXISTS {PLAIN} CASCADE; DROP SCHEMA IF EXISTS {OURS} CASCADE"
    conn.execute(drop.encode())
    try:
        conn.execute(f"CREATE SCHEMA {PLAIN}".encode())
        conn.execute(f"CREATE TABLE {PLAIN}.vectors (id bigint, embedding vector({schema.DIMENSIONS}))".encode())
        conn.execute(f"CREATE TABLE {PLAIN}.rows ({COLUMNS}, embedding vector({schema.DIMENSIONS}))".encode())
        conn.execute(f"ALTER TABLE {PLAIN}.rows ALTER COLUMN embedding SET STORAGE PLAIN".encode())
        conn.execute(schema.create_tables(OURS).encode())
        yield
    finally:
        conn.execute(drop.encode())


def fill_documents(conn: Connection, corpus: Corpus) -> None:
    """What the foreign key asks for; not timed."""
    documents = sorted(corpus.documents.values(), key=lambda d: d.id)
    rows = ((d.id, d.tenant, d.title, d.url, d.licence) for d in documents)
    load.copy_rows(conn, f"COPY {OURS}.document (id, tenant, title, url, licence)", ["text"] * 5, rows)


def round_of(conn: Connection, corpus: Corpus, vectors: Vectors, count: int) -> dict[str, float]:
    """One round: every table filled and indexed once, then emptied."""
    named = f"{OURS}.chunk (id, doc, tenant, ordinal, text, embedding)"
    numbered = ((i, vectors[i]) for i in range(count))
    spent = {
        "copy vectors": seconds(lambda: bare_copy(conn, f"{PLAIN}.vectors", ["int8", "vector"], numbered)),
        "copy same columns": seconds(lambda: bare_copy(conn, f"{PLAIN}.rows", TYPES, rows_of(corpus, vectors, count))),
        "copy same table": seconds(lambda: bare_copy(conn, named, TYPES, rows_of(corpus, vectors, count))),
    }
    conn.execute(f"TRUNCATE {OURS}.chunk".encode())
    spent["copy store"] = seconds(lambda: load.copy_rows(conn, f"COPY {named}", TYPES, rows_of(corpus, vectors, count)))
    spent["index vectors"] = seconds(lambda: bare_index(conn, f"{PLAIN}.vectors"))
    spent["index same columns"] = seconds(lambda: bare_index(conn, f"{PLAIN}.rows"))
    spent["index store"] = seconds(
        lambda: load.build_hnsw(conn, OURS, lambda message: None, workers=load.BUILD_WORKERS)
    )
    for statement in (
        f"DROP INDEX {PLAIN}.vectors_embedding_idx, {PLAIN}.rows_embedding_idx, {OURS}.{schema.HNSW_INDEX}",
        f"TRUNCATE {PLAIN}.vectors, {PLAIN}.rows, {OURS}.chunk",
    ):
        conn.execute(statement.encode())
    return spent


def ratios(spent: dict[str, list[float]]) -> dict[str, float]:
    """The store against each plain table, of summed times."""
    total = {name: sum(values) for name, values in spent.items()}
    against = {"copy": ("same table", "same columns", "vectors"), "index": ("same columns", "vectors")}
    return {
        f"{what} store / {other}": total[f"{what} store"] / total[f"{what} {other}"]
        for what, others in against.items()
        for other in others
    }


def main() -> None:
    """Measure and print seconds a round and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--corpus", default="full")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    corpus = load_corpus(lambda message: print(message, file=sys.stderr), name=options.corpus)
    vectors, count = corpus.vectors(), min(options.chunks, len(corpus.chunks))
    server = start()
    spent: dict[str, list[float]] = {}
    try:
        with server.connect() as conn:
            conn.execute("CREATE EXTENSION IF NOT EXISTS vector")
            prepare_connection(conn)
            with schemas(conn):
                fill_documents(conn, corpus)
                for number in range(options.repeat):
                    print(f"round {number + 1} of {options.repeat}", file=sys.stderr)
                    for name, value in round_of(conn, corpus, vectors, count).items():
                        spent.setdefault(name, []).append(value)
    finally:
        server.close()
    found = ratios(spent)
    if options.json:
        print(json.dumps({"chunks": count, "seconds": spent, "ratios": found, "load": os.getloadavg()[0]}, indent=2))
        return
    print(f"{count:,} chunks, {options.repeat} rounds; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name, values in spent.items():
        print(f"{name:<20} median {statistics.median(values):6.2f} s   ({', '.join(f'{v:.2f}' for v in values)})")
    for name, value in found.items():
        print(f"{name:<28} {value:.2f}")


if __name__ == "__main__":
    main()
