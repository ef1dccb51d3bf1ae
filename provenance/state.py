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

from provenance import canary, stages
from provenance.canonical import NotCanonical, sha256_bytes
from provenance.codehash import digest_today
from provenance.digests import integrity, payload_digest
from provenance.figures import TableFault
from provenance.recorders import records_only

DATASETS = Path("data/interactive")

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
    inputs = (*_input_reasons(dataset, root), *stages.reasons(dataset.get("stages", ()), root))
    changed, removed = _code_changes(dataset, root)
    code = tuple([f"code changed: {path}" for path in changed] + [f"code removed: {path}" for path in removed])
    if "stages" in dataset and (inputs or code) and not edited:
        return _stale(dataset, (*inputs, *code), root, today)
    if not (edited or inputs or code):
        return State("fresh", (), _fresh_text(dataset))
    if not (edited or inputs):
        objection = canary.objection(dataset, root, changed)
        if objection is None:
            return State("equivalent", code, "code changed since, equal on the canary")
        code = (*code, objection)
    reasons = (*edited, *inputs, *code)
    return _stale(dataset, reasons, root, today)


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
    except (NotCanonical, TableFault) as error:
        return (f"payload edited by hand ({error})",)
    return ()


def _input_reasons(dataset: Mapping[str, Any], root: Path) -> tuple[str, ...]:
    """Changed files of the repository, without those whose effect the digests of the stages tell more exactly."""
    covered = stages.covered(dataset.get("stages", ()), root)
    reasons = []
    for entry in dataset.get("inputs", ()):
        if entry.get("available") != "repo" or entry.get("uri") in covered:
            continue
        today = input_digest(entry, root)
        if today != entry.get("sha256"):
            reasons.append(f"input {'removed' if today is None else 'changed'}: {entry.get('uri')}")
    return tuple(reasons)


def _code_changes(dataset: Mapping[str, Any], root: Path) -> tuple[list[str], list[str]]:
    changed, removed = [], []
    for entry in dataset.get("generated_by", {}).get("code", ()):
        if records_only(entry["path"]):
            continue
        now = digest_today(root / entry["path"])
        if now is None:
            removed.append(entry["path"])
        elif now != entry["sha256"]:
            changed.append(entry["path"])
    return changed, removed


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
