"""Where things lie: the repository and the cache folder outside git."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "data" / "corpus" / "manifest.json"
FULL_MANIFEST = ROOT / "data" / "corpus" / "full.json"
FULL_QUERIES = ROOT / "data" / "golden" / "full_queries.json"
QUERIES = ROOT / "data" / "golden" / "queries.json"
DATASETS = ROOT / "data" / "interactive"


def cache_dir() -> Path:
    """The working state's folder: ``ZEROTH_CACHE``, or ``.cache/zeroth`` in the repository."""
    named = os.environ.get("ZEROTH_CACHE")
    return Path(named).expanduser().resolve() if named else ROOT / ".cache" / "zeroth"


def mirror_dir() -> Path | None:
    """A folder ``<host>/<path>`` that stands in for the network: ``ZEROTH_MIRROR``, or None."""
    named = os.environ.get("ZEROTH_MIRROR")
    return Path(named).expanduser().resolve() if named else None


def write_atomically(path: Path, text: str) -> None:
    """Writes a file so that readers see the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_text(text, "utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
