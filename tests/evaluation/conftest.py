"""Where the public collections lie, for the tests that compare with published figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from harness.evaluation.collections import Collection, read

COLLECTIONS = Path(__file__).resolve().parents[3] / "shared" / "collections"


@cache
def _read(name: str) -> Collection:
    return read(COLLECTIONS / name)


@pytest.fixture(scope="session")
def collection() -> Callable[[str], Collection]:
    """A function from a collection's name to the collection; skips when the folder is not here."""

    def read_or_skip(name: str) -> Collection:
        if not (COLLECTIONS / name).is_dir():
            pytest.skip(f"the collection {name} is not at {COLLECTIONS}")
        return _read(name)

    return read_or_skip
