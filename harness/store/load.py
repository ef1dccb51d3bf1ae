"""Put a corpus into the store: one transaction, keyed by a digest.

Loading is all or nothing: tables, rows, indexes, policies and the key are written in one transaction, so an
interrupted load leaves the state before it and the next one starts cleanly. A load whose key already stands
in the `meta` table does nothing. Rows arrive by COPY before row security is switched on, since COPY FROM into
a table with row security is refused to everyone but a superuser.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable

import psycopg

from harness.corpus.model import Corpus
from harness.store import schema as ddl
from harness.store.roles import grant
from harness.store.server import Connection, prepare_connection

Log = Callable[[str], None]

#: Parallel workers that a build of a vector index may take beside the process that builds it.
BUILD_WORKERS = 2

#: Memory of an index build; a parallel build takes all of it as shared memory at once.
BUILD_MEMORY = "256MB"
#: Tables of less than this many rows are built by one process: starting workers costs more than it gives.
SMALL = 2_000


def load_key(corpus: Corpus) -> str:
    """Return the digest a load is known by: corpus, embedder, and every statement that shapes the tables."""
    statements = [ddl.create_tables("s"), ddl.create_hnsw("s"), ddl.CREATE_GIN, ddl.protect("s")]
    shown = sorted([d.id, d.title, d.url, d.licence] for d in corpus.documents.values())
    parts = [corpus.digest, corpus.models, shown, statements]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def loaded_key(conn: Connection, schema: str) -> str | None:
    """Return the key of what the schema contains, or None when it is empty."""
    if conn.execute("SELECT to_regclass(%s)", [f"{schema}.meta"]).fetchone() == (None,):
        return None
    row = conn.execute(f"SELECT value FROM {schema}.meta WHERE key = 'load'".encode()).fetchone()
    return None if row is None else str(row[0])


def load_corpus(conn: Connection, corpus: Corpus, log: Log, *, workers: int = BUILD_WORKERS) -> bool:
    """Make the store hold `corpus`; return whether anything had to be loaded.

    `conn` is a maintenance connection (it may create schemas, roles and the extension). Two loads at once
    wait for each other on an advisory lock of the database.
    """
    schema, key = ddl.schema_name(corpus.name), load_key(corpus)
    with conn.transaction():
        conn.execute("SELECT pg_advisory_xact_lock(hashtext('zeroth'))")
        conn.execute("CREATE EXTENSION IF NOT EXISTS vector")
        conn.execute(ddl.ROLES.encode())
        prepare_connection(conn)
        if loaded_key(conn, schema) == key:
            log(f"store: {corpus.name} is loaded ({len(corpus.chunks)} chunks)")
            return False
        _load(conn, corpus, schema, log, workers)
        conn.execute(f"INSERT INTO {schema}.meta VALUES ('load', %s)".encode(), [key])
    # Only the visibility map is still missing; it may be made outside of the transaction, and must be.
    for table in ddl.TABLES:
        conn.execute(f"VACUUM {schema}.{table}".encode())
    return True


def _load(conn: Connection, corpus: Corpus, schema: str, log: Log, workers: int) -> None:
    """Write everything but the key, inside the caller's transaction."""
    conn.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE".encode())
    conn.execute(ddl.create_tables(schema).encode())
    began = time.monotonic()
    documents = sorted(corpus.documents.values(), key=lambda d: d.id)
    copy_rows(
        conn,
        f"COPY {schema}.document (id, tenant, title, url, licence)",
        ["text"] * 5,
        ((d.id, d.tenant, d.title, d.url, d.licence) for d in documents),
    )
    vectors = corpus.vectors()
    copy_rows(
        conn,
        f"COPY {schema}.chunk (id, doc, tenant, ordinal, text, embedding)",
        ["text", "text", "text", "int4", "text", "vector"],
        ((c.id, c.doc, c.tenant, c.ordinal, c.text, vectors[i]) for i, c in enumerate(corpus.chunks)),
    )
    log(f"store: copied {len(corpus.chunks)} chunks in {time.monotonic() - began:.1f} s")
    build_hnsw(conn, schema, log, workers=workers if len(corpus.chunks) >= SMALL else 0)
    conn.execute(ddl.CREATE_GIN.format(schema=schema).encode())
    tenants = sorted({d.tenant for d in documents})
    grant(conn, schema, {"all": tenants, **{f"only:{t}": [t] for t in tenants}})
    conn.execute(ddl.protect(schema).encode())
    for table in (*ddl.TABLES, "acl"):
        conn.execute(f"ANALYZE {schema}.{table}".encode())


def copy_rows(conn: Connection, statement: str, types: list[str], rows: Iterable[tuple[object, ...]]) -> None:
    """Copy rows in binary form.

    Types have to be named: binary COPY converts nothing, and `vector` has no fixed id.
    """
    with conn.cursor() as cursor, cursor.copy(f"{statement} FROM STDIN (FORMAT binary)".encode()) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def build_hnsw(conn: Connection, schema: str, log: Log, *, workers: int) -> None:
    """Build the HNSW index over a table that has none.

    A parallel build takes its memory from /dev/shm; where that is too small (a container's is often 64 MB)
    the build is repeated by one process. The graph differs from build to build: levels are drawn from a
    generator that SQL cannot seed, and parallel workers insert in any order.
    """
    began = time.monotonic()
    try:
        with conn.transaction():
            _create_hnsw(conn, schema, workers)
    except (psycopg.errors.InsufficientResources, psycopg.errors.SystemError) as error:
        log(f"store: parallel build not possible ({str(error).splitlines()[0]}), building with one process")
        with conn.transaction():
            _create_hnsw(conn, schema, 0)
    log(f"store: built the HNSW index in {time.monotonic() - began:.1f} s")


def _create_hnsw(conn: Connection, schema: str, workers: int) -> None:
    conn.execute("SELECT set_config('maintenance_work_mem', %s, true)", [BUILD_MEMORY])
    conn.execute("SELECT set_config('max_parallel_maintenance_workers', %s, true)", [str(workers)])
    conn.execute(ddl.create_hnsw(schema).encode())


def rebuild_hnsw(conn: Connection, schema: str, log: Log, *, workers: int = BUILD_WORKERS) -> None:
    """Replace the HNSW index by another over the same rows: recall moves with the graph."""
    with conn.transaction():
        conn.execute(f"DROP INDEX {schema}.{ddl.HNSW_INDEX}".encode())
        build_hnsw(conn, schema, log, workers=workers)
