"""The Markdown twin of a concept page: the same text, numbers and steps, for readers and programs without HTML."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping

from render.model import ConceptPage, DatasetRef, FigureRef, PageRef
from render.reading.source import Dataset
from render.takeaway.html_markdown import Link, inline_markdown, to_markdown
from render.text.tree import Node


def twin_path(slug: str) -> str:
    """Where the twin of a concept page stands, below the site's root."""
    return f"concepts/{slug}/index.md"


def twin_links(path: str) -> Link:
    """Addresses as they stand in the Markdown file at ``path``: concepts lead to their twins, all stay relative."""
    here = posixpath.dirname(path)

    def link(href: str) -> str:
        place, mark, fragment = href.partition("#")
        if "://" in place or not place:
            return href
        target = posixpath.normpath(posixpath.join(here, place))
        if target.startswith("concepts/") and target.count("/") == 2:
            target, mark, fragment = target.removesuffix(".html") + ".md", "", ""
        return posixpath.relpath(target, here) + mark + fragment

    return link


def concept_twin(page: ConceptPage, datasets: Mapping[str, Dataset], parts: Mapping[str, Node]) -> str:
    """A concept page as Markdown with front matter; each number names its dataset, formulas are TeX.

    ``parts`` are the page's prose ("") and the bodies of its metric panels (by their ids) as trees.
    """
    link = twin_links(twin_path(page.slug))
    head = {"title": page.title, "summary": page.summary, "section": page.section.title}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    blocks = ["\n".join(["---", *lines, f"updated: {page.updated}", "page: index.html", "license: MIT", "---"])]
    blocks += [f"# {page.title}", page.summary]
    if page.aliases:
        blocks.append(f"Also called {', '.join(page.aliases)}.")
    if page.before:
        blocks.append("Read first: " + _pages(page.before, link) + ".")
    blocks.append(to_markdown(parts[""], link))
    if page.metrics:
        blocks.append("## Metrics used here")
        for metric in page.metrics:
            blocks += [f"### {metric.title}", metric.summary, to_markdown(parts[metric.id], link)]
    if page.figures:
        blocks += ["## Numbers on this page", _numbers(page.figures)]
    if page.datasets:
        entries = [_dataset(entry, datasets[entry.name], link) for entry in page.datasets]
        blocks += ["## Datasets", "\n".join(entries)]
    if page.claims:
        entries = [f"- {claim.says} Checked: {inline_markdown(claim.basis, link)}" for claim in page.claims]
        blocks += ["## Held true by the build", "\n".join(entries)]
    if page.sources:
        entries = [f"{source.number}. {inline_markdown(source.html, link)}" for source in page.sources]
        blocks += ["## Sources", "\n".join(entries)]
    if page.unlocks:
        blocks.append("Builds on this: " + _pages(page.unlocks, link) + ".")
    return "\n\n".join(blocks) + "\n"


def _pages(pages: tuple[PageRef, ...], link: Link) -> str:
    return ", ".join(f"[{page.title}]({link('../../' + page.url)})" for page in pages)


def _numbers(figures: tuple[FigureRef, ...]) -> str:
    rows = ["| Figure | Value | Unit | n | Interval | What it is |", "| --- | ---: | --- | ---: | --- | --- |"]
    for figure in figures:
        label = figure.label.replace("|", "\\|")
        note = " (varies from run to run)" if figure.volatile else ""
        cells = [f"`{figure.ref}`", figure.text, figure.unit, figure.n, figure.interval_text, label + note]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _dataset(ref: DatasetRef, dataset: Dataset, link: Link) -> str:
    command = str(dataset.data.get("generated_by", {}).get("regenerate", ""))
    made = f" Made by `{command}`." if command else ""
    return (
        f"- `{ref.name}`: [{ref.title}]({link('../../' + ref.url)}), {ref.kind}, {ref.state_text}. "
        f"[JSON]({link('../../' + ref.json_url)}).{made}"
    )
