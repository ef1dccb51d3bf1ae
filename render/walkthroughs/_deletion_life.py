"""The vector index before and after a deletion, VACUUM and a rewrite: dataset ``deletion``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Cell, Col, Slot, data, slots, stats, table
from render.views.walkthrough import Step, Walkthrough

Row = Mapping[str, Any]
PARTS = {"table": "table", "index": "HNSW index"}


def _steps(dataset: Dataset) -> list[Step]:
    k, alone = int(dataset.params["k"]), int(dataset.at("/result/document/alone"))
    reads = {row["state"]: row for row in dataset.at("/result/searches")}
    files = {(row["state"], row["part"]): row["measured"] for row in dataset.at("/result/files")}
    told = {
        "before": (
            "Before",
            "Searches that start where the document lies return ten rows each. All of its vectors are in both files.",
        ),
        "deleted": (
            "Deleted, not yet vacuumed",
            "No row of the document comes back. Its entries still stand in the graph and take the places of the "
            "candidate list, so some searches near it come back short.",
        ),
        "vacuumed": (
            "After VACUUM",
            "The entries are out of the graph, the lists are full again, and the index holds none of the vectors. The "
            "file of the table is as long as before and still holds nearly all of them.",
        ),
        "rewritten": (
            "After VACUUM FULL",
            "Table and index were written anew, while nobody could read them. Nothing of the vectors is left in them.",
        ),
    }
    return [
        Step(state, title, says, _body(state, reads, files, k, alone), _numbers(state))
        for state, (title, says) in told.items()
    ]


def _numbers(state: str) -> tuple[str, ...]:
    own = () if state == "before" else (f"own_{state}",)
    files = tuple(f"{key}_{part}_{state}" for key in ("mb", "bytes") for part in PARTS)
    return (f"returned_{state}", f"short_{state}", f"empty_{state}", *own, *files)


def _body(state: str, reads: Mapping[str, Row], files: Mapping[tuple[str, str], Row], k: int, alone: int) -> Markup:
    row = reads[state]
    part = row["measured"]
    facts = [
        (f"rows a search, mean of {row['n']}", data(part["returned"], 1), ""),
        (f"searches with fewer than {k}", data(part["short"], 0), ""),
        ("searches with none", data(part["empty"], 0), ""),
    ]
    if row["own"] is not None:
        facts.append(("rows of the deleted document", data(row["own"]), "discarded"))
    full = round(part["returned"])
    places = slots(
        [Slot("permitted", " ")] * full + [Slot("empty", " ")] * (k - full), title=f"The mean result, {k} places"
    )
    cells: list[list[Cell]] = [
        [
            name,
            files[state, key]["megabytes"],
            Markup("{} of {}").format(data(files[state, key]["vectors"], 0), alone),
        ]
        for key, name in PARTS.items()
    ]
    columns: list[str | Col] = [
        "file of the",
        Col("on disk", 1, "MB"),
        Col("deleted vectors found byte for byte", numeric=True),
    ]
    return stats(facts) + places + table(columns, cells, title="What the files hold")


WALKTHROUGH = Walkthrough(
    dataset="deletion",
    kind=stepper.KIND,
    id="deletion-index",
    title="What does the index keep of a deleted document?",
    intro=(
        "Searches started from the vectors of the document's own chunks, before and after each step. The files of "
        "table and index were read and searched for the deleted vectors, byte for byte."
    ),
    steps=_steps,
)
