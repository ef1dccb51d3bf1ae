"""Two controls: exact search under the policy is full, and lexical search under it loses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.corpus.model import Query
from harness.measuring.trials import Cell
from harness.retrieval import fulltext
from harness.retrieval.dense import Hit
from harness.store import Connection, as_principal


def ceiling(cell: Cell, exact: Sequence[Sequence[Hit]], k: int) -> dict[str, Any]:
    """Return how many askings of a cell exact search answers with `k` rows, none of another tenant."""
    for asking, hits in zip(cell.askings, exact, strict=True):
        if any(hit.tenant not in asking.principal.tenants for hit in hits):
            raise RuntimeError(f"the policy let through a row that {asking.principal.name} may not see")
    return {
        "cell": cell.label,
        "n": len(exact),
        "full": sum(len(hits) == k for hits in exact),
        "empty": sum(not hits for hits in exact),
    }


def lexical(
    conn: Connection, cells: Sequence[Cell], queries: Sequence[Query], limit: int, k: int
) -> list[dict[str, Any]]:
    """Return, a cell, in how many of the askings the database returns the top `k` computed by hand.

    By hand: the whole ranked list as a principal sees it who may see everything, without the rows that the
    asking's principal may not see, cut to `k`. `limit` questions are asked, spread evenly over all.
    """
    asked = sorted({round(i * (len(queries) - 1) / max(limit - 1, 1)) for i in range(min(limit, len(queries)))})
    agree = {cell.label: 0 for cell in cells}
    short = {cell.label: 0 for cell in cells}
    for position in asked:
        text = queries[position].text
        with as_principal(conn, "all") as session:
            everything = fulltext.search(session, text, k=None)
        for cell in cells:
            principal = cell.askings[position].principal
            by_hand = [row for row in everything if row[1] in principal.tenants][:k]
            with as_principal(conn, principal.name) as session:
                returned = fulltext.search(session, text, k=k)
            agree[cell.label] += returned == by_hand
            short[cell.label] += len(returned) < k
    return [
        {"cell": cell.label, "n": len(asked), "agree": agree[cell.label], "short": short[cell.label]} for cell in cells
    ]
