"""Timeline: what happened when, a lane a request (or a stage), optionally against a ceiling; also a waterfall.

Example, the state of a walkthrough after 2.5 s of a captured run::

    timeline(
        [
            Span("request 1", 0.0, 0.4, "ok", "200"),
            Span("request 2", 0.4, 0.5, "refused", "429", "Retry-After: 2 s"),
            Span("request 2", 0.5, 2.5, "wait", "2 s"),
            Span("request 2", 2.5, 3.1, "ok", "200"),
        ],
        title="Two requests", desc="The second is refused, waits two seconds and is answered.",
        ceiling=Ceiling(1, "requests open at once"), now=2.5, high=3.5,
    )
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.numbers import number_text
from render.views.chart import ticks
from render.views.kinds.drawing import WIDTH, drawing, figure, folded, number, path, text
from render.views.kinds.kind import Kind
from render.views.kinds.spans import STATES, Ceiling, Span, counts
from render.views.kit import Cell, Col, table

KIND = Kind("timeline", "Timeline", "What happened when: requests, waits and stages over one axis of time.")

__all__ = ["KIND", "STATES", "Ceiling", "Span", "counts", "timeline"]

ROW, TOP, RIGHT, AXIS, STRIP = 22, 6, 14, 40, 74
LONGEST = 18
#: Width of a letter of a lane's name, and of a bar's label, in drawing units at the lettering of a phone.
NAME, TAG = 9.3, 11.1
#: The same of a label on a wide screen.
WIDE = 8.2


@dataclass(frozen=True)
class _Frame:
    left: float
    low: float
    high: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.left + min(1.0, max(0.0, share)) * (WIDTH - RIGHT - self.left)


def timeline(
    spans: Sequence[Span],
    *,
    title: str,
    desc: str,
    unit: str = "s",
    digits: int = 2,
    low: float = 0.0,
    high: float | None = None,
    now: float | None = None,
    ceiling: Ceiling | None = None,
    words: dict[str, str] | None = None,
    note: str | Markup = "",
) -> Markup:
    """Spans as bars over one axis of time, lanes in the order of first appearance, with every span in a table.

    Give every step of a walkthrough all spans and one ``high`` (default: the latest end), and move ``now``: lanes and
    axis then keep their place, later spans are not drawn yet, and a running one is cut at ``now``. With ``ceiling``
    a strip below counts the requests (states ``ok``, ``refused``, ``failed``; not the waits) against the limit.
    ``digits`` is for the times in the table; ``words`` renames states in the legend ({"ok": "200"}).

    Raises ``ValueError`` for an unknown state, a span that ends before it starts, a lane's name over 18 characters.
    """
    _check(spans, title)
    names = {**STATES, **(words or {})}
    end = high if high is not None else max(span.end for span in spans)
    lanes = list(dict.fromkeys(span.lane for span in spans))
    widest = max(len(name) for name in [*lanes, *([_limit(ceiling)] if ceiling else [])])
    frame = _Frame(12 + NAME * widest, low, end if end > low else low + 1)
    seen = [span for span in spans if now is None or span.start <= now]
    bottom = TOP + ROW * len(lanes)
    parts = [_axis(frame, bottom, unit)]
    parts += [
        _lane(lane, TOP + ROW * i, [s for s in seen if s.lane == lane], frame, now) for i, lane in enumerate(lanes)
    ]
    height = bottom + AXIS
    if ceiling is not None:
        parts.append(_strip(seen, ceiling, frame, height + 18, now))
        height += 18 + STRIP
    if now is not None:
        parts.append(path(f"M{number(frame(now))} {TOP}V{bottom}", "now"))
    inner = Markup("").join(parts)
    body = [_legend(spans, names), drawing(WIDTH, height, title=title, desc=desc, inner=inner)]
    return figure("k-timeline", title, [*body, folded(_table(seen, title, names, unit, digits, now))], note=note)


def _check(spans: Sequence[Span], title: str) -> None:
    if not spans:
        raise ValueError(f"timeline “{title}”: no spans")
    for span in spans:
        if span.state not in STATES:
            raise ValueError(f"timeline “{title}”: no state {span.state!r}; there are {', '.join(STATES)}")
        if span.end < span.start:
            raise ValueError(f"timeline “{title}”: a span of {span.lane} ends at {span.end}, before {span.start}")
        if len(span.lane) > LONGEST:
            raise ValueError(f"timeline “{title}”: the lane {span.lane!r} is longer than {LONGEST} characters")


def _axis(frame: _Frame, bottom: float, unit: str) -> Markup:
    parts = [path(f"M{number(frame.left)} {bottom}H{WIDTH - RIGHT}", "axis")]
    for tick in ticks(frame.low, frame.high):
        x = frame(tick)
        parts.append(path(f"M{number(x)} {TOP}V{bottom + 4}", "grid"))
        parts.append(text(x, bottom + 18, number_text(tick), anchor="middle"))
    parts.append(text((frame.left + WIDTH - RIGHT) / 2, bottom + 35, f"time ({unit})", anchor="middle"))
    return Markup("").join(parts)


def _lane(name: str, top: float, spans: Sequence[Span], frame: _Frame, now: float | None) -> Markup:
    parts = [text(frame.left - 8, top + 15, name, anchor="end")]
    edges = sorted(spans, key=lambda span: span.start)
    for i, span in enumerate(edges):
        end = span.end if now is None else min(span.end, now)
        x, right = frame(span.start), max(frame(end), frame(span.start) + 2)
        parts.append(_bar(span, x, right - x, top))
        if span.on:
            parts.append(
                path(f"M{number(x - 2)} {top + 1}h{number(right - x + 4)}v{ROW - 2}h{number(x - right - 4)}z", "on")
            )
        before = frame(edges[i - 1].end) if i else frame.left
        after = frame(edges[i + 1].start) if i + 1 < len(edges) else WIDTH
        if span.label and (now is None or span.end <= now):
            parts.append(_label(span.label, x - before, after - right, x, right, top))
    return Markup("").join(parts)


def _label(label: str, left: float, right: float, x: float, end: float, top: float) -> Markup:
    """A bar's label right or left of it, where there is room; one that a phone has no room for is hidden there."""
    for letter, cls in ((TAG, "tag"), (WIDE, "tag tag--wide")):
        room = letter * len(label) + 6
        if room <= right:
            return text(end + 4, top + 15, label, cls=cls)
        if room <= left:
            return text(x - 4, top + 15, label, anchor="end", cls=cls)
    return Markup("")


