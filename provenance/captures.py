"""Which captures the repository has, told from its files alone: nothing of the harness is imported."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path("harness/interactive")
INFRASTRUCTURE = frozenset({"api", "registry", "runner"})


def capture_files(root: Path) -> dict[str, Path]:
    """Name → path under ``root`` of every capture module, in name order.

    A capture is a file of ``harness/interactive/`` that is not infrastructure; names that begin with an
    underscore are helpers.
    """
    files = sorted((root / FOLDER).glob("*.py"))
    return {
        path.stem: FOLDER / path.name
        for path in files
        if path.stem not in INFRASTRUCTURE and not path.stem.startswith("_")
    }


def regenerate_command(name: str) -> str:
    """The command that makes a dataset again, as its block states it."""
    return f"python -m harness regenerate {name}"
