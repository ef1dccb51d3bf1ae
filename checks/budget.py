"""Guard of weight and requests: what a first visit to a page transfers, and that all of it comes from its own host.

Counted are the page, its style sheets with all that they name (other sheets, fonts, pictures), scripts, images, icons
and preloads, each compressed by gzip unless that makes it larger. Of several candidates for one picture the heaviest
counts, of several formats of one font the first. Files that a script asks for later, or a link leads to, are not part
of a first visit.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from checks.addresses import below, candidates, origin, rooted, split
from checks.html.config import ConfigError
from checks.noscript import walkthroughs
from checks.pages import Element, Page
from checks.problems import Problem
from checks.rule import Place, Rule, by_id, frame_of
from checks.site_files import FolderFiles, SiteFiles
from checks.styles import references
from checks.texts import plain_breaks

PAGE_WEIGHT = Rule(
    "page-weight",
    "error",
    "A first visit to a page stays within its budget, walkthroughs left out.",
    "shorten the page, split a style sheet or script off, or let the script load it when it is wanted",
)
WHOLE_WEIGHT = Rule(
    "page-weight-whole",
    "error",
    "A first visit to a page stays within its budget, walkthroughs included.",
    "show fewer states or rows in the walkthrough, or give it a page of its own",
)
FOREIGN_REQUEST = Rule(
    "foreign-request",
    "error",
    "Nothing is asked of another host: not by style sheets, scripts or the less usual attributes.",
    "copy the file into the site, with its licence",
)
RULES = by_id((PAGE_WEIGHT, WHOLE_WEIGHT, FOREIGN_REQUEST))
"""All rules by id, in the order of the documentation."""
SETTINGS = ("page", "whole")
"""What can be set besides levels."""

_LOADING_RELS = {"stylesheet", "icon", "preload", "modulepreload", "manifest"}
_ATTRIBUTES = ("srcset", "imagesrcset", "poster", "background", "ping", "action", "formaction", "manifest")
_ASKING = re.compile(
    r"""\b(?:fetch|import|importScripts|sendBeacon|WebSocket|EventSource|Worker|SharedWorker)\s*\(\s*["'`]((?:https?:|wss?:)?//[^"'`]+)"""
    r"""|\.open\s*\(\s*["'`]\w+["'`]\s*,\s*["'`]((?:https?:)?//[^"'`]+)|\b(?:from|import)\s*["']((?:https?:)?//[^"']+)"""
)


@dataclass(frozen=True)
class Budget:
    """Bytes that a first visit may transfer, without and with the walkthroughs of the page (1 KB = 1,000 bytes)."""

    page: int = 60_000
    whole: int = 110_000

    @classmethod
    def from_dict(cls, table: Mapping[str, object]) -> Budget:
        """Read ``{"page": bytes, "whole": bytes}``, whatever stands beside them; ConfigError names what is wrong."""
        sizes: dict[str, int] = {}
        for key in filter(table.__contains__, SETTINGS):
            value = table[key]
            if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
                raise ConfigError(f"{key}: expected a number of bytes, got {value!r}")
            sizes[key] = value
        return cls(**sizes)


@dataclass
class Weights:
    """The compressed sizes of the files of a site served under ``base``, and what its style sheets name, each read
    once."""

    files: SiteFiles
    base: str
    read: dict[str, tuple[int, set[str]]] = field(default_factory=dict)

    def of(self, path: str) -> int:
        """Bytes of a file of the site; 0 where there is none (the guard of links tells)."""
        return self._read(path)[0]

    def reached(self, paths: Iterable[str]) -> set[str]:
        """The files with all that those of them that are style sheets name, and so on."""
        found, waiting = set[str](), set(paths)
        while waiting:
            found |= waiting
            waiting = {named for path in waiting for named in self._read(path)[1]} - found
        return found

    def _read(self, path: str) -> tuple[int, set[str]]:
        if path not in self.read:
            content = self.files.read(path) if self.files.is_file(path) else b""
            css = content.decode("utf-8", errors="replace") if path.endswith(".css") else ""
            named = [one.target for one in references(css) if not one.spare]
            self.read[path] = compressed(content), _own(named, path, self.base)
        return self.read[path]


def compressed(content: bytes) -> int:
    """Bytes of ``content`` in transfer: by gzip, or as they are where that is less."""
    return min(len(content), len(gzip.compress(content, 6, mtime=0)))


def _own(targets: Iterable[str], start: str, base: str) -> set[str]:
    """The files below the folder that addresses relative to ``start`` mean; other hosts, data and parts of the same
    document are none."""
    return {below(start, target, base) for target in targets if _is_own(target)} - {""}


def _is_own(target: str) -> bool:
    parts = split(target)
    return not (_is_foreign(target) or parts.scheme) and bool(parts.path)


def check_pages(
    folder: Path, pages: Sequence[Page], budget: Budget | None = None, base: str = "/"
) -> Iterator[Problem]:
    """Every page that is too heavy and everything asked of another host, below ``folder`` served under ``base``."""
    facts = [facts_of(page, base) for page in pages]
    return check_visits(facts, FolderFiles(folder), budget or Budget(), base)


class Visit(NamedTuple):
    """What this guard keeps of a page: the problems of its own; its bytes as they are, compressed, and compressed
    without its walkthroughs; what it loads, each file as the sorted candidates for it; where problems of the whole page
    are placed."""

    path: str
    problems: tuple[Problem, ...]
    size: int
    whole: int
    bare: int
    loads: tuple[tuple[str, ...], ...]
    place: Place


def facts_of(page: Page, base: str = "/") -> Visit:
    """What this guard needs of one page of a site that is served under the path ``base``."""
    content, bare = page.source.encode(), _without_walkthroughs(page).encode()
    whole = compressed(content)
    loads = {tuple(sorted(one)): None for one in _loaded(page, rooted(base)) if one}
    return Visit(
        page.path,
        tuple(_foreign_attributes(page)),
        len(content),
        whole,
        whole if bare == content else compressed(bare),
        tuple(loads),
        frame_of(page),
    )


def check_visits(facts: Iterable[Visit], files: SiteFiles, budget: Budget, base: str = "/") -> Iterator[Problem]:
    """Every page that is too heavy and everything asked of another host by ``files`` served under ``base``."""
    weights = Weights(files, rooted(base))
    for page in facts:
        yield from _check_weight(page, weights, budget)
        yield from page.problems
    yield from _foreign_files(files)


def _check_weight(page: Visit, weights: Weights, budget: Budget) -> Iterator[Problem]:
    loaded = {max(one, key=weights.of) for one in page.loads}
    files = sorted(weights.reached(loaded))
    beside = sum(map(weights.of, files))
    if beside + page.size <= min(budget.page, budget.whole):
        return  # fits even uncompressed
    whole, bare = page.whole + beside, page.bare + beside
    heaviest = ", ".join(f"{file} {kilobytes(weights.of(file))}" for file in sorted(files, key=weights.of)[:-4:-1])
    of_it = f"page {kilobytes(whole - beside)}{', ' if heaviest else ''}{heaviest}"
    if bare > budget.page:
        parts = f"{kilobytes(bare)} compressed without walkthroughs, expected at most {kilobytes(budget.page)}"
        yield PAGE_WEIGHT.placed(page.path, page.place, f"a first visit transfers {parts}: {of_it}")
    if whole > budget.whole:
        parts = f"{kilobytes(whole)} compressed, expected at most {kilobytes(budget.whole)}"
        yield WHOLE_WEIGHT.placed(page.path, page.place, f"a first visit transfers {parts}: {of_it}")


def kilobytes(size: int) -> str:
    """Bytes in words: "12.3 KB"."""
    return f"{size / 1000:.1f} KB"


def _without_walkthroughs(page: Page) -> str:
    parts, position = [], 0
    for walk in walkthroughs(page):
        if walk.offset >= position:
            parts.append(page.source[position : walk.offset])
            position = walk.end
    return "".join([*parts, page.source[position:]])


def _loaded(page: Page, base: str) -> Iterator[set[str]]:
    """The files that a browser loads with the page, as paths below the folder: each as the candidates for it."""
    start = origin(page)
    if start is None:
        return
    for element in page.tagged("link", "script", "img", "input", "video", "style"):
        if not element.closest("template"):
            yield from (_own(targets, start, base) for targets in _targets(element))
    for element in page.having("style"):
        if not element.unseen:
            named = references(element.attributes.get("style", ""))
            yield from (_own([one.target], start, base) for one in named)


def _targets(element: Element) -> Iterator[list[str]]:
    attributes = element.attributes
    if element.tag == "link":
        if _LOADING_RELS & set(attributes.get("rel", "").lower().split()):
            yield [attributes.get("href", ""), *candidates(attributes.get("imagesrcset", ""))]
    elif element.tag == "style":
        yield from ([one.target] for one in references(element.text) if not one.spare)
    elif element.tag == "video":
        yield [attributes.get("poster", "")]
    elif attributes.get("loading") != "lazy":
        yield [attributes.get("src", ""), *_alternatives(element)]


def _alternatives(image: Element) -> Iterator[str]:
    """The other candidates for an image: of its own ``srcset`` and of the sources of its picture."""
    yield from candidates(image.attributes.get("srcset", ""))
    if image.tag == "img" and image.parent is not None and image.parent.tag == "picture":
        for source in image.parent.children():
            yield from candidates(source.attributes.get("srcset", "") if source.tag == "source" else "")


def _is_foreign(target: str) -> bool:
    parts = split(target)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "ws", "wss", "ftp")


