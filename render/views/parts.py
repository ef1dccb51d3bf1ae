"""Views of few values: bars, slots, large numbers, an excerpt, a score with its arithmetic, the marks' meaning."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from render.views import kit
from render.views.option_forms import DIGITS, INTERVAL, LABEL, LIST, NUMBER, ROLE, TEXT, TRUTH, VALUE, WORDS
from render.views.selecting import SelectionError
from render.views.view import Asked, Row, View, as_number
from render.views.wording import Format, plain

_VALUE = {"digits": DIGITS, "percent": TRUTH, "unit": TEXT, "words": WORDS}


def _bars(asked: Asked) -> Markup:
    given = asked.options
    return kit.bars(
        [_bar(row) for row in asked.rows],
        title=asked.plain("title"),
        unit=asked.plain("unit"),
        digits=given.get("digits"),
        maximum=given.get("maximum"),
        note=asked.text("note"),
    )


def _bar(row: Row) -> kit.Bar:
    return kit.Bar(
        row.label(), row.number(), row.role(), _interval(row), plain(row.text("remark")), row.options.get("digits")
    )


def _interval(row: Row) -> tuple[float, float] | None:
    """The interval: one selector of a list of two, or a list of two selectors."""
    source = row.options.get("interval")
    if source is None:
        return None
    named = source if isinstance(source, list) else [f"{source}/0", f"{source}/1"]
    low, high = (as_number(row.teller.bound.value(one), one) for one in named)
    return low, high


def _slots(asked: Asked) -> Markup:
    entries = [kit.Slot(row.role("state"), _slot_label(row)) for row in asked.rows]
    empty = asked.options.get("empty")
    if empty is not None:
        entries += [kit.Slot("empty")] * int(as_number(asked.teller.bound.value(str(empty)), str(empty)))
    if not entries:
        raise SelectionError(f"`{asked.selector}` has no place to draw")
    return kit.slots(entries, title=asked.plain("title"), note=asked.text("note"))


def _slot_label(row: Row) -> str:
    return plain(row.label()) if row.options.get("label") or row.options.get("words") else ""


def _stats(asked: Asked) -> Markup:
    return kit.stats([(row.label(), _stat(row), row.role()) for row in asked.rows])


def _stat(row: Row) -> Markup:
    given = row.options
    form = Format(given.get("digits"), bool(given.get("percent")), str(given.get("unit", "")), given.get("words", ""))
    return row.teller.told(str(given["value"]), form)


def _excerpt(asked: Asked) -> Markup:
    found = asked.record()
    value = found.bound.item.value if found.bound.item else {}
    missing = [key for key in ("excerpt", "title", "url", "licence") if key not in value]
    if missing:
        raise SelectionError(f"`{asked.selector}` has no {missing[0]}: an excerpt needs text, title, url and licence")
    place = plain(found.text(str(asked.options.get("place", ""))))
    return kit.excerpt(
        value["excerpt"], title=value["title"], url=value["url"], licence=value["licence"], place=place,
        role=found.role(str(asked.options.get("role", ""))),
    )  # fmt: skip


def _arithmetic(asked: Asked) -> Markup:
    return kit.arithmetic(asked.text("label"), asked.plain("working"))


def _legend(asked: Asked) -> Markup:
    entries: list[Any] = asked.options["roles"]
    return kit.legend([next(iter(one.items())) if isinstance(one, dict) else str(one) for one in entries])


BARS = View(
    "bars", "Horizontal bars on one scale from zero, each with its number, and its interval as a whisker.", "records",
    {"rows": LIST, "label": LABEL, "words": WORDS, "value": VALUE, "interval": INTERVAL, "role": ROLE,
     "remark": TEXT, "digits": DIGITS, "unit": TEXT, "maximum": NUMBER, "title": TEXT, "note": TEXT},
    _bars, ("title",),
)  # fmt: skip
SLOTS = View(
    "slots", "A candidate list place by place, what was discarded and what stayed empty left visibly so.", "records",
    {"label": LABEL, "words": WORDS, "state": ROLE, "empty": VALUE, "title": TEXT, "note": TEXT},
    _slots, ("state", "title"),
)  # fmt: skip
STATS = View(
    "stats", "A few large values with their names.", "",
    {"rows": LIST, "label": LABEL, "value": VALUE, "role": ROLE, **_VALUE}, _stats,
)  # fmt: skip
EXCERPT = View(
    "excerpt", "A short quotation with its title, address and licence.", "a record", {"place": TEXT, "role": ROLE},
    _excerpt,
)  # fmt: skip
ARITHMETIC = View(
    "arithmetic", "A derived value that opens to its working.", "", {"label": LABEL, "working": TEXT}, _arithmetic,
    ("label", "working"),
)  # fmt: skip
LEGEND = View("legend", "What the marks of a figure mean.", "", {"roles": LIST}, _legend, ("roles",))
