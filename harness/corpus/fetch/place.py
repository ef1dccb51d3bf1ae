"""Where a document is in the cache, and whether the file there is the whole document."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from harness.errors import HarnessError


class Wanted(Protocol):
    """What fetching needs to know of a document; an entry of the manifest is one."""

    @property
    def id(self) -> str:
        """The document's name in reports."""
        ...

    @property
    def url(self) -> str:
        """Its public URL."""
        ...

    @property
    def sha256(self) -> str:
        """The checksum of its bytes, 64 hexadecimal digits."""
        ...

    @property
    def bytes(self) -> int:
        """Its length in bytes."""
        ...


def document_path(cache: Path, sha256: str) -> Path:
    """Where a document with this checksum lies in the cache."""
    return cache / "documents" / sha256


def host_of(url: str) -> str:
    """Host and port of ``url``; HarnessError when it names none."""
    try:
        host = urlsplit(url).netloc
    except ValueError as error:
        raise HarnessError(f"{url!r} is no URL: {error}") from error
    if not host:
        raise HarnessError(f"{url!r} is no URL: it names no host")
    return host


def part_path(path: Path) -> Path:
    """Where a document grows until it is whole: beside its place, so that the rename stays in one file system."""
    return path.with_name(f"{path.name}.part")


def size_of(path: Path) -> int:
    """Bytes of the file at ``path``; 0 when there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def fault_of(path: Path, wanted: Wanted) -> str:
    """Why the file at ``path`` is not ``wanted``: length first, then checksum; "" when it is."""
    size = size_of(path)
    if size != wanted.bytes:
        kind = "truncated" if size < wanted.bytes else "longer than expected"
        return f"{kind}: {size:,} bytes, the manifest says {wanted.bytes:,} ({wanted.url})"
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != wanted.sha256:
        return f"checksum mismatch: sha256 {found[:12]}…, the manifest says {wanted.sha256[:12]}… ({wanted.url})"
    return ""
