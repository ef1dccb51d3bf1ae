"""Watching the files that a site is made from: which of them changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

CODE = ("render", "checks", "provenance", "build.py")
WATCHED = ("content", "data", "templates", "harness", "pyproject.toml", "CHANGELOG.md", *CODE)
PAUSE = 0.1
Snapshot = dict[str, tuple[int, int]]


def snapshot(root: Path) -> Snapshot:
    """The time of change in nanoseconds and the size of every source file, by its path; what goes meanwhile is left
    out."""
    found: Snapshot = {}
    for file in _sources(root):
        with suppress(OSError):
            stat = os.stat(file)
            found[os.path.relpath(file, root).replace(os.sep, "/")] = (stat.st_mtime_ns, stat.st_size)
    return found


def changed(before: Snapshot, now: Snapshot) -> list[str]:
    """The paths that are new, gone or not what they were."""
    return sorted(path for path in {*before, *now} if before.get(path) != now.get(path))


def is_code(path: str) -> bool:
    """Whether a source file is code of the build itself, which a running process does not read again."""
    return path.endswith((".py", ".json")) and path.startswith(CODE)


def watch(root: Path, rebuild: Callable[[list[str]], object]) -> None:
    """Calls ``rebuild`` with the paths of changed source files after every change, until interrupted."""
    before = snapshot(root)
    while True:
        time.sleep(PAUSE)
        now = snapshot(root)
        if paths := changed(before, now):
            rebuild(paths)
        before = now


def _sources(root: Path) -> Iterator[str]:
    for name in WATCHED:
        place = root / name
        if place.is_file():
            yield str(place)
        for folder, folders, files in os.walk(place):
            folders[:] = [one for one in folders if one != "__pycache__"]
            yield from (os.path.join(folder, file) for file in files)
