"""What a build keeps for the next one: one file per thing made, with the marks of what it was made from.

An entry is believed only when it reads back whole and every mark still agrees; anything else counts as absent. So a
build with a cache gives what a build without one gives, and the folder may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

T = TypeVar("T")

Marks = Mapping[tuple[str, ...], str]
"""What was read, by name, and the digest of what was found there."""
Memory = dict[str, tuple[Marks, Any]]
"""Entries by name, in the memory of a process."""
Look = Callable[[tuple[str, ...]], str]
"""The digest of what is there today, by name."""


@dataclass(frozen=True)
class Cache:
    """Entries by name below ``folder`` (None: on no disk), and, in a process that stays, in ``memory`` (None: not)."""

    folder: Path | None = None
    memory: Memory | None = None
    used: set[str] = field(default_factory=set)

    def get(self, name: str, look: Look) -> Any | None:
        """The value kept under a name, if all that it was made from is as it was; else None."""
        self.used.add(name)
        found = self.memory.get(name) if self.memory is not None else None
        found = found or self._read(name)
        if found is None or any(look(what) != mark for what, mark in found[0].items()):
            return None
        self.remember(name, *found)
        return found[1]

    def kept(self, name: str, mark: str, make: Callable[[], T], lasts: Callable[[T], bool] = lambda value: True) -> T:
        """What ``make`` gives, or gave when the mark of all that it reads was the same; kept where it ``lasts``."""
        marks: Marks = {(name, "given"): mark}
        found = self.get(name, lambda what: mark)
        if found is None:
            found = make()
            if lasts(found):
                self.remember(name, marks, found)
                self.put(name, marks, found)
        return cast(T, found)

    def put(self, name: str, marks: Marks, value: Any) -> None:
        """Keeps a value on disk, in one act: a reader meets the old entry or the new one."""
        if self.folder is None:
            return
        content = pickle.dumps((name, dict(marks), value), pickle.HIGHEST_PROTOCOL)
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, fresh = tempfile.mkstemp(dir=self.folder)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(fresh, self._file(name))

    def remember(self, name: str, marks: Marks, value: Any) -> None:
        """Keeps a value in the memory of this process, where it has one."""
        self.used.add(name)
        if self.memory is not None:
            self.memory[name] = (marks, value)

    def drop_unused(self) -> None:
        """Deletes the entries that were not asked for since the cache was opened."""
        if self.folder is None or not self.folder.is_dir():
            return
        kept = {self._file(name).name for name in self.used}
        for file in self.folder.iterdir():
            if file.name not in kept:
                file.unlink(missing_ok=True)

    def _read(self, name: str) -> tuple[Marks, Any] | None:
        if self.folder is None:
            return None
        try:
            content = self._file(name).read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                return None
            kept, marks, value = pickle.loads(content[32:])
        except Exception:  # written by other code, another Python or half: made anew
            return None
        return (marks, value) if kept == name else None

    def _file(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / hashlib.sha256(name.encode()).hexdigest()[:32]


def build_cache(root: Path, options: str, memory: Memory | None = None) -> Cache:
    """The cache of a project's builds with the same options, below ``ZEROTH_CACHE`` or ``.cache/zeroth``."""
    named = os.environ.get("ZEROTH_CACHE")
    place = Path(named) if named else root / ".cache/zeroth"
    which = hashlib.sha256(f"{root.resolve()}\n{options}".encode()).hexdigest()[:16]
    return Cache(place / "build" / which, memory)


def digest(text: str | bytes) -> str:
    """A digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text).hexdigest()


def files_digest(root: Path, places: Iterable[str], without: Collection[str] = ()) -> str:
    """A digest of every file below some folders of ``root`` (or of a file itself), by path and bytes.

    ``without`` are paths of files that do not count.
    """
    found = hashlib.sha256()
    for place in places:
        for file in _files(root / place):
            path = file.relative_to(root).as_posix() if file.is_relative_to(root) else str(file)
            if path not in without:
                found.update(f"{path}\n{digest(file.read_bytes())}\n".encode())
    return found.hexdigest()


def _files(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    found = [Path(folder, name) for folder, _, names in os.walk(place) for name in names]
    return sorted(file for file in found if file.parent.name != "__pycache__" and file.is_file())