def _foreign_attributes(page: Page) -> Iterator[Problem]:
    for element in page.having(*_ATTRIBUTES, "style", tags=("style", "base")):
        for attribute in filter(element.attributes.__contains__, _ATTRIBUTES):
            value = element.attributes[attribute]
            targets = candidates(value) if "srcset" in attribute else value.split()
            for target in targets:
                if _is_foreign(target):
                    message = f"<{element.tag}> asks for {target!r} in {attribute}"
                    yield FOREIGN_REQUEST.at(element, message)
        styles = [element.attributes.get("style", ""), element.text if element.tag == "style" else ""]
        for one in (found for css in styles for found in references(css)):
            if _is_foreign(one.target):
                yield FOREIGN_REQUEST.at(element, f"a style of <{element.tag}> asks for {one.target!r}")
        if element.tag == "base" and _is_foreign(element.attributes.get("href", "")):
            yield FOREIGN_REQUEST.at(element, f"<base> sends every link to {element.attributes['href']!r}")


def _foreign_files(files: SiteFiles) -> Iterator[Problem]:
    """Style sheets and scripts that ask another host."""
    for path in files.paths():
        find = _FINDERS.get(PurePosixPath(path).suffix)
        if find is None:
            continue
        text = plain_breaks(files.read(path).decode("utf-8", errors="replace"))
        for offset, target in find(text):
            if _is_foreign(target):
                before = text[:offset]
                place = before.count("\n") + 1, len(before) - before.rfind("\n")
                yield FOREIGN_REQUEST.placed(path, place, f"it asks for {target!r}")


def _asked_by_style(text: str) -> Iterator[tuple[int, str]]:
    return ((one.offset, one.target) for one in references(text))


def _asked_by_script(text: str) -> Iterator[tuple[int, str]]:
    return ((match.start(), next(filter(None, match.groups()))) for match in _ASKING.finditer(text))


_FINDERS: dict[str, Callable[[str], Iterator[tuple[int, str]]]] = {
    ".css": _asked_by_style,
    ".js": _asked_by_script,
    ".mjs": _asked_by_script,
}
