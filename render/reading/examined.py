"""The datasets examined: by the guards once, and not again while neither they nor anything they rest on has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from checks.data import Examined, examine_datasets
from provenance.state import DATASETS
from render.cache import Cache, files_digest

RESTS_ON = ("data", "harness", "provenance", "checks")
"""What the examination reads, besides the code and inputs elsewhere that a dataset names."""
HISTORY = ("commit", "commit-skipped", "stale")
"""Rules that ask the history of the repository, which changes without any file: what they found is asked again."""


def examined_datasets(root: Path, cache: Cache) -> dict[str, Examined]:
    """What ``checks.data.examine_datasets`` finds, from the cache where everything it read is as it was."""
    mark = files_digest(root, [*RESTS_ON, *sorted(set(_named(root)))])
    return cache.kept("datasets", mark, lambda: examine_datasets(root), _lasts)


def _lasts(found: dict[str, Examined]) -> bool:
    return not any(problem.rule in HISTORY for one in found.values() for problem in one.problems)


def _named(root: Path) -> Iterator[str]:
    """The files of the repository that the datasets name as their code and inputs."""
    for file in (root / DATASETS).glob("*.json"):
        try:
            data = json.loads(file.read_bytes())
            yield from (str(entry["path"]) for entry in data["generated_by"]["code"])
            yield from (str(entry["uri"]) for entry in data["inputs"] if entry.get("available") == "repo")
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue  # the guard reports it
