"""The files of a built site, on disk or in memory: what the guards ask about files besides the text of the pages."""

from __future__ import annotations

import os.path
import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol


class SiteFiles(Protocol):
    """Files by their paths below the root of a site, with forward slashes."""

    def is_file(self, path: str) -> bool:
        """Whether a file is there; False for a name that no file can have."""

    def is_folder(self, path: str) -> bool:
        """Whether a folder is there; "." is the root."""

    def read(self, path: str) -> bytes:
        """The content of a file; OSError or KeyError where there is none."""

    def paths(self) -> Iterator[str]:
        """Every file, in the order of its path's parts."""


class FolderFiles:
    """The files below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def is_file(self, path: str) -> bool:
        """Whether a file is there."""
        return os.path.isfile(self.folder / path)  # no error, as Path.is_file has, for a name that is too long

    def is_folder(self, path: str) -> bool:
        """Whether a folder is there."""
        return os.path.isdir(self.folder / path)

    def read(self, path: str) -> bytes:
        """The content of a file."""
        return (self.folder / path).read_bytes()

    def paths(self) -> Iterator[str]:
        """Every file."""
        for file in sorted(self.folder.rglob("*")):
            if file.is_file():
                yield file.relative_to(self.folder).as_posix()


class MemoryFiles:
    """Files that are not written yet: text (as UTF-8) or bytes by path."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = files

    @cached_property
    def _folders(self) -> set[str]:
        found = {"."}
        for path in self.files:
            while (path := posixpath.dirname(path)) and path not in found:
                found.add(path)
        return found

    def is_file(self, path: str) -> bool:
        """Whether a file is there."""
        return path in self.files

    def is_folder(self, path: str) -> bool:
        """Whether a folder is there."""
        return path in self._folders

    def read(self, path: str) -> bytes:
        """The content of a file."""
        content = self.files[path]
        return content.encode() if isinstance(content, str) else content

    def paths(self) -> Iterator[str]:
        """Every file."""
        return iter(sorted(self.files, key=lambda path: path.split("/")))
