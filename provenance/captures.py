"""Which captures the repository has, told from its files alone: nothing of the harness is imported."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path("harness/experiments")
MODULE = "capture.py"


def capture_files(root: Path) -> dict[str, Path]:
    """Name → path under ``root`` of every capture module, in name order: ``harness/experiments/NAME/capture.py``."""
    names = sorted(path.parent.name for path in (root / FOLDER).glob(f"*/{MODULE}"))
    return {name: FOLDER / name / MODULE for name in names}


def regenerate_command(name: str) -> str:
    """The command that makes a dataset again, as its block states it."""
    return f"python -m harness regenerate {name}"