def _bar(span: Span, x: float, width: float, top: float) -> Markup:
    """The states differ in height and outline, not in colour alone."""
    cls = f"t-{span.state}"
    if span.state == "wait":
        return path(f"M{number(x)} {top + 11}h{number(width)}m0-4v8", cls)
    inset = 7 if span.state == "work" else 4
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"></rect>').format(
        cls, number(x), number(top + inset), number(width), number(ROW - 2 * inset)
    )


def _strip(spans: Sequence[Span], ceiling: Ceiling, frame: _Frame, top: float, now: float | None) -> Markup:
    """The number of requests as a stepped line under the lanes, the ceiling as a dashed one."""
    levels = counts(spans, ceiling.per, now)
    most = max([ceiling.limit, *(level for _, level in levels)])
    base = top + STRIP - 22

    def y(level: float) -> str:
        return number(base - (base - top) * level / (most or 1))

    steps = "".join(f"H{number(frame(time))}V{y(level)}" for time, level in levels if time <= frame.high)
    until = frame.high if now is None else now
    line = f"M{number(frame.left)} {number(base)}{steps}H{number(frame(until))}"
    parts = [
        path(f"M{number(frame.left)} {number(base)}H{WIDTH - RIGHT}", "axis"),
        text(frame.left - 8, base + 4, "0", anchor="end"),
        path(f"M{number(frame.left)} {y(ceiling.limit)}H{WIDTH - RIGHT}", "ceiling"),
        text(frame.left - 8, float(y(ceiling.limit)) + 4, _limit(ceiling), anchor="end"),
        path(line, "level"),
        text((frame.left + WIDTH - RIGHT) / 2, base + 16, ceiling.label, anchor="middle"),
    ]
    return Markup("").join(parts)


def _limit(ceiling: Ceiling) -> str:
    return f"limit {number_text(ceiling.limit)}"


def _legend(spans: Sequence[Span], names: dict[str, str]) -> Markup:
    used = [state for state in STATES if any(span.state == state for span in spans)]
    entries = Markup("").join(
        Markup(
            '<li><svg class="k-swatch" viewBox="0 0 24 22" width="24" height="22" aria-hidden="true" focusable="false">'
            "{}</svg>{}</li>"
        ).format(_bar(Span("", 0, 1, state), 1, 22, 0), names[state])
        for state in used
    )
    return Markup('<ul class="legend" aria-label="Legend">{}</ul>').format(entries)


def _table(
    spans: Sequence[Span], title: str, names: dict[str, str], unit: str, digits: int, now: float | None
) -> Markup:
    rows: list[list[Cell]] = []
    for span in sorted(spans, key=lambda span: span.start):
        running = now is not None and span.end > now
        said = " · ".join(part for part in (span.label, span.detail) if part)
        rows.append(
            [span.lane, float(span.start), "running" if running else float(span.end),
             "" if running else float(span.end - span.start), names[span.state], said]
        )  # fmt: skip
    times = [Col(name, digits, unit) for name in ("from", "to", "took")]
    columns: list[str | Col] = ["what", *times, "state", "detail"]
    on = ["is-on" if span.on else "" for span in sorted(spans, key=lambda span: span.start)]
    return table(columns, rows, title=f"{title}: every span", row_classes=on)
