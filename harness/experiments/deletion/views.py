"""What a reader still gets of a document from each surface: asked through them, never through the tombstones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from harness.corpus.model import Query, Vectors
from harness.deletion.snapshot import Snapshot
from harness.store.server import Connection

SURFACES = ("vectors", "lexical", "answers", "snapshot")

_FORCED = {"enable_seqscan": "off", "enable_bitmapscan": "off", "enable_sort": "off", "hnsw.iterative_scan": "off"}
_FREE = {"enable_seqscan": "on", "enable_bitmapscan": "on", "enable_sort": "on"}
_DENSE = "SELECT chunk, doc FROM vector_row ORDER BY embedding <=> %(query)s LIMIT %(k)s"
_TERMS = "SELECT string_agg(quote_literal(lexeme), ' | ') FROM unnest(to_tsvector('english', %s))"
_LEXICAL = """SELECT chunk, doc FROM lexical_row WHERE tsv @@ %(terms)s::tsquery
ORDER BY ts_rank(tsv, %(terms)s::tsquery) DESC, chunk LIMIT %(k)s"""


def view(
    conn: Connection,
    snapshot: Snapshot,
    doc: str,
    queries: Sequence[Query],
    vectors: Vectors,
    ef: int,
    k: int,
    surfaces: Sequence[str] = SURFACES,
) -> dict[str, int]:
    """Surface → for how many of the questions it gives a reader something of `doc`; 0 for one that is not asked."""
    asks: dict[str, Callable[[Query, Vectors], bool]] = {
        "vectors": lambda query, vector: any(found == doc for _, found in dense(conn, vector, ef, k)),
        "lexical": lambda query, vector: any(found == doc for _, found in _lexical(conn, query.text, k)),
        "answers": lambda query, vector: _cached(conn, query.id, doc),
        "snapshot": lambda query, vector: any(
            hit.id.partition(":")[0] == doc for hit in snapshot.search(query.text, k)
        ),
    }
    pairs = list(zip(queries, vectors, strict=True))
    return {
        surface: sum(ask(query, vector) for query, vector in pairs) if surface in surfaces else 0
        for surface, ask in asks.items()
    }


def dense(conn: Connection, vector: Vectors, ef: int, k: int) -> list[tuple[str, str]]:
    """Up to `k` (chunk, document) from an HNSW scan with `ef` candidates; RuntimeError for another plan."""
    with conn.transaction():
        _set(conn, _FORCED | {"hnsw.ef_search": str(ef)})
        params: dict[str, Any] = {"query": vector, "k": k}
        plan = conn.execute(f"EXPLAIN {_DENSE}".encode(), params).fetchall()
        if not any("vector_row_hnsw" in str(line) for (line,) in plan):
            raise RuntimeError(f"expected a scan of vector_row_hnsw, found {plan}")
        rows = conn.execute(_DENSE.encode(), params).fetchall()
        _set(conn, _FREE)
    return [(str(chunk), str(doc)) for chunk, doc in rows]


def _lexical(conn: Connection, text: str, k: int) -> list[tuple[str, str]]:
    row = conn.execute(_TERMS, [text]).fetchone()
    if not row or not row[0]:
        return []
    rows = conn.execute(_LEXICAL, {"terms": row[0], "k": k}).fetchall()
    return [(str(chunk), str(doc)) for chunk, doc in rows]


def _cached(conn: Connection, question: str, doc: str) -> bool:
    """Whether the cache answers the question from passages of the document."""
    statement = "SELECT 1 FROM answer JOIN answer_source USING (question) WHERE question = %s AND doc = %s LIMIT 1"
    return conn.execute(statement, [question, doc]).fetchone() is not None


def _set(conn: Connection, values: dict[str, str]) -> None:
    calls = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in values.items())
    conn.execute(f"SELECT {calls}".encode())
