"""Verifying datasets: by hash (every build does that too) or by running the capture again (by hand).

A re-run goes to a temporary folder, is compared with the dataset within what its ``determinism`` allows, and
its outcome is appended to the dataset's ``verified``, the one part of a dataset that changes after its
capture.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.capture import registry
from harness.errors import HarnessError
from harness.paths import ROOT, write_atomically
from provenance.canonical import pretty
from provenance.compare import allowed, differences
from provenance.digests import comparable, sealed
from provenance.schema import violations
from provenance.state import DATASETS, dataset_state, read_dataset

Log = Callable[[str], None]


@dataclass(frozen=True)
class Verdict:
    """The outcome of one verification: ``good`` or not, in words, with what differs."""

    name: str
    good: bool
    outcome: str
    details: tuple[str, ...] = ()


def hash_verdict(name: str, root: Path = ROOT) -> Verdict:
    """Checks a dataset against its schema, its own digests and the code and inputs of this tree."""
    try:
        dataset = read_dataset(root, name)
    except OSError:
        return Verdict(name, False, f"missing; run: python -m harness regenerate {name}")
    except ValueError as error:
        return Verdict(name, False, f"no dataset: {error}")
    broken = violations(dataset)
    if broken:
        return Verdict(name, False, "breaks the schema", tuple(str(item) for item in broken))
    state = dataset_state(dataset, root)
    return Verdict(name, not state.blocks, state.text)


def compared(dataset: Mapping[str, Any], again: Mapping[str, Any]) -> Verdict:
    """A dataset and its re-run side by side: same digest, within its tolerance, or where they differ."""
    name = str(dataset["name"])
    if dataset["digest"] == again["digest"]:
        return Verdict(name, True, "same digest")
    rel, abs_ = allowed(dataset["determinism"])
    found = differences(comparable(dataset), comparable(again), rel, abs_)
    if not found and dataset["determinism"]["kind"] != "exact":
        return Verdict(name, True, f"within its tolerance (rel {rel:g}, abs {abs_:g})")
    return Verdict(name, False, f"differs in {len(found)} places or more", tuple(found))


def run_again(name: str, root: Path = ROOT) -> dict[str, Any]:
    """Captures again into a temporary folder and returns what came out. HarnessError when the capture fails."""
    with tempfile.TemporaryDirectory(prefix="zeroth-rerun-") as folder:
        out = Path(folder) / f"{name}.json"
        command = [sys.executable, "-m", "harness.capture.runner", name, "--no-canary", "--out", str(out)]
        done = subprocess.run(command, cwd=root, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            raise HarnessError(f"{name}: the re-run ended with exit code {done.returncode}")
        again: dict[str, Any] = json.loads(out.read_bytes())
        return again


def verified(name: str, date: str, root: Path = ROOT) -> Verdict:
    """Runs a capture again, and records under ``date`` what came of it: an entry of the dataset's ``verified``.

    Where the result is the same, the dataset's record of code and stages becomes that of the re-run.
    """
    dataset, again = read_dataset(root, name), run_again(name, root)
    verdict = compared(dataset, again)
    if verdict.good:
        dataset = refreshed(dataset, again)
    dataset["verified"] = [*dataset["verified"], {"date": date, "by": "rerun", "outcome": verdict.outcome}]
    write_atomically(root / DATASETS / f"{name}.json", pretty(dataset))
    return verdict


def oldest(number: int, root: Path = ROOT) -> list[str]:
    """The datasets never run again, then those run again longest ago; within each by date."""

    def confirmed(name: str) -> tuple[bool, str, str]:
        dataset = read_dataset(root, name)
        reruns = [str(entry["date"]) for entry in dataset["verified"] if entry["by"] == "rerun"]
        return bool(reruns), max(reruns, default=str(dataset["run"]["finished"])), name

    known = [name for name in registry.names(root) if (root / DATASETS / f"{name}.json").exists()]
    return sorted(known, key=confirmed)[:number]


def refreshed(dataset: Mapping[str, Any], again: Mapping[str, Any]) -> dict[str, Any]:
    """The dataset with the code and stage outputs of a clean re-run that gave the same result.

    Numbers, timings, environment and commit stay those of the capture: only what the result is known to follow from
    is brought up to date. A re-run from uncommitted code changes nothing.
    """
    if again["generated_by"]["dirty"]:
        return dict(dataset)
    made = {**dataset["generated_by"], **{key: again["generated_by"][key] for key in ("script", "code")}}
    known = {"generated_by": made, "stages": again["stages"], "inputs": again["inputs"]}
    return sealed({**dataset, **known, "provenance_version": again["provenance_version"]})


def verify(
    names: Sequence[str], rerun: bool, log: Log, date: Callable[[], str] | None = None, root: Path = ROOT
) -> int:
    """Verifies datasets (all when none is named) and prints one line each; exit code 1 when one does not
    hold.

    With ``rerun`` each capture is run again, and what came of it is recorded under ``date()`` (default:
    today, UTC). HarnessError for a name that no capture answers to.
    """
    for name in names:
        registry.script(name, root)
    today = date or (lambda: f"{datetime.now(UTC):%Y-%m-%d}")
    bad = False
    for name in names or registry.names(root):
        clock = time.perf_counter()
        verdict = hash_verdict(name, root)
        if rerun and (root / DATASETS / f"{name}.json").exists() and verdict.outcome != "breaks the schema":
            log(f"{name}: running again")
            try:
                verdict = verified(name, today(), root)
            except HarnessError as error:
                verdict = Verdict(name, False, f"failed: {error}")
        bad = bad or not verdict.good
        spent = f", {time.perf_counter() - clock:.0f} s" if rerun else ""
        print(f"{name}: {verdict.outcome}{spent}", flush=True)
        for line in verdict.details:
            print(f"    {line}", flush=True)
    return 1 if bad else 0
