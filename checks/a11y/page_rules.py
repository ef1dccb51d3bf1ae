"""Accessibility of a page as a whole: title, language, headings, landmarks, the way past the navigation."""

from __future__ import annotations

import re

from checks.html.elements import HEADINGS
from checks.pages import Element, Page
from checks.rule import Found, Rulebook

from .names import landmark_name, name

BOOK = Rulebook()

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_REFRESH = re.compile(r"\s*0*([0-9]{1,9})")
_VIEWPORT = re.compile(r"([^\s,;=]+)\s*=\s*([^\s,;=]*)")
_SECTIONING = ("article", "aside", "main", "nav", "section")
_LANDMARKS = {
    "nav": "navigation",
    "aside": "complementary",
    "main": "main",
    "header": "banner",
    "footer": "contentinfo",
}
_ONCE = ("banner", "contentinfo")


def title_of(page: Page) -> Element | None:
    """The page's ``<title>``, not that of a drawing."""
    return next((one for one in page.tagged("title") if one.closest("svg") is None), None)


def is_forwarding(page: Page) -> bool:
    """Whether the page sends on at once to another."""
    return any(_refresh_seconds(one) == 0 for one in page.tagged("meta"))


def _refresh_seconds(meta: Element) -> int | None:
    if meta.attributes.get("http-equiv", "").lower() != "refresh":
        return None
    match = _REFRESH.match(meta.attributes.get("content", ""))
    return int(match[1]) if match else 0


@BOOK.rule("page-title", "Every page has a title that says something.", "write a <title> in the head")
def page_title(page: Page) -> Found:
    """No title, or an empty one."""
    title = title_of(page)
    if title is None:
        yield None, "the page has no <title>"
    elif not title.text.strip():
        yield title, "<title> is empty"


@BOOK.rule("page-language", "The page says which language it is in.", 'write <html lang="en"> (or your language)')
def page_language(page: Page) -> Found:
    """No ``lang`` on ``<html>``, or one that is no language tag."""
    root = page.tagged("html")
    given = root[0].attributes.get("lang", "") if root else ""
    if not given:
        yield None if not root else root[0], "<html> has no lang"
    elif not _LANGUAGE.fullmatch(given):
        yield root[0], f"lang={given!r} is no language tag"


@BOOK.rule("one-h1", "A page has exactly one h1.", "give the page one <h1> that names it, and lower the others")
def one_h1(page: Page) -> Found:
    """No h1, or more than one."""
    found = [one for one in page.tagged("h1") if not one.unspoken]
    if not found:
        yield None, "the page has no <h1>"
    for extra in found[1:]:
        yield extra, f"another <h1>: the first stands on line {found[0].line}"


@BOOK.rule("heading-level", "Heading levels go down one step at a time.", "use the next level, and CSS for the size")
def heading_level(page: Page) -> Found:
    """A heading more than one level below the one before it."""
    before = 1
    for heading in page.having(tags=HEADINGS):
        if not heading.unspoken:
            level = int(heading.tag[1])
            if level > before + 1:
                yield heading, f"<h{level}> comes after <h{before}>: level {before + 1} is skipped"
            before = level


@BOOK.rule("empty-heading", "A heading has text.", "write the heading, or remove the tag")
def empty_heading(page: Page) -> Found:
    """A heading that reads as nothing."""
    for heading in page.tagged(*sorted(HEADINGS)):
        if not heading.unspoken and not name(heading):
            yield heading, f"<{heading.tag}> has no text"


@BOOK.rule("one-main", "A page has exactly one main landmark.", "put what is special to the page into one <main>")
def one_main(page: Page) -> Found:
    """No ``<main>``, or more than one."""
    found = _landmarks(page)["main"]
    if not found:
        yield None, "the page has no <main>"
    for extra in found[1:]:
        yield extra, f"another main landmark: the first stands on line {found[0].line}"


@BOOK.rule(
    "landmark-name",
    "Landmarks of one kind can be told apart; a banner and a footer of the page stand once.",
    "give each its own aria-label, or join them",
)
def landmark_names(page: Page) -> Found:
    """Several landmarks of one kind without names or with the same one."""
    for role, found in _landmarks(page).items():
        if role == "main" or len(found) < 2:
            continue
        if role in _ONCE:
            yield from ((one, f"another {role}: the first stands on line {found[0].line}") for one in found[1:])
            continue
        known: dict[str, Element] = {}
        for one in found:
            called = landmark_name(one)
            first = known.setdefault(called.casefold(), one)
            if not called:
                yield one, f"one of {len(found)} {role} landmarks, and it has no name"
            elif first is not one:
                yield one, f"another {role} landmark named {called!r}: the first stands on line {first.line}"


def _landmarks(page: Page) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {role: [] for role in _LANDMARKS.values()}
    for element in page.having("role", tags=_LANDMARKS):
        role = element.role or _LANDMARKS.get(element.tag)
        if role in found and not element.unspoken and (element.role or not _is_of_a_part(element)):
            found[role].append(element)
    return found


def _is_of_a_part(element: Element) -> bool:
    """Whether a header or footer belongs to a section, or an aside to an article without a name of its own."""
    around = {ancestor.tag for ancestor in element.ancestors()}
    if element.tag in ("header", "footer"):
        return bool(around.intersection(_SECTIONING))
    return element.tag == "aside" and bool(around.intersection(_SECTIONING) - {"main"}) and not landmark_name(element)


@BOOK.rule(
    "skip-link",
    "Where links come before the content, the first of them leads past the others.",
    'begin the body with <a href="#main">Skip to the content</a> and give <main> that id',
)
def skip_link(page: Page) -> Found:
    """The first link does not lead to the main landmark, though others stand before it."""
    mains = _landmarks(page)["main"]
    if not mains:
        return
    before = [one for one in page.tagged("a") if one.offset < mains[0].offset and _is_link(one)]
    if len(before) < 2:
        return
    target = page.by_id.get(before[0].attributes["href"].removeprefix("#"))
    inside = target is not None and (target is mains[0] or mains[0] in target.ancestors())
    if not before[0].attributes["href"].startswith("#") or not inside:
        yield before[0], f"{len(before)} links come before <main>, and the first does not lead to it"


def _is_link(element: Element) -> bool:
    return "href" in element.attributes and not element.unspoken


@BOOK.rule("zoom-blocked", "Readers can zoom.", "leave out user-scalable and maximum-scale")
def zoom_blocked(page: Page) -> Found:
    """A viewport that forbids zooming to twice the size."""
    for meta in page.tagged("meta"):
        if meta.attributes.get("name", "").lower() != "viewport":
            continue
        settings = dict(_VIEWPORT.findall(meta.attributes.get("content", "").lower()))
        largest = settings.get("maximum-scale", "")
        if settings.get("user-scalable") in ("no", "0"):
            yield meta, "the viewport forbids zooming"
        elif re.fullmatch(r"[01](\.\d*)?", largest):
            yield meta, f"the viewport forbids zooming beyond {largest}"


@BOOK.rule("timed-refresh", "A page does not move on by itself.", "let the reader follow a link, or send on at once")
def timed_refresh(page: Page) -> Found:
    """A refresh after some seconds."""
    for meta in page.tagged("meta"):
        seconds = _refresh_seconds(meta)
        if seconds:
            yield meta, f"the page reloads or moves on after {seconds} seconds"
