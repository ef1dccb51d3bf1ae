"""Who asks: a reader of everything, a reader of one working group, and one who may see every group but one.

What each may see is read from PostgreSQL through its row policy, not computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.corpus.model import Corpus
from harness.store import Store, as_principal

EVERYTHING = "orientation:all"


def only(tenant: str) -> str:
    """The principal that may see one tenant."""
    return f"orientation:only:{tenant}"


def without(tenant: str) -> str:
    """The principal that may see every tenant but one."""
    return f"orientation:without:{tenant}"


def granted(corpus: Corpus) -> dict[str, list[str]]:
    """Principal → tenants it may see."""
    tenants = sorted({document.tenant for document in corpus.documents.values()})
    found = {EVERYTHING: tenants}
    for tenant in tenants:
        found[only(tenant)] = [tenant]
        found[without(tenant)] = [other for other in tenants if other != tenant]
    return found


def visible(store: Store, corpus: Corpus, principals: Sequence[str]) -> dict[str, frozenset[str]]:
    """Principal → ids of the chunks that the policy lets it read; grants first what :func:`granted` says."""
    grants = granted(corpus)
    store.grant({name: grants[name] for name in principals})
    found = {}
    with store.application() as conn:
        for name in principals:
            with as_principal(conn, name) as session:
                found[name] = frozenset(str(row[0]) for row in session.conn.execute("SELECT id FROM chunk"))
    return found


def by_hand(corpus: Corpus, tenants: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """The same sets from the chunks' tenants, to hold the policy against."""
    return {
        name: frozenset(chunk.id for chunk in corpus.chunks if chunk.tenant in allowed)
        for name, allowed in tenants.items()
    }
