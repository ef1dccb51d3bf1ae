"""How fast requests may leave: a token bucket that all workers share, and the wait before a retry.

A bucket of capacity C that starts full lets C requests go at once and refills meanwhile, so its first second
holds nearly twice the ceiling. Capacity 1 is strict pacing: between two releases there is always a whole gap.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

Sleep = Callable[[float], None]
Clock = Callable[[], float]
CLOSE_ENOUGH = 1e-6
"""Seconds: a wait shorter than this is rounding of the clock."""


class Bucket:
    """A token bucket as one number, the time at which it will be full again (generic cell rate algorithm).

    ``rate``: tokens a second. ``capacity``: how many may be saved up; the bucket starts full. A release is
    reckoned from when it happened, not from when it was due, so a late wake-up never shortens the next gap.
    """

    def __init__(
        self, rate: float, capacity: int = 1, sleep: Sleep = time.sleep, clock: Clock = time.monotonic
    ) -> None:
        if rate <= 0 or capacity < 1:
            raise ValueError(f"expected a rate above 0 and a capacity of at least 1, found {rate} and {capacity}")
        self._gap = 1.0 / rate
        self._saved = (capacity - 1) * self._gap
        self._sleep = sleep
        self._clock = clock
        self._turn = threading.Lock()
        self._full_at = clock()
        self._held_until = self._full_at

    def take(self) -> float:
        """Waits for a token, takes it, and returns the time of release by the bucket's clock.

        One worker waits for the next token, the others wait for their turn behind it.
        """
        with self._turn:
            while True:
                now = self._clock()
                wait = max(self._full_at - self._saved, self._held_until) - now
                if wait <= CLOSE_ENOUGH:
                    break
                self._sleep(wait)
            self._full_at = max(self._full_at, now) + self._gap
            return now

    def hold(self, seconds: float) -> None:
        """Releases nothing for ``seconds`` from now: the server asked everybody to wait, not one worker."""
        self._held_until = max(self._held_until, self._clock() + seconds)


def backoff(attempt: int, jitter: random.Random, first: float = 1.0, longest: float = 60.0) -> float:
    """Seconds before retry number ``attempt`` (from 0): uniform between 0 and ``first`` · 2^attempt, capped.

    Full jitter: clients that failed together do not come back together (Brooker, "Exponential Backoff And
    Jitter", AWS Architecture Blog, 2015).
    """
    return jitter.uniform(0.0, min(longest, first * 2.0**attempt))
