"""Guard of links: every internal link and fragment leads somewhere, ids are unique, nothing loads from another host.

Works on any folder of HTML. An external page may be linked to; a stylesheet, script, image or frame may not be loaded
from one.
"""

from __future__ import annotations

import os.path
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from checks.addresses import asks, below, candidates, origin, rooted
from checks.html.elements import names
from checks.pages import Element, Page, read_site
from checks.problems import Problem
from checks.rule import Rule, by_id

_DRAWN = ("href", "xlink:href")
LINKS = {"a": _DRAWN, "area": ("href",)}
RESOURCES = {
    **dict.fromkeys(names("script img input source iframe frame video track audio embed"), ("src",)),
    **dict.fromkeys(names("image feimage use"), _DRAWN),
    "link": ("href",),
    "object": ("data",),
}
CANDIDATES = {"img": "srcset", "source": "srcset", "link": "imagesrcset"}
RULES = by_id(
    (
        Rule(
            "broken-link",
            "error",
            "Every link and file of the site leads to a file.",
            "correct the address, or add the file",
        ),
        Rule(
            "broken-fragment",
            "error",
            "Every fragment leads to an id.",
            "correct the fragment, or give the element that id",
        ),
        Rule("empty-link", "error", "A link has an address.", "write the address, or make it text"),
        Rule("script-link", "error", "A link leads to a page, not into a script.", "use a button and a script file"),
        Rule(
            "external-resource",
            "error",
            "Nothing loads from another host.",
            "copy the file into the site, with its licence",
        ),
        Rule("duplicate-id", "error", "An id stands once on a page.", "rename one of them, with the links to it"),
    )
)
"""All rules by id, in the order of the documentation."""


@dataclass(frozen=True)
class Site:
    """What links are resolved against: the folder, the path it is served under, what fragments lead to on its pages by
    path, and the file that a server sends for a folder ("" when the pages are opened from disk, where none is)."""

    folder: Path
    base: str
    anchors: Mapping[str, set[str]]
    index: str = ""


def check_folder(folder: Path, base: str = "/", pages: list[Page] | None = None, index: str = "") -> list[Problem]:
    """Every broken link, fragment, id and foreign resource below ``folder``.

    ``base`` is the path that the folder is served under; links from the host's root are resolved against it. A link to
    a folder is broken unless ``index`` names the file that the server sends for it, such as "index.html".
    """
    pages = read_site(folder) if pages is None else pages
    site = Site(folder, rooted(base), {page.path: _anchors(page) for page in pages}, index)
    return [problem for page in pages for problem in _check_page(page, site)]


def _check_page(page: Page, site: Site) -> Iterator[Problem]:
    yield from _duplicate_ids(page)
    start = origin(page)
    for element in page.elements:
        for target, loads in _targets(element):
            found = _check_target(target.strip(), loads, start, site)
            if found:
                rule, message = found
                yield RULES[rule].at(element, f"<{element.tag}> {message}")


def _targets(element: Element) -> Iterator[tuple[str, bool]]:
    """The addresses an element names, each with whether another host is a fault of this guard: what a ``srcset`` or a
    ``poster`` asks of one is told by the guard of requests (``checks/budget.py``)."""
    attribute = next((name for name in _naming(element) if name in element.attributes), "")
    if attribute:
        yield element.attributes[attribute], asks(element) if element.tag == "link" else element.tag in RESOURCES
    if element.tag == "video" and "poster" in element.attributes:
        yield element.attributes["poster"], False
    for target in candidates(element.attributes.get(CANDIDATES.get(element.tag, ""), "")):
        yield target, False


def _naming(element: Element) -> tuple[str, ...]:
    """The attributes of which the first that an element has names its address."""
    if element.tag == "script" and element.closest("svg"):
        return _DRAWN
    if element.tag == "input" and element.attributes.get("type", "").lower() != "image":
        return ()
    return LINKS.get(element.tag) or RESOURCES.get(element.tag, ())


def _check_target(target: str, loads: bool, start: str | None, site: Site) -> tuple[str, str] | None:
    """Rule and message of what is wrong with one link, relative to the path ``start``, or None."""
    try:
        parts = urlsplit(target)
    except ValueError as error:
        return "broken-link", f"has {target!r}, which is no address: {error}"
    if parts.scheme == "javascript":
        return "script-link", "runs a script instead of leading to a page"
    if parts.scheme == "data":
        return None
    if not target:
        return "empty-link", "has an empty address"
    if parts.scheme or parts.netloc or start is None:
        return ("external-resource", f"loads {target!r} from another host") if loads else None
    place = below(start, target, site.base)
    if not place:
        return "broken-link", f"leads to {target!r}, outside {site.base if parts.path.startswith('/') else 'the site'}"
    if os.path.isdir(site.folder / place):  # no error, as Path.is_dir has, for a name that is too long
        if not site.index:
            return "broken-link", f"leads to {target!r}, a folder, which opens from no disk"
        place = posixpath.normpath(posixpath.join(place, site.index))
    if not os.path.isfile(site.folder / place):
        return "broken-link", f"leads to {target!r}, but there is no file {place}"
    fragment = unquote(parts.fragment.partition(":~:")[0])
    if fragment and fragment.lower() != "top" and fragment not in site.anchors.get(place, {fragment}):
        return "broken-fragment", f"leads to {target!r}, but {place} has no id {fragment!r}"
    return None


def _identified(page: Page) -> list[Element]:
    """The elements with an id but those in templates, which are in no document until a script copies them."""
    return [one for one in page.elements if "id" in one.attributes and not _in_template(one)]


def _in_template(element: Element) -> bool:
    return element.parent is not None and element.parent.closest("template") is not None


def _anchors(page: Page) -> set[str]:
    """What a fragment can lead to: the ids of a page and the names of its links."""
    named = {one.attributes.get("name", "") for one in page.tagged("a") if not _in_template(one)}
    return named | {one.attributes["id"] for one in _identified(page)}


def _duplicate_ids(page: Page) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for element in _identified(page):
        ident = element.attributes["id"]
        if ident in first:
            yield RULES["duplicate-id"].at(element, f"the id {ident!r} stands on line {first[ident]} already")
        first.setdefault(ident, element.line)
