"""The whole site: what must hold between pages, and every file it consists of."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from checks.problems import Problem
from render.cache import Cache, digest, files_digest
from render.making import Examine, Job, Maker, workshop
from render.model import PageRef
from render.pages.concept_map import map_page
from render.pages.dataset_page import dataset_page, figures_csv
from render.pages.learning_pages import check_learning, glossary_page, path_index, path_page, progress_page
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
from render.takeaway.files import changes_page, takeaway_files
from render.tracing import Sources

MADE_WITH = ("Jinja2", "MarkupSafe", "markdown-it-py", "mdit-py-plugins", "latex2mathml", "PyYAML")


@dataclass(frozen=True)
class RenderedSite:
    """Every file by its path below the site's root, and the problems met while rendering.

    ``id`` is a digest of all files. ``facts`` are what was found out about each page by its path; ``fresh`` names the
    pages that no cache had.
    """

    files: dict[str, str | bytes]
    problems: list[Problem]
    id: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    fresh: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """How a site is rendered. ``jobs`` processes share the pages that ``cache`` has not kept; neither changes what
    comes out. ``examine`` is what the guards ask of each page where it is made, ``settings`` what that depends on.
    """

    base_url: str = ""
    jobs: int = 1
    cache: Cache = field(default_factory=Cache)
    examine: Examine = lambda page: None
    settings: str = ""


def render_site(library: Library, templates: Path, options: Options | None = None) -> RenderedSite:
    """Renders every page."""
    options = options or Options()
    base_url = options.base_url.rstrip("/") + "/" if options.base_url else ""
    given = {
        "code": code_digest(),
        "templates": files_digest(templates, [entry.name for entry in sorted(templates.glob("*.j2"))]),
        "settings": digest(f"{base_url}\n{options.settings}"),
    }
    drawn = environment(templates, given["templates"])
    renderer = Renderer(library, drawn, site_of(library), base_url)
    maker = Maker(renderer, Sources(library, renderer.site, given), options.cache, options.examine)
    concepts = [Job(concept_page, (slug,)) for slug in sorted(library.pages, key=_place(library))]
    with workshop(maker, options.jobs) as run:
        made = run([*concepts, *_lists(library)])
        pages = [one.page for one in made[: len(concepts)]]
        home = made[len(concepts)].page
        used = _users(library, pages)
        made += run([Job(dataset_page, (name, used[name])) for name in library.datasets])
        findable = search_entries(library, [one.page for one in made])
        script = search_script(findable)
        made += run([Job(search_page, (findable,), digest(script))])
    pages = [one.page for one in made]
    files: dict[str, str | bytes] = {page.path: page.text for page in pages}
    for page in pages:
        files.update(page.beside)
    problems = [problem for page in pages for problem in page.problems]
    files.update(redirect_files(renderer, files.keys(), problems))
    files.update(takeaway_files(library, renderer.site, base_url))
    files[SCRIPT] = script
    for dataset in library.datasets.values():
        files[f"data/{dataset.name}/{dataset.name}.json"] = dataset.raw
        files[f"data/{dataset.name}/figures.csv"] = figures_csv(dataset)
    for file in sorted((templates / "assets").rglob("*")):
        if file.is_file():
            files["assets/" + file.relative_to(templates / "assets").as_posix()] = file.read_bytes()
    if base_url:
        files["sitemap.xml"] = sitemap(base_url, library, [page.path for page in pages])
    files[WORKER] = worker_script(files, templates)
    problems += check_learning(library)
    problems += _orphans(library, {name for name, users in used.items() if users} | set(home.datasets))
    facts = {one.page.path: one.facts for one in made}
    return RenderedSite(
        files, problems, digest(files[WORKER]), facts, tuple(one.page.path for one in made if one.fresh)
    )


def _lists(library: Library) -> list[Job]:
    """The pages beside those of concepts and datasets, the home page first; those with nothing to show are left out."""
    jobs = [Job(home_page), Job(not_found_page), Job(concept_index), Job(data_index)]
    jobs += [Job(changes_page)] if library.changes else []
    jobs += [Job(path_page, (ident,)) for ident in library.paths]
    jobs += [Job(path_index)] if library.paths else []
    jobs += [Job(glossary_page)] if library.glossary else []
    jobs += [Job(map_page), Job(progress_page)] if library.pages else []
    return [*jobs, Job(offline_page)]


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A digest of all the code that renders and checks pages, that of other projects by its version."""
    root = Path(__file__).resolve().parents[1]
    versions = [sys.version, *(f"{name} {importlib.metadata.version(name)}" for name in MADE_WITH)]
    return digest("\n".join([files_digest(root, ["render", "checks", "provenance"]), *versions]))


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
