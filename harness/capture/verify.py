"""Verifying datasets: by hash (every build does that too) or by running the capture again (by hand).

A re-run goes to a temporary folder, is compared with the dataset within what its ``determinism`` allows, and
its outcome is appended to the dataset's ``verified``, the one part of a dataset that changes after its
capture.
"""

from __future__ import annotations

import argparse
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
from harness.capture.runner import write_atomically
from harness.errors import HarnessError
from harness.paths import ROOT
from provenance.canonical import pretty
from provenance.compare import allowed, differences
from provenance.digests import comparable
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


def run_again(name: str, root: Path = ROOT) -> Verdict:
    """Captures again into a temporary folder and compares. HarnessError when the capture fails."""
    dataset = read_dataset(root, name)
    with tempfile.TemporaryDirectory(prefix="zeroth-rerun-") as folder:
        out = Path(folder) / f"{name}.json"
        command = [sys.executable, "-m", "harness.capture.runner", name, "--no-canary", "--out", str(out)]
        done = subprocess.run(command, cwd=root, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            raise HarnessError(f"{name}: the re-run ended with exit code {done.returncode}")
        return compared(dataset, json.loads(out.read_bytes()))


def append_verified(name: str, by: str, outcome: str, date: str, root: Path = ROOT) -> None:
    """Adds one entry to a dataset's ``verified``; neither of its digests covers that list."""
    dataset = read_dataset(root, name)
    dataset["verified"] = [*dataset["verified"], {"date": date, "by": by, "outcome": outcome}]
    write_atomically(root / DATASETS / f"{name}.json", pretty(dataset))


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
                verdict = run_again(name, root)
            except HarnessError as error:
                verdict = Verdict(name, False, f"failed: {error}")
            else:
                append_verified(name, "rerun", verdict.outcome, today(), root)
        bad = bad or not verdict.good
        spent = f", {time.perf_counter() - clock:.0f} s" if rerun else ""
        print(f"{name}: {verdict.outcome}{spent}", flush=True)
        for line in verdict.details:
            print(f"    {line}", flush=True)
    return 1 if bad else 0


def parser() -> argparse.ArgumentParser:
    """The command line of ``python -m harness verify``."""
    made = argparse.ArgumentParser(
        prog="python -m harness verify",
        description="Check that datasets still follow from code and inputs.",
        epilog="example: python -m harness verify --rerun rrf",
    )
    made.add_argument("names", nargs="*", metavar="NAME", help="datasets; all when none is named")
    made.add_argument("--rerun", action="store_true", help="capture again, compare, and record the outcome")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Entry of the command; exit codes 0 and 1."""
    arguments = parser().parse_args(argv)
    try:
        return verify(arguments.names, arguments.rerun, lambda message: print(message, file=sys.stderr, flush=True))
    except HarnessError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
