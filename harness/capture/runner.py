"""Runs one capture in this process and writes its dataset: ``python -m harness.capture.runner NAME``.

One process a capture: ``sys.modules`` then tells which code the numbers rest on. With ``--canary`` the small
built-in corpus takes the place of the real one and nothing of the repository is written. A failed capture
leaves the last dataset as it was; a dirty one is written, and the build refuses it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.capture import registry
from harness.capture import traces as _traces
from harness.capture.api import Capture, Run
from harness.capture.block import Performed, dataset_of, payload_of
from harness.errors import HarnessError
from harness.paths import ROOT, write_atomically
from provenance import canary as canary_records
from provenance.canonical import pretty
from provenance.captures import regenerate_command
from provenance.digests import comparable
from provenance.recorders import records_only
from provenance.state import DATASETS, dataset_state, read_dataset

if TYPE_CHECKING:
    from harness.corpus.model import Corpus
    from harness.store import Store

Log = Callable[[str], None]


def perform(capture: Capture, log: Log, canary: bool = False) -> Performed:
    """Runs a capture on the real corpus, or on the small one with its ``canary_params``."""
    params = {**capture.params, **(capture.canary_params if canary else {})}
    run = Run(params, canary, log, _canary_corpus if canary else lambda: _real_corpus(capture.corpus, log))
    run.open_database = lambda: _store(run.corpus, log)
    started, clock = datetime.now(UTC), time.perf_counter()
    payload = capture.capture(run)
    return Performed(run, payload, started, datetime.now(UTC), time.perf_counter() - clock)


def _real_corpus(name: str, log: Log) -> Corpus:
    from harness.corpus.load import load_corpus

    return load_corpus(log, name=name)


def _canary_corpus() -> Corpus:
    from harness.capture.canary_corpus import canary_corpus

    return canary_corpus()


def _store(corpus: Corpus, log: Log) -> Store:
    import psycopg

    from harness.store import open_store

    try:
        return open_store(corpus, log)
    except psycopg.Error as error:
        if not os.environ.get("DATABASE_URL"):
            raise
        told = " ".join(str(error).split())
        remedy = "DATABASE_URL must name a server and a role that may create roles and extensions; or unset it"
        raise HarnessError(f"PostgreSQL refused: {told}; {remedy}") from error


def capture_to(name: str, out: Path, log: Log, root: Path = ROOT) -> dict[str, Any]:
    """Captures a dataset in this process and writes it to ``out``; returns it."""
    before, commit = _traces.sources(root), _traces.commit(root)
    capture = registry.load(name)
    done = perform(capture, log)
    dataset = dataset_of(capture, done, root, before, commit, log)
    done.close()
    kept = _kept(root, dataset)
    write_atomically(out, pretty(dataset | kept))
    return dataset


def _kept(root: Path, dataset: dict[str, Any]) -> dict[str, Any]:
    """What a new capture takes over from the last one: earlier verifications, if the result is the same."""
    try:
        last = read_dataset(root, dataset["name"])
    except (OSError, ValueError):
        return {}
    return {"verified": last.get("verified", [])} if last.get("digest") == dataset["digest"] else {}


def canary_to(name: str, out: Path, log: Log, root: Path = ROOT) -> None:
    """Runs a capture on the small corpus in this process; writes its comparable payload and the code it
    loaded.

    The dataset it would make is checked as a real one is: a capture of many minutes must not be the first to
    hear that its payload breaks a rule.
    """
    before, commit = _traces.sources(root), _traces.commit(root)
    capture = registry.load(name)
    done = perform(capture, log, canary=True)
    dataset_of(capture, done, root, before, commit, log)
    payload = payload_of(done.payload, capture.tables)
    record = {
        "code": {path: digest for path, digest in _traces.loaded_code(root).items() if not records_only(path)},
        "determinism": capture.determinism.as_dict(),
        "payload": comparable({**payload, "volatile": list(capture.volatile), "params": done.run.params}),
    }
    done.close()
    write_atomically(out, pretty(record))


def regenerate(names: Sequence[str], log: Log, root: Path = ROOT) -> int:
    """Captures datasets, each in a process of its own; prints name, state, digest, size and time. Exit code 0
    or 1."""
    for name in names:
        registry.script(name, root)
    failed = [name for name in names if not _regenerate(name, log, root)]
    if failed:
        log(f"failed: {', '.join(failed)}; their last datasets stand as they were")
    return 1 if failed else 0


def _regenerate(name: str, log: Log, root: Path) -> bool:
    old = _traces.dataset_digest(root, name)
    log(f"{name}: capturing")
    clock = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "harness.capture.runner", name], cwd=root, check=False)
    seconds = time.perf_counter() - clock
    if done.returncode != 0:
        print(f"{name}: failed after {seconds:.0f} s", flush=True)
        return False
    dataset = read_dataset(root, name)
    state = dataset_state(dataset, root)
    words = "dirty, will not be published" if dataset["generated_by"]["dirty"] else state.text
    same = "first capture" if old is None else "same digest" if old == dataset["digest"] else "different digest"
    size = (root / DATASETS / f"{name}.json").stat().st_size
    print(f"{name}: {words}, {same}, {size / 1024:.1f} kB, {seconds:.0f} s", flush=True)
    return True


def _ensure_canary(name: str, log: Log, root: Path) -> None:
    """Brings the recorded canary run up to today's code, in another process, so that its modules stay out of
    this."""
    if canary_records.current_digest(root, name) is None:
        log(f"{name}: canary run")
        command = [sys.executable, "-m", "harness.capture.canary", name]
        if subprocess.run(command, cwd=root, stdout=sys.stderr, check=False).returncode != 0:
            raise HarnessError(f"{name}: the canary run failed; see: python -m harness canary {name}")


def parser() -> argparse.ArgumentParser:
    """The command line of one capture process."""
    made = argparse.ArgumentParser(
        prog="python -m harness.capture.runner",
        description="Capture one dataset in this process.",
        epilog="example: python -m harness.capture.runner rrf",
    )
    made.add_argument("name", help="a folder of harness/experiments/")
    made.add_argument("--canary", action="store_true", help="run on the small built-in corpus, write to --out only")
    made.add_argument("--no-canary", action="store_true", help="do not bring the recorded canary run up to date first")
    made.add_argument("--out", type=Path, help="write here instead of data/interactive/NAME.json")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Entry of the capture process: 0 when captured, 1 with one line a fault when not."""
    arguments = parser().parse_args(argv)
    name, log = arguments.name, _to_stderr
    try:
        registry.script(name)
        out = arguments.out or ROOT / DATASETS / f"{name}.json"
        if arguments.canary:
            if arguments.out is None:
                raise HarnessError("--canary needs --out; to record canary runs: python -m harness canary")
            canary_to(name, out, log)
            return 0
        if not arguments.no_canary:
            _ensure_canary(name, log, ROOT)
        capture_to(name, out, log)
    except HarnessError as error:
        print(error, file=sys.stderr)
        return 1
    except SyntaxError as error:
        place = f"{error.filename}:{error.lineno}" if error.filename else "a module"
        print(f"{place}: does not parse: {error.msg}; mend it, then: {regenerate_command(name)}", file=sys.stderr)
        return 1
    return 0


def _to_stderr(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
