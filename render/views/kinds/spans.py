"""What a timeline is drawn from: spans in lanes, a ceiling, and the number of requests at each moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: The states of a span and what each is called in legend and table. Only the first three count as requests.
STATES: dict[str, str] = {
    "ok": "answered",
    "refused": "refused",
    "failed": "failed",
    "wait": "waiting",
    "work": "at work",
}
REQUESTS = ("ok", "refused", "failed")


@dataclass(frozen=True)
class Span:
    """One stretch of time in a lane, from ``start`` to ``end`` in the timeline's unit (equal: a moment).

    ``state`` is one of ``STATES``. ``label`` is printed beside the bar where there is room, at most some eight
    characters ("200", "429"). ``detail`` stands in the table only ("Retry-After: 2 s"). ``on`` marks the span that
    a step is about.
    """

    lane: str
    start: float
    end: float
    state: str = "work"
    label: str = ""
    detail: str = ""
    on: bool = False


@dataclass(frozen=True)
class Ceiling:
    """At most ``limit`` requests: open at the same moment, or (with ``per``) begun within the last ``per`` units.

    ``label`` names what is counted ("requests begun in the last 10 s").
    """

    limit: float
    label: str
    per: float | None = None


def counts(spans: Sequence[Span], per: float | None, until: float | None = None) -> list[tuple[float, int]]:
    """(time, requests) at each time the count changes: open at once, or begun within the last ``per`` units.

    >>> counts([Span("a", 0, 2, "ok"), Span("b", 1, 3, "ok")], None)
    [(0, 1), (1, 2), (2, 1), (3, 0)]
    """
    asked = [span for span in spans if span.state in REQUESTS]
    changes = [(span.start, 1) for span in asked]
    changes += [(span.end if per is None else span.start + per, -1) for span in asked]
    found: dict[float, int] = {}
    level = 0
    for time, change in sorted(changes):
        level += change
        if until is None or time <= until:
            found[time] = level
    return list(found.items())
