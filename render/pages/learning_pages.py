"""Pages that lead through the concepts: learning paths, the glossary, the map, one's own progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checks.problems import Problem
from render.model import ListEntry, ListGroup
from render.pages.renderer import Rendered, Renderer
from render.reading.learning import GLOSSARY, LearningPath, Term
from render.reading.library import Library, UnknownName
from render.search.passages import passages
from render.text.markdown import render_block, render_inline
from render.text.scope import Scope


def check_learning(library: Library) -> list[Problem]:
    """Steps of paths that are unknown, unwritten or before their ground; "see" of terms that name no concept."""
    problems = [problem for path in library.paths.values() for problem in _check_path(library, path)]
    for term in library.glossary.values():
        if term.see:
            problems += _known(library, term.see, GLOSSARY, term.line)
    return problems


def _check_path(library: Library, path: LearningPath) -> Iterator[Problem]:
    done: list[str] = []
    for slug, _ in path.steps:
        yield from _known(library, slug, path.path, path.steps_line)
        if slug in library.config.order and slug not in library.pages:
            message = f"`{slug}` is not written yet"
            yield Problem(path.path, path.steps_line, 1, "planned-concept", message, "take it off the path until it is")
        if slug in done:
            yield Problem(path.path, path.steps_line, 1, "path-step", f"`{slug}` stands on this path twice")
        late = [other for other, _ in path.steps if slug in library.pages and _needs(library, slug, other)]
        for other in late:
            if other not in done:
                message = f"`{slug}` comes before `{other}`, which it needs"
                yield Problem(path.path, path.steps_line, 1, "path-order", message, f"move `{other}` up")
        done.append(slug)


def _needs(library: Library, slug: str, other: str) -> bool:
    return other in library.pages[slug].prerequisites


def _known(library: Library, slug: str, path: str, line: int) -> Iterator[Problem]:
    try:
        library.page_ref(slug)
    except UnknownName as error:
        yield Problem(path, line, 1, error.rule, str(error), error.fix)


def path_page(renderer: Renderer, ident: str) -> Rendered:
    """A learning path: its text, and each step with the reason for it."""
    path = renderer.library.paths[ident]
    url = f"paths/{path.id}/index.html"
    scope = renderer.scope(path.path, url)
    steps = [
        {"page": renderer.library.page_ref(slug), "why": render_inline(why, scope, path.steps_line)}
        for slug, why in path.steps
        if slug in renderer.library.pages
    ]
    text = renderer.page(
        "path.html.j2",
        url,
        kind="path",
        title=path.title,
        description=path.summary,
        audience=render_inline(path.audience, scope, 1),
        html=render_block(path.body, scope, path.body_line),
        steps=steps,
    )
    found = passages(text, "div", "prose")
    return Rendered(url, text, tuple(scope.datasets), tuple(scope.problems), passages=found)


def path_index(renderer: Renderer) -> Rendered:
    """Every learning path."""
    entries = tuple(
        ListEntry(path.title, path.summary, f"paths/{path.id}/index.html", f"{path.audience} {_pages(len(path.steps))}")
        for path in renderer.library.paths.values()
    )
    intro = "Ways through the pages, by what you want to be able to do. Each says why a page stands where it does."
    text = renderer.page(
        "list.html.j2",
        "paths/index.html",
        kind="list",
        title="Learning paths",
        description=intro,
        intro=intro,
        groups=[ListGroup("paths", "Paths", "", entries)],
    )
    return Rendered("paths/index.html", text)


def progress_page(renderer: Renderer) -> Rendered:
    """The page that shows, exports, imports and forgets what the browser keeps; a script fills it."""
    url = "progress/index.html"
    description = "Which pages you have read, kept in this browser and nowhere else."
    text = renderer.page("progress.html.j2", url, kind="progress", title="Your progress", description=description)
    return Rendered(url, text)


def _pages(count: int) -> str:
    return "1 page." if count == 1 else f"{count} pages."


def glossary_page(renderer: Renderer) -> Rendered:
    """Every term by its first letter."""
    url = "glossary/index.html"
    scope = renderer.scope(GLOSSARY, url)
    terms = [_term(renderer, term, scope) for term in renderer.library.glossary.values()]
    letters: dict[str, list[dict[str, Any]]] = {}
    for term in terms:
        letters.setdefault(term["term"][0].upper(), []).append(term)
    intro = "Words as these pages use them, each in a sentence or two, and the page that explains it."
    text = renderer.page(
        "glossary.html.j2", url, kind="list", title="Glossary", description=intro, letters=list(letters.items())
    )
    found = passages(text, "div", "term")
    return Rendered(url, text, tuple(scope.datasets), tuple(scope.problems), passages=found)


def _term(renderer: Renderer, term: Term, scope: Scope) -> dict[str, Any]:
    see = renderer.library.pages.get(term.see)
    return {
        "id": term.id,
        "term": term.term,
        "also": term.also,
        "html": render_inline(term.says, scope, term.line),
        "see": renderer.library.page_ref(term.see) if see else None,
    }
