"""The downloader against a local server that throttles, breaks off, lies and stops; and a process that is killed.

Everything ran: real documents, real requests over HTTP, real signals. What came out and in which order is the
result; when it happened is timing. Only the run that retries against a quota skips its waits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from harness.capture.api import EXACT, Capture, Payload, Run
from harness.corpus.fetch import answers
from harness.corpus.fetch.http import TRIES
from harness.experiments.acquisition import faults, opening, stops
from harness.experiments.acquisition.documents import Doc, made, real
from harness.experiments.acquisition.figures import figures
from harness.paths import MANIFEST, ROOT


def capture(run: Run) -> Payload:
    """The opening second, a fault a document, a quota, three kills."""
    params = run.params
    docs = made(len(params["documents"])) if run.canary else real(params["documents"])
    _record(run, docs)
    run.log("faults")
    faulty, faults_times = faults.measure(docs, params)
    run.log("quota")
    quota, quota_times = stops.quota(docs[: params["quota_documents"]], params)
    run.log("kills")
    restart, restart_times = stops.restart(docs[: params["restart_documents"]], params)
    measured = opening.measure(docs, params, run.log)
    result: dict[str, Any] = {
        "documents": [{"id": doc.id, "bytes": doc.bytes} for doc in docs],
        "schedule": opening.schedule(params, 4 * params["rate"]),
        "faults": faulty,
        "quota": quota,
        "restart": restart,
    }
    timings = {"opening": measured, "faults": faults_times, "quota": quota_times, "restart": restart_times}
    return Payload(result, figures(result, measured), timings)


def _record(run: Run, docs: Sequence[Doc]) -> None:
    checksums = "".join(f"{doc.id} {doc.sha256}\n" for doc in docs)
    run.record_input(
        "documents served",
        "made for the canary"
        if run.canary
        else "https://www.rfc-editor.org/rfc/ (one URL a document, in the manifest)",
        sha256=hashlib.sha256(checksums.encode()).hexdigest(),
        bytes=sum(doc.bytes for doc in docs),
        records=len(docs),
        licence="IETF Trust Legal Provisions (whole documents may be copied; excerpts with attribution)",
        available="external",
    )
    if not run.canary:
        run.record_input("corpus manifest", MANIFEST.relative_to(ROOT).as_posix(), licence="MIT")


CAPTURE = Capture(
    name="acquisition",
    title="Fetching documents from a server that misbehaves",
    describes=(
        "Runs of the downloader over real RFCs from a server on the same machine: requests in the opening second under "
        "two token buckets, one fault of the server a document, a daily quota, and a process killed within a body "
        "and started again."
    ),
    kind="measured",
    capture=capture,
    params={
        "documents": [
            "rfc1342", "rfc3258", "rfc4892", "rfc5232", "rfc5436", "rfc5685", "rfc5942", "rfc6131",
            "rfc6437", "rfc6491", "rfc6609", "rfc6937", "rfc7112", "rfc7522", "rfc7619", "rfc7662",
            "rfc7895", "rfc8037", "rfc8181", "rfc8257", "rfc8511", "rfc8624", "rfc8710", "rfc9213",
        ],
        "rate": 10, "limit": 12, "workers": 4, "runs": 5, "tries": TRIES, "patience": answers.PATIENCE,
        "retry_after": 2, "silence": 5.0,
        "quota": 6, "quota_documents": 10,
        "restart_documents": 12, "kill_in": [2, 5, 9], "restart_rate": 50,
        "seed": 20261130,
    },
    canary_params={
        "documents": [f"memo{number:02d}" for number in range(1, 15)],
        "runs": 1, "retry_after": 1, "silence": 3.0, "kill_in": [1, 3], "restart_documents": 5,
    },
    caveats=(
        "Server and client share one machine: there is no network between them, and other work on the machine can only "
        "make a request leave later.",
        "The ceiling, the limit and the quota are far smaller than real ones, so that the runs are short.",
    ),
    determinism=EXACT,
    minutes=2.0,
)  # fmt: skip
