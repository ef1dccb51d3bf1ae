"""Documents from a folder that mirrors public URLs."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from harness.corpus.fetch.place import Wanted, host_of
from harness.errors import HarnessError


@dataclass(frozen=True)
class MirrorSource:
    """A folder with the layout ``<host>/<path>``, the path exactly as in the URL (percent-encoding kept)."""

    folder: Path

    def path(self, url: str) -> Path:
        """The file that mirrors ``url``; HarnessError when the URL leads out of the folder."""
        steps = [host_of(url), *urlsplit(url).path.lstrip("/").split("/")]
        if any(step in (".", "..") or "\0" in step for step in steps):
            raise HarnessError(f"{url!r} names no place inside the mirror {self.folder}")
        return self.folder.joinpath(*steps)

    def fetch(self, wanted: Wanted, part: Path) -> None:
        """Copies the mirrored file to ``part``."""
        path = self.path(wanted.url)
        try:
            shutil.copyfile(path, part)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
            raise HarnessError(f"not in the mirror: {path}") from error
