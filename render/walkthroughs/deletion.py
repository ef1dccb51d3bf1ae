"""Which surface was forgotten, and which still gives the document: dataset ``deletion``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.reading.source import Dataset
from render.views.kinds import matrix, sweep
from render.views.kit import Cell, data, stats
from render.views.walkthrough import Dial, Option, Prediction, Step, Walkthrough
from render.walkthroughs import _deletion_life

Row = Mapping[str, Any]

FORGOTTEN = {
    "none": "nothing",
    "vectors": "vectors",
    "lexical": "lexical rows",
    "answers": "cached answers",
    "snapshot": "BM25 index",
    "everything": "all but the listing",
}
"""What was left out of the deletion → its name on the dial."""
ASKED = {
    "vectors": "dense search",
    "lexical": "full-text search",
    "answers": "answer cache",
    "snapshot": "BM25 outside",
}
"""Surface → how a reader asks it."""


def _steps(dataset: Dataset) -> list[Step]:
    rows = {row["skipped"]: row for row in dataset.at("/result/skips")}
    asked = int(dataset.at("/result/document/answers"))
    down, across = ((dial.name, dial.values) for dial in _dials(dataset))
    values: list[list[Cell]] = [[rows[skipped]["shown"][surface] for surface in ASKED] for skipped in FORGOTTEN]

    def draw(skipped: str, surface: str) -> Step:
        row = rows[skipped]
        shown = row["shown"][surface]
        place = (list(FORGOTTEN).index(skipped), list(ASKED).index(surface))
        title = f"Forgotten: {FORGOTTEN[skipped]}. {_first(ASKED[surface])}: {shown} of {asked} questions"
        body = _facts(row, surface) + matrix.readout(down, across, values, place, what="questions given it")
        return Step(f"{skipped}-{surface}", title, _says(row), body, brief=str(shown), tone=sweep.tone(shown, 0, asked))

    return sweep.grid(list(FORGOTTEN), list(ASKED), draw)


def _first(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _says(row: Row) -> str:
    if row["skipped"] == "none":
        return "One transaction emptied every surface, and the reconciler finds nothing."
    if row["skipped"] == "everything":
        return (
            f"Somebody deleted the document from the listing and wrote no tombstone. {row['found']} rows are orphans: "
            "reported, and left alone."
        )
    return f"The reconciler finds {row['found']} rows under the tombstone; the repair removes {row['repaired']}."


def _facts(row: Row, surface: str) -> Any:
    return stats(
        [
            ("questions given the document", data(row["shown"][surface]), "discarded"),
            ("rows found", data(row["found"]), ""),
            ("rows repaired", data(row["repaired"]), ""),
            ("found after the repair", data(row["left"]), ""),
            ("questions given it then", data(row["shown_after"][surface]), "permitted"),
        ]
    )


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (Dial("forgotten", tuple(FORGOTTEN.values())), Dial("asked", tuple(ASKED.values())))


WALKTHROUGH = Walkthrough(
    dataset="deletion",
    kind=matrix.KIND,
    id="deletion",
    title="Which surface still gives a deleted document?",
    intro=(
        "One document was deleted six times over, each time in a transaction that was rolled back, and each time "
        "something else was forgotten. A cell counts the questions for which that way of asking still gives it."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: "answers-answers",
    cells="Questions for which the deleted document is given",
    prediction=Prediction(
        before="everything-vectors",
        ask="A script deletes the document from the list of documents and nothing else. What does the reconciler do?",
        options=(
            Option(
                "It removes the rows that are left, as it does under a tombstone",
                False,
                "Without a tombstone it cannot tell a forgotten deletion from a listing that was lost.",
            ),
            Option(
                "It reports the rows and leaves them, and it does not see the index outside of the database",
                True,
                "Rows without a listed document are orphans. The outside index is asked only about tombstones.",
            ),
            Option(
                "It finds nothing, because the document is gone",
                False,
                "It asks each surface for rows whose document is not listed, and finds them.",
            ),
        ),
    ),
)

FURTHER = (_deletion_life.WALKTHROUGH,)
