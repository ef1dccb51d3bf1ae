"""Views of runs: an executed plan, requests over time, and a curve with a threshold among its points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.views.chart_options import axis
from render.views.chart_view import series_of
from render.views.kinds import curve as threshold
from render.views.kinds.explain import read_plan
from render.views.kinds.plan import plan
from render.views.kinds.timeline import Ceiling, Span, timeline
from render.views.option_forms import CONDITIONS, DIGITS, LABEL, LIST, MAPPING, TEXT, TRUTH, VALUE, WORDS
from render.views.selecting import SelectionError
from render.views.view import Asked, Row, View, as_number
from render.views.wording import Teller, plain


def _plan(asked: Asked) -> Markup:
    words = asked.teller.bound.words.get(str(asked.options.get("words", "")), {})
    if not isinstance(words, Mapping):
        raise ValueError("the words of a plan are {beginning of a node's name: what it does}")
    return plan(
        read_plan(asked.teller.bound.node(asked.selector).value),
        title=asked.plain("title"),
        note=asked.text("note"),
        on=[str(name) for name in asked.options.get("shade", ())],
        words={name: plain(asked.teller.text(str(said))) for name, said in words.items()},
    )


def _timeline(asked: Asked) -> Markup:
    given = asked.options
    found = given.get("ceiling")
    ceiling = None if found is None else _ceiling(asked.teller, found)
    return timeline(
        [_span(row) for row in asked.rows],
        title=asked.plain("title"), desc=asked.plain("desc"), unit=str(given.get("unit", "s")),
        digits=given.get("digits", 2), high=_number(asked, "high"), now=_number(asked, "now"), ceiling=ceiling,
        words={str(state): str(said) for state, said in (given.get("states") or {}).items()}, note=asked.text("note"),
    )  # fmt: skip


def _span(row: Row) -> Span:
    start, end = (row.number(name) for name in ("start", "end"))
    shade = row.options.get("shade")
    return Span(
        plain(row.teller.key(str(row.options["lane"]))), start, end, plain(row.teller.key(str(row.options["state"]))),
        plain(row.label()) if row.options.get("label") or row.options.get("words") else "",
        plain(_detail(row)), bool(shade) and row.teller.bound.meets(str(shade)),
    )  # fmt: skip


def _detail(row: Row) -> Markup:
    name = row.options.get("detail", "")
    return row.teller.word(name, None) if name in row.teller.bound.words else row.text("detail")


def _ceiling(teller: Teller, found: Mapping[str, Any]) -> Ceiling:
    limit = as_number(teller.bound.value(str(found["limit"])), "limit")
    return Ceiling(limit, plain(teller.text(str(found["label"]))), found.get("per"))


def _number(asked: Asked, name: str) -> float | None:
    source = asked.options.get(name)
    return None if source is None else as_number(asked.teller.bound.value(str(source)), str(source))


def _curve(asked: Asked) -> Markup:
    given = asked.options
    at = _number(asked, "at")
    groups = [_group(Row(asked.teller, entry, typed=True), entry) for entry in given["groups"]]
    low, high = (plain(asked.teller.text(str(side))) for side in given["sides"])
    ends = {**given, **{name: _number(asked, name) for name in ("y_low", "y_high")}}
    right, wrong = given.get("verdicts") or ("right", "wrong")
    return threshold.state(
        series_of(asked), groups, at=at if at is not None else 0.0, word=asked.plain("word"), sides=(low, high),
        title=asked.plain("title"), desc=asked.plain("desc"), x=axis(ends, "x"), y=axis(ends, "y"),
        verdicts=(str(right), str(wrong)),
    )  # fmt: skip


def _group(row: Row, entry: Any) -> threshold.Group:
    """A kind of record: ``{name, low, high, right}``, its counts on either side of the threshold."""
    if not isinstance(entry, Mapping) or not {"name", "low", "high", "right"} <= set(entry):
        raise SelectionError(f"{entry!r} is no group: expected name, low, high, right and perhaps role")
    name = row.text("name")
    low, high = (int(row.number(side)) for side in ("low", "high"))
    return threshold.Group(name, low, high, str(entry["right"]))


PLAN = View(
    "plan", "An executed query plan: what each node passes on, and what its filter removes.", "a plan",
    {"title": TEXT, "note": TEXT, "shade": LIST, "words": WORDS}, _plan, ("title",),
)  # fmt: skip
TIMELINE = View(
    "timeline", "What happened when: requests, waits and stages over one axis of time.", "records",
    {"lane": LABEL, "start": VALUE, "end": VALUE, "state": LABEL, "label": LABEL, "words": WORDS,
     "detail": TEXT, "shade": CONDITIONS, "title": TEXT, "desc": TEXT, "unit": TEXT, "digits": DIGITS, "high": VALUE,
     "now": VALUE, "ceiling": MAPPING, "states": MAPPING, "note": TEXT},
    _timeline, ("lane", "start", "end", "state", "title", "desc"),
)  # fmt: skip
CURVE = View(
    "curve", "A curve with a threshold at one of its points, and what is on either side.", "records",
    {"series": LIST, "x": VALUE, "y": VALUE, "at": VALUE, "word": TEXT, "sides": LIST, "groups": LIST,
     "verdicts": LIST, "title": TEXT, "desc": TEXT, "x_label": TEXT, "y_label": TEXT, "x_log": TRUTH, "y_log": TRUTH,
     "x_digits": DIGITS, "digits": DIGITS, "y_low": VALUE, "y_high": VALUE},
    _curve, ("series", "at", "word", "sides", "groups", "title", "desc"),
)  # fmt: skip
