"""One manifest entry, and how a file of the mirror becomes one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def url_of(mirror: Path, path: Path) -> str:
    """The public URL that ``path`` mirrors; names in a mirror are percent-encoded as in the URL."""
    return f"https://{path.relative_to(mirror).as_posix()}"


def mirrored(mirror: Path, url: str) -> Path:
    """Where the mirror keeps the file of ``url``."""
    return mirror / url.removeprefix("https://")


def slug(text: str, limit: int = 60) -> str:
    """Lower-case letters, digits and single hyphens, cut between words: an id for a manifest."""
    whole = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return whole if len(whole) <= limit else whole[:limit].rsplit("-", 1)[0]


def entry(
    mirror: Path,
    path: Path,
    *,
    name: str,
    source: str,
    title: str,
    tenant: tuple[str, str],
    licence: str,
    pages: int | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The manifest entry of the file ``path``; ``tenant`` is (id, name), the one before any folding."""
    raw = path.read_bytes()
    return {
        "id": name,
        "source": source,
        "title": re.sub(r"\s+", " ", title).strip(),
        "url": url_of(mirror, path),
        "sha256": hashlib.sha256(raw).hexdigest(),
        "bytes": len(raw),
        "pages": pages,
        "tenant": tenant[0],
        "tenant_name": tenant[1],
        "original_tenant": tenant[0],
        "original_tenant_name": tenant[1],
        "licence": licence,
        "obsoletes": [],
        "obsoleted_by": [],
        **(more or {}),
    }
