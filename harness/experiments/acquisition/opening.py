"""The opening second: how many requests leave in it under a bucket that starts full, and under capacity 1.

First the two buckets alone, with a clock that only waiting moves: exact. Then real runs, repeated, against a
server that answers everything and against one with a limit.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.corpus.fetch.pace import CLOSE_ENOUGH, Bucket
from harness.experiments.acquisition.clock import Clock
from harness.experiments.acquisition.documents import Doc
from harness.experiments.acquisition.runs import Finished, Pace, run, spans, times, untimed
from harness.experiments.acquisition.server import Server

BUCKETS = ("full", "strict")


def capacity(bucket: str, params: Mapping[str, Any]) -> int:
    """Tokens that the bucket saves up: a second's worth, or one."""
    return int(params["rate"]) if bucket == "full" else 1


def schedule(params: Mapping[str, Any], count: int) -> dict[str, Any]:
    """When ``count`` requests leave either bucket if nothing else takes time, in seconds."""
    made: dict[str, Any] = {}
    for bucket in BUCKETS:
        clock = Clock()
        tokens = Bucket(params["rate"], capacity(bucket, params), clock.sleep, clock)
        leave = [round(tokens.take(), 6) for _ in range(count)]
        made[bucket] = {
            "capacity": capacity(bucket, params),
            "first_second": sum(1 for at in leave if at < 1 - CLOSE_ENOUGH),
            "second_second": sum(1 for at in leave if 1 - CLOSE_ENOUGH <= at < 2 - CLOSE_ENOUGH),
            "leave": leave,
        }
    return made


def measure(docs: Sequence[Doc], params: Mapping[str, Any], log: Callable[[str], None]) -> dict[str, Any]:
    """Real runs of both buckets: per run what left in the first second, what was refused, how long it took.

    All of it depends on the clock; the spans of the first run of each kind are kept for the timeline.
    """
    lengths = {doc.id: doc.bytes for doc in docs}
    rows: list[dict[str, Any]] = []
    traces: dict[str, Any] = {}
    for number in range(params["runs"]):
        for limit in (None, params["limit"]):
            for bucket in BUCKETS:
                done = _one(docs, Pace(params["rate"], capacity(bucket, params), params["workers"]), limit, params)
                made = spans(done, lengths)
                where = "limited" if limit else "open"
                rows.append({"run": number + 1, "server": where, "bucket": bucket, **_row(done, made)})
                if number == 0:
                    traces[f"{where}_{bucket}"] = {"spans": untimed(made), "times": times(made)}
        log(f"opening second: run {number + 1} of {params['runs']}")
    return {"runs": rows, "traces": traces}


def _one(docs: Sequence[Doc], pace: Pace, limit: int | None, params: Mapping[str, Any]) -> Finished:
    with Server({doc.path: doc.body for doc in docs}, limit=limit) as server, tempfile.TemporaryDirectory() as folder:
        return run([doc.at(server.url) for doc in docs], Path(folder), pace, seed=params["seed"])


def _row(done: Finished, made: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    asked = [span for span in made if span["state"] != "wait"]
    return {
        "first_second": sum(1 for span in asked if span["start"] < 1.0),
        "requests": len(asked),
        "refused": sum(1 for span in asked if span["state"] == "refused"),
        "fetched": done.count("fetched"),
        "seconds": round(max(span["end"] for span in asked), 3),
    }
