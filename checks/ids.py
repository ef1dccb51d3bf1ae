"""Guard of published addresses: a page or a part that was public stays reachable under its name.

``content/published-ids.json`` lists them, by page; ``python build.py --update-ids`` adds what is new and drops
nothing. What is listed and neither there nor redirected fails the build.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from checks.pages import Element, Page
from checks.problems import Problem

FILE = "content/published-ids.json"
HEADINGS = frozenset(["h2", "h3", "h4", "h5", "h6"])
LASTING = ("wt-", "fig-", "metric-", "term-", "section-")
Published = Mapping[str, Sequence[str]]


class Named(NamedTuple):
    """What this guard keeps of a page: all its ids, those of them that others may link to, both in order, and the path
    of the page that it sends on to ("" for an ordinary page)."""

    path: str
    ids: tuple[str, ...]
    lasting: tuple[str, ...]
    sent_to: str


def facts_of(page: Page) -> Named:
    """What this guard needs of one page."""
    lasting = {element.attributes["id"] for element in page.having("id") if _lasts(element)}
    return Named(page.path, tuple(sorted(page.ids())), tuple(sorted(lasting)), _sent_to(page))


def published_ids(pages: Iterable[Named]) -> dict[str, list[str]]:
    """By path, the ids that others may link to: headings, walkthrough steps, figures, metrics, terms."""
    return {page.path: list(page.lasting) for page in pages if page.path != "404.html" and not page.sent_to}


def load_published(root: Path, report: list[Problem]) -> dict[str, list[str]]:
    """The committed list; empty where there is none."""
    file = root / FILE
    if not file.is_file():
        return {}
    try:
        listed = json.loads(file.read_text(encoding="utf-8"))
        return {str(path): [str(ident) for ident in ids] for path, ids in listed.items()}
    except (ValueError, AttributeError, TypeError) as error:
        report.append(
            Problem(FILE, 0, 0, "json", f"it is no JSON object of lists: {error}", "restore the committed file")
        )
        return {}


def check_published(root: Path, pages: Iterable[Named]) -> list[Problem]:
    """``check_ids`` with the list of the project at ``root``."""
    problems: list[Problem] = []
    listed = load_published(root, problems)
    text = (root / FILE).read_text(encoding="utf-8") if listed else ""
    return problems + check_ids(listed, pages, text)


def update_published(root: Path, pages: Iterable[Named]) -> int:
    """Adds every lasting id of a built site to the list; returns how many were new."""
    problems: list[Problem] = []
    listed = load_published(root, problems)
    if problems:
        return 0
    merged = union(listed, published_ids(pages))
    (root / FILE).write_text(written(merged), encoding="utf-8")
    return sum(map(len, merged.values())) - sum(map(len, listed.values()))


def union(listed: Published, found: Published) -> dict[str, list[str]]:
    """Both lists together: nothing that was published is dropped."""
    paths = sorted({*listed, *found})
    return {path: sorted({*listed.get(path, ()), *found.get(path, ())}) for path in paths}


def written(listed: Published) -> str:
    """The list as its file holds it: an id a line, so that a change shows as a line."""
    return json.dumps(listed, indent=1, sort_keys=True) + "\n"


def check_ids(listed: Published, pages: Iterable[Named], text: str = "") -> list[Problem]:
    """Every published page or id that is gone. ``text`` is the list's file, for the lines."""
    known = {page.path: page for page in pages}
    problems = []
    for path, ids in listed.items():
        page = known.get(path)
        if page is None:
            message = f"{path} was published and is gone"
            fix = f"add to `pages` of content/redirects.yml: {{from: {path}, to: …}}"
            if dataset := re.fullmatch(r"data/([^/]+)/index\.html", path):
                message = f"{message}, because the dataset `{dataset[1]}` is absent or cannot be used"
                fix = f"restore or mend data/interactive/{dataset[1]}.json; if it was renamed, {fix}"
            problems.append(Problem(FILE, _line(text, path), 1, "published-page", message, _or_never(fix)))
            continue
        there = known.get(page.sent_to, page)
        for ident in sorted(set(ids).difference(there.ids)):
            message = f"{there.path} has no id {ident!r} any more, and it was published"
            fix = f"add to `fragments` of content/redirects.yml: {{page: {there.path}, from: {ident}, to: …}}"
            problems.append(Problem(FILE, _line(text, path, ident), 1, "published-id", message, _or_never(fix)))
    return problems


def _or_never(fix: str) -> str:
    return f"{fix}; if it never was public, take it out of {FILE}"


def _lasts(element: Element) -> bool:
    ident = element.attributes.get("id", "")
    if not ident or ident.endswith("-title"):
        return False
    return element.tag in HEADINGS or ident.startswith(LASTING)


def _sent_to(page: Page) -> str:
    """The page that this one sends on to, "" for an ordinary page."""
    for element in page.tagged("meta"):
        if element.attributes.get("http-equiv") == "refresh":
            target = element.attributes.get("content", "").partition("url=")[2].partition("#")[0]
            return posixpath.normpath(posixpath.join(posixpath.dirname(page.path), target))
    return ""


def _line(text: str, path: str, ident: str = "") -> int:
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.strip().startswith(json.dumps(path))), None)
    if start is None:
        return 0
    pattern = re.compile(rf"\s*{re.escape(json.dumps(ident))},?\]?,?")
    return next((at + 1 for at in range(start, len(lines)) if pattern.fullmatch(lines[at])), start + 1)
