"""Guard of links: every internal link and fragment leads somewhere, ids are unique, nothing loads from another host.

Works on any folder of HTML. An external page may be linked to; a stylesheet, script, image or frame may not be loaded
from one.
"""

from __future__ import annotations

import os.path
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from checks.addresses import candidates
from checks.pages import Element, Page, read_site
from checks.problems import Problem
from checks.rule import Rule, by_id

LINKS = {"a": "href", "area": "href"}
RESOURCES = {
    "link": "href",
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "video": "src",
    "track": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
    "image": "href",
    "use": "href",
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

# Relations of <link> that name a page instead of loading it.
NAMING = {"canonical", "alternate", "next", "prev", "license", "author"}


@dataclass(frozen=True)
class Site:
    """What links are resolved against: the folder, the path it is served under, the ids of its pages by path, and the
    file that a server sends for a folder ("" when the pages are opened from disk, where none is)."""

    folder: Path
    base: str
    ids: Mapping[str, set[str]]
    index: str = ""


def check_folder(folder: Path, base: str = "/", pages: list[Page] | None = None, index: str = "") -> list[Problem]:
    """Every broken link, fragment, id and foreign resource below ``folder``.

    ``base`` is the path that the folder is served under; links from the host's root are resolved against it. A link to
    a folder is broken unless ``index`` names the file that the server sends for it, such as "index.html".
    """
    pages = read_site(folder) if pages is None else pages
    site = Site(folder, base, {page.path: page.ids() for page in pages}, index)
    return [problem for page in pages for problem in _check_page(page, site)]


def _check_page(page: Page, site: Site) -> Iterator[Problem]:
    yield from _duplicate_ids(page.elements)
    for element in page.elements:
        for target, loads in _targets(element):
            found = _check_target(target.strip(), loads, page.path, site)
            if found:
                rule, message = found
                yield RULES[rule].at(element, f"<{element.tag}> {message}")


def _targets(element: Element) -> Iterator[tuple[str, bool]]:
    """The addresses an element names, each with whether another host is a fault of this guard: what a ``srcset`` or a
    ``poster`` asks of one is told by the guard of requests (``checks/budget.py``)."""
    attribute = LINKS.get(element.tag) or RESOURCES.get(element.tag, "")
    if attribute in element.attributes:
        loads = element.tag in RESOURCES and not NAMING & set(element.attributes.get("rel", "").lower().split())
        yield element.attributes[attribute], loads
    if element.tag == "video" and "poster" in element.attributes:
        yield element.attributes["poster"], False
    for target in candidates(element.attributes.get(CANDIDATES.get(element.tag, ""), "")):
        yield target, False


def _check_target(target: str, loads: bool, path: str, site: Site) -> tuple[str, str] | None:
    """Rule and message of what is wrong with one link, or None."""
    try:
        parts = urlsplit(target)
    except ValueError as error:
        return "broken-link", f"has {target!r}, which is no address: {error}"
    if parts.scheme == "javascript":
        return "script-link", "runs a script instead of leading to a page"
    if parts.scheme == "data":
        return None
    if parts.scheme or parts.netloc:
        return ("external-resource", f"loads {target!r} from another host") if loads else None
    if not target:
        return "empty-link", "has an empty address"
    if parts.path.startswith("/"):
        if not parts.path.startswith(site.base):
            return "broken-link", f"leads to {target!r}, outside {site.base}"
        place = unquote(parts.path)[len(site.base) :]
    else:
        place = posixpath.join(posixpath.dirname(path), unquote(parts.path)) if parts.path else path
    place = posixpath.normpath(place)
    if place == ".." or place.startswith("../"):
        return "broken-link", f"leads to {target!r}, outside the site"
    if os.path.isdir(site.folder / place):  # no error, as Path.is_dir has, for a name that is too long
        if not site.index:
            return "broken-link", f"leads to {target!r}, a folder, which opens from no disk"
        place = posixpath.normpath(posixpath.join(place, site.index))
    if not os.path.isfile(site.folder / place):
        return "broken-link", f"leads to {target!r}, but there is no file {place}"
    if parts.fragment and place in site.ids and unquote(parts.fragment) not in site.ids[place]:
        return "broken-fragment", f"leads to {target!r}, but {place} has no id {unquote(parts.fragment)!r}"
    return None


def _duplicate_ids(elements: Iterable[Element]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for element in elements:
        ident = element.attributes.get("id")
        if ident is None:
            continue
        if ident in first:
            yield RULES["duplicate-id"].at(element, f"the id {ident!r} stands on line {first[ident]} already")
        first.setdefault(ident, element.line)
