"""Runs that end early: a quota that is used up, and a process that is killed."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from harness.corpus.fetch.answers import Retry, Verdict
from harness.corpus.fetch.place import document_path, part_path, size_of
from harness.errors import HarnessError
from harness.experiments.acquisition.child import start
from harness.experiments.acquisition.clock import Clock
from harness.experiments.acquisition.documents import Doc
from harness.experiments.acquisition.runs import Finished, Pace, plain, run, spans, times, untimed
from harness.experiments.acquisition.server import Act, Served, Server

PATIENT = 300.0
"""Seconds that a step of the rehearsal may take on a busy machine."""


def as_if_transient(status: int, headers: Mapping[str, str], last: bool, now: float) -> Verdict:
    """The rule held against ours: every 429 is waited out by back-off and tried again, whatever its headers say."""
    return Retry(f"HTTP {status}", None, shared=True)


def quota(docs: Sequence[Doc], params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A day's quota smaller than the list: stop at the first sign, or retry; then the day after.

    The waits of the retrying run are not slept: its clock moves by its waits alone.
    """
    lengths, bodies = {doc.id: doc.bytes for doc in docs}, {doc.path: doc.body for doc in docs}
    pace, clock = Pace(params["rate"]), Clock()
    with Server(bodies, quota=params["quota"]) as server, tempfile.TemporaryDirectory() as folder:
        wanted = [doc.at(server.url) for doc in docs]
        stopped = run(wanted, Path(folder), pace, seed=params["seed"])
        server.quota = None
        next_day = run(wanted, Path(folder), pace, seed=params["seed"])
    with Server(bodies, quota=params["quota"]) as server, tempfile.TemporaryDirectory() as folder:
        wanted = [doc.at(server.url) for doc in docs]
        retried = run(
            wanted, Path(folder), pace, seed=params["seed"], judge=as_if_transient, sleep=clock.sleep, clock=clock
        )
    made = {name: spans(done, lengths) for name, done in (("stopped", stopped), ("next_day", next_day))}
    result = {
        "documents": len(docs),
        "stopped": _counts(stopped) | {"reason": plain(stopped.outcomes[-1].reason)},
        "retried": _counts(retried) | {"waited": round(retried.waited(), 3)},
        "next_day": _counts(next_day),
        "spans": {name: untimed(items) for name, items in made.items()},
    }
    return result, {name: times(items) for name, items in made.items()}


def _counts(done: Finished) -> dict[str, int]:
    states = {state: done.count(state) for state in ("fetched", "present", "refused", "postponed")}
    return {"requests": done.requests(), "answered_429": done.statuses().count(429)} | states


def restart(docs: Sequence[Doc], params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A run killed (SIGKILL) within the body of one document after another, then left alone; and an unbroken one.

    The server sends half of a body and holds it; when the half is on disk, the process is killed.
    """
    with tempfile.TemporaryDirectory() as broken, tempfile.TemporaryDirectory() as whole:
        with Server({doc.path: doc.body for doc in docs}) as server:
            _last(docs, Path(whole), server, params)
            unbroken = server.log()
        runs, log = _broken(docs, Path(broken), params)
        equal = sum(_same(doc, Path(broken), Path(whole)) for doc in docs)
        left_over = len(list((Path(broken) / "documents").iterdir())) - len(docs)
    result = {
        "documents": len(docs),
        "kills": len(params["kill_in"]),
        "runs": runs,
        "resumed": sum(1 for served in log if served.status == 206),
        "requests": len(log),
        "requests_unbroken": len(unbroken),
        "bytes": sum(served.sent for served in log),
        "bytes_unbroken": sum(served.sent for served in unbroken),
        "equal": equal,
        "left_over": left_over,
    }
    return result, {"served": [round(served.at - log[0].at, 3) for served in log]}


def _broken(docs: Sequence[Doc], cache: Path, params: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[Served]]:
    places = {index: (threading.Event(), threading.Event()) for index in params["kill_in"]}

    def hold(index: int) -> None:
        reached, killed = places[index]
        reached.set()
        killed.wait(PATIENT)

    acts = {docs[index].path: [Act("call", hook=partial(hold, index))] for index in places}
    runs: list[dict[str, Any]] = []
    with Server({doc.path: doc.body for doc in docs}, acts) as server:
        for index, (reached, killed) in places.items():
            before = len(server.log())
            child = start([doc.at(server.url) for doc in docs], cache, params["restart_rate"])
            try:
                _until(reached.is_set, f"a request for {docs[index].id}")
                part = part_path(document_path(cache, docs[index].sha256))
                half = docs[index].bytes // 2
                _until(lambda part=part, half=half: size_of(part) == half, f"half of {docs[index].id} on disk")
            finally:
                child.kill()
                child.wait()
                killed.set()
            runs.append(
                _row(docs, cache, server.log()[before:], {"killed_in": docs[index].id, "part_bytes": size_of(part)})
            )
        before = len(server.log())
        states = _last(docs, cache, server, params)
        runs.append(_row(docs, cache, server.log()[before:], {"killed_in": None, "part_bytes": 0}))
        runs[-1]["present"] = states.count("present")
        log = server.log()
    return runs, log


def _row(docs: Sequence[Doc], cache: Path, log: Sequence[Served], killed: dict[str, Any]) -> dict[str, Any]:
    """One run: requests it made, where it resumed, documents whole at its end."""
    return killed | {
        "requests": len(log),
        "resumed_from": next((served.offset for served in log if served.offset), 0),
        "bytes": sum(served.sent for served in log),
        "whole": sum(document_path(cache, doc.sha256).exists() for doc in docs),
    }


def _last(docs: Sequence[Doc], cache: Path, server: Server, params: Mapping[str, Any]) -> list[str]:
    child = start([doc.at(server.url) for doc in docs], cache, params["restart_rate"])
    printed, _ = child.communicate(timeout=PATIENT)
    return [outcome["state"] for outcome in json.loads(printed)]


def _same(doc: Doc, one: Path, other: Path) -> bool:
    return document_path(one, doc.sha256).read_bytes() == document_path(other, doc.sha256).read_bytes() == doc.body


def _until(holds: Any, what: str) -> None:
    ends = time.monotonic() + PATIENT
    while not holds():
        if time.monotonic() > ends:
            raise HarnessError(f"restart: waited {PATIENT:.0f} s in vain for {what}")
        time.sleep(0.005)
