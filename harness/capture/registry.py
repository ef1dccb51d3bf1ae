"""Name → capture, by file: listing imports nothing, because each capture must be the first to load what it
needs."""

from __future__ import annotations

import difflib
import importlib
from pathlib import Path

from harness.capture.api import Capture
from harness.errors import HarnessError
from harness.paths import ROOT
from provenance.captures import capture_files


def names(root: Path = ROOT) -> list[str]:
    """The names of all captures, sorted."""
    return list(capture_files(root))


def script(name: str, root: Path = ROOT) -> Path:
    """The path under ``root`` of a capture's module; HarnessError names the nearest known name."""
    files = capture_files(root)
    if name not in files:
        near = difflib.get_close_matches(name, files, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; known: {', '.join(files) or 'none'}"
        raise HarnessError(f"{name}: no such capture{hint}")
    return files[name]


def load(name: str) -> Capture:
    """Imports a capture's module and returns its ``CAPTURE``; HarnessError when it has none or one of another
    name."""
    path = script(name)
    module = importlib.import_module(".".join(path.with_suffix("").parts))
    capture = getattr(module, "CAPTURE", None)
    if not isinstance(capture, Capture):
        raise HarnessError(f"{path}: expected a Capture named CAPTURE, found {type(capture).__name__}")
    if capture.name != name:
        raise HarnessError(f"{path}: expected CAPTURE.name {name!r}, found {capture.name!r}")
    return capture
