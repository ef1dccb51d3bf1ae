"""The golden questions of ``data/golden/queries.json``. Drafted by a language model; the file says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.corpus.model import Query
from harness.errors import HarnessError

REQUIRED = ("id", "text", "category")


def read_queries(path: Path) -> list[Query]:
    """The questions in id order; HarnessError names every missing field."""
    try:
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise HarnessError(f"{path}: no golden questions here; restore them with: git checkout -- {path}") from error
    except json.JSONDecodeError as error:
        raise HarnessError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    entries = data.get("queries")
    if not isinstance(entries, list):
        raise HarnessError(f"{path}: queries: expected a list of questions")
    wrong = [
        f"{path}: queries[{index}].{name}: expected text, found nothing"
        for index, entry in enumerate(entries)
        for name in REQUIRED
        if not entry.get(name)
    ]
    if wrong:
        raise HarnessError("\n".join(wrong))
    drafted_by = str(data.get("drafted_by", ""))
    queries = [
        Query(
            id=entry["id"],
            text=entry["text"],
            tenant=entry.get("tenant"),
            category=entry["category"],
            doc=entry.get("doc"),
            section=entry.get("section"),
            answer=entry.get("answer"),
            evidence=entry.get("evidence"),
            drafted_by=drafted_by,
        )
        for entry in entries
    ]
    return sorted(queries, key=lambda query: query.id)
