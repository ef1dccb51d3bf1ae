"""Delete one document from every surface in one transaction, and leave a tombstone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from harness.deletion.tables import TABLES
from harness.errors import HarnessError
from harness.store.server import Connection

#: What empties a surface of one document; an answer goes when any passage of its context was the document's.
STATEMENTS: dict[str, str] = {
    "vectors": "DELETE FROM vector_row WHERE doc = %(doc)s",
    "lexical": "DELETE FROM lexical_row WHERE doc = %(doc)s",
    "answers": "DELETE FROM answer WHERE question IN (SELECT question FROM answer_source WHERE doc = %(doc)s)",
}


@dataclass(frozen=True)
class Receipt:
    """What a deletion took out: the document, and rows by surface (skipped surfaces are missing)."""

    doc: str
    rows: dict[str, int]


def delete(conn: Connection, doc: str, reason: str, *, skip: Collection[str] = ()) -> Receipt:
    """Delete `doc` from every surface of the database and write its tombstone: all of it, or on an error nothing.

    `skip` names surfaces to leave out on purpose, to see what finds them. HarnessError for a document that is not there
    and a surface that there is not. Waits for writers of the document that began before.
    """
    unknown = sorted(set(skip) - set(TABLES))
    if unknown:
        raise HarnessError(f"no surface {', '.join(unknown)}; there are {', '.join(TABLES)}")
    with conn.transaction():
        conn.execute("SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext(%s))", [doc])
        gone = conn.execute("DELETE FROM document WHERE id = %s RETURNING sha256", [doc]).fetchone()
        if gone is None:
            raise HarnessError(f"{doc}: no such document, or deleted before")
        conn.execute("INSERT INTO tombstone (doc, sha256, reason) VALUES (%s, %s, %s)", [doc, gone[0], reason])
        rows = {name: _delete(conn, name, doc) for name in TABLES if name not in skip}
    return Receipt(doc, rows)


def _delete(conn: Connection, surface: str, doc: str) -> int:
    return conn.execute(STATEMENTS[surface].encode(), {"doc": doc}).rowcount
