"""The template context: what templates may read. Every url is relative to the site's root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup


@dataclass(frozen=True)
class PageRef:
    """A concept page, as links, previews and lists show it."""

    slug: str
    title: str
    summary: str
    url: str
    exists: bool = True


@dataclass(frozen=True)
class SectionRef:
    """A section with its pages in reading order."""

    id: str
    title: str
    summary: str
    pages: tuple[PageRef, ...]


@dataclass(frozen=True)
class DatasetRef:
    """A dataset, as links and lists show it; ``state_text`` says the state in words."""

    name: str
    title: str
    describes: str
    url: str
    json_url: str
    state: str
    state_text: str
    kind: str
    size_text: str


@dataclass(frozen=True)
class Site:
    """What every page knows of the whole."""

    title: str
    tagline: str
    sections: tuple[SectionRef, ...]
    datasets: tuple[DatasetRef, ...]
    repository: str
    version: str

    @property
    def menu(self) -> tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]:
        """The sections with written pages for the navigation: id, title, and each page's address and title."""
        listed = (
            (section.id, section.title, tuple((page.url, page.title) for page in section.pages if page.exists))
            for section in self.sections
        )
        return tuple(entry for entry in listed if entry[2])

    def section(self, ident: str) -> SectionRef:
        """A section without its pages; one that is not in the catalogue is called by its id."""
        known = (SectionRef(one.id, one.title, one.summary, ()) for one in self.sections if one.id == ident)
        return next(known, SectionRef(ident, ident, "", ()))


@dataclass(frozen=True)
class FigureRef:
    """A number a page prints: how it reads, what it is and how to make it again."""

    ref: str
    anchor: str
    value: Any
    text: str
    unit: str
    label: str
    n: str
    interval_text: str
    digits: int | None
    kind: str
    command: str
    dataset: DatasetRef
    url: str
    volatile: bool
    caveats: tuple[str, ...]
    state_text: str
    interval: tuple[float, ...] = ()


@dataclass(frozen=True)
class Heading:
    """A heading of a page body; ``level`` is 2 for the outermost."""

    id: str
    title: str
    level: int


@dataclass(frozen=True)
class MetricPanel:
    """A metric's definition, rendered once a page outside the prose (``id`` lacks the ``metric-`` prefix)."""

    id: str
    title: str
    symbol: str
    unit: str
    summary: str
    html: Markup


@dataclass(frozen=True)
class SourceRef:
    """A reference of a page's bibliography, numbered in the order of first citation."""

    key: str
    number: int
    html: Markup


@dataclass(frozen=True)
class CheckedClaim:
    """A statement the build evaluated: the predicate with its operands as linked numbers."""

    says: str
    basis: Markup


@dataclass(frozen=True)
class ConceptPage:
    """Everything ``concept.html.j2`` prints; ``twin`` is the page's Markdown file, ``jsonld`` safe inside a script."""

    slug: str
    title: str
    summary: str
    section: SectionRef
    updated: str
    aliases: tuple[str, ...]
    html: Markup
    headings: tuple[Heading, ...]
    before: tuple[PageRef, ...]
    unlocks: tuple[PageRef, ...]
    related: tuple[PageRef, ...]
    previous: PageRef | None
    next: PageRef | None
    datasets: tuple[DatasetRef, ...]
    metrics: tuple[MetricPanel, ...]
    figures: tuple[FigureRef, ...]
    sources: tuple[SourceRef, ...]
    previews: tuple[PageRef, ...]
    claims: tuple[CheckedClaim, ...]
    twin: str = ""
    edit_url: str = ""
    jsonld: Markup | str = ""
    paths: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class DataTable:
    """A table drawn from ``result``: cells are text, ``numeric`` names the columns to align right."""

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str
    numeric: tuple[bool, ...]


@dataclass(frozen=True)
class DatasetPage:
    """Everything ``dataset.html.j2`` prints; ``jsonld`` is safe inside a script element."""

    name: str
    title: str
    describes: str
    url: str
    kind: str
    state: str
    state_text: str
    reasons: tuple[str, ...]
    caveats: tuple[str, ...]
    figures: tuple[FigureRef, ...]
    cited: tuple[Any, ...]
    tables: tuple[DataTable, ...]
    command: str
    script: str
    commit: str
    code: tuple[dict[str, str], ...]
    inputs: tuple[dict[str, Any], ...]
    models: tuple[dict[str, Any], ...]
    params: tuple[tuple[str, str], ...]
    environment: tuple[tuple[str, str], ...]
    run: tuple[tuple[str, str], ...]
    determinism: str
    digest: str
    integrity: str
    canary: str
    verified: tuple[dict[str, Any], ...]
    cite: str
    used_by: tuple[PageRef, ...]
    json_url: str
    csv_url: str
    size_text: str
    jsonld: Markup


@dataclass(frozen=True)
class ListEntry:
    """One line of an index page; an empty ``url`` prints as not written yet."""

    title: str
    summary: str
    url: str
    meta: str = ""


@dataclass(frozen=True)
class ListGroup:
    """A titled run of lines of an index page."""

    id: str
    title: str
    summary: str
    entries: tuple[ListEntry, ...]


@dataclass(frozen=True)
class WalkthroughView:
    """A walkthrough as its macro reads it: drawn ``steps``, and the facts of the line below the figure.

    ``kind`` is a ``render.views.kinds.kind.Kind``; ``dials`` are the axes of a grid of steps, ``cells`` says what its
    cells print; ``opens`` is the id of the step shown first; ``figures`` names those of its dataset that it prints.
    """

    id: str
    title: str
    intro: str | Markup
    steps: tuple[Any, ...]
    prediction: Any
    kind: Any
    n_text: str
    corpus: str
    made_text: str
    dataset: DatasetRef
    caveats: tuple[str, ...]
    dials: tuple[Any, ...] = ()
    figures: tuple[str, ...] = ()
    opens: str = ""
    cells: str = ""

    @property
    def axes(self) -> list[tuple[str, tuple[str, ...]]]:
        """The dials as plain values, for the script."""
        return [(dial.name, dial.values) for dial in self.dials]


@dataclass(frozen=True)
class Headline:
    """What the home page leads with."""

    title: str
    html: Markup
    figures: tuple[FigureRef, ...]
    walkthrough: Markup | None
    example: FigureRef | None = None
