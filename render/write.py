"""Writing a site as one act: into a folder beside it, then in its place. What fails leaves the last good site."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

KEPT = (".gitignore",)
BUILT = frozenset({"index.html", "404.html", "llms.txt", "assets", "concepts", "data"})
"""What every built site has at its top; nearly any site has the first two."""


@contextmanager
def staging(target: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """A fresh folder beside ``target`` and the function that puts it in the target's place.

    Without a call of that function the folder is gone afterwards and ``target`` is as it was.
    """
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    fresh.chmod(0o755)
    try:
        yield fresh, lambda: _swap(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def is_replaceable(target: Path) -> bool:
    """Whether ``target`` may be replaced: absent, empty but for what the repository keeps, or a built site.

    A folder with a ``.git`` is none, whatever else it holds: replacing it would delete a history.
    """
    if not target.exists():
        return True
    if not target.is_dir():
        return False
    names = {entry.name for entry in target.iterdir()} - set(KEPT)
    return not names or (names >= BUILT and ".git" not in names)


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes every file, by its path relative to ``folder``; text as UTF-8 with line feeds."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)


def _swap(fresh: Path, target: Path) -> None:
    """Renames ``fresh`` to ``target``, carrying over what the repository keeps there; undone if it fails."""
    for name in KEPT:
        if (target / name).is_file():
            shutil.copy2(target / name, fresh / name)
    old = target.with_name(f".{target.name}-old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    try:
        fresh.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
