"""What an answer other than the document means: try again, give this document up, or stop asking this host.

A 429 is transient when the wait it asks for is short, and a quota when

- a header says that nothing is left (``X-RateLimit-Remaining: 0``) and the reset is further off than
  ``PATIENCE`` seconds, or
- ``Retry-After`` asks for longer than ``PATIENCE``, or
- the last try of a document, after every wait, is still answered with 429.

Retrying cannot win against a quota; every further request only counts against tomorrow's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from harness.errors import HarnessError

PATIENCE = 300.0
"""Seconds: the longest wait that a run sits out."""
EPOCH = 1e9
"""A reset above this is a time since 1970, below it a number of seconds from now."""


class Postponed(HarnessError):
    """The host answers nobody for a while: no fault of the document; a later run goes on from there."""


@dataclass(frozen=True)
class Retry:
    """Ask again after ``wait`` seconds; None: after a back-off. ``shared``: all workers wait, not this one alone."""

    reason: str
    wait: float | None = None
    shared: bool = False


@dataclass(frozen=True)
class Refuse:
    """This document cannot be had; the others can."""

    reason: str


@dataclass(frozen=True)
class Stop:
    """No further request to this host in this run."""

    reason: str


Verdict = Retry | Refuse | Stop
Judge = Callable[[int, Mapping[str, str], bool, float], Verdict]


def judge(status: int, headers: Mapping[str, str], last: bool, now: float, patience: float = PATIENCE) -> Verdict:
    """The verdict on an answer that is neither the document nor a redirect.

    ``headers``: by lower-case name. ``last``: no further try is left for this document. ``now``: seconds since
    1970, for headers that name a time.
    """
    limited = status == 429 or (status == 403 and _remaining(headers) == 0)
    if not limited and status < 500 and status not in (408, 425):
        return Refuse(f"HTTP {status}")
    wait = asked_wait(headers, now)
    if wait is not None and wait > patience:
        return Stop(f"{_quota(headers, status)}; the next request is welcome in {_span(wait)}")
    if limited and last:
        return Stop(f"HTTP {status} again after every wait, which reads as a quota")
    return Retry(f"HTTP {status}", wait, shared=limited or wait is not None)


def asked_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the server asks to wait, by ``Retry-After`` or, when nothing remains, by the reset; else None."""
    asked = [retry_after(headers, now)]
    if _remaining(headers) == 0:
        asked.append(_reset(headers, now))
    told = [wait for wait in asked if wait is not None]
    return max(told) if told else None


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """``Retry-After`` in seconds from now, whether a number or an HTTP-date (RFC 9110, section 10.2.3); else None.

    A date is reckoned from the server's own ``Date``, so that a wrong clock on either side does no harm.
    """
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is None:
        until = _date(value)
        since = _date(headers.get("date", ""))
        seconds = None if until is None else until - (now if since is None else since)
    return None if seconds is None else max(0.0, seconds)


def _remaining(headers: Mapping[str, str]) -> float | None:
    return _number(headers.get("x-ratelimit-remaining", headers.get("ratelimit-remaining", "")))


def _reset(headers: Mapping[str, str], now: float) -> float | None:
    value = _number(headers.get("x-ratelimit-reset", headers.get("ratelimit-reset", "")))
    return None if value is None else max(0.0, value - now if value > EPOCH else value)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except ValueError:
        return None


def _quota(headers: Mapping[str, str], status: int) -> str:
    return f"HTTP {status}, quota used up" if _remaining(headers) == 0 else f"HTTP {status}"


def _span(seconds: float) -> str:
    hours, rest = divmod(math.ceil(seconds / 60), 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"
