"""Pages as text: concepts, lists, home and the page for a wrong address; functions of library and templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from checks.problems import Problem
from checks.prose import check_prose
from render.model import (
    ConceptPage,
    Headline,
    ListEntry,
    ListGroup,
    MetricPanel,
    SectionRef,
    Site,
    SourceRef,
)
from render.pages.jsonld import learning_resource
from render.reading.expressions import ExpressionError
from render.reading.graph import neighbours, paths_through
from render.reading.library import BrokenDataset, Library, UnknownName, dataset_ref
from render.reading.moves import FragmentMove
from render.reading.source import Reference, SourcePage
from render.search.passages import Passage, tree_passages
from render.takeaway.twin import concept_twin, twin_path
from render.text.directives import Directive, render_directive
from render.text.markdown import render_block, render_inline
from render.text.roles import RoleError, check_claim, use_figure
from render.text.scope import Scope
from render.text.tree import read_tree

Menu = tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
NAV_PAGES = 300


@dataclass(frozen=True)
class Rendered:
    """One page of the site, the datasets its text uses, the problems found in it and the files written beside it.

    ``passages`` are what can be found there: the text of the page ("") and that of each metric panel or term, by its
    id on the page.
    """

    path: str
    text: str
    datasets: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()
    passages: Mapping[str, list[Passage]] = field(default_factory=dict)


@dataclass(frozen=True)
class Renderer:
    """What every page is made with. ``base_url`` is "" or ends with a slash."""

    library: Library
    templates: Environment
    site: Site
    base_url: str = ""
    navs: dict[tuple[str, str], Markup] = field(default_factory=dict)

    def page(self, template: str, path: str, **context: Any) -> str:
        """A template filled for the page at ``path``, with what every page is given."""
        rel = "../" * path.count("/")
        canonical = self.base_url + path.removesuffix("index.html") if self.base_url else ""
        common = {"site": self.site, "rel": rel, "path": path, "canonical": canonical, "base_url": self.base_url}
        common["ways"] = self.ways
        page = context.get("page")
        common["nav"] = self._nav(rel, path, page.section.id if page else "")
        common["moved"] = [self._moved_part(move, rel) for move in self.library.moves.parts_of(path)]
        return self.templates.get_template(template).render(common | context)

    def _nav(self, rel: str, path: str, section: str) -> Markup:
        """The list of concepts; made once for all pages of a depth and section, but for the mark of the page itself."""
        menu = self.site.menu
        if (rel, section) not in self.navs:
            macro = self.templates.get_template("macros.html.j2").module.site_nav  # type: ignore[attr-defined]
            self.navs[rel, section] = macro(nav_menu(menu, section), rel, section)
        own = Markup('<a href="{}">').format(rel + path)
        return Markup(self.navs[rel, section].replace(own, own[:-1] + Markup(' aria-current="page">'), 1))

    @property
    def ways(self) -> list[dict[str, str]]:
        """Pages that the footer leads to; ``header`` says when the header does too: always, wide, or never ("")."""
        library = self.library
        known = [
            ("Paths", "paths/index.html", "always", bool(library.paths)),
            ("Map", "map/index.html", "wide", bool(library.pages)),
            ("Glossary", "glossary/index.html", "wide", bool(library.glossary)),
            ("Your progress", "progress/index.html", "", bool(library.pages)),
            ("Reading offline", "offline/index.html", "", True),
            ("Changes and corrections", "changes/index.html", "", bool(library.changes)),
        ]
        return [{"title": title, "url": url, "header": header} for title, url, header, exists in known if exists]

    def _moved_part(self, move: FragmentMove, rel: str) -> dict[str, str]:
        """A moved part as its page lists it: the old name, the way there, and what to call it."""
        place, _, fragment = move.target.partition("#")
        if place == move.page:
            return {"old": move.old, "href": f"#{fragment}", "text": f"#{fragment}"}
        slug = place.removeprefix("concepts/").removesuffix("/index.html")
        text = self.library.pages[slug].title if slug in self.library.pages else move.target
        return {"old": move.old, "href": rel + move.target, "text": text}

    def scope(self, source: str, path: str) -> Scope:
        """A fresh scope for text from the file ``source`` on the page at ``path``."""
        return Scope(
            self.library,
            self.templates,
            source,
            "../" * path.count("/"),
            render_block,
            render_inline,
        )


def nav_menu(menu: Menu, section: str) -> Menu:
    """The sections as the navigation of one of them shows them: with their pages, or in a large site (more than
    NAV_PAGES) the pages of that section alone, so that the pages of a site do not cost the square of their number."""
    if sum(len(pages) for _, _, pages in menu) <= NAV_PAGES:
        return menu
    return tuple((ident, title, pages if ident == section else ()) for ident, title, pages in menu)


@lru_cache(maxsize=2)
def environment(folder: Path, digest: str = "") -> Environment:
    """Jinja with autoescape on and undefined names as errors; ``digest`` tells the templates of two builds apart."""
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )


def site_of(library: Library) -> Site:
    """The sections with their pages in reading order, written or planned, and the datasets."""
    config = library.config
    return Site(
        title=config.title,
        tagline=config.tagline,
        sections=tuple(
            SectionRef(section.id, section.title, section.summary, tuple(map(library.page_ref, section.pages)))
            for section in config.sections
        ),
        datasets=tuple(dataset_ref(dataset) for dataset in library.datasets.values()),
        repository=config.repository,
        version=config.version,
    )


def concept_page(renderer: Renderer, slug: str) -> Rendered:
    """A concept page with everything its text refers to gathered once."""
    library, source = renderer.library, renderer.library.pages[slug]
    path = f"concepts/{slug}/index.html"
    scope = renderer.scope(source.path, path)
    html = render_block(source.body, scope, source.body_line)
    _front_claims(source, scope)
    metrics = _metric_panels(scope)
    around = neighbours(library, slug)
    named = [name for name in source.datasets if name in library.datasets]
    used = tuple(dict.fromkeys([*named, *scope.datasets]))
    page = ConceptPage(
        slug=slug,
        title=source.title,
        summary=source.summary,
        section=renderer.site.section(source.section),
        updated=source.updated,
        aliases=source.aliases,
        html=html,
        headings=tuple(scope.headings),
        before=around.before,
        unlocks=around.unlocks,
        related=around.related,
        previous=around.previous,
        next=around.next,
        datasets=tuple(dataset_ref(library.datasets[name]) for name in used),
        metrics=metrics,
        figures=tuple(scope.figures.values()),
        sources=_sources(scope.sources, library.bibliography),
        previews=tuple(scope.previews.values()),
        claims=tuple(scope.claims),
        twin=twin_path(slug),
        edit_url=edit_url(library.config.repository, source.path),
        paths=tuple(paths_through(library, slug)),
    )
    page = replace(page, jsonld=learning_resource(page, library.config.title, renderer.base_url))
    text = renderer.page(
        "concept.html.j2", path, kind="concept", title=source.title, description=source.summary, page=page
    )
    parts = {"": read_tree(page.html), **{metric.id: read_tree(metric.html) for metric in metrics}}
    twin = (twin_path(slug), concept_twin(page, library.datasets, parts))
    found = {ident and f"metric-{ident}": tree_passages(part) for ident, part in parts.items()}
    problems = (*scope.problems, *check_prose(source.text, source.path, tuple(library.allowed)))
    return Rendered(path, text, used, problems, (twin,), found)


def edit_url(repository: str, path: str) -> str:
    """Where a file of the repository can be edited; "" for a site without one."""
    return f"{repository.rstrip('/')}/edit/main/{path}" if repository else ""


def home_page(renderer: Renderer) -> Rendered:
    """The home page with its headline figures and walkthrough."""
    config = renderer.library.config
    scope = renderer.scope(config.path, "index.html")
    for reference in config.headline_figures:
        try:
            use_figure(scope, reference)
        except BrokenDataset:
            continue
        except UnknownName as error:
            scope.problem(0, "unknown-figure", f"headline: {error}", error.fix)
    html = render_block(config.headline_text, scope, 0)
    # Before the walkthrough adds the figures of its steps: those stand in it, not above it.
    figures = tuple(scope.figures.values())
    example = next((one for one in figures if one.ref == config.headline_example), None)
    if config.headline_example and figures and example is None:
        message = f"headline: the example {config.headline_example!r} is none of the figures"
        scope.problem(0, "unknown-figure", message, "name one of them")
    walkthrough = None
    if config.headline_walkthrough:
        walkthrough = render_directive(Directive("walkthrough", config.headline_walkthrough, "", 0), scope)
    text = renderer.page(
        "home.html.j2",
        "index.html",
        kind="home",
        title=config.title,
        description=config.tagline,
        headline=Headline(config.headline_title, html, figures, walkthrough, example),
    )
    return Rendered("index.html", text, tuple(scope.datasets), tuple(scope.problems))


def not_found_page(renderer: Renderer) -> Rendered:
    """The page a server shows for a wrong address at any depth.

    A relative link would lead elsewhere at every depth, so its links begin at the host: below the path of the base
    URL, or without one at the host's root, which ``notfound.js`` mends where the site lies elsewhere.
    """
    title = "No such page"
    rel = urlsplit(renderer.base_url).path or "/"
    aliases = {slug: page.aliases for slug, page in renderer.library.pages.items()}
    common = {"kind": "notfound", "title": title, "description": title, "rel": rel}
    text = renderer.page("notfound.html.j2", "404.html", **common, aliases=aliases, placed=bool(renderer.base_url))
    return Rendered("404.html", text)


def concept_index(renderer: Renderer) -> Rendered:
    """Every concept by section."""
    groups = [
        ListGroup(
            section.id,
            section.title,
            section.summary,
            tuple(ListEntry(page.title, page.summary, page.url) for page in section.pages),
        )
        for section in renderer.site.sections
        if section.pages
    ]
    return _list(
        renderer,
        "concepts/index.html",
        "Concepts",
        "Every concept, by subject. The learning paths give an order to read in.",
        groups,
    )


def data_index(renderer: Renderer) -> Rendered:
    """Every dataset with its kind, size and state."""
    entries = tuple(
        ListEntry(entry.title, entry.describes, entry.url, f"{entry.kind}, {entry.size_text}, {entry.state_text}")
        for entry in renderer.site.datasets
    )
    groups = [ListGroup("datasets", "Datasets", "", entries)] if entries else []
    intro = "Every captured run that a number on this site comes from."
    return _list(renderer, "data/index.html", "Data", intro, groups)


def _list(renderer: Renderer, path: str, title: str, intro: str, groups: list[ListGroup]) -> Rendered:
    text = renderer.page("list.html.j2", path, kind="list", title=title, description=intro, intro=intro, groups=groups)
    return Rendered(path, text)


def _front_claims(source: SourcePage, scope: Scope) -> None:
    """Evaluates the claims of the front matter."""
    for claim in source.claims:
        try:
            check_claim(claim.says, claim.holds, scope, claim.line)
        except BrokenDataset:
            continue
        except UnknownName as error:
            scope.problem(claim.line, "unknown-figure", f"claim “{claim.says}”: {error}", error.fix)
        except (ExpressionError, RoleError, TypeError) as error:
            scope.problem(claim.line, "claim", f"claim “{claim.says}”: {error}")


def _metric_panels(scope: Scope) -> tuple[MetricPanel, ...]:
    """The panels of the metrics used so far, and of those that panels use in turn."""
    panels: dict[str, MetricPanel] = {}
    while len(panels) < len(scope.metrics):
        metric = scope.library.metrics[scope.metrics[len(panels)]]
        own = replace(scope, path=metric.path, prefix=f"metric-{metric.id}-")
        html = render_block(metric.body, own, metric.body_line)
        panels[metric.id] = MetricPanel(metric.id, metric.title, metric.symbol, metric.unit, metric.summary, html)
    return tuple(panels.values())


def _sources(cited: Mapping[str, int], bibliography: Mapping[str, Reference]) -> tuple[SourceRef, ...]:
    return tuple(SourceRef(key, number, _reference(bibliography[key])) for key, number in cited.items())


def _reference(reference: Reference) -> Markup:
    return Markup('{} ({}). <a href="{}"><cite>{}</cite></a>. {}.').format(
        reference.authors, reference.year, reference.url, reference.title, reference.venue
    )
