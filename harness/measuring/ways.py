"""A way of searching: what the statement says, how it is run, and which plans it may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.store.layouts.scan import Form
from harness.store.scans import EF_MAX, Scan

DEFAULT = Scan()


@dataclass(frozen=True)
class Way:
    """One way of searching.

    `id` is its name in tables and figures, `words` what a label says of it. `scan` and `where` (one more condition)
    may depend on the asking. `predicate`: whether the statement names the reader's tenants. `plans`: the types of plan
    that it may have; another one ends the capture (empty: any). `refill`: search again with twice the candidate list
    until `k` rows are left or the list cannot grow. `once`: read in one build only, because no index has a part in it,
    or its reading is long.
    """

    id: str
    scan: Scan | Callable[[Any], Scan] = DEFAULT
    predicate: bool = False
    plans: tuple[str, ...] = ()
    words: str = ""
    form: Form = "plain"
    where: str | Callable[[Any], str] = ""
    refill: bool = False
    once: bool = False

    def scan_for(self, asking: object) -> Scan:
        """Return how the search of an asking is run."""
        return self.scan if isinstance(self.scan, Scan) else self.scan(asking)

    def where_for(self, asking: object) -> str:
        """Return the further condition of an asking's statement."""
        return self.where if isinstance(self.where, str) else self.where(asking)


def longer(scan: Scan) -> Scan | None:
    """Return the scan with twice the candidate list; None where it cannot grow."""
    if scan.ef_search >= EF_MAX:
        return None
    return Scan(**{**vars(scan), "ef_search": min(2 * scan.ef_search, EF_MAX)})
