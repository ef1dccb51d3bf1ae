"""The datasets examined: by the guards once, and not again while neither they nor anything they rest on has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from checks.data import Examined, examine_datasets
from provenance.state import DATASETS
from render.cache import Cache, Marks, files_digest

RESTS_ON = ("data", "harness", "provenance", "checks")
"""What the examination reads, besides the code and inputs elsewhere that a dataset names."""
HISTORY = ("commit", "commit-skipped")
"""Rules that ask the history of the repository, which changes without any file: what they found is asked again."""


def examined_datasets(root: Path, cache: Cache) -> dict[str, Examined]:
    """What ``checks.data.examine_datasets`` finds, from the cache where everything it read is as it was."""
    marks: Marks = {("datasets", "given"): files_digest(root, [*RESTS_ON, *sorted(set(_named(root)))])}
    kept: dict[str, Examined] | None = cache.get("datasets", lambda what: marks.get(what, ""))
    if kept is not None:
        return kept
    found = examine_datasets(root)
    if not any(problem.rule in HISTORY for one in found.values() for problem in one.problems):
        cache.remember("datasets", marks, found)
        cache.put("datasets", marks, found)
    return found


def _named(root: Path) -> Iterator[str]:
    """The files of the repository that the datasets name as their code and inputs."""
    for file in (root / DATASETS).glob("*.json"):
        try:
            data = json.loads(file.read_bytes())
            yield from (str(entry["path"]) for entry in data["generated_by"]["code"])
            yield from (str(entry["uri"]) for entry in data["inputs"] if entry.get("available") == "repo")
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue  # the guard reports it
