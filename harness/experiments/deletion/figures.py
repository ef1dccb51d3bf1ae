"""The scalars of ``deletion`` that prose may cite, each pointing at the place in the result where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.capture.api import Figure
from harness.experiments.deletion.views import SURFACES

DOCUMENT = {
    "chunks": "chunks of the deleted document",
    "alone": "chunks of the deleted document whose vector no other document has",
    "all_chunks": "chunks in the store",
    "all_documents": "documents in the store",
    "all_answers": "cached answers",
    "answers": "cached answers with a passage of the deleted document in their context",
    "answers_quoting": "cached answers that quote the deleted document",
    "answers_of_others": "of the answers that used it, answers to questions drafted from other documents",
}
GIVES = {
    "vectors": "dense search gives the deleted document",
    "lexical": "full-text search gives the deleted document",
    "answers": "the cache gives an answer made from the deleted document",
    "snapshot": "BM25 outside of the database gives the deleted document",
}
STATES = {
    "before": "before the deletion",
    "deleted": "after the deletion",
    "vacuumed": "after VACUUM",
    "rewritten": "after VACUUM FULL",
}
SNAPSHOT = {
    "held_before": "rows of the document in the BM25 index",
    "shown_hidden": "rows of the document that a search can give once they are hidden",
    "held_hidden": "rows of the document in the index while they are hidden",
    "held_rebuilt": "rows of the document in the index built again",
    "word_hidden": "passages that hold the word shown, by the index with hidden rows",
    "word_rebuilt": "passages that hold the word shown, by the index built again",
}


def figures(result: Mapping[str, Any], timings: Mapping[str, Any]) -> dict[str, Figure]:
    """Return every figure of the dataset."""
    document = result["document"]
    asked = document["answers"]
    made = {key: Figure(document[key], "", label, at=f"/result/document/{key}") for key, label in DOCUMENT.items()}
    made["document"] = Figure(document["id"], "", "the deleted document", at="/result/document/id")
    made["snapshot_word"] = Figure(
        result["snapshot"]["word"], "", "the word shown, whose count falls most", at="/result/snapshot/word"
    )
    for surface in SURFACES:
        made[f"before_{surface}"] = Figure(
            result["before"][surface], "", f"questions for which {GIVES[surface]}, before the deletion", n=asked,
            at=f"/result/before/{surface}",
        )  # fmt: skip
    for i, row in enumerate(result["skips"]):
        made |= _skip(row, asked, f"/result/skips/{i}")
    for i, row in enumerate(result["searches"]):
        made |= _search(row, f"/result/searches/{i}")
    for i, row in enumerate(result["files"]):
        made |= _file(row, document["alone"], f"/result/files/{i}/measured")
    for i, row in enumerate(result["returns"]):
        made[f"refused_{row['way']}"] = Figure(
            row["refused"], "", f"refused (1) or not (0): {row['what']}", at=f"/result/returns/{i}/refused"
        )
    made["ways_back"] = Figure(len(result["returns"]), "", "ways back that were tried")
    made["ways_refused"] = Figure(sum(row["refused"] for row in result["returns"]), "", "ways back that were refused")
    for key, label in SNAPSHOT.items():
        made[f"snapshot_{key}"] = Figure(result["snapshot"][key], "", label, at=f"/result/snapshot/{key}")
    for row in timings["seconds"]:
        values = row["values"]
        made[f"seconds_{row['what']}"] = Figure(
            sum(values) / len(values), "s", f"{row['what']}, mean over builds (interval: smallest and largest)", 2,
            len(values), (min(values), max(values)), volatile=True,
        )  # fmt: skip
    return made


def _skip(row: Mapping[str, Any], asked: int, at: str) -> dict[str, Figure]:
    name = row["skipped"]
    how = {"none": "nothing was forgotten", "everything": "the listing alone was deleted, without a tombstone"}
    said = how.get(name, f"{name} were forgotten" if name != "snapshot" else "the BM25 index was forgotten")
    made = {
        f"found_{name}": Figure(row["found"], "", f"rows that the reconciler finds, {said}", at=f"{at}/found"),
        f"repaired_{name}": Figure(row["repaired"], "", f"rows that the repair removes, {said}", at=f"{at}/repaired"),
        f"left_{name}": Figure(row["left"], "", f"rows found after the repair, {said}", at=f"{at}/left"),
    }
    for surface in SURFACES:
        made[f"shown_{name}_{surface}"] = Figure(
            row["shown"][surface], "", f"questions for which {GIVES[surface]}, {said}", n=asked,
            at=f"{at}/shown/{surface}",
        )  # fmt: skip
    if name == "none":
        for surface in SURFACES:
            made[f"deleted_{surface}"] = Figure(
                row["deleted"][surface], "", f"rows deleted or hidden, {surface}", at=f"{at}/deleted/{surface}"
            )
    return made


def _search(row: Mapping[str, Any], at: str) -> dict[str, Figure]:
    state, part, n = row["state"], row["measured"], row["n"]
    said = f"searches from where the document lay, {STATES[state]}"
    made = {
        f"returned_{state}": Figure(
            part["returned"], "rows", f"rows returned on average, {said}", 1, n, tuple(part["interval"]),
            f"{at}/measured/returned", volatile=True,
        )
    }  # fmt: skip
    for key, label in (("short", "searches with fewer than ten rows"), ("empty", "searches with no row")):
        made[f"{key}_{state}"] = Figure(
            part[key], "", f"{label}, {said}", 0, n, tuple(part[f"{key}_range"]), f"{at}/measured/{key}", volatile=True
        )
    if row["own"] is not None:
        made[f"own_{state}"] = Figure(row["own"], "rows", f"rows of the deleted document, {said}", n=n, at=f"{at}/own")
    return made


def _file(row: Mapping[str, Any], chunks: int, at: str) -> dict[str, Figure]:
    state, part, found = row["state"], row["part"], row["measured"]
    return {
        f"mb_{part}_{state}": Figure(
            found["megabytes"], "MB", f"the {part} on disk, {STATES[state]}", 1, chunks,
            tuple(found["megabytes_range"]), f"{at}/megabytes", volatile=True,
        ),
        f"bytes_{part}_{state}": Figure(
            found["vectors"], "", f"deleted vectors whose bytes stand in the files of the {part}, {STATES[state]}", 0,
            chunks, tuple(found["vectors_range"]), f"{at}/vectors", volatile=True,
        ),
    }  # fmt: skip
