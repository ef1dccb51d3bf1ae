"""First-party modules that carry or record numbers and compute none: a change in them makes no dataset stale.

A test holds the list: every pattern has files, and the files import nothing that computes. ``provenance/canonical.py``
is not on it, because it rounds what a capture returns.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

RECORDERS = (
    "harness/capture/*.py",
    "harness/corpus/stages.py",
    "harness/errors.py",
    "harness/paths.py",
    "harness/progress.py",
    "provenance/canary.py",
    "provenance/captures.py",
    "provenance/codehash.py",
    "provenance/compare.py",
    "provenance/digests.py",
    "provenance/figures.py",
    "provenance/imports.py",
    "provenance/payload.py",
    "provenance/recorders.py",
    "provenance/schema.py",
    "provenance/stages.py",
    "provenance/state.py",
)
"""Patterns of paths under the repository."""


def records_only(path: str) -> bool:
    """Whether the module at ``path`` is a recorder."""
    return any(fnmatchcase(path, pattern) for pattern in RECORDERS)
