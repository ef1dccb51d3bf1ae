"""The dataset file of a finished run: block, payload and seals, or everything that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.capture import registry
from harness.capture import traces as _traces
from harness.capture.api import Capture, Payload, Run
from harness.capture.tables import Table
from harness.errors import HarnessError
from provenance import canary as canary_records
from provenance.canonical import NotCanonical, rounded
from provenance.captures import regenerate_command
from provenance.digests import sealed
from provenance.figures import TableFault
from provenance.payload import payload_faults
from provenance.schema import violations

if TYPE_CHECKING:
    from harness.corpus.model import Corpus

PROVENANCE_VERSION = 2
Log = Callable[[str], None]


@dataclass(frozen=True)
class Performed:
    """A finished run: what it was given, what it returned, when (UTC) and for how long (seconds)."""

    run: Run
    payload: Payload
    started: datetime
    finished: datetime
    seconds: float

    def close(self) -> None:
        """Closes the connection to the database, if the capture used one."""
        if self.run.database_used is not None:
            self.run.database_used.close()


def payload_of(payload: Payload, tables: Sequence[Table] = ()) -> dict[str, Any]:
    """``result`` and ``timings`` as JSON, floats rounded, and what names their values: ``tables`` or ``figures``."""
    figures = {name: figure.as_dict() for name, figure in payload.figures.items()}
    named = {"figures": figures} if figures or not tables else {"tables": [table.as_dict() for table in tables]}
    shown: dict[str, Any] = rounded({**named, "result": payload.result, "timings": payload.timings})
    return shown


def dataset_of(
    capture: Capture, done: Performed, root: Path, before: dict[str, bytes], commit: str | None, log: Log
) -> dict[str, Any]:
    """The whole dataset file of a finished run, sealed. HarnessError lists everything that it lacks."""
    run, payload = done.run, payload_of(done.payload, capture.tables)
    volatile = any(item.get("volatile") for item in payload.get("figures", {}).values())
    timings = bool(payload["timings"]) or volatile
    corpus, store = run.corpus_used, run.database_used
    if corpus and store:
        corpus.read |= {"chunks", "vectors"}  # the tables hold both, whoever filled them
    inputs = _traces.settled_inputs([*(corpus.inputs() if corpus else ()), *run.inputs], root)
    models = [*(corpus.models if corpus else ()), *run.models]
    environment = _traces.environment(root, timings) | (store.environment() if store else {})
    script = registry.script(capture.name, root).as_posix()
    code = _traces.computing_code(root, script)
    dataset: dict[str, Any] = {
        "provenance_version": PROVENANCE_VERSION,
        "schema": f"zeroth/{capture.name}/1",
        "name": capture.name,
        "title": capture.title,
        "describes": capture.describes,
        "kind": capture.kind,
        "generated_by": {
            "script": script,
            "regenerate": regenerate_command(capture.name),
            "commit": commit,
            "dirty": dirty(root, code, inputs, before, commit, log),
            "code": [{"path": path, "sha256": digest} for path, digest in code.items()],
        },
        "caveats": list(capture.caveats),
        "inputs": inputs,
        "stages": _stages(corpus, root),
        "models": [model for index, model in enumerate(models) if model not in models[:index]],
        "params": rounded({**(store.params() if store else {}), **run.params}),
        "environment": environment,
        "run": {
            "id": f"{capture.name}-{done.started:%Y%m%dT%H%M%SZ}",
            "started": f"{done.started:%Y-%m-%dT%H:%M:%SZ}",
            "finished": f"{done.finished:%Y-%m-%dT%H:%M:%SZ}",
            "seconds": round(done.seconds, 1),
        },
        "determinism": capture.determinism.as_dict(),
        "volatile": list(capture.volatile),
        "digest": "",
        "integrity": "",
        "canary": canary_records.current_digest(root, capture.name),
        "verified": [],
        **payload,
    }
    return checked(dataset)


def _stages(corpus: Corpus | None, root: Path) -> list[dict[str, Any]]:
    """What the capture read of its corpus, by digest; nothing where it touched none."""
    if corpus is None:
        return []
    from harness.corpus.stages import entries  # numpy only where there is a corpus

    return entries(corpus, root)


def checked(dataset: dict[str, Any]) -> dict[str, Any]:
    """The dataset sealed, or a HarnessError that lists every rule it breaks."""
    try:
        done = sealed(dataset)
    except (NotCanonical, TableFault) as error:
        raise HarnessError(f"{dataset['name']}: {error}") from error
    faults = [str(item) for item in violations(done)] or [str(item) for item in payload_faults(done)]
    if faults:
        raise HarnessError("\n".join(f"{dataset['name']}: {fault}" for fault in faults))
    return done


def dirty(
    root: Path,
    code: dict[str, str],
    inputs: Sequence[dict[str, Any]],
    before: dict[str, bytes],
    commit: str | None,
    log: Log,
) -> bool:
    """Whether nobody can get this code and these inputs back: uncommitted, or changed while the capture ran.

    Another dataset as an input does not count: it has a digest and a ``dirty`` of its own.
    """
    moved = _traces.changed_since(before, code)
    files = [item["uri"] for item in inputs if item["available"] == "repo" and "from" not in item]
    loose = _traces.uncommitted(root, [*code, *files]) if commit else []
    for path in moved:
        log(f"dirty: {path} changed while the capture ran")
    for path in loose:
        log(f"dirty: {path} has uncommitted changes")
    return bool(moved or loose)
