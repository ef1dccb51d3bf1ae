"""One run in which nearly every document meets another fault of the server, and the run that follows it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.experiments.acquisition.documents import Doc
from harness.experiments.acquisition.runs import Finished, Pace, plain, run, spans, times, untimed
from harness.experiments.acquisition.server import Act, Server

MOVED = "/moved.txt"


@dataclass(frozen=True)
class Case:
    """A fault: its name, its label in figures, what the server does, whether it serves ranges of the document."""

    name: str
    label: str
    acts: tuple[Act, ...] = ()
    ranges: bool = True


def cases(params: Mapping[str, Any]) -> tuple[Case, ...]:
    """The faults in the order in which the documents meet them."""
    after = (("Retry-After", str(params["retry_after"])),)
    return (
        Case("fine", "no fault"),
        Case("retry_after", "429, Retry-After", (Act("status", 429, after),)),
        Case("unavailable", "503 once", (Act("status", 503),)),
        Case("cut", "body cut", (Act("cut"),)),
        Case("cut_no_ranges", "cut, no ranges", (Act("cut"),), ranges=False),
        Case("short", "cut, no length", (Act("short"),)),
        Case("stall", "body stalls", (Act("stall", seconds=params["silence"] + 1),)),
        Case("reset", "connection reset", (Act("reset"),)),
        Case("redirect", "redirect", (Act("status", 302, (("Location", MOVED),)),)),
        Case("page", "200, error page", (Act("page"),)),
        Case("other", "another length", (Act("other"),)),
        Case("missing", "404", (Act("status", 404),)),
    )


def measure(docs: Sequence[Doc], params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The run (what came out, in order) and the times of its requests and waits; then a second run over the rest.

    One worker, so that the order is the same again. The back-off is drawn from the seed.
    """
    planned = list(zip(cases(params), docs, strict=False))
    served = {doc.path: doc.body for _, doc in planned}
    served[MOVED] = next(doc.body for case, doc in planned if case.name == "redirect")
    acts = {doc.path: case.acts for case, doc in planned}
    whole_only = [doc.path for case, doc in planned if not case.ranges]
    lengths = {doc.id: doc.bytes for _, doc in planned}
    with Server(served, acts, whole_only=whole_only) as server, tempfile.TemporaryDirectory() as folder:
        wanted = [doc.at(server.url) for _, doc in planned]
        pace = Pace(params["rate"])
        done = run(wanted, Path(folder), pace, seed=params["seed"], timeout=params["silence"])
        first = server.log()
        made = spans(done, lengths)
        again = run(wanted, Path(folder), pace, seed=params["seed"], timeout=params["silence"])
    sent = {doc.id: sum(item.sent for item in first if item.path in _paths(case, doc)) for case, doc in planned}
    result = {
        "cases": [_row(case, doc, done, made, sent[doc.id]) for case, doc in planned],
        "spans": untimed(made),
        "summary": {
            "documents": len(planned),
            "requests": done.requests(),
            "fetched": done.count("fetched"),
            "refused": done.count("refused"),
        },
        "again": {state: again.count(state) for state in ("present", "fetched", "refused")}
        | {"requests": again.requests()},
    }
    return result, {"times": times(made)}


def _paths(case: Case, doc: Doc) -> tuple[str, ...]:
    return (doc.path, MOVED) if case.name == "redirect" else (doc.path,)


def _row(case: Case, doc: Doc, done: Finished, made: Sequence[Mapping[str, Any]], sent: int) -> dict[str, Any]:
    """One document: the statuses in order (0: no answer), bytes over the wire, how it ended."""
    outcome = next(outcome for outcome in done.outcomes if outcome.id == doc.id)
    asked = [span for span in made if span["doc"] == doc.id and span["state"] != "wait"]
    return {
        "case": case.name,
        "label": case.label,
        "doc": doc.id,
        "bytes": doc.bytes,
        "statuses": [span["status"] for span in asked],
        "requests": len(asked),
        "resumed_from": asked[-1]["from"],
        "sent": sent,
        "state": outcome.state,
        "reason": plain(outcome.reason),
    }
