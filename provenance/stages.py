"""What the stages before every capture gave: documents, chunks, vectors and golden questions of each corpus.

``data/corpus/stages.json`` maps a corpus to the digests of its stage outputs, and to the code and the repository
files that they were made from. ``python -m harness prepare`` writes it. A dataset records the digests of the
outputs it read, so a change of a parser that yields the same documents leaves the dataset fresh once the stages
have been prepared again (early cutoff).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from provenance.codehash import digest_today

RECORD = Path("data/corpus/stages.json")
ENTRY = "harness/corpus/load.py"
"""The module through which every corpus is made; what it imports is the code of the stages."""


def recorded(root: Path) -> dict[str, Any]:
    """The record by corpus; empty when the file is missing or is no JSON object, which :func:`reasons` reports."""
    try:
        value = json.loads((root / RECORD).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def outdated(record: Mapping[str, Any], root: Path) -> list[str]:
    """The files of code and input from which a corpus was prepared that are not what they were."""
    return [
        path
        for part in ("code", "inputs")
        for path, digest in record.get(part, {}).items()
        if digest_today(root / path) != digest
    ]


def reasons(read: Iterable[Mapping[str, Any]], root: Path) -> list[str]:
    """Why stage outputs that a dataset read (its ``stages``) may no longer be what they were, one phrase each."""
    record, found = recorded(root), []
    for entry in read:
        corpus, name = entry["corpus"], entry["name"]
        output = record.get(corpus, {}).get("outputs", {}).get(name)
        if output is None:
            found.append(f"stage unknown: {name} of the corpus {corpus} ({RECORD} does not list them)")
        elif output.get("digest") != entry["digest"]:
            found.append(f"stage changed: {name} of the corpus {corpus}")
        elif old := outdated(record[corpus], root):
            found.append(f"stage not made again since {old[0]} changed: {name} of the corpus {corpus}")
    return found


def covered(read: Iterable[Mapping[str, Any]], root: Path) -> set[str]:
    """The repository files that count only through the stage outputs made from them: manifests, golden questions."""
    record = recorded(root)
    return {path for entry in read for path in record.get(entry["corpus"], {}).get("inputs", {})}


def remedy(reason: str) -> str:
    """The command that settles a reason of :func:`reasons`; empty for one that only a new capture settles."""
    corpus = reason.rpartition("corpus ")[2].split()[0] if "corpus " in reason else ""
    again = reason.startswith(("stage unknown", "stage not made again"))
    return f"python -m harness prepare --corpus {corpus} --no-database" if again else ""
