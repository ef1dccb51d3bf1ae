"""What PostgreSQL keeps of deleted rows: bytes in the files of a table and of its index.

A DELETE marks row versions as dead; nothing is overwritten. The check here does not trust the manual: it reads the
files of a relation and counts for how many of the deleted vectors the very bytes still stand there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.corpus.model import Vectors
from harness.errors import HarnessError
from harness.store.server import Connection

PIECE = 8 * 1024 * 1024
"""Bytes read at a time; a multiple of a page, and no row is longer than a page."""
PREFIX = 32
"""Components of a vector that are looked for: 128 bytes, which no other vector begins with by chance."""


@dataclass(frozen=True)
class Remains:
    """Of one relation: its bytes on disk, and for how many of the vectors sought the bytes stand in its files."""

    relation: str
    bytes: int
    vectors: int


def remains(conn: Connection, relation: str, vectors: Vectors) -> Remains:
    """Look for `vectors` (float32, as pgvector stores them) in the files of `relation`; writes dirty pages out first.

    Needs a superuser: the server's files are read.
    """
    conn.execute("CHECKPOINT")
    row = conn.execute("SELECT pg_relation_filepath(%s::regclass), pg_relation_size(%s::regclass)", [relation] * 2)
    path, size = row.fetchone() or ("", 0)
    sought = {np.asarray(vector[:PREFIX], dtype="<f4").tobytes() for vector in vectors}
    seen: set[bytes] = set()
    for at in range(0, int(size), PIECE):
        piece = conn.execute("SELECT pg_read_binary_file(%s, %s, %s, true)", [path, at, PIECE]).fetchone()
        data = bytes(piece[0]) if piece and piece[0] is not None else b""
        seen |= {pattern for pattern in sought - seen if pattern in data}
    return Remains(relation, int(size), len(seen))


def vacuum(
    conn: Connection,
    table: str,
    *,
    full: bool = False,
    patience: float = 120.0,
    clock: Callable[[], float] = time.monotonic,
) -> float:
    """Vacuum a table once no older transaction could still need the rows; return the seconds of VACUUM itself.

    With `full` table and indexes are written anew, and nobody can read them meanwhile.
    HarnessError when another session keeps such a transaction open for longer than `patience` seconds: VACUUM would end
    without an error and without having removed anything.
    """
    horizon = "SELECT count(*) FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()"
    began = clock()
    while (conn.execute(horizon).fetchone() or (0,))[0]:
        if clock() - began > patience:
            raise HarnessError(f"{table}: another session keeps an old transaction open; VACUUM would remove nothing")
        time.sleep(0.2)
    began = clock()
    # Clean the indexes too: by default VACUUM passes over them when few rows are dead.
    options = "FULL" if full else "INDEX_CLEANUP ON, TRUNCATE OFF, PARALLEL 0"
    conn.execute(f"VACUUM ({options}) {table}".encode())
    return clock() - began
