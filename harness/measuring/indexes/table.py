"""One table of the store's rows with one vector index, which can be exchanged for another kind."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from harness.store.layouts import Index, Pool
from harness.store.layouts.base import Log


@dataclass(frozen=True)
class Finished:
    """A finished index: seconds of CREATE INDEX and bytes on disk."""

    seconds: float
    bytes: int


class Exchangeable(Pool):
    """A pool in a schema of its own, so that it may stand beside the layout of that name."""

    name: ClassVar[str] = "exchangeable"

    def use(self, index: Index, log: Log) -> Finished:
        """Drop the index that stands and build ``index`` over the same rows."""
        with self.store.maintenance() as conn, conn.transaction():
            conn.execute(f"DROP INDEX {self.schema}.{self.index.name}".encode())
            self.index = index
            began = time.monotonic()
            self._build(conn)
            seconds = time.monotonic() - began
        built = Finished(seconds, self.sizes().vectors)
        log(f"{index.describe()}: {seconds:.1f} s, {built.bytes / 1e6:.1f} MB")
        return built
