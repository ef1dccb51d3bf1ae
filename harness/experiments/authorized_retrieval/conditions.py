"""Remove one condition at a time, and count what becomes visible: each condition alone hides what it hides.

Conditions are left out by changing the policies inside a transaction that is rolled back; rows are read in it as the
application role, under what is left of the policies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from harness.corpus.model import Chunk, Corpus, Query, Vectors
from harness.entitlements.classification import LEVELS, Label
from harness.entitlements.readers import CONDITIONS, Reader
from harness.entitlements.table import Entitled
from harness.measuring.labelled.design import Asking, Cell, Census
from harness.retrieval.dense import Hit
from harness.store import Connection, as_principal
from harness.store.layouts import Reading, exact

EXCERPT = 300


def dropped_sets() -> list[tuple[str, ...]]:
    """Return which conditions are left out, one setting after another: none, each, each two."""
    return [combo for size in range(3) for combo in combinations(CONDITIONS, size)]


def counts(layout: Entitled, readers: Sequence[Reader], census: Census) -> list[dict[str, Any]]:
    """Return for each setting the mean number of chunks that the readers see.

    Every count is compared with the rules themselves; RuntimeError where the database shows another number.
    """
    found = []
    with layout.store.maintenance() as conn:
        for dropped in dropped_sets():
            with layout.dropping(conn, dropped):
                seen = [_count(conn, reader) for reader in readers]
            expected = [census.visible(reader, dropped) for reader in readers]
            if seen != expected:
                raise RuntimeError(f"without {dropped}: the database shows {seen}, the rules {expected}")
            found.append(
                {"without": list(dropped), "readers": len(readers), "chunks": float(np.mean(seen)), "most": max(seen)}
            )
    return found


def by_question(
    layout: Entitled, design: Sequence[Cell], queries: Sequence[Query], vectors: Vectors, size: int, k: int
) -> list[dict[str, Any]]:
    """Return per kind of away question how often a setting shows the source document among the exact `k`.

    Settings: all conditions, the hiding one removed, the hiding one alone.
    """
    found = []
    with layout.store.maintenance() as conn:
        for cell in [cell for cell in design if cell.size == size and cell.mode != "home"]:
            others = tuple(condition for condition in CONDITIONS if condition != cell.mode)
            row: dict[str, Any] = {"condition": cell.mode, "cell": cell.label, "n": len(cell.askings)}
            for name, dropped in (("all", ()), ("removed", (cell.mode,)), ("alone", others)):
                with layout.dropping(conn, dropped):
                    shown = [
                        sum(hit.doc == queries[asking.query].doc for hit in _exact(layout, conn, asking, vectors, k))
                        for asking in cell.askings
                    ]
                row[name] = sum(count > 0 for count in shown)
                row[f"{name}_rows"] = sum(shown)
            found.append(row)
    return found


def cases(
    layout: Entitled,
    design: Sequence[Cell],
    corpus: Corpus,
    found: Mapping[str, Label],
    queries: Sequence[Query],
    vectors: Vectors,
    size: int,
    k: int,
) -> list[dict[str, Any]]:
    """Return one chunk a condition that this condition alone hides, and where it would rank in every setting.

    Chosen by rule: the first question of the cell whose nearest chunk, once the condition is removed, is one of its
    source document; were there none, the first question.
    """
    texts = {chunk.id: chunk for chunk in corpus.chunks}
    shown = []
    with layout.store.maintenance() as conn:
        for cell in [cell for cell in design if cell.size == size and cell.mode != "home"]:
            asking = _first(layout, conn, cell, queries, vectors, k)
            with layout.dropping(conn, (cell.mode,)):
                hidden = _exact(layout, conn, asking, vectors, k)[0]
            settings = []
            for dropped in dropped_sets():
                with layout.dropping(conn, dropped):
                    ranked = [hit.id for hit in _exact(layout, conn, asking, vectors, k)]
                    visible = _visible(conn, asking.principal, hidden.id)
                settings.append(
                    {
                        "without": list(dropped),
                        "visible": visible,
                        "rank": ranked.index(hidden.id) + 1 if hidden.id in ranked else None,
                    }
                )
            shown.append(
                {
                    "condition": cell.mode,
                    "question": queries[asking.query].text,
                    "reader": _reader(asking.principal),
                    "chunk": _chunk(corpus, texts[hidden.id], found) | {"distance": hidden.distance},
                    "settings": settings,
                }
            )
    return shown


def distinct(design: Sequence[Cell], limit: int) -> list[Reader]:
    """Return up to `limit` readers of the design, spread evenly over all by name."""
    named = {asking.principal.name: asking.principal for cell in design for asking in cell.askings}
    every = [named[name] for name in sorted(named)]
    if len(every) <= limit:
        return every
    return [every[round(i * (len(every) - 1) / (limit - 1))] for i in range(limit)]


def _first(
    layout: Entitled, conn: Connection, cell: Cell, queries: Sequence[Query], vectors: Vectors, k: int
) -> Asking:
    with layout.dropping(conn, (cell.mode,)):
        for asking in cell.askings:
            hits = _exact(layout, conn, asking, vectors, k)
            if hits and hits[0].doc == queries[asking.query].doc:
                return asking
    return cell.askings[0]


def _exact(layout: Entitled, conn: Connection, asking: Asking, vectors: Vectors, k: int) -> list[Hit]:
    with as_principal(conn, asking.principal.name) as session:
        reading = Reading(session.conn, session.principal, asking.principal.tenants)
        return exact(layout, reading, vectors[asking.query], k=k)


def _count(conn: Connection, reader: Reader) -> int:
    with as_principal(conn, reader.name) as session:
        row = session.conn.execute("SELECT count(*) FROM chunk").fetchone()
    assert row is not None
    return int(row[0])


def _visible(conn: Connection, reader: Reader, chunk: str) -> bool:
    with as_principal(conn, reader.name) as session:
        return session.conn.execute("SELECT 1 FROM chunk WHERE id = %s", [chunk]).fetchone() is not None


def _reader(reader: Reader) -> dict[str, Any]:
    return {
        "name": reader.name,
        "tenants": list(reader.tenants),
        "clearance": LEVELS[reader.clearance],
        "sides": list(reader.sides),
    }


def _chunk(corpus: Corpus, chunk: Chunk, found: Mapping[str, Label]) -> dict[str, Any]:
    document, label = corpus.documents[chunk.doc], found[chunk.doc]
    return {
        "id": chunk.id,
        "doc": chunk.doc,
        "title": document.title,
        "url": document.url,
        "licence": document.licence,
        "tenant": document.tenant,
        "level": LEVELS[label.level],
        "side": label.side,
        "rule": label.rule,
        "excerpt": " ".join(chunk.text.split())[:EXCERPT],
    }
