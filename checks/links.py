"""Guard of links: every internal link and fragment leads somewhere, ids are unique, nothing loads from another host.

Works on any folder of HTML. An external page may be linked to; a stylesheet, script, image or frame may not be loaded
from one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

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
    "audio": "src",
    "embed": "src",
    "object": "data",
    "image": "href",
    "use": "href",
}
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


def check_folder(folder: Path, base: str = "/", pages: list[Page] | None = None) -> list[Problem]:
    """Every broken link, fragment, id and foreign resource below ``folder``.

    ``base`` is the path that the folder is served under; links from the host's root are resolved against it.
    """
    pages = read_site(folder) if pages is None else pages
    ids = {page.path: page.ids() for page in pages}
    return [problem for page in pages for problem in _check_page(page, folder, base, ids)]


def _check_page(page: Page, folder: Path, base: str, ids: dict[str, set[str]]) -> Iterator[Problem]:
    yield from _duplicate_ids(page.elements)
    for element in page.elements:
        attribute = LINKS.get(element.tag) or RESOURCES.get(element.tag, "")
        if attribute not in element.attributes:
            continue
        target = element.attributes[attribute]
        loads = element.tag in RESOURCES and not NAMING & set(element.attributes.get("rel", "").split())
        found = _check_target(target, loads, page.path, folder, base, ids)
        if found:
            rule, message = found
            yield RULES[rule].at(element, f"<{element.tag}> {message}")


def _check_target(
    target: str, loads: bool, path: str, folder: Path, base: str, ids: dict[str, set[str]]
) -> tuple[str, str] | None:
    """Rule and message of what is wrong with one link, or None."""
    parts = urlsplit(target)
    if parts.scheme == "javascript":
        return "script-link", "runs a script instead of leading to a page"
    if parts.scheme == "data":
        return None
    if parts.scheme or parts.netloc:
        return ("external-resource", f"loads {target!r} from another host") if loads else None
    if not target:
        return "empty-link", "has an empty address"
    if parts.path.startswith("/"):
        if not parts.path.startswith(base):
            return "broken-link", f"leads to {target!r}, outside {base}"
        place = unquote(parts.path)[len(base) :]
    else:
        place = posixpath.join(posixpath.dirname(path), unquote(parts.path)) if parts.path else path
    place = posixpath.normpath(place)
    if place.startswith(".."):
        return "broken-link", f"leads to {target!r}, outside the site"
    if not (folder / place).is_file():
        return "broken-link", f"leads to {target!r}, but there is no file {place}"
    if parts.fragment and place in ids and unquote(parts.fragment) not in ids[place]:
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
