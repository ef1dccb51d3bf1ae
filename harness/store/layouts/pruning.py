"""Which explicit predicates let the planner leave partitions out, and when: while planning, or as execution begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.corpus.model import Vectors
from harness.store import plans
from harness.store.layouts.base import Reading
from harness.store.layouts.partitions import Partitions
from harness.store.layouts.scan import settings_of
from harness.store.scans import Scan

#: Form → the condition as the statement has it. `%(tenant)s` and `%(tenants)s` are parameters of the statement.
FORMS: dict[str, str] = {
    "none": "",
    "equals_parameter": "tenant = %(tenant)s",
    "in_list": "tenant IN (%(tenant)s, %(tenant)s)",
    "any_parameter": "tenant = ANY (%(tenants)s)",
    "setting": "tenant = current_setting('zeroth.tenant')",
    "setting_array": "tenant = ANY (string_to_array(current_setting('zeroth.tenants'), ','))",
    "subquery": "tenant = ANY ((SELECT visible_tenants())::text[])",
}


@dataclass(frozen=True)
class Pruning:
    """What one form of the predicate does to a search of one tenant's reader.

    `planned`: partitions in the plan; `skipped`: of those, removed as execution began; `executed`: scanned.
    """

    form: str
    condition: str
    partitions: int
    planned: int
    skipped: int
    executed: int
    returned: int

    @property
    def when(self) -> str:
        """When partitions are left out: "planning", "execution" or "never"."""
        if self.planned < self.partitions:
            return "planning"
        return "execution" if self.executed < self.partitions else "never"


def prunings(layout: Partitions, reading: Reading, vector: Vectors, *, k: int = 10) -> list[Pruning]:
    """Return one reading for each form, for a reader of exactly one tenant, with the vector indexes forced."""
    (tenant,) = reading.tenants
    conn = reading.conn
    conn.execute(
        "SELECT set_config('zeroth.tenant', %(t)s, true), set_config('zeroth.tenants', %(t)s, true)", {"t": tenant}
    )
    settings_of(reading, Scan())
    params: dict[str, Any] = {"query": vector, "k": k, "tenant": tenant, "tenants": [tenant]}
    found = []
    for form, condition in FORMS.items():
        where = f"WHERE {condition}" if condition else ""
        statement = f"SELECT id FROM chunk {where} ORDER BY {layout.index.order} LIMIT %(k)s"
        row = conn.execute(
            f"EXPLAIN (FORMAT JSON, ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF) {statement}".encode(),
            {key: value for key, value in params.items() if f"%({key})s" in statement},
        ).fetchone()
        assert row is not None
        top = row[0][0]["Plan"]
        scans = [node for node in plans.nodes(top) if "chunk_" in node.get("Relation Name", "")]
        skipped = sum(node.get("Subplans Removed", 0) for node in plans.nodes(top))
        executed = sum(node["Actual Loops"] > 0 for node in scans)
        shown = condition.replace("%(tenant)s", "$1").replace("%(tenants)s", "$1")
        found.append(
            Pruning(
                form, shown, len(layout.tables()), len(scans) + skipped, skipped, executed, round(top["Actual Rows"])
            )
        )
    return found
