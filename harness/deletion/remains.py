"""What PostgreSQL keeps of deleted rows: bytes in the files of a table and of its index.

A DELETE marks row versions as dead; nothing is overwritten. The check here does not trust the manual: it reads the
files of a relation and counts for how many of the deleted vectors the very bytes still stand there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Vectors
from harness.errors import HarnessError
from harness.store.load import BUILD_MEMORY
from harness.store.server import Connection

PIECE = 8 * 1024 * 1024
"""Bytes read at a time: whole pages, and a row never runs over the end of a page."""


@dataclass(frozen=True)
class Remains:
    """Of one relation: its bytes on disk, and for how many of the vectors sought the bytes stand in its files."""

    relation: str
    bytes: int
    vectors: int


def remains(conn: Connection, relation: str, vectors: Vectors) -> Remains:
    """Look for `vectors` (float32) in the files of `relation`; writes dirty pages out first.

    Looked for as the table stores them and as an index for cosine distance does: pgvector divides by the length first,
    which changes the last bits of most vectors. Needs a superuser: the server's files are read.
    """
    conn.execute("CHECKPOINT")
    row = conn.execute("SELECT pg_relation_filepath(%s::regclass), pg_relation_size(%s::regclass)", [relation] * 2)
    path, size = row.fetchone() or ("", 0)
    forms = np.concatenate([vectors, _normalised(conn, vectors)])
    sought = np.ascontiguousarray(forms, dtype="<f4").view("<u4")
    seen: set[int] = set()
    statement = "SELECT pg_read_binary_file(%s, %s, %s, true)"
    for at in range(0, int(size), PIECE):
        piece = conn.execute(statement, [path, at, PIECE], binary=True).fetchone()
        if piece and piece[0]:
            seen |= {row % len(vectors) for row in standing(bytes(piece[0]), sought)}
    return Remains(relation, int(size), len(seen))


def _normalised(conn: Connection, vectors: Vectors) -> Vectors:
    """The vectors divided by their length, by pgvector itself."""
    rows = [conn.execute("SELECT l2_normalize(%s)", [vector]).fetchone() for vector in vectors]
    return np.array([row[0].to_numpy() for row in rows if row], dtype=np.float32)


def standing(data: bytes, sought: NDArray[np.uint32]) -> set[int]:
    """The rows of `sought` (vectors as 32-bit words) whose whole content stands in `data` at a multiple of 4 bytes.

    A vector is found by its first word, then compared to its end: no part of it may be missing.
    """
    words = np.frombuffer(data, dtype="<u4", count=len(data) // 4)
    width = sought.shape[1]
    keys, order = np.unique(sought[:, 0], return_inverse=True)
    places = np.minimum(np.searchsorted(keys, words), len(keys) - 1)
    hits = np.flatnonzero(keys[places] == words)
    found: set[int] = set()
    for at in hits[hits + width <= len(words)]:
        content = words[at : at + width]
        found |= {int(row) for row in np.flatnonzero(order == places[at]) if np.array_equal(content, sought[row])}
    return found


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
    # Clean the indexes too: by default VACUUM passes over them when few rows are dead.
    # Without memory for the whole graph the index would be built anew on disk, which takes many times as long.
    conn.execute("SELECT set_config('maintenance_work_mem', %s, false)", [BUILD_MEMORY])
    options = "FULL" if full else "INDEX_CLEANUP ON, TRUNCATE OFF, PARALLEL 0"
    began = clock()
    conn.execute(f"VACUUM ({options}) {table}".encode())
    return clock() - began
