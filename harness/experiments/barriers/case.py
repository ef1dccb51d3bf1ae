"""One question in full: what its insider gets, and what its outsider gets in both worlds and both orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from harness.corpus.model import Corpus
from harness.experiments.barriers.observe import Floats, page
from harness.experiments.barriers.worlds import Held, Mask, Rows
from harness.retrieval.exact import DIGITS

EXCERPT = 300
RULE = (
    "its source document holds the insider's first row, and the page of the outsider loses most rows by that document; "
    "ties by id"
)


def choose(questions: Sequence[Held], rows: Rows, cosines: Callable[[int], Floats], k: int) -> int:
    """Return the position of the question to show, chosen by `RULE`; the first one if none qualifies."""
    best, chosen = -1, 0
    for number, question in enumerate(questions):
        values, visible = np.round(cosines(number), DIGITS), rows.visible(question)
        present, absent = rows.present(question), rows.absent(question)
        first = _ranked(values, present & ~visible, 1)[0]
        if rows.docs[first] != rows.number[question.source]:
            continue
        lost = [page(values, world, visible, k, 2.0, after=True).missing for world in (present, absent)]
        if lost[0] - lost[1] > best:
            best, chosen = lost[0] - lost[1], number
    return chosen


def show(corpus: Corpus, question: Held, rows: Rows, cosines: Floats, k: int, floor: float) -> dict[str, Any]:
    """Return the pages of one question."""
    values, visible = np.round(cosines, DIGITS), rows.visible(question)
    present, absent = rows.present(question), rows.absent(question)
    insider = _ranked(values, present & ~visible, k)
    worlds = {}
    for name, exists in (("present", present), ("absent", absent)):
        seen = page(values, exists, visible, k, floor, after=True)
        worlds[name] = {
            "after": [_row(corpus, rows, question, values, visible, row) for row in _ranked(values, exists, k)],
            "before": [corpus.chunks[row].id for row in _ranked(values, exists & visible, k)],
            "missing": seen.missing,
            "total": seen.total,
            "total_before": page(values, exists, visible, k, floor, after=False).total,
            "first_rank": seen.first_rank,
            "normalised": seen.normalised,
        }
    document = corpus.documents[question.source]
    source = next((row for row in insider if corpus.chunks[row].doc == question.source), insider[0])
    return {
        "rule": RULE,
        "question": question.query.text,
        "side": question.side,
        "outside": question.outside,
        "source": {
            "doc": document.id,
            "title": document.title,
            "url": document.url,
            "licence": document.licence,
            "chunk": corpus.chunks[source].id,
            "excerpt": " ".join(corpus.chunks[source].text.split())[:EXCERPT],
        },
        "control": {"doc": question.control, "title": corpus.documents[question.control].title},
        "insider": [
            {"id": corpus.chunks[row].id, "source": corpus.chunks[row].doc == question.source, "cosine": values[row]}
            for row in insider
        ],
        "worlds": worlds,
    }


def _row(corpus: Corpus, rows: Rows, question: Held, values: Floats, visible: Mask, row: int) -> dict[str, Any]:
    chunk = corpus.chunks[row]
    return {
        "id": chunk.id,
        "visible": bool(visible[row]),
        "source": chunk.doc == question.source,
        "cosine": float(values[row]),
    }


def _ranked(values: Floats, exists: Mask, k: int) -> list[int]:
    """Row numbers of the `k` best, ties by row."""
    candidates = np.flatnonzero(exists)
    return [int(row) for row in candidates[np.argsort(-values[candidates], kind="stable")][:k]]
