"""Documents from their public URLs: paced, patient, resumed where they broke off."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from harness.corpus.fetch import answers
from harness.corpus.fetch.answers import Judge, Postponed, Refuse, Retry, Stop, Verdict
from harness.corpus.fetch.body import Expected, complete, plan, receive
from harness.corpus.fetch.pace import Bucket, Clock, Sleep, backoff
from harness.corpus.fetch.place import Wanted, host_of, size_of
from harness.errors import HarnessError

if TYPE_CHECKING:
    import httpx

REQUESTS_A_SECOND = 2.0
TRIES = 4
REDIRECTS = 5
SILENCE = 30.0
"""Seconds without a byte after which a request is given up."""
LONGEST = 600.0
"""Seconds after which a request is given up even if bytes still trickle in."""
USER_AGENT = "zeroth-harness (public documents by manifest, at most two requests a second)"


@dataclass(frozen=True)
class Event:
    """Something that happened to a document, for reports: ``at`` is the source's clock, in seconds.

    ``sent``: a request left, asking for the bytes from ``offset`` on. ``answered``: ``status`` came back.
    ``kept``: ``offset`` bytes of the document are there now. ``waited``: a wait of ``seconds`` begins, for
    ``reason``. ``stopped``: no further request goes to this host.
    """

    at: float
    doc: str
    what: Literal["sent", "answered", "kept", "waited", "stopped"]
    status: int = 0
    offset: int = 0
    seconds: float = 0.0
    reason: str = ""


class HttpSource:
    """Public URLs under one request ceiling a host, shared by all workers that fetch through this object.

    ``rate`` requests a second, ``capacity`` of them saved up (1: strict pacing). ``jitter`` draws the back-off.
    ``judge`` says what an answer means. ``now`` is the time of day, for headers that name one; ``clock`` and
    ``sleep`` measure and spend waits. ``watch`` hears of every request, answer and wait.
    """

    def __init__(
        self,
        client: httpx.Client | None = None,
        rate: float = REQUESTS_A_SECOND,
        *,
        capacity: int = 1,
        tries: int = TRIES,
        longest: float = LONGEST,
        jitter: random.Random | None = None,
        judge: Judge = answers.judge,
        sleep: Sleep = time.sleep,
        clock: Clock = time.monotonic,
        now: Clock = time.time,
        watch: Callable[[Event], None] = lambda event: None,
    ) -> None:
        import httpx

        self._client = client or httpx.Client(headers={"User-Agent": USER_AGENT}, timeout=SILENCE)
        self._transient, self._no_url = httpx.RequestError, httpx.InvalidURL
        self._rate, self._capacity = rate, capacity
        self._tries, self._longest = tries, longest
        self._jitter = jitter or random.Random()
        self._judge = judge
        self._sleep, self._clock, self._now = sleep, clock, now
        self._watch = watch
        self._lock = threading.Lock()
        self._buckets: dict[str, Bucket] = {}
        self._closed: dict[str, str] = {}

    def fetch(self, wanted: Wanted, part: Path) -> None:
        """Fills ``part`` with the document, from what is there already if the server can send the rest.

        Raises Postponed when the host wants no more requests, HarnessError when this document cannot be had.
        """
        host = host_of(wanted.url)
        verdict: Verdict | None = None
        for attempt in range(self._tries):
            verdict = self._try(wanted, part, host, last=attempt + 1 == self._tries)
            if verdict is None:
                return
            if isinstance(verdict, Refuse):
                break
            if isinstance(verdict, Stop):
                self._closed[host] = verdict.reason
                self._tell(wanted, "stopped", reason=verdict.reason)
                raise Postponed(f"{host}: {verdict.reason}")
            if attempt + 1 < self._tries:
                self._wait(wanted, host, verdict, attempt)
        raise HarnessError(f"could not fetch {wanted.url}: {verdict.reason if verdict else 'no try allowed'}")

    def _try(self, wanted: Wanted, part: Path, host: str, last: bool) -> Verdict | None:
        """One request with its redirects; None when the document is there in full length."""
        offset = plan(part, wanted)
        expected = Expected(wanted.url, wanted.bytes, offset)
        try:
            with self._answer(wanted, host, offset) as response:
                status = response.status_code
                self._tell(wanted, "answered", status=status)
                if status not in (200, 206):
                    if status == 416:
                        part.unlink(missing_ok=True)
                        return Retry("HTTP 416: nothing to resume from")
                    return self._judge(status, response.headers, last, self._now())
                fault = receive(response, part, expected, self._clock, self._longest)
        except self._transient as error:
            fault = Retry(f"{type(error).__name__}: {error}")
        self._tell(wanted, "kept", offset=size_of(part))
        return fault or complete(part, wanted)

    @contextmanager
    def _answer(self, wanted: Wanted, host: str, offset: int) -> Iterator[httpx.Response]:
        """The answer after at most ``REDIRECTS`` redirects; every hop waits for its token."""
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={offset}-"} if offset else {})
        try:
            request = self._client.build_request("GET", wanted.url, headers=headers)
        except self._no_url as error:
            raise HarnessError(f"{wanted.url!r} is no URL: {error}") from error
        asked = host
        for _ in range(REDIRECTS + 1):
            self._pace(host, wanted, offset, asked)
            response = self._client.send(request, stream=True, follow_redirects=False)
            try:
                if response.next_request is None:
                    yield response
                    return
            finally:
                response.close()
            self._tell(wanted, "answered", status=response.status_code)
            if request.url.scheme == "https" != response.next_request.url.scheme:
                raise HarnessError(f"could not fetch {wanted.url}: it redirects to {response.next_request.url}")
            request = response.next_request
            asked = request.url.netloc.decode("ascii")
        raise HarnessError(f"could not fetch {wanted.url}: more than {REDIRECTS} redirects")

    def _pace(self, host: str, wanted: Wanted, offset: int, asked: str) -> None:
        self._open(host)
        released = self._bucket(asked).take()
        self._open(host)  # it may have closed while this worker waited
        self._watch(Event(released, wanted.id, "sent", offset=offset))

    def _open(self, host: str) -> None:
        if host in self._closed:
            raise Postponed(f"{host}: {self._closed[host]}")

    def _bucket(self, host: str) -> Bucket:
        with self._lock:
            if host not in self._buckets:
                self._buckets[host] = Bucket(self._rate, self._capacity, self._sleep, self._clock)
            return self._buckets[host]

    def _wait(self, wanted: Wanted, host: str, verdict: Retry, attempt: int) -> None:
        with self._lock:
            wait = backoff(attempt, self._jitter) if verdict.wait is None else verdict.wait
        self._tell(wanted, "waited", seconds=wait, reason=verdict.reason)
        if verdict.shared:
            self._bucket(host).hold(wait)
        else:
            self._sleep(wait)

    def _tell(
        self,
        wanted: Wanted,
        what: Literal["answered", "kept", "waited", "stopped"],
        status: int = 0,
        offset: int = 0,
        seconds: float = 0.0,
        reason: str = "",
    ) -> None:
        self._watch(Event(self._clock(), wanted.id, what, status, offset, seconds, reason))
