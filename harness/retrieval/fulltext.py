"""Lexical search inside PostgreSQL, under the policy of the session: `tsvector`, any term matches, `ts_rank`.

This is the control of the access-control experiments, not the site's lexical search
(`harness.retrieval.lexical`, BM25): it shows what a policy does to a search that ranks every row it matches.
The order is total: rank, then id.
"""

from __future__ import annotations

from harness.store.roles import Session

_TERMS = "SELECT string_agg(quote_literal(lexeme), ' | ') FROM unnest(to_tsvector('english', %s))"

_RANKED = """SELECT id, tenant FROM chunk WHERE tsv @@ %(terms)s::tsquery
ORDER BY ts_rank(tsv, %(terms)s::tsquery) DESC, id LIMIT %(k)s"""


def any_term(session: Session, text: str) -> str:
    """Return the query that matches a chunk with at least one term of `text`; empty if it has none."""
    row = session.conn.execute(_TERMS, [text]).fetchone()
    return str(row[0]) if row and row[0] else ""


def search(session: Session, text: str, *, k: int | None = 10) -> list[tuple[str, str]]:
    """Return id and tenant of the `k` best chunks that the principal may see, best first; all with k None."""
    terms = any_term(session, text)
    if not terms:
        return []
    rows = session.conn.execute(_RANKED, {"terms": terms, "k": k}).fetchall()
    return [(str(chunk), str(tenant)) for chunk, tenant in rows]
