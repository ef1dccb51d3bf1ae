"""A copy of everything one dataset's state rests on, to be edited without touching the repository."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from provenance import canary
from provenance.canonical import pretty
from provenance.state import DATASETS, State, dataset_state


@dataclass(frozen=True)
class Copy:
    """A dataset with its code, repository inputs and canary record under a root of its own."""

    root: Path
    dataset: Mapping[str, Any]

    @property
    def code(self) -> list[Path]:
        """The code files the dataset names, in its order."""
        return [self.root / entry["path"] for entry in self.dataset["generated_by"]["code"]]

    @property
    def files(self) -> list[Path]:
        """The repository files among its inputs (other datasets are not files of their own here)."""
        inputs = self.dataset["inputs"]
        return [self.root / entry["uri"] for entry in inputs if entry["available"] == "repo" and "from" not in entry]

    def changed(self) -> dict[str, Any]:
        """The dataset as a value of its own, to be edited."""
        copied: dict[str, Any] = json.loads(json.dumps(self.dataset))
        return copied

    def state(self, dataset: Mapping[str, Any] | None = None) -> State:
        """The state of the dataset, or of an edited one in its place."""
        return dataset_state(self.dataset if dataset is None else dataset, self.root, today="0000-00-00")


@contextmanager
def copied(dataset: Mapping[str, Any], root: Path) -> Iterator[Copy]:
    """Copies what a dataset names from the repository at ``root``; gone when the block ends."""
    with TemporaryDirectory(prefix="zeroth-audit-") as folder:
        target = Path(folder)
        made = Copy(target, dataset)
        named = [entry["path"] for entry in dataset["generated_by"]["code"]]
        named += [entry["uri"] for entry in dataset["inputs"] if entry["available"] == "repo"]
        for path in [*named, canary.RECORDS.as_posix()]:
            if (root / path).is_file():
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / path, target / path)
        place = target / DATASETS / f"{dataset['name']}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(pretty(dataset), "utf-8")
        yield made
