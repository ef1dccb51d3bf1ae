"""Guard of links: every internal link and fragment leads somewhere, ids are unique, nothing loads from another host.

Works on any folder of HTML. An external page may be linked to; a stylesheet, script, image or frame may not be loaded
from one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from checks.addresses import asks, below, candidates, origin, rooted
from checks.html.elements import names
from checks.pages import Element, Page, read_site
from checks.problems import Problem
from checks.rule import Rule, by_id
from checks.site_files import FolderFiles, SiteFiles

_DRAWN = ("href", "xlink:href")
LINKS = {"a": _DRAWN, "area": ("href",)}
RESOURCES = {
    **dict.fromkeys(names("script img input source iframe frame video track audio embed"), ("src",)),
    **dict.fromkeys(names("image feimage use"), _DRAWN),
    "link": ("href",),
    "object": ("data",),
}
CANDIDATES = {"img": "srcset", "source": "srcset", "link": "imagesrcset"}
_NAMING = (*LINKS, *RESOURCES)
"""Every tag that names an address: those with candidates or a poster are among them."""
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


class Link(NamedTuple):
    """An address on a page that should mean a file of the site: as written, the file's path, the fragment ("" where any
    part will do), and the elements that name it, each by tag, line and column."""

    target: str
    file: str
    fragment: str
    uses: tuple[tuple[str, int, int], ...]


class Linked(NamedTuple):
    """What this guard keeps of a page: the problems of its own, its links, and what fragments can lead to on it."""

    path: str
    problems: tuple[Problem, ...]
    links: tuple[Link, ...]
    anchors: tuple[str, ...]


def check_folder(folder: Path, base: str = "/", pages: list[Page] | None = None, index: str = "") -> list[Problem]:
    """Every broken link, fragment, id and foreign resource below ``folder``.

    ``base`` is the path that the folder is served under; links from the host's root are resolved against it. A link to
    a folder is broken unless ``index`` names the file that the server sends for it, such as "index.html".
    """
    pages = read_site(folder) if pages is None else pages
    return list(check_links([facts_of(page, base) for page in pages], FolderFiles(folder), index))


def facts_of(page: Page, base: str = "/") -> Linked:
    """What this guard needs of one page of a site that is served under the path ``base``."""
    start, base = origin(page), rooted(base)
    problems = list(_duplicate_ids(page))
    meant: dict[tuple[str, bool], _Meant] = {}
    uses: dict[tuple[str, str, str], list[tuple[str, int, int]]] = {}
    for element in page.having(tags=_NAMING):
        for written, loads in _targets(element):
            target = written.strip()
            if (target, loads) not in meant:
                meant[target, loads] = _meant(target, loads, start, base)
            found = meant[target, loads]
            if isinstance(found, _Wrong):
                problems.append(RULES[found.rule].at(element, f"<{element.tag}> {found.message}"))
            elif found is not None:
                uses.setdefault((target, *found), []).append((element.tag, *element.place))
    links = (Link(*link, tuple(places)) for link, places in uses.items())
    return Linked(page.path, tuple(problems), tuple(links), tuple(sorted(_anchors(page))))


def check_links(facts: Sequence[Linked], files: SiteFiles, index: str = "") -> Iterator[Problem]:
    """The problems of the pages themselves, and every link and fragment that leads nowhere among ``files``; ``index``
    is the file that a server sends for a folder ("" when the pages are opened from disk, where none is)."""
    site = _Site(files, {page.path: frozenset(page.anchors) for page in facts}, index)
    for page in facts:
        yield from page.problems
        for link in page.links:
            if found := site.wrong(link):
                for tag, line, column in link.uses:
                    yield RULES[found.rule].placed(page.path, (line, column), f"<{tag}> {found.message}")


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


class _Wrong(NamedTuple):
    """A broken rule and the message, to which the element is prefixed."""

    rule: str
    message: str


_Meant = _Wrong | tuple[str, str] | None
"""What an address comes to on its page: a fault, a file of the site with a fragment, or nothing to look at."""


def _meant(target: str, loads: bool, start: str | None, base: str) -> _Meant:
    """What one address relative to the path ``start`` means below ``base``."""
    try:
        parts = urlsplit(target)
    except ValueError as error:
        return _Wrong("broken-link", f"has {target!r}, which is no address: {error}")
    if parts.scheme == "javascript":
        return _Wrong("script-link", "runs a script instead of leading to a page")
    if parts.scheme == "data":
        return None
    if not target:
        return _Wrong("empty-link", "has an empty address")
    if parts.scheme or parts.netloc or start is None:
        return _Wrong("external-resource", f"loads {target!r} from another host") if loads else None
    file = below(start, target, base)
    if not file:
        outside = base if parts.path.startswith("/") else "the site"
        return _Wrong("broken-link", f"leads to {target!r}, outside {outside}")
    fragment = unquote(parts.fragment.partition(":~:")[0])
    return file, "" if fragment.lower() == "top" else fragment


@dataclass
class _Site:
    """What links are resolved against: files, what fragments lead to on the pages by path, the file sent for a folder;
    ``known``: what the guard has found of a file."""

    files: SiteFiles
    anchors: Mapping[str, frozenset[str]]
    index: str
    known: dict[str, tuple[str, str]] = field(default_factory=dict)

    def wrong(self, link: Link) -> _Wrong | None:
        """What is wrong with a link, or None."""
        if link.file not in self.known:
            self.known[link.file] = self._found(link.file)
        file, fault = self.known[link.file]
        if fault:
            return _Wrong("broken-link", f"leads to {link.target!r}, {fault}")
        if link.fragment and link.fragment not in self.anchors.get(file, {link.fragment}):
            return _Wrong("broken-fragment", f"leads to {link.target!r}, but {file} has no id {link.fragment!r}")
        return None

    def _found(self, file: str) -> tuple[str, str]:
        """The file that a path leads to, and why it leads to none ("" where it does)."""
        if self.files.is_folder(file):
            if not self.index:
                return file, "a folder, which opens from no disk"
            file = posixpath.normpath(posixpath.join(file, self.index))
        return file, "" if self.files.is_file(file) else f"but there is no file {file}"


def _identified(page: Page) -> list[Element]:
    """The elements with an id but those in templates, which are in no document until a script copies them."""
    return [one for one in page.having("id") if not _in_template(one)]


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
