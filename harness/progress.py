"""Progress on standard error: a bar on a terminal, a line now and then in a log file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

Progress = Callable[[int, int], None]


def bar(label: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> Progress:
    """A callback ``(done, total)`` that draws ``label`` with rate and time left, at most ten times a second."""
    out = stream or sys.stderr
    began = clock()
    interval = 0.1 if out.isatty() else 15.0
    last = began

    def update(done: int, total: int) -> None:
        nonlocal last
        now = clock()
        if now - last < interval and done < total:
            return
        last = now
        spent = max(now - began, 1e-9)
        left = (total - done) * spent / max(done, 1)
        line = f"{label}: {done:,}/{total:,} · {done / spent:.0f}/s · {left:.0f} s left"
        out.write(f"\r{line:<78}" if out.isatty() else f"{line}\n")
        if out.isatty() and done >= total:
            out.write("\n")
        out.flush()

    return update
