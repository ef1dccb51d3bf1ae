"""A body on its way to disk: what is accepted, what is dropped, what a later request can go on from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.corpus.fetch.answers import Refuse, Retry, Verdict
from harness.corpus.fetch.pace import Clock
from harness.corpus.fetch.place import Wanted, size_of

if TYPE_CHECKING:
    import httpx

PAGES = (".html", ".htm", ".xhtml")
"""Endings of URLs behind which an HTML page is what was asked for."""
MARKUP = (b"<!doctype html", b"<html")


@dataclass(frozen=True)
class Expected:
    """What a request asked for: the document's URL and length, and the byte it should go on from."""

    url: str
    bytes: int
    offset: int

    @property
    def page(self) -> bool:
        """Whether the document may be an HTML page. An address without an ending says nothing, so it may."""
        name = self.url.partition("?")[0].rpartition("/")[2].lower()
        return "." not in name or name.endswith(PAGES)


def plan(part: Path, wanted: Wanted) -> int:
    """The byte to go on from. A part as long as the document, or longer, that was not accepted is dropped."""
    size = size_of(part)
    if size < wanted.bytes:
        return size
    part.unlink()
    return 0


def complete(part: Path, wanted: Wanted) -> Verdict | None:
    """None when ``part`` has the document's length; a short one is kept, and the next request asks for the rest."""
    size = size_of(part)
    return None if size == wanted.bytes else Retry(f"truncated: {size:,} of {wanted.bytes:,} bytes")


def receive(response: httpx.Response, part: Path, expected: Expected, clock: Clock, longest: float) -> Verdict | None:
    """Writes the body of a 200 or 206 to ``part``; a verdict when it cannot be the document, else None.

    Lengths are held against the manifest before a byte is kept. A 200 in answer to a range means that the
    server cannot resume: the part begins again.
    """
    resumed = response.status_code == 206
    fault = _range_fault(response, expected) if resumed else _head_fault(response, expected)
    if fault is not None:
        part.unlink(missing_ok=True)
        return fault
    ends = clock() + longest
    size = expected.offset if resumed else 0
    with part.open("ab" if resumed else "wb", buffering=0) as file:
        for block in response.iter_bytes():
            fault = _block_fault(block, size, expected, resumed)
            if fault is not None:
                break
            file.write(block)
            size += len(block)
            if clock() > ends:
                return Retry(f"slower than {longest:.0f} s")
    if fault is not None or (_encoded(response) and size < expected.bytes):
        part.unlink(missing_ok=True)
    return fault


def _head_fault(response: httpx.Response, expected: Expected) -> Verdict | None:
    if "html" in response.headers.get("content-type", "").lower() and not expected.page:
        return _error_page(response)
    declared = response.headers.get("content-length", "")
    if declared.isdigit() and int(declared) != expected.bytes and not _encoded(response):
        return _wrong_length(int(declared), expected)
    return None


def _range_fault(response: httpx.Response, expected: Expected) -> Verdict | None:
    told = response.headers.get("content-range", "")
    span, _, total = told.removeprefix("bytes ").partition("/")
    if not span.startswith(f"{expected.offset}-") or _encoded(response):
        return Retry(f"HTTP 206 with Content-Range {told!r}, asked for the bytes from {expected.offset:,}")
    if total.isdigit() and int(total) != expected.bytes:
        return _wrong_length(int(total), expected)
    return None


def _block_fault(block: bytes, size: int, expected: Expected, resumed: bool) -> Verdict | None:
    if size == 0 and not resumed and not expected.page and block.lstrip()[:14].lower().startswith(MARKUP):
        return Refuse("HTTP 200 with an HTML page where another format was expected")
    if size + len(block) > expected.bytes:
        return Refuse(f"longer than expected: more than the {expected.bytes:,} bytes of the manifest")
    return None


def _error_page(response: httpx.Response) -> Verdict:
    return Refuse(f"HTTP {response.status_code} with an HTML page where another format was expected")


def _wrong_length(found: int, expected: Expected) -> Verdict:
    kind = "truncated" if found < expected.bytes else "longer than expected"
    return Refuse(f"{kind}: the server announces {found:,} bytes, the manifest says {expected.bytes:,}")


def _encoded(response: httpx.Response) -> bool:
    """Whether lengths on the wire are not the document's, though no encoding was asked for."""
    return response.headers.get("content-encoding", "identity").lower() not in ("", "identity")
