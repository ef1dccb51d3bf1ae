"""A pool whose rows get their tenants, and their vectors, from an arrangement instead of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from harness.corpus.model import Corpus
from harness.experiments.tenants.arrangements import Arrangement
from harness.store import Store
from harness.store.layouts import Pool
from harness.store.load import copy_rows
from harness.store.server import Connection


class Dealt(Pool):
    """One table under row-level security with the tenants of an arrangement. Policy, readers and index are a pool's."""

    name: ClassVar[str] = "dealt"

    def __init__(self, store: Store, corpus: Corpus, arrangement: Arrangement) -> None:
        super().__init__(store)
        self._corpus, self._arrangement = corpus, arrangement

    def _fill(self, conn: Connection, table: str, tenants: Sequence[str] | None = None) -> None:
        """Join the store's rows with the arrangement's tenants and vectors; every row must find its pair."""
        conn.execute(f'CREATE TABLE {self.schema}.dealt (id text COLLATE "C", tenant text, embedding vector)'.encode())
        rows = zip(self._corpus.chunks, self._arrangement.tenants, self._arrangement.vectors, strict=True)
        copy_rows(
            conn,
            f"COPY {self.schema}.dealt",
            ["text", "text", "vector"],
            ((chunk.id, tenant, vector) for chunk, tenant, vector in rows),
        )
        statement = f"""INSERT INTO {table} (id, doc, tenant, ordinal, text, embedding, tsv)
        SELECT c.id, c.doc, d.tenant, c.ordinal, c.text, d.embedding, c.tsv
        FROM {self.store.schema}.chunk c JOIN {self.schema}.dealt d USING (id) ORDER BY c.id"""
        filled = conn.execute(statement.encode()).rowcount
        if filled != len(self._corpus.chunks):
            raise RuntimeError(f"{table}: {filled} rows of {len(self._corpus.chunks)} were dealt a tenant")
        conn.execute(f"DROP TABLE {self.schema}.dealt".encode())
