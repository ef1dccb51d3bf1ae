"""Look on every surface for what should not be there, and take it out.

A deletion that forgot a surface looks like one that did not: the document is gone from the list of documents. So the
reconciler starts from the tombstones and asks each surface by itself. It also finds *orphans*: rows of a document that
is neither listed nor has a tombstone, left by a deletion that wrote none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.deletion.remove import STATEMENTS
from harness.deletion.snapshot import Snapshot
from harness.store.server import Connection

Why = Literal["tombstone", "orphan"]

_ROWS = """
SELECT d.doc, d.why, count(*) FROM {held} h JOIN (
  SELECT doc, 'tombstone' AS why FROM tombstone
  UNION ALL
  SELECT DISTINCT o.doc, 'orphan' FROM {held} o
  WHERE NOT EXISTS (SELECT FROM document WHERE id = o.doc) AND NOT EXISTS (SELECT FROM tombstone t WHERE t.doc = o.doc)
) d USING (doc) GROUP BY d.doc, d.why ORDER BY d.doc
"""

#: Surface → the rows that hold something of a document, each with its name. Answers count once, not once a passage.
HELD: dict[str, str] = {
    "vectors": "vector_row",
    "lexical": "lexical_row",
    "answers": "(SELECT DISTINCT question, doc FROM answer_source)",
}


@dataclass(frozen=True)
class Finding:
    """Rows of a document on a surface where it should not be, and by what it is known."""

    surface: str
    doc: str
    rows: int
    why: Why


def reconcile(conn: Connection, snapshot: Snapshot | None = None) -> list[Finding]:
    """Return every finding, surface by surface; [] when each tombstone is kept everywhere."""
    found = []
    for surface, held in HELD.items():
        rows = conn.execute(_ROWS.format(held=held).encode()).fetchall()
        found += [Finding(surface, str(doc), int(count), why) for doc, why, count in rows]
    if snapshot is not None:
        for (doc,) in conn.execute("SELECT doc FROM tombstone ORDER BY doc").fetchall():
            if rows_left := snapshot.shown(str(doc)):
                found.append(Finding("snapshot", str(doc), rows_left, "tombstone"))
    return found


def repair(conn: Connection, findings: list[Finding], snapshot: Snapshot | None = None) -> int:
    """Take out what was found under a tombstone; return the rows removed or hidden.

    Orphans are left alone: without a tombstone nobody said that the document should go, and its listing may be what is
    missing.
    """
    removed = 0
    with conn.transaction():
        for finding in (one for one in findings if one.why == "tombstone"):
            if finding.surface == "snapshot":
                removed += snapshot.hide(finding.doc) if snapshot is not None else 0
            else:
                removed += conn.execute(STATEMENTS[finding.surface].encode(), {"doc": finding.doc}).rowcount
    return removed
