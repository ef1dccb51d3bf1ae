"""Guard of weight and requests: what a first visit to a page transfers, and that all of it comes from its own host.

Counted are the page, its style sheets (with those they import), scripts, images and icons, each compressed by gzip
unless that makes it larger. Files that a script asks for later, or a link leads to, are not part of a first visit.
"""

from __future__ import annotations

import gzip
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from checks.noscript import walkthroughs
from checks.pages import Element, Page
from checks.problems import Problem
from checks.rule import Rule, by_id

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

_LOADING_RELS = {"stylesheet", "icon", "preload", "modulepreload", "manifest"}
_ATTRIBUTES = ("srcset", "imagesrcset", "poster", "background", "ping", "action", "formaction", "manifest")
_URL = re.compile(r"""@import\s+["']([^"']+)|url\(\s*["']?([^"')]+)""", re.IGNORECASE)
_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)""", re.IGNORECASE)
_ASKING = re.compile(
    r"""\b(?:fetch|import|importScripts|sendBeacon|WebSocket|EventSource|Worker|SharedWorker)\s*\(\s*["'`]((?:https?:|wss?:)?//[^"'`]+)"""
    r"""|\.open\s*\(\s*["'`]\w+["'`]\s*,\s*["'`]((?:https?:)?//[^"'`]+)|\bfrom\s*["']((?:https?:)?//[^"']+)"""
)


@dataclass(frozen=True)
class Budget:
    """Bytes that a first visit may transfer, without and with the walkthroughs of the page (1 KB = 1,000 bytes)."""

    page: int = 60_000
    whole: int = 110_000

    @classmethod
    def from_dict(cls, table: Mapping[str, object]) -> Budget:
        """Read ``{"page": bytes, "whole": bytes}``; ValueError names what is wrong."""
        for key, value in table.items():
            if key not in ("page", "whole"):
                raise ValueError(f"unknown key {key!r}: expected page or whole")
            if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
                raise ValueError(f"{key}: expected a number of bytes, got {value!r}")
        return cls(**table)  # type: ignore[arg-type]


@dataclass
class Weights:
    """The compressed sizes of the files of a folder, each measured once."""

    folder: Path
    sizes: dict[str, int] = field(default_factory=dict)

    def of(self, path: str) -> int:
        """Bytes of a file below the folder with what it imports; 0 where there is none (the guard of links tells)."""
        if path not in self.sizes:
            self.sizes[path] = 0  # ends a circle of imports
            file = self.folder / path
            if file.is_file():
                content = file.read_bytes()
                self.sizes[path] = compressed(content) + sum(map(self.of, _imports(path, content)))
        return self.sizes[path]


def compressed(content: bytes) -> int:
    """Bytes of ``content`` in transfer: by gzip, or as they are where that is less."""
    return min(len(content), len(gzip.compress(content, 6, mtime=0)))


def _imports(path: str, content: bytes) -> Iterator[str]:
    if path.endswith(".css"):
        for match in _IMPORT.finditer(content.decode("utf-8", errors="replace")):
            if not _is_foreign(match[1]):
                yield posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))


def check_pages(
    folder: Path, pages: Sequence[Page], budget: Budget | None = None, base: str = "/"
) -> Iterator[Problem]:
    """Every page that is too heavy and everything asked of another host, below ``folder`` served under ``base``."""
    budget, weights = budget or Budget(), Weights(folder)
    for page in pages:
        yield from _check_weight(page, weights, budget, base)
        yield from _foreign_attributes(page)
    yield from _foreign_files(folder)


def _check_weight(page: Page, weights: Weights, budget: Budget, base: str) -> Iterator[Problem]:
    files = sorted(set(_loaded(page, base)))
    beside = sum(map(weights.of, files))
    content = page.source.encode()
    if beside + len(content) <= min(budget.page, budget.whole):
        return  # fits even uncompressed
    whole = compressed(content) + beside
    bare = whole
    if walkthroughs(page):
        bare = compressed(_without_walkthroughs(page).encode()) + beside
    heaviest = ", ".join(f"{file} {kilobytes(weights.of(file))}" for file in sorted(files, key=weights.of)[:-4:-1])
    of_it = f"page {kilobytes(whole - beside)}{', ' if heaviest else ''}{heaviest}"
    if bare > budget.page:
        parts = f"{kilobytes(bare)} compressed without walkthroughs, expected at most {kilobytes(budget.page)}"
        yield PAGE_WEIGHT.on(page, f"a first visit transfers {parts}: {of_it}")
    if whole > budget.whole:
        parts = f"{kilobytes(whole)} compressed, expected at most {kilobytes(budget.whole)}"
        yield WHOLE_WEIGHT.on(page, f"a first visit transfers {parts}: {of_it}")


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


def _loaded(page: Page, base: str) -> Iterator[str]:
    """The files that a browser loads with the page, as paths below the folder."""
    for element in page.tagged("link", "script", "img", "source", "input", "video"):
        for target in _targets(element):
            parts = urlsplit(target)
            if target and not _is_foreign(target) and not parts.scheme:
                path = unquote(parts.path)
                below = (
                    path[len(base) :] if path.startswith(base) else posixpath.join(posixpath.dirname(page.path), path)
                )
                yield posixpath.normpath(below)


def _targets(element: Element) -> Iterator[str]:
    attributes = element.attributes
    if element.tag == "link":
        if _LOADING_RELS & set(attributes.get("rel", "").lower().split()):
            yield attributes.get("href", "")
    elif element.tag == "video":
        yield attributes.get("poster", "")
    elif element.unseen and element.tag != "script":
        return
    elif element.tag in ("img", "script", "input") and attributes.get("loading") != "lazy":
        yield attributes.get("src", "")


def _is_foreign(target: str) -> bool:
    parts = urlsplit(target.strip())
    return bool(parts.netloc) or parts.scheme in ("http", "https", "ws", "wss", "ftp")


def _foreign_attributes(page: Page) -> Iterator[Problem]:
    for element in page.elements:
        for attribute in _ATTRIBUTES:
            value = element.attributes.get(attribute, "")
            targets = (
                [part.split()[0] for part in value.split(",") if part.strip()] if "srcset" in attribute else [value]
            )
            for target in targets:
                if _is_foreign(target):
                    message = f"<{element.tag}> asks for {target!r} in {attribute}"
                    yield FOREIGN_REQUEST.at(element, message)
        if element.tag == "base" and _is_foreign(element.attributes.get("href", "")):
            yield FOREIGN_REQUEST.at(element, f"<base> sends every link to {element.attributes['href']!r}")


def _foreign_files(folder: Path) -> Iterator[Problem]:
    """Style sheets and scripts that ask another host."""
    for file in sorted(folder.rglob("*")):
        patterns = {".css": (_URL,), ".js": (_ASKING,), ".mjs": (_ASKING,)}.get(file.suffix, ())
        text = file.read_text(encoding="utf-8", errors="replace") if patterns and file.is_file() else ""
        for pattern in patterns:
            for match in pattern.finditer(text):
                target = next(filter(None, match.groups()))
                if _is_foreign(target):
                    before = text[: match.start()]
                    place = before.count("\n") + 1, len(before) - before.rfind("\n")
                    path, rule = file.relative_to(folder).as_posix(), FOREIGN_REQUEST
                    yield Problem(path, *place, rule.id, f"it asks for {target!r}", rule.fix, rule.level)
