"""The concept graph: prerequisites without a cycle, every link known, what a page unlocks, reading order."""

from __future__ import annotations

import graphlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checks.problems import Problem
from render.model import PageRef
from render.reading.library import BrokenDataset, Library, UnknownName
from render.reading.source import SourcePage


@dataclass(frozen=True)
class Neighbours:
    """The pages around one page."""

    before: tuple[PageRef, ...]
    unlocks: tuple[PageRef, ...]
    related: tuple[PageRef, ...]
    previous: PageRef | None
    next: PageRef | None


def neighbours(library: Library, slug: str) -> Neighbours:
    """The pages around ``slug``; links to pages not yet written are left out."""
    page, place = library.pages[slug], library.places[slug]
    return Neighbours(
        before=library.written(page.prerequisites),
        unlocks=library.written(place.unlocks),
        related=library.written(page.related),
        previous=library.page_ref(place.previous) if place.previous else None,
        next=library.page_ref(place.next) if place.next else None,
    )


def paths_through(library: Library, slug: str) -> list[dict[str, Any]]:
    """The learning paths through a page: which step it is, and what comes next there."""
    return [
        {
            "title": library.paths[ident].title,
            "url": f"paths/{ident}/index.html",
            "number": number,
            "count": count,
            "next": library.page_ref(after) if after else None,
        }
        for ident, number, count, after in library.places[slug].paths
    ]


def check_graph(library: Library) -> list[Problem]:
    """Unknown and unwritten links, pages outside the catalogue, circular prerequisites."""
    problems = [problem for page in library.pages.values() for problem in _check_page(library, page)]
    cycle = _cycle(library)
    if cycle:
        page = library.pages[cycle[0]]
        message = "prerequisites run in a circle: " + " needs ".join(cycle)
        problems.append(Problem(page.path, page.line_of("prerequisites"), 1, "circular-prerequisites", message))
    return problems


def _check_page(library: Library, page: SourcePage) -> Iterator[Problem]:
    section = next((entry for entry in library.config.sections if page.slug in entry.pages), None)
    if section is None or section.id != page.section:
        where = f"section {section.id!r}" if section else "no section"
        message = f"{library.config.path} lists `{page.slug}` in {where}: expected section {page.section!r}"
        fix = f"add `{page.slug}` to `pages` of that section, where it is to be read"
        yield Problem(page.path, page.line_of("slug"), 1, "catalogue", message, fix)
    for field, slugs in (("prerequisites", page.prerequisites), ("related", page.related)):
        for slug in slugs:
            try:
                if not library.page_ref(slug).exists:
                    yield planned(page.path, page.line_of(field), 1, slug)
            except UnknownName as error:
                yield Problem(page.path, page.line_of(field), 1, "unknown-concept", str(error), error.fix)
    for name in page.datasets:
        try:
            library.dataset(name)
        except BrokenDataset:
            continue
        except UnknownName as error:
            yield Problem(page.path, page.line_of("datasets"), 1, "unknown-dataset", str(error), error.fix)


def planned(path: str, line: int, column: int, slug: str) -> Problem:
    """The warning for a link to a concept of the catalogue that is not written yet."""
    fix = f"write content/concepts/*/{slug}.md or drop the link"
    return Problem(path, line, column, "planned-concept", f"`{slug}` is not written yet", fix, "warning")


def _cycle(library: Library) -> list[str]:
    """One circle of prerequisites, first slug repeated at the end; empty where there is none."""
    sorter = graphlib.TopologicalSorter(
        {slug: sorted(page.prerequisites) for slug, page in sorted(library.pages.items())}
    )
    try:
        sorter.prepare()
    except graphlib.CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle[::-1]
    return []
