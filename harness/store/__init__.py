"""The store: PostgreSQL with pgvector, a corpus in it, and row-level security over every read.

store = open_store(corpus, log)
with store.application() as conn, as_principal(conn, "only:tls") as session:
    hits = dense.hnsw_search(session, vector, ef_search=40)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.corpus.model import Corpus
from harness.store import load, roles, schema
from harness.store.load import Log, load_corpus
from harness.store.roles import RoleCanBypass, Session, as_principal, assert_cannot_bypass
from harness.store.server import APPLICATION_ROLE, Connection, Server, prepare_connection, start, versions

__all__ = [
    "APPLICATION_ROLE",
    "Connection",
    "RoleCanBypass",
    "Session",
    "Store",
    "as_principal",
    "assert_cannot_bypass",
    "load_corpus",
    "open_store",
]


@dataclass(frozen=True)
class Store:
    """One corpus in one database."""

    server: Server
    schema: str

    def application(self) -> Connection:
        """Open a connection as the restricted role: it shows nothing until a principal is named."""
        conn = self.server.connect(user=APPLICATION_ROLE, search_path=self.schema)
        prepare_connection(conn)
        roles.assert_cannot_bypass(conn)
        return conn

    def maintenance(self) -> Connection:
        """Open a connection that may change the store; no reading may be taken on it."""
        return prepare_connection(self.server.connect(search_path=self.schema))

    def grant(self, principals: Mapping[str, Sequence[str]]) -> None:
        """Let each principal see exactly the tenants named."""
        with self.maintenance() as conn:
            roles.grant(conn, self.schema, principals)

    def rebuild_hnsw(self, log: Log, *, workers: int = load.BUILD_WORKERS) -> None:
        """Build the HNSW index anew: the graph, and with it recall, differs from build to build."""
        with self.maintenance() as conn:
            load.rebuild_hnsw(conn, self.schema, log, workers=workers)

    def close(self) -> None:
        """Give up the server; an embedded one stops with its last user."""
        self.server.close()

    def environment(self) -> dict[str, str]:
        """Return what a dataset's `environment` says of the database."""
        with self.maintenance() as conn:
            return {**versions(conn), "server": "embedded" if self.server.embedded else "DATABASE_URL"}

    def params(self) -> dict[str, object]:
        """Return what a dataset's `params` says of the database: the role and the index settings."""
        return {
            "database_role": APPLICATION_ROLE,
            "policy": schema.policy_condition("s").replace("s.", ""),
            "hnsw_m": schema.HNSW_M,
            "hnsw_ef_construction": schema.HNSW_EF_CONSTRUCTION,
            "hnsw_build_workers": load.BUILD_WORKERS,
        }


def open_store(corpus: Corpus, log: Log, data: Path | None = None) -> Store:
    """Return the store that holds `corpus`; start the server and load the corpus where needed."""
    server = start(data)
    with server.connect() as conn:
        load_corpus(conn, corpus, log)
    return Store(server, schema.schema_name(corpus.name))
