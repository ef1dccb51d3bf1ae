"""Ways by which a deleted document comes back, tried for real and rolled back: which of them the tombstone refuses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import psycopg

from harness.capture.api import JsonObject
from harness.corpus.model import Corpus
from harness.deletion.tables import cache
from harness.store.server import Connection

WAYS: dict[str, str] = {
    "listed": "the document is listed again under its id",
    "vectors": "a writer of vectors inserts one of its rows",
    "lexical": "a writer of lexical rows inserts one of its rows",
    "answers": "an answer made before the deletion is cached after it",
    "renamed": "the same bytes are listed under another id",
    "reworded": "the text without its last character is listed under another id",
}


def returns(conn: Connection, corpus: Corpus, doc: str) -> list[JsonObject]:
    """Try every way; `refused` is 1 when the database raised, 0 when it did not."""
    chunk = next(chunk for chunk in corpus.chunks if chunk.doc == doc)
    row = next(i for i, one in enumerate(corpus.chunks) if one.id == chunk.id)
    checksum, vector = corpus.documents[doc].sha256, corpus.vectors()[row]
    changed = hashlib.sha256(corpus.documents[doc].text[:-1].encode()).hexdigest()
    tries: dict[str, Callable[[], object]] = {
        "listed": lambda: conn.execute("INSERT INTO document VALUES (%s, %s)", [doc, checksum]),
        "vectors": lambda: conn.execute(
            "INSERT INTO vector_row VALUES (%s, %s, %s, %s)", [chunk.id, doc, chunk.text, vector]
        ),
        "lexical": lambda: conn.execute(
            "INSERT INTO lexical_row VALUES (%s, %s, to_tsvector('english', %s))", [chunk.id, doc, chunk.text]
        ),
        "answers": lambda: cache(conn, "a question asked before", chunk.text[:100], [(chunk.id, doc, True)]),
        "renamed": lambda: conn.execute("INSERT INTO document VALUES (%s, %s)", [f"copy-of-{doc}", checksum]),
        "reworded": lambda: conn.execute(
            "INSERT INTO document VALUES (%s, %s)", [f"nearly-{doc}", changed]
        ),
    }  # fmt: skip
    return [{"way": way, "what": WAYS[way], "refused": int(_refused(conn, attempt))} for way, attempt in tries.items()]


def _refused(conn: Connection, attempt: Callable[[], object]) -> bool:
    try:
        with conn.transaction(force_rollback=True):
            attempt()
    except psycopg.errors.CheckViolation:
        return True
    return False
