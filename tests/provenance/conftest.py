"""Fixtures of the provenance tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.provenance.sample_repo import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with one dataset, all in order."""
    return Repo(tmp_path)
