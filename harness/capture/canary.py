"""The canary: every capture on the small built-in corpus, held against a committed reference.

``python -m harness canary`` brings ``data/canary.json`` up to today's code. A payload that equals its
reference within a tolerance (processors differ in the last bits) keeps the reference, and with it the digest
that the datasets recorded; one that differs becomes the new reference, and the datasets captured by the old
code are stale.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.capture import registry
from harness.errors import HarnessError
from harness.paths import ROOT, cache_dir, write_atomically
from provenance import canary as records
from provenance.canonical import pretty, sha256_json
from provenance.compare import CANARY_TOLERANCE, allowed, differences

Log = Callable[[str], None]


@dataclass(frozen=True)
class CanaryRun:
    """A finished canary run: its comparable payload, and the code that made it (path → digest)."""

    name: str
    payload: dict[str, Any]
    code: dict[str, str]
    determinism: dict[str, Any]

    def differences(self, reference: Any) -> list[str]:
        """Where the payload differs from its reference by more than the canary's tolerance."""
        rel, abs_ = allowed(self.determinism)
        return differences(reference, self.payload, max(rel, CANARY_TOLERANCE), max(abs_, CANARY_TOLERANCE))


def run_canary(name: str, root: Path = ROOT) -> CanaryRun:
    """Runs one capture on the small corpus in a process of its own. HarnessError when it fails."""
    with tempfile.TemporaryDirectory(prefix="zeroth-canary-") as folder:
        out = Path(folder) / f"{name}.json"
        command = [sys.executable, "-m", "harness.capture.runner", name, "--canary", "--out", str(out)]
        done = subprocess.run(command, cwd=root, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            raise HarnessError(f"{name}: the canary run ended with exit code {done.returncode}")
        record = json.loads(out.read_bytes())
    return CanaryRun(name, record["payload"], record["code"], record["determinism"])


def reference(root: Path, name: str) -> Any:
    """The committed payload of a canary run, or None when there is none yet. HarnessError when it is no JSON."""
    path = records.REFERENCES / f"{name}.json"
    if not (root / path).exists():
        return None
    try:
        return json.loads((root / path).read_bytes())
    except json.JSONDecodeError as error:
        told = f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}"
    except (ValueError, RecursionError) as error:
        told = f"{path}: not JSON: {error}"
    except OSError as error:
        told = f"{path}: {error.strerror}"
    raise HarnessError(f"{told}; git checkout -- {path}, or delete it and run: python -m harness canary {name}")


def _known(root: Path) -> dict[str, Any]:
    """The recorded runs, about to be written again: HarnessError where some of them would get lost."""
    told = records.fault(root)
    if told:
        raise HarnessError(f"{told}; git checkout -- {records.RECORDS}, or delete it and run: python -m harness canary")
    return records.records(root)


def record(run: CanaryRun, root: Path = ROOT) -> list[str]:
    """Writes a run into ``data/canary.json`` and, where it differs, its payload as the new reference.

    Returns the differences to the last reference; empty when equal, or when there was none.
    """
    last = reference(root, run.name)
    found = run.differences(last) if last is not None else []
    if last is None or found:
        last = run.payload
        write_atomically(root / records.REFERENCES / f"{run.name}.json", pretty(last))
    with _locked():
        known = _known(root)
        known[run.name] = {"digest": sha256_json(last), "code": run.code}
        write_atomically(root / records.RECORDS, pretty(dict(sorted(known.items()))))
    return found


def disagreements(run: CanaryRun, root: Path = ROOT) -> list[str]:
    """What ``data/canary.json`` and the reference say otherwise than this run; empty when they are true."""
    last = reference(root, run.name)
    if last is None:
        return ["no reference payload"]
    known = records.records(root).get(run.name)
    if not isinstance(known, Mapping):
        return ["not recorded in data/canary.json"]
    found = run.differences(last)
    if known.get("digest") != sha256_json(last):
        found.append("recorded digest is not that of the reference payload")
    code = known.get("code", {})
    found += [
        f"recorded code differs: {path}"
        for path in sorted(code.keys() | run.code.keys())
        if code.get(path) != run.code.get(path)
    ]
    return found


@contextmanager
def _locked() -> Iterator[None]:
    """Two captures may record at once; reading and writing the one file must not interleave."""
    folder = cache_dir()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "canary.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def canary(names: Sequence[str], log: Log, check: bool = False, force: bool = False, root: Path = ROOT) -> int:
    """Runs canaries and prints one line each; exit code 1 when one fails or, with ``check``, disagrees.

    Without ``check`` a capture whose recorded run was made by exactly today's code is skipped unless
    ``force``.
    """
    bad = False
    for name in names:
        registry.script(name, root)
        if not (check or force) and records.current_digest(root, name) is not None:
            print(f"{name}: up to date", flush=True)
            continue
        log(f"{name}: canary run")
        clock = time.perf_counter()
        try:
            reference(root, name)  # what cannot be compared with is told before minutes are spent
            _known(root)
            run = run_canary(name, root)
            found = disagreements(run, root) if check else record(run, root)
        except HarnessError as error:
            print(f"{name}: failed: {error}", flush=True)
            bad = True
            continue
        bad = bad or (check and bool(found))
        words = "equal" if not found else "differs" if check else "differs, new reference"
        print(f"{name}: {words}, {time.perf_counter() - clock:.0f} s", flush=True)
        for line in found:
            print(f"    {line}", flush=True)
    if bad and check:
        log("to accept: python -m harness canary")
    return 1 if bad else 0


def _drop_unknown(root: Path) -> None:
    """Records and references of captures that no longer exist go away."""
    known = set(registry.names(root))
    with _locked():
        recorded = _known(root)
        if set(recorded) - known:
            write_atomically(
                root / records.RECORDS, pretty({name: recorded[name] for name in sorted(set(recorded) & known)})
            )
    for path in (root / records.REFERENCES).glob("*.json"):
        if path.stem not in known:
            path.unlink()


def parser() -> argparse.ArgumentParser:
    """The command line of ``python -m harness canary``."""
    made = argparse.ArgumentParser(
        prog="python -m harness canary",
        description="Run captures on the small built-in corpus and record which code gave which result.",
        epilog="example: python -m harness canary --check rrf",
    )
    made.add_argument("names", nargs="*", metavar="NAME", help="captures; all when none is named")
    made.add_argument("--check", action="store_true", help="change nothing, exit 1 when anything recorded is not true")
    made.add_argument("--force", action="store_true", help="run also what is up to date")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Entry of the command; exit codes 0 and 1."""
    arguments = parser().parse_args(argv)
    try:
        if not arguments.names and not arguments.check:
            _drop_unknown(ROOT)
        names = arguments.names or registry.names()
        return canary(names, _to_stderr, arguments.check, arguments.force)
    except HarnessError as error:
        print(error, file=sys.stderr)
        return 1


def _to_stderr(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
