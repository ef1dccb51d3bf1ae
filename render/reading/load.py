"""Reading content and data from disk. Every loader reports what it cannot use and returns the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from checks.allowed import load_allowed
from checks.data import examine_dataset
from checks.problems import Problem
from checks.texts import read_text
from checks.yaml_text import read_yaml
from provenance.state import State
from render.reading import frontmatter
from render.reading.changelog import Change, read_changes
from render.reading.frontmatter import Field
from render.reading.learning import load_glossary, load_paths
from render.reading.library import Library
from render.reading.moves import load_moves
from render.reading.source import Claim, Config, Dataset, Reference, Section, SourceMetric, SourcePage
from render.reading.walkthroughs import load_walkthroughs

PAGE_FIELDS = (
    Field("title", "text"),
    Field("slug", "text"),
    Field("summary", "text"),
    Field("aliases", "names", required=False),
    Field("prerequisites", "names", required=False),
    Field("related", "names", required=False),
    Field("datasets", "names", required=False),
    Field("claims", "claims", required=False),
    Field("updated", "date"),
)
METRIC_FIELDS = (
    Field("title", "text"),
    Field("symbol", "text"),
    Field("unit", "text"),
    Field("summary", "text"),
)
REFERENCE_FIELDS = (
    Field("authors", "text"),
    Field("year", "number"),
    Field("title", "text"),
    Field("venue", "text"),
    Field("url", "text"),
)
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def load_library(root: Path, report: list[Problem], states: Mapping[str, State | None] | None = None) -> Library:
    """Everything the site is made from. ``states``: those of the datasets, where they have been examined already."""
    datasets, broken = load_datasets(root, states)
    return Library(
        config=load_config(root, report),
        pages=load_pages(root, report),
        metrics=load_metrics(root, report),
        bibliography=load_bibliography(root, report),
        datasets=datasets,
        broken=broken,
        changes=load_changes(root),
        moves=load_moves(root, report),
        paths=load_paths(root, report),
        glossary=load_glossary(root, report),
        walkthroughs=load_walkthroughs(root, report),
        allowed=tuple(load_allowed(root, report)),
    )


def load_pages(root: Path, report: list[Problem]) -> dict[str, SourcePage]:
    """The concept pages below ``content/concepts/<section>/``, by slug."""
    pages: dict[str, SourcePage] = {}
    for file in sorted((root / "content/concepts").glob("*/*.md")):
        path = file.relative_to(root).as_posix()
        text = read_text(file)
        document = frontmatter.parse(text, path, PAGE_FIELDS, report)
        if document is None:
            continue
        fields = document.fields
        line = document.lines.get("slug", 1)
        slug = fields["slug"]
        if not SLUG.fullmatch(slug) or slug != file.stem:
            message = f"the slug is {slug!r}: expected the file's name {file.stem!r}, small letters and hyphens"
            report.append(Problem(path, line, 1, "slug", message))
        elif slug in pages:
            report.append(Problem(path, line, 1, "slug", f"{pages[slug].path} has the slug {slug!r} too"))
        else:
            claim_line = document.lines.get("claims", 1)
            fields["claims"] = tuple(Claim(says, holds, claim_line) for says, holds in fields["claims"])
            pages[slug] = SourcePage(
                path=path,
                section=file.parent.name,
                text=text,
                body=document.body,
                body_line=document.body_line,
                lines=document.lines,
                **fields,
            )
    return pages


def load_changes(root: Path) -> tuple[Change, ...]:
    """The lines of ``CHANGELOG.md``; none where there is no such file."""
    file = root / "CHANGELOG.md"
    return tuple(read_changes(read_text(file))) if file.is_file() else ()


def load_metrics(root: Path, report: list[Problem]) -> dict[str, SourceMetric]:
    """The metric panels of ``content/metrics/``, by id (the file's name)."""
    metrics: dict[str, SourceMetric] = {}
    for file in sorted((root / "content/metrics").glob("*.md")):
        path = file.relative_to(root).as_posix()
        document = frontmatter.parse(read_text(file), path, METRIC_FIELDS, report)
        if document is not None:
            metrics[file.stem] = SourceMetric(
                path=path, id=file.stem, body=document.body, body_line=document.body_line, **document.fields
            )
    return metrics


def load_bibliography(root: Path, report: list[Problem]) -> dict[str, Reference]:
    """The references of ``content/bibliography.yml``, by key."""
    path = "content/bibliography.yml"
    values, lines = _yaml(root, path, report)
    references: dict[str, Reference] = {}
    for key, entry in values.items():
        if not isinstance(entry, dict):
            report.append(Problem(path, lines.get(key, 1), 1, "bibliography", f"`{key}` has no fields"))
            continue
        before = len(report)
        own_lines = {name: lines.get(key, 1) for name in entry}
        fields = frontmatter.check_fields(entry, path, REFERENCE_FIELDS, report, own_lines)
        if len(report) == before:
            references[key] = Reference(key=key, **fields)
    return references


def load_config(root: Path, report: list[Problem]) -> Config:
    """The names, sections and headline of ``content/site.yml``."""
    path = "content/site.yml"
    values, lines = _yaml(root, path, report)

    def known(key: str, kind: type, form: str) -> Any:
        if isinstance(values.get(key) or kind(), kind):
            return values.get(key) or kind()
        report.append(Problem(path, lines.get(key, 0), 1, "site-config", f"`{key}` is not {form}"))
        return kind()

    headline = known("headline", dict, "a mapping of title, text, figures, walkthrough and example")
    sections = []
    for entry in known("sections", list, "a list of sections"):
        if isinstance(entry, dict) and all(
            len(page) == 1 for page in _listed(entry, "pages") if isinstance(page, dict)
        ):
            sections.append(entry)
        else:
            form = "{id, title, summary, pages}, a page by its slug or {slug: title}"
            message = f"{entry!r} is no section: expected {form}"
            report.append(Problem(path, lines.get("sections", 0), 1, "site-config", message))
    config = Config(
        path=path,
        title=str(values.get("title", "")),
        tagline=str(values.get("tagline", "")),
        repository=str(values.get("repository") or ""),
        version=str(values.get("version", "")),
        sections=tuple(
            Section(
                str(entry.get("id", "")),
                str(entry.get("title", "")),
                str(entry.get("summary", "")),
                tuple(
                    str(next(iter(page))) if isinstance(page, dict) else str(page) for page in _listed(entry, "pages")
                ),
                {str(k): str(v) for page in _listed(entry, "pages") if isinstance(page, dict) for k, v in page.items()},
            )
            for entry in sections
        ),
        headline_title=str(headline.get("title") or ""),
        headline_text=str(headline.get("text") or ""),
        headline_figures=tuple(map(str, _listed(headline, "figures"))),
        headline_walkthrough=str(headline.get("walkthrough") or ""),
        headline_example=str(headline.get("example") or ""),
    )
    for field in ("title", "tagline", "version", "sections"):
        if not getattr(config, field):
            report.append(Problem(path, 0, 0, "site-config", f"the field `{field}` is missing"))
    return config


def _listed(entry: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key; one value alone is a list of one."""
    value = entry.get(key) or []
    return value if isinstance(value, list) else [value]


def load_datasets(
    root: Path, states: Mapping[str, State | None] | None = None
) -> tuple[dict[str, Dataset], frozenset[str]]:
    """The captured runs of ``data/interactive/`` by name, each with its state today, and the names of broken ones.

    A file that is no JSON, bears another name or breaks the schema is broken; ``checks.data`` reports how.
    """
    datasets: dict[str, Dataset] = {}
    broken: set[str] = set()
    for file in sorted((root / "data/interactive").glob("*.json")):
        state = examine_dataset(root, file).state if states is None else states.get(file.stem)
        if state is None:
            broken.add(file.stem)
            continue
        raw = file.read_bytes()
        path = file.relative_to(root).as_posix()
        datasets[file.stem] = Dataset(file.stem, path, json.loads(raw), raw, state)
    return datasets, frozenset(broken)


def _yaml(root: Path, path: str, report: list[Problem]) -> tuple[Mapping[str, Any], dict[str, int]]:
    """A YAML mapping and the line of each of its keys; an absent file is a problem and reads as empty."""
    file = root / path
    if not file.is_file():
        report.append(Problem(path, 0, 0, "missing-file", "the file is missing"))
        return {}, {}
    text = read_text(file)
    try:
        values = read_yaml(text) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "it cannot be read"
        report.append(Problem(path, mark.line + 1 if mark else 0, 1, "yaml", f"not YAML: {reason}"))
        return {}, {}
    lines = {
        found[1]: number for number, line in enumerate(text.split("\n"), 1) if (found := re.match(r"([\w-]+):", line))
    }
    if not isinstance(values, dict):
        report.append(Problem(path, 1, 1, "yaml", f"expected keys with values, found a {type(values).__name__}"))
        return {}, {}
    return values, lines
