"""Whether a dataset still follows from the code and inputs of this tree: fresh, equivalent or stale, and
why."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from provenance.canonical import NotCanonical, sha256_bytes
from provenance.codehash import file_digest
from provenance.digests import integrity, payload_digest

DATASETS = Path("data/interactive")
CANARY = Path("data/canary.json")

StateName = Literal["fresh", "equivalent", "stale"]


@dataclass(frozen=True)
class State:
    """The state of a dataset in words.

    ``reasons``: why it is not fresh, one phrase each ("code changed: harness/retrieval/rrf.py"). ``text``:
    what a page prints. ``excused``: stale, but its ``stale_ok`` still holds, so the build only warns.
    """

    name: StateName
    reasons: tuple[str, ...]
    text: str
    excused: bool = False

    @property
    def blocks(self) -> bool:
        """True when a build must fail because of it."""
        return self.name == "stale" and not self.excused


def dataset_state(dataset: Mapping[str, Any], root: Path, today: str | None = None) -> State:
    """The state of a dataset (its parsed file) in the repository at ``root``.

    ``today`` (YYYY-MM-DD) is what ``stale_ok.until`` is compared with; by default :func:`tree_date`, never
    the clock. Reads the code files and repository inputs that the block names, and ``data/canary.json``. The
    block is expected to satisfy the schema (:mod:`provenance.schema`).
    """
    edited = _edited(dataset)
    inputs = _input_reasons(dataset, root)
    changed, removed = _code_changes(dataset, root)
    code = tuple(
        [f"code changed: {path}" for path in changed] + [f"code removed: {path}" for path in removed]
    )
    if not (edited or inputs or code):
        return State("fresh", (), _fresh_text(dataset))
    if not (edited or inputs):
        objection = canary_objection(dataset, root, changed)
        if objection is None:
            return State("equivalent", code, "code changed since, equal on the canary")
        code = (*code, objection)
    reasons = (*edited, *inputs, *code)
    return _stale(dataset, reasons, root, today)


def canary_objection(dataset: Mapping[str, Any], root: Path, changed: Iterable[str]) -> str | None:
    """Why the canary does not vouch for changed code, or None when it does.

    It vouches when the canary run recorded in ``data/canary.json`` was made by exactly today's code, loaded
    every one of the changed files, and ended in the digest that the dataset recorded at capture time.
    """
    name = str(dataset.get("name"))
    record = _canary_records(root).get(name)
    if not isinstance(record, dict):
        return "no canary run recorded"
    code = record.get("code", {})
    outdated = [path for path, digest in code.items() if _digest(root / path) != digest]
    if outdated:
        return f"canary run is older than {outdated[0]} (python -m harness canary)"
    unseen = [path for path in changed if path not in code]
    if unseen:
        return f"the canary does not run {unseen[0]}"
    if not dataset.get("canary") or record.get("digest") != dataset["canary"]:
        return "canary run differs"
    return None


def tree_date(root: Path) -> str:
    """The date of this tree, YYYY-MM-DD: of the newest commit or the newest capture, whichever is later.

    Two builds of one tree must be byte-identical, so the clock is not asked. "0000-00-00" for an empty tree.
    """
    captures = (str(item.get("run", {}).get("finished", ""))[:10] for item in _datasets(root))
    return max([_commit_date(root), *captures], default="") or "0000-00-00"


def read_dataset(root: Path, name: str) -> dict[str, Any]:
    """The parsed file of a dataset. Raises OSError when missing and ValueError when it is no JSON object."""
    value = json.loads((root / DATASETS / f"{name}.json").read_bytes())
    if not isinstance(value, dict):
        raise ValueError(f"{DATASETS / name}.json: expected a JSON object")
    return value


def input_digest(entry: Mapping[str, Any], root: Path) -> str | None:
    """What the digest of an input is today: of its bytes, or, for another dataset, its ``digest``; None when
    missing.

    Another dataset counts by its result, so that a re-verification or a new timing of it changes nothing
    here.
    """
    try:
        if "from" in entry:
            return str(read_dataset(root, entry["from"]).get("digest"))
        return sha256_bytes((root / entry["uri"]).read_bytes())
    except (OSError, ValueError):
        return None


def _edited(dataset: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        if payload_digest(dataset) != dataset.get("digest"):
            return ("payload edited by hand",)
        if integrity(dataset) != dataset.get("integrity"):
            return ("file edited by hand",)
    except NotCanonical as error:
        return (f"payload edited by hand ({error})",)
    return ()


def _input_reasons(dataset: Mapping[str, Any], root: Path) -> tuple[str, ...]:
    reasons = []
    for entry in dataset.get("inputs", ()):
        if entry.get("available") != "repo":
            continue
        today = input_digest(entry, root)
        if today != entry.get("sha256"):
            reasons.append(f"input {'removed' if today is None else 'changed'}: {entry.get('uri')}")
    return tuple(reasons)


def _code_changes(dataset: Mapping[str, Any], root: Path) -> tuple[list[str], list[str]]:
    changed, removed = [], []
    for entry in dataset.get("generated_by", {}).get("code", ()):
        today = _digest(root / entry["path"])
        if today is None:
            removed.append(entry["path"])
        elif today != entry["sha256"]:
            changed.append(entry["path"])
    return changed, removed


def _digest(path: Path) -> str | None:
    try:
        return file_digest(path)
    except OSError:
        return None
    except (SyntaxError, ValueError):
        return "does not parse"


def _fresh_text(dataset: Mapping[str, Any]) -> str:
    reruns = [item for item in dataset.get("verified", ()) if item.get("by") == "rerun"]
    if reruns:
        return f"re-run on {reruns[-1]['date']} ({reruns[-1]['outcome']}), hash-checked at build"
    return "hash-checked at build"


def _stale(dataset: Mapping[str, Any], reasons: tuple[str, ...], root: Path, today: str | None) -> State:
    text = "stale: " + "; ".join(reasons)
    excuse = dataset.get("stale_ok")
    if not isinstance(excuse, dict):
        return State("stale", reasons, text)
    if (today or tree_date(root)) > str(excuse.get("until")):
        ended = f"its exception ended on {excuse.get('until')}"
        return State("stale", (*reasons, ended), f"{text}; {ended}")
    note = f"{text} (published until {excuse.get('until')}: {excuse.get('reason')})"
    return State("stale", reasons, note, excused=True)


def _canary_records(root: Path) -> dict[str, Any]:
    try:
        value = json.loads((root / CANARY).read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _datasets(root: Path) -> Iterable[dict[str, Any]]:
    for path in sorted((root / DATASETS).glob("*.json")):
        try:
            yield read_dataset(root, path.stem)
        except (OSError, ValueError):
            continue


@lru_cache(maxsize=8)
def _commit_date(root: Path) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "log", "-1", "--format=%cd", "--date=format:%Y-%m-%d"],
            capture_output=True, text=True, timeout=20, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
