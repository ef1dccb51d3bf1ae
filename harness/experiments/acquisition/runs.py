"""One run of the downloader against the local server, and what happened in it as spans of time."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from harness.corpus.acquire import HttpSource, Outcome, acquire
from harness.corpus.fetch import answers
from harness.corpus.fetch.answers import Judge
from harness.corpus.fetch.http import Event
from harness.experiments.acquisition.documents import Doc

Span = dict[str, Any]


def local_client(timeout: float = 10.0) -> httpx.Client:
    """A client for the server on this machine: no proxy, no certificates; ``timeout`` seconds of silence allowed."""
    return httpx.Client(timeout=timeout, trust_env=False, verify=False)


@dataclass(frozen=True)
class Pace:
    """How a run paces itself: requests a second, how many may be saved up, how many documents at a time."""

    rate: float
    capacity: int = 1
    workers: int = 1


@dataclass(frozen=True)
class Finished:
    """What a run brought: one outcome a document, and its events in order of time."""

    outcomes: list[Outcome]
    events: list[Event]

    def count(self, state: str) -> int:
        """Documents with this outcome."""
        return sum(1 for outcome in self.outcomes if outcome.state == state)

    def statuses(self) -> list[int]:
        """The status of every answer, in order."""
        return [event.status for event in self.events if event.what == "answered"]

    def requests(self) -> int:
        """Requests that left."""
        return sum(1 for event in self.events if event.what == "sent")

    def waited(self) -> float:
        """Seconds of all the waits before retries together."""
        return sum(event.seconds for event in self.events if event.what == "waited")


def run(
    docs: Sequence[Doc],
    cache: Path,
    pace: Pace,
    *,
    seed: int = 0,
    timeout: float = 10.0,
    judge: Judge = answers.judge,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Finished:
    """Fetches ``docs`` into ``cache``; the back-off is drawn from ``seed``."""
    events: list[Event] = []
    with local_client(timeout) as client:
        source = HttpSource(
            client, pace.rate, capacity=pace.capacity, jitter=random.Random(seed), judge=judge, sleep=sleep,
            clock=clock, watch=events.append,
        )  # fmt: skip
        outcomes = acquire(docs, cache, source, workers=pace.workers)
    return Finished(outcomes, sorted(events, key=lambda event: event.at))


def spans(finished: Finished, lengths: Mapping[str, int]) -> list[Span]:
    """Requests and waits of a run, in order of their beginning, in seconds since the first request.

    A request is ``ok`` when it left the document in full length (``lengths``: id → bytes) or was a redirect,
    ``refused`` when it was answered with 429, else ``failed``. ``from``: the byte it asked from. ``kept``: bytes
    of the document there afterwards. A wait lasts until the document's next request leaves.
    """
    zero = next((event.at for event in finished.events if event.what == "sent"), 0.0)
    made: list[Span] = []
    open_: dict[str, Span] = {}
    for event in finished.events:
        at, current = event.at - zero, open_.get(event.doc)
        if event.what in ("sent", "waited"):
            if current is not None and current["state"] == "wait":
                current["end"] = at
            open_[event.doc] = {"doc": event.doc, "start": at, "end": at}
            open_[event.doc] |= (
                {"state": "failed", "status": 0, "from": event.offset, "kept": 0}
                if event.what == "sent"
                else {"state": "wait", "seconds": round(event.seconds, 3), "reason": plain(event.reason)}
            )
            made.append(open_[event.doc])
        elif current is not None and event.what == "answered":
            state = "refused" if event.status == 429 else "ok" if 300 <= event.status < 400 else "failed"
            current |= {"end": at, "status": event.status, "state": state}
        elif current is not None and event.what == "kept":
            whole = event.offset == lengths[event.doc]
            current |= {"end": at, "kept": event.offset, "state": "ok" if whole else "failed"}
    return made


def plain(reason: str) -> str:
    """A reason without what depends on the machine: the text of a network error, the server's address."""
    return re.sub(
        r"^(\w+(?:Error|Timeout)): .*", r"\1", re.sub(r"http://127\.0\.0\.1:\d+|127\.0\.0\.1:\d+: ", "", reason)
    )


def untimed(made: Sequence[Span]) -> list[Span]:
    """The spans without their times: what must come out the same again."""
    return [{key: value for key, value in span.items() if key not in ("start", "end")} for span in made]


def times(made: Sequence[Span]) -> list[list[float]]:
    """[start, end] of each span, in seconds."""
    return [[round(span["start"], 4), round(span["end"], 4)] for span in made]
