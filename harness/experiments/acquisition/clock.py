"""A clock that only sleeping moves."""

from __future__ import annotations


class Clock:
    """Callable as a clock; ``sleep`` moves it and is remembered."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """The time, in seconds since the clock was made."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Moves the clock by ``seconds`` at once."""
        self.slept.append(seconds)
        self.now += seconds
