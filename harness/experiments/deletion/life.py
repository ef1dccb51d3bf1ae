"""The vector index through a deletion: what searches from the deleted place return, and what the files still hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from harness.capture.api import JsonObject
from harness.corpus.model import Vectors
from harness.deletion.remains import remains, vacuum
from harness.deletion.remove import delete
from harness.deletion.tables import HNSW
from harness.evaluation.bootstrap import mean_interval
from harness.experiments.deletion.views import dense
from harness.store.server import Connection

STATES = ("before", "deleted", "vacuumed", "rewritten")
RELATIONS = {"table": "vector_row", "index": HNSW}


@dataclass
class Life:
    """Rows returned a search (builds × searches) by state, those of the deleted document, and the files by state."""

    returned: dict[str, list[list[int]]] = field(default_factory=lambda: {state: [] for state in STATES})
    own: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATES, 0))
    files: dict[str, list[JsonObject]] = field(default_factory=lambda: {state: [] for state in STATES})
    seconds: dict[str, list[float]] = field(default_factory=dict)


def live(conn: Connection, doc: str, vectors: Vectors, alone: Vectors, life: Life, params: Mapping[str, Any]) -> None:
    """Take the readings of one build: as it is, after the deletion, after VACUUM, and after the table is rewritten.

    The searches start from the vectors of the deleted document's own chunks, so their candidates are largely its own.
    The files are searched for `alone`, those of the vectors that no other document has.
    """
    _read(conn, "before", doc, vectors, alone, life, params)
    life.seconds.setdefault("delete", []).append(_timed_delete(conn, doc))
    _read(conn, "deleted", doc, vectors, alone, life, params)
    life.seconds.setdefault("vacuum", []).append(vacuum(conn, "vector_row"))
    _read(conn, "vacuumed", doc, vectors, alone, life, params)
    life.seconds.setdefault("rewrite", []).append(vacuum(conn, "vector_row", full=True))
    _read(conn, "rewritten", doc, vectors, alone, life, params)


def _timed_delete(conn: Connection, doc: str) -> float:
    began = conn.execute("SELECT clock_timestamp()").fetchone()
    delete(conn, doc, "experiment")
    spent = conn.execute("SELECT extract(epoch FROM clock_timestamp() - %s)", [(began or (None,))[0]]).fetchone()
    return float((spent or (0,))[0])


def _read(
    conn: Connection, state: str, doc: str, vectors: Vectors, alone: Vectors, life: Life, params: Mapping[str, Any]
) -> None:
    found = [dense(conn, vector, params["ef_search"], params["k"]) for vector in vectors]
    life.returned[state].append([len(rows) for rows in found])
    life.own[state] += sum(source == doc for rows in found for _, source in rows)
    for name, relation in RELATIONS.items():
        life.files[state].append({"part": name} | asdict(remains(conn, relation, alone)))


def readings(life: Life, params: Mapping[str, Any]) -> list[JsonObject]:
    """One row a state: rows returned on average, searches that came back short or empty, rows of the document."""
    made = []
    for state in STATES:
        counts = np.array(life.returned[state])
        interval = mean_interval(counts.mean(axis=0).tolist(), resamples=params["resamples"], seed=params["seed"])
        made.append(
            {
                "state": state,
                "n": counts.shape[1],
                "own": life.own[state] if state != "before" else None,
                "measured": {
                    "returned": interval.mean,
                    "interval": [interval.low, interval.high],
                    **_range("short", (counts < params["k"]).sum(axis=1)),
                    **_range("empty", (counts == 0).sum(axis=1)),
                },
            }
        )
    return made


def files(life: Life) -> list[JsonObject]:
    """One row a state and a part (table, index): megabytes, and vectors whose bytes are still found."""
    made = []
    for state in STATES:
        for part in RELATIONS:
            rows = [row for row in life.files[state] if row["part"] == part]
            made.append(
                {
                    "state": state,
                    "part": part,
                    "measured": {
                        **_range("megabytes", np.array([row["bytes"] / 1e6 for row in rows])),
                        **_range("vectors", np.array([row["vectors"] for row in rows])),
                    },
                }
            )
    return made


def _range(name: str, values: Sequence[float] | np.ndarray[Any, Any]) -> JsonObject:
    found = np.asarray(values, dtype=np.float64)
    return {name: float(found.mean()), f"{name}_range": [float(found.min()), float(found.max())]}
