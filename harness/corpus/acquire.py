"""Documents by manifest, from their public URLs or from a mirror folder; the checksum decides either way.

Each document stands alone: a failure is reported by name and the run goes on. A body is written to ``.part``,
checked for length and sha256, and only then renamed, so the cache never holds a document that is not whole.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from harness.corpus.manifest import Entry
from harness.errors import HarnessError

REQUESTS_A_SECOND = 2.0
TRIES = 4
USER_AGENT = "zeroth-harness (https://www.rfc-editor.org documents by manifest)"


class Source(Protocol):
    """Where bytes come from; raises HarnessError when a URL cannot be had."""

    def fetch(self, url: str) -> bytes:
        """The body at ``url``."""
        ...


@dataclass(frozen=True)
class MirrorSource:
    """A folder with the layout ``<host>/<path>``, the path exactly as in the URL."""

    folder: Path

    def fetch(self, url: str) -> bytes:
        """The file that mirrors ``url``."""
        parts = urlsplit(url)
        path = self.folder / parts.netloc / parts.path.lstrip("/")
        try:
            return path.read_bytes()
        except OSError as error:
            raise HarnessError(f"not in the mirror: {path}") from error


class HttpSource:
    """The public URLs, one request at a time at a fixed pace; 429 and 5xx are waited out, then given up."""

    def __init__(
        self,
        client: Any = None,
        rate: float = REQUESTS_A_SECOND,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if client is None:
            import httpx

            client = httpx.Client(headers={"User-Agent": USER_AGENT}, timeout=30, follow_redirects=True)
        self._client = client
        self._gap = 1.0 / rate
        self._sleep = sleep
        self._clock = clock
        self._next = clock()

    def fetch(self, url: str) -> bytes:
        """The body at ``url`` after at most ``TRIES`` requests."""
        reason = ""
        for attempt in range(TRIES):
            self._pace()
            try:
                response = self._client.get(url)
            except Exception as error:
                reason, wait = f"{type(error).__name__}: {error}", 2.0**attempt
            else:
                if response.status_code == 200:
                    return bytes(response.content)
                reason = f"HTTP {response.status_code}"
                if response.status_code != 429 and response.status_code < 500:
                    break
                told = response.headers.get("retry-after", "")
                wait = float(told) if told.isdigit() else 2.0**attempt
            if attempt + 1 < TRIES:
                self._sleep(wait)
        raise HarnessError(f"could not fetch {url}: {reason}")

    def _pace(self) -> None:
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + self._gap


@dataclass(frozen=True)
class Outcome:
    """What happened to one document: ``present`` (already whole), ``fetched`` or ``refused`` with the reason."""

    id: str
    state: str
    reason: str = ""


def document_path(cache: Path, sha256: str) -> Path:
    """Where a document with this checksum lies in the cache."""
    return cache / "documents" / sha256


def acquire(
    entries: Iterable[Entry],
    cache: Path,
    source: Source,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Outcome]:
    """Bring every document of ``entries`` into the cache; one outcome each, in order."""
    wanted = list(entries)
    outcomes = []
    for done, entry in enumerate(wanted, start=1):
        outcomes.append(_acquire_one(entry, document_path(cache, entry.sha256), source))
        progress(done, len(wanted))
    return outcomes


def _acquire_one(entry: Entry, path: Path, source: Source) -> Outcome:
    if path.exists() and path.stat().st_size == entry.bytes and _sha256(path.read_bytes()) == entry.sha256:
        return Outcome(entry.id, "present")
    try:
        body = source.fetch(entry.url)
    except HarnessError as error:
        return Outcome(entry.id, "refused", str(error))
    if fault := _fault(entry, body):
        return Outcome(entry.id, "refused", fault)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(body)
    os.replace(part, path)
    return Outcome(entry.id, "fetched")


def _fault(entry: Entry, body: bytes) -> str:
    if len(body) != entry.bytes:
        kind = "truncated" if len(body) < entry.bytes else "longer than expected"
        return f"{kind}: {len(body):,} bytes, the manifest says {entry.bytes:,} ({entry.url})"
    if (found := _sha256(body)) != entry.sha256:
        return f"checksum mismatch: sha256 {found[:12]}…, the manifest says {entry.sha256[:12]}… ({entry.url})"
    return ""


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
