"""Full-text search without a service: what can be found, as a script for the browser and as a page that lists it all.

The script assigns one global, because a page opened from disk may load a script but no JSON. It is loaded when search
is first used; ``templates/assets/search-engine.js`` ranks it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from render.pages.renderer import Rendered, Renderer
from render.reading.learning import LearningPath, Term
from render.reading.library import Library, dataset_ref
from render.search.passages import Passage

PAGE = "search/index.html"
SCRIPT = "assets/search-index.js"
GLOBAL = "zerothSearchIndex"
WORDS = "glossary/index.html"


@dataclass(frozen=True)
class Entry:
    """Something that can be found. ``label`` says where it belongs, ``aliases`` what else it is called."""

    kind: str
    label: str
    title: str
    url: str
    summary: str
    aliases: tuple[str, ...]
    passages: tuple[Passage, ...]

    @property
    def headings(self) -> tuple[Passage, ...]:
        """The passages that have a heading to link to; states of walkthroughs, often many of one name, left out."""
        named = (passage for passage in self.passages if passage.fragment and passage.heading)
        return tuple(passage for passage in named if not passage.fragment.startswith("wt-"))


def search_entries(library: Library, pages: Iterable[Rendered]) -> tuple[Entry, ...]:
    """Concepts in the order of ``pages``, metrics that some page defines, words, learning paths, then datasets."""
    rendered = {page.path: page for page in pages}
    concepts = [entry for page in rendered.values() for entry in _concepts(library, page)]
    defined = rendered[WORDS].passages if library.glossary else {}
    words = [_term(term, defined) for term in library.glossary.values()]
    ways = [_path(path, rendered) for path in library.paths.values()]
    return (*concepts, *_metrics(library, rendered.values()), *words, *ways, *_datasets(library))


def search_script(entries: Iterable[Entry]) -> str:
    """The index documents as a classic script; the same entries give the same text."""
    documents = [
        {
            "kind": entry.kind,
            "label": entry.label,
            "title": entry.title,
            "url": entry.url,
            "summary": entry.summary,
            "aliases": entry.aliases,
            "passages": [[part.fragment, part.heading, part.paragraphs] for part in entry.passages],
        }
        for entry in entries
    ]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in documents)
    return f"globalThis.{GLOBAL} = [\n{lines}\n];\n"


def search_page(renderer: Renderer, entries: Iterable[Entry]) -> Rendered:
    """The page to search from; without script a list of everything with its headings."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.label, []).append(entry)
    title, says = (
        "Search",
        "Concepts, metrics, words, learning paths and datasets, by title, other name or a sentence of the text.",
    )
    text = renderer.page(
        "search.html.j2", PAGE, kind="search", title=title, description=says, groups=list(groups.items())
    )
    return Rendered(PAGE, text)


def _concepts(library: Library, page: Rendered) -> Iterator[Entry]:
    """The concept on a rendered page, if it is the page of one."""
    slug = page.path.removeprefix("concepts/").removesuffix("/index.html")
    source = library.pages.get(slug)
    if source is None or page.path != f"concepts/{slug}/index.html":
        return
    titles = {section.id: section.title for section in library.config.sections}
    label = titles.get(source.section, source.section)
    parts = _filled(page.passages[""])
    yield Entry("concept", label, source.title, page.path, source.summary, source.aliases, parts)


def _metrics(library: Library, pages: Iterable[Rendered]) -> Iterator[Entry]:
    """Every metric that a page holds a panel of, at the first such page."""
    placed: dict[str, tuple[str, list[Passage]]] = {}
    for page in pages:
        for anchor, found in page.passages.items():
            placed.setdefault(anchor, (page.path, found))
    for metric in library.metrics.values():
        anchor = f"metric-{metric.id}"
        if anchor in placed:
            path, found = placed[anchor]
            parts = _filled([Passage("", "", [line for part in found for line in part.paragraphs])])
            url = f"{path}#{anchor}"
            yield Entry("metric", "Metrics", metric.title, url, metric.summary, (metric.symbol,), parts)


def _term(term: Term, defined: Mapping[str, Sequence[Passage]]) -> Entry:
    """A word of the glossary with its definition, at its place there; ``defined``: the passages there by their id."""
    anchor = f"term-{term.id}"
    found = defined.get(anchor, ())
    says = " ".join([line for part in found for line in part.paragraphs][1:])
    if term.see:
        says = re.sub(r" See [^.]+\.$", "", says)
    return Entry("term", "Glossary", term.term, f"{WORDS}#{anchor}", says, term.also, ())


def _path(path: LearningPath, pages: Mapping[str, Rendered]) -> Entry:
    """A learning path with its text and the reason for each step."""
    url = f"paths/{path.id}/index.html"
    parts = _filled(pages[url].passages[""])
    return Entry("path", "Learning paths", path.title, url, path.summary, (path.audience,), parts)


def _datasets(library: Library) -> Iterator[Entry]:
    """Every dataset by what it describes, its caveats and the labels of its figures."""
    for dataset in library.datasets.values():
        ref = dataset_ref(dataset)
        figures = [
            Passage(f"fig-{name}", str(figure.get("label", name)), []) for name, figure in dataset.figures.items()
        ]
        parts = _filled([Passage("", "", list(dataset.data.get("caveats", ()))), *figures])
        yield Entry("dataset", "Datasets", ref.title, ref.url, ref.describes, (ref.name,), parts)


def _filled(found: Iterable[Passage]) -> tuple[Passage, ...]:
    return tuple(part for part in found if part.heading or part.paragraphs)
