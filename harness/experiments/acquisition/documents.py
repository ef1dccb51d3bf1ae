"""The documents that the local server serves: real ones of the manifest, or made ones in a canary run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.corpus.acquire import MirrorSource, document_path
from harness.corpus.manifest import Entry, read_manifest
from harness.errors import HarnessError
from harness.paths import MANIFEST, cache_dir, mirror_dir

Raw = bytes


@dataclass(frozen=True)
class Doc:
    """A document as the downloader wants it, and its bytes for the server."""

    id: str
    url: str
    sha256: str
    bytes: int
    body: Raw = field(repr=False, compare=False, default=b"")

    @property
    def path(self) -> str:
        """Where the server has it."""
        return f"/rfc/{self.id}.txt"

    def at(self, base: str) -> Doc:
        """The same document on the server at ``base``."""
        return Doc(self.id, base + self.path, self.sha256, self.bytes, self.body)


def doc(name: str, body: bytes, base: str = "http://127.0.0.1") -> Doc:
    """A document of these bytes."""
    return Doc(name, f"{base}/rfc/{name}.txt", hashlib.sha256(body).hexdigest(), len(body), body)


def made(count: int) -> list[Doc]:
    """``count`` documents of some kilobytes, the same on every machine, for tests and canary runs."""
    return [
        doc(f"memo{number:02d}", f"Memo {number}: a line that is a line.\n".encode() * (60 + 7 * number))
        for number in range(1, count + 1)
    ]


def real(names: Sequence[str]) -> list[Doc]:
    """Documents of the manifest by id, from the cache or the mirror; HarnessError names what is missing."""
    known: Mapping[str, Entry] = {entry.id: entry for entry in read_manifest(MANIFEST)}
    missing = [name for name in names if name not in known]
    if missing:
        raise HarnessError(f"not in {MANIFEST}: {', '.join(missing)}; change the capture's parameter documents")
    return [doc(name, _body(known[name])) for name in names]


def _body(entry: Entry) -> bytes:
    mirror = mirror_dir()
    places: list[Path] = [document_path(cache_dir(), entry.sha256)]
    if mirror is not None:
        places.append(MirrorSource(mirror).path(entry.url))
    for place in places:
        if place.is_file() and hashlib.sha256(body := place.read_bytes()).hexdigest() == entry.sha256:
            return body
    raise HarnessError(f"{entry.id}: not acquired; run: python -m harness acquire")
