"""Deletions that forget one surface on purpose, inside a transaction that is rolled back: who notices, and what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

from harness.capture.api import JsonObject
from harness.deletion.reconcile import reconcile, repair
from harness.deletion.remove import delete
from harness.deletion.snapshot import Snapshot
from harness.deletion.tables import TABLES
from harness.experiments.deletion.views import SURFACES
from harness.store.server import Connection

#: Surfaces to ask → for how many questions each gives the document.
View = Callable[[Sequence[str]], dict[str, int]]


def skips(conn: Connection, snapshot: Snapshot, doc: str, view: View) -> list[JsonObject]:
    """One row a way to delete: nothing forgotten, each surface forgotten in turn, and no tombstone written at all."""
    return [_one(conn, snapshot, doc, view, skipped) for skipped in ("none", *SURFACES, "everything")]


def _one(conn: Connection, snapshot: Snapshot, doc: str, view: View, skipped: str) -> JsonObject:
    with conn.transaction(force_rollback=True):
        if skipped == "everything":
            # What a hand-written DELETE does: the document is no longer listed, and that is all.
            conn.execute("DELETE FROM document WHERE id = %s", [doc])
            rows: dict[str, int] = {}
        else:
            rows = delete(conn, doc, "experiment", skip=[skipped] if skipped in TABLES else []).rows
            if skipped != "snapshot":
                rows["snapshot"] = snapshot.hide(doc)
        findings = reconcile(conn, snapshot)
        shown = view(SURFACES)
        repaired = repair(conn, findings, snapshot)
        left = reconcile(conn, snapshot)
        # A repair only takes out: a surface that gave nothing before it gives nothing after it.
        after = view([surface for surface in SURFACES if shown[surface]]) if repaired else shown
    snapshot.show_all()
    return {
        "skipped": skipped,
        "deleted": {surface: rows.get(surface, 0) for surface in SURFACES},
        "findings": [asdict(finding) for finding in findings],
        "found": sum(finding.rows for finding in findings),
        "shown": shown,
        "repaired": repaired,
        "left": sum(finding.rows for finding in left),
        "shown_after": after,
    }
