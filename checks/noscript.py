"""Guard of completeness without script: what a page shows is in its HTML, and what it offers works as written.

A figure with ``data-wt`` is a walkthrough, and its states are the elements with the class ``wt-step``. A control that a
script brings to life carries ``data-needs-script`` (or stands in something that does), is ``hidden`` until then, or is
made by the script.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from operator import attrgetter

from checks.html.elements import names
from checks.pages import Element, Page
from checks.problems import Problem
from checks.rule import Found, Rulebook

BOOK = Rulebook()

WALKTHROUGH, STATE, MARK = "data-wt", "wt-step", "data-needs-script"
_FIELDS = names("input select textarea")
_ROLES = names("button checkbox combobox menuitem radio searchbox slider spinbutton switch tab textbox")
_NATIVE = names("summary option")
_offset = attrgetter("offset")


def check_pages(pages: Iterable[Page]) -> Iterator[Problem]:
    """Everything on some pages that only a script makes visible or useful."""
    return chain.from_iterable(map(BOOK.check, pages))


def walkthroughs(page: Page) -> list[Element]:
    """The walkthroughs of a page."""
    return page.having(WALKTHROUGH)


def _inside(page: Page, around: Element) -> Iterator[Element]:
    first = bisect_right(page.elements, around.offset, key=_offset)
    return islice(page.elements, first, bisect_left(page.elements, around.end, key=_offset))


@BOOK.rule(
    "hidden-number",
    "Every number of a walkthrough is in the page and not hidden.",
    "print it in the static HTML; let the script hide what it folds away",
)
def hidden_number(page: Page) -> Found:
    """A ``<data>`` of a walkthrough inside something hidden."""
    for walk in walkthroughs(page):
        for one in _inside(page, walk):
            if one.tag == "data" and one.unseen and not one.closest("template"):
                yield one, f"the number {one.text.strip()!r} is not shown without script"


@BOOK.rule(
    "hidden-state",
    "Every state of a walkthrough is in the page and not hidden.",
    "render every step; let the script hide those that are not shown",
)
def hidden_state(page: Page) -> Found:
    """A walkthrough without states, or a state that is hidden, in a template or empty."""
    for walk in walkthroughs(page):
        states = [one for one in _inside(page, walk) if one.has_class(STATE)]
        if not states:
            yield walk, f"the walkthrough {walk.attributes[WALKTHROUGH]!r} has no state in the page"
        for state in states:
            if state.unseen:
                yield state, f"the state {state.attributes.get('id', '')!r} is not shown without script"
            elif not any(True for _ in state.children()) and not state.text.strip():
                yield state, f"the state {state.attributes.get('id', '')!r} is empty"


@BOOK.rule(
    "number-in-template",
    "Numbers stand in the page itself.",
    "print it in the static HTML instead of a template or data for a script",
)
def number_in_template(page: Page) -> Found:
    """A ``<data>`` that only a script could bring onto the page."""
    for one in page.tagged("data"):
        if one.closest("template"):
            yield one, f"the number {one.text.strip()!r} stands in a <template>"


@BOOK.rule(
    "script-only-control",
    "A control does something without script, or says that it needs one.",
    f"use a link, <details>, popovertarget or a form; else make it in the script, or mark it {MARK} and hidden",
)
def script_only_control(page: Page) -> Found:
    """A control outside every form, a link to nowhere or a made-up widget that shows and does nothing."""
    for element in page.having("role", tags=_FIELDS | {"button", "a", "canvas"}):
        if not element.unseen and _is_idle(element) and not _marked(element):
            yield element, f"<{_shown(element)}> does nothing without script"


def _marked(element: Element) -> bool:
    return MARK in element.attributes or any(MARK in around.attributes for around in element.ancestors())


def _is_idle(element: Element) -> bool:
    tag, attributes = element.tag, element.attributes
    if tag == "button":
        return not (attributes.keys() & {"popovertarget", "commandfor"} or _in_form(element, "button"))
    if tag in _FIELDS:
        return attributes.get("type", "").lower() != "hidden" and not (
            _in_form(element) or "popovertarget" in attributes
        )
    if tag == "a":
        return attributes.get("href", "").strip() == "#" or ("href" not in attributes and "tabindex" in attributes)
    if tag == "canvas":
        return not element.text.strip() and not any(True for _ in element.children())
    return tag not in _NATIVE and element.role in _ROLES


def _in_form(element: Element, *idle_types: str) -> bool:
    """Whether a form sends the control; a button of type ``button`` only waits for a script."""
    form = element.closest("form") or element.page.by_id.get(element.attributes.get("form", ""))
    return form is not None and form.tag == "form" and element.attributes.get("type", "").lower() not in idle_types


def _shown(element: Element) -> str:
    told = [f' {name}="{element.attributes[name]}"' for name in ("type", "role", "href") if name in element.attributes]
    return element.tag + "".join(told)


RULES = BOOK.rules
"""All rules by id, in the order of the documentation."""
