"""The whole site: what must hold between pages, and every file it consists of."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.problems import Problem
from render.model import PageRef
from render.pages.dataset_page import dataset_page, figures_csv
from render.pages.learning_pages import check_learning, learning_pages
from render.pages.offline import WORKER, offline_page, worker_script
from render.pages.redirects import redirect_files
from render.pages.renderer import (
    Rendered,
    Renderer,
    concept_index,
    concept_page,
    data_index,
    environment,
    home_page,
    not_found_page,
    site_of,
)
from render.reading.library import Library
from render.search.entries import SCRIPT, search_entries, search_page, search_script
from render.takeaway.files import takeaway_files, takeaway_pages


@dataclass(frozen=True)
class RenderedSite:
    """Every file by its path below the site's root, and the problems met while rendering."""

    files: dict[str, str | bytes]
    problems: list[Problem]


def render_site(
    library: Library,
    templates: Path,
    base_url: str = "",
    jobs: int = 1,
) -> RenderedSite:
    """Renders every page; ``jobs`` processes share the concept pages. The result does not depend on ``jobs``."""
    base_url = base_url.rstrip("/") + "/" if base_url else ""
    renderer = Renderer(library, environment(templates), site_of(library), base_url)
    concepts = _render_concepts(renderer, jobs)
    home = home_page(renderer)
    used = _users(library, concepts)
    pages = [home, not_found_page(renderer), concept_index(renderer), data_index(renderer), *concepts]
    pages += [*takeaway_pages(renderer), *learning_pages(renderer), offline_page(renderer)]
    pages += [dataset_page(renderer, name, used[name]) for name in library.datasets]
    findable = search_entries(library, pages)
    pages.append(search_page(renderer, findable))
    files: dict[str, str | bytes] = {page.path: page.text for page in pages}
    for page in pages:
        files.update(page.beside)
    redirect_problems: list[Problem] = []
    files.update(redirect_files(renderer, files.keys(), redirect_problems))
    files.update(takeaway_files(library, renderer.site, base_url))
    files[SCRIPT] = search_script(findable)
    for dataset in library.datasets.values():
        files[f"data/{dataset.name}/{dataset.name}.json"] = dataset.raw
        files[f"data/{dataset.name}/figures.csv"] = figures_csv(dataset)
    for file in sorted((templates / "assets").rglob("*")):
        if file.is_file():
            files["assets/" + file.relative_to(templates / "assets").as_posix()] = file.read_bytes()
    if base_url:
        files["sitemap.xml"] = sitemap(base_url, library, [page.path for page in pages])
    files[WORKER] = worker_script(files, templates)
    problems = redirect_problems + [problem for page in pages for problem in page.problems]
    problems += check_learning(library)
    problems += _orphans(library, {name for name, users in used.items() if users} | set(home.datasets))
    return RenderedSite(files, problems)


def sitemap(base_url: str, library: Library, paths: Iterable[str]) -> str:
    """A sitemap of the pages; a concept page carries the date its text last changed."""
    entries = []
    for path in sorted(paths):
        if path == "404.html":
            continue
        slug = path.removeprefix("concepts/").removesuffix("/index.html")
        page = library.pages.get(slug) if path.startswith("concepts/") else None
        modified = f"<lastmod>{page.updated}</lastmod>" if page else ""
        entries.append(f"<url><loc>{base_url}{path.removesuffix('index.html')}</loc>{modified}</url>")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "\n".join(entries)
        + "\n</urlset>\n"
    )


def _users(library: Library, concepts: Iterable[Rendered]) -> dict[str, tuple[PageRef, ...]]:
    """The pages that use each dataset, in reading order."""
    users: dict[str, list[str]] = {name: [] for name in library.datasets}
    for page in concepts:
        for name in page.datasets:
            users[name].append(page.path.split("/")[1])
    return {name: library.written(sorted(slugs, key=_place(library))) for name, slugs in users.items()}


def _place(library: Library) -> Callable[[str], tuple[int, str]]:
    order = {slug: place for place, slug in enumerate(library.config.order)}
    return lambda slug: (order.get(slug, len(order)), slug)


def _orphans(library: Library, used: set[str]) -> Iterator[Problem]:
    """Datasets no page uses: an error, unless a concept of the catalogue is still to be written."""
    planned = any(slug not in library.pages for slug in library.config.order)
    for dataset in library.datasets.values():
        if dataset.name not in used:
            message = f"no page uses the dataset `{dataset.name}`"
            fix = f"cite one of its figures or walk through it on a page, or delete {dataset.path}"
            level: Any = "warning" if planned else "error"
            yield Problem(dataset.path, 0, 0, "orphan-dataset", message, fix, level)


_SHARED: list[Renderer] = []


def _render_concepts(renderer: Renderer, jobs: int) -> list[Rendered]:
    slugs = sorted(renderer.library.pages, key=_place(renderer.library))
    if jobs <= 1 or len(slugs) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return [concept_page(renderer, slug) for slug in slugs]
    # A forked worker inherits the renderer; only slugs and finished pages cross between processes.
    _SHARED[:] = [renderer]
    with multiprocessing.get_context("fork").Pool(min(jobs, len(slugs))) as pool:
        return pool.map(_shared_concept, slugs)


def _shared_concept(slug: str) -> Rendered:
    return concept_page(_SHARED[0], slug)
