"""What can be found: the index documents, the page that lists them without script, the page for a wrong address."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest

from render.search.passages import passages
from tests.site.conftest import REPOSITORY, Project


def documents(project: Project) -> dict[str, Any]:
    """The index documents by address, read from the script as JSON."""
    text = project.read("site/assets/search-index.js")
    found = re.fullmatch(r"globalThis\.zerothSearchIndex = (\[.*\]);\n", text, re.S)
    assert found
    return {entry["url"]: entry for entry in json.loads(found[1])}


@pytest.fixture
def built(project: Project) -> Project:
    project.replace(
        "content/concepts/retrieval/filters.md",
        "related: [indexes]",
        "aliases: [post-filtering, WHERE clause]\nrelated: [indexes]",
    )
    code, said = project.build()
    assert code == 0, said
    return project


def test_a_concept_is_indexed_with_names_summary_headings_fragments_and_sentences(built: Project) -> None:
    entry = documents(built)["concepts/filters/index.html"]
    assert (entry["title"], entry["label"]) == ("Filters", "Retrieval")
    assert entry["aliases"] == ["post-filtering", "WHERE clause"]
    assert entry["summary"] == "What a filter does to an approximate index."
    assert entry["passages"] == [["what-it-is", "What it is", ["A filter keeps recall@k at 0.412."]]]


def test_a_metric_is_found_at_its_panel_and_by_its_symbol(built: Project) -> None:
    entry = documents(built)["concepts/filters/index.html#metric-recall-at-k"]
    assert entry["label"] == "Metrics"
    assert entry["aliases"] == ["recall@k"]


def test_a_dataset_is_found_by_name_and_by_the_labels_of_its_figures(built: Project) -> None:
    entry = documents(built)["data/sample/index.html"]
    assert entry["aliases"] == ["sample"]
    assert ["fig-recall_one", "recall@10, one tenant", []] in entry["passages"]
    assert ["", "", ["One build of the index."]] in entry["passages"]


def test_every_address_of_the_index_exists_with_its_fragment(built: Project) -> None:
    for url, entry in documents(built).items():
        path, _, own = url.partition("#")
        page = built.read(f"site/{path}")
        fragments = [own, *(fragment for fragment, _, _ in entry["passages"])]
        assert all(f'id="{fragment}"' in page for fragment in fragments if fragment)


def test_the_search_page_lists_everything_with_its_headings_without_script(built: Project) -> None:
    page = built.read("site/search/index.html")
    for title in ("Filters", "Indexes", "Recall at k", "Recall behind a filter"):
        assert re.search(rf'<h3 class="entry-title"><a href="[^"]+">{title}</a></h3>', page), title
    assert '<a href="../concepts/filters/index.html#what-it-is">What it is</a>' in page
    assert "post-filtering, WHERE clause" in page
    assert "Searching needs script" in page


def test_every_page_has_a_link_to_search_that_works_without_script(built: Project) -> None:
    for file in (built.root / "site").rglob("index.html"):
        depth = "../" * (len(file.relative_to(built.root / "site").parts) - 1)
        assert f'href="{depth}search/index.html" data-find-open' in file.read_text(encoding="utf-8")


def test_no_page_loads_the_index_or_the_library_by_itself(built: Project) -> None:
    for file in (built.root / "site").rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert "search-index.js" not in text
        assert "minisearch" not in text


def test_the_page_for_a_wrong_address_links_from_the_host_and_lists_every_page(built: Project) -> None:
    page = built.read("site/404.html")
    assert 'href="/assets/site.css"' in page
    assert '<a href="/concepts/filters/index.html" data-words="filters post-filtering WHERE clause">Filters</a>' in page
    assert '<a href="/data/sample/index.html" data-words="sample">Recall behind a filter</a>' in page
    assert "later" not in page


def test_with_a_base_url_the_page_for_a_wrong_address_needs_no_mending(project: Project) -> None:
    assert project.build("--base-url", "https://example.org/z/")[0] == 0
    page = project.read("site/404.html")
    assert 'href="/z/concepts/filters/index.html"' in page
    assert page.count("notfound.js") == 1
    assert 'href="assets/' not in page and 'src="assets/' not in page


def test_passages_leave_out_drawings_tables_references_and_what_stands_outside() -> None:
    html = (
        "<p>outside</p><article class='prose'><p>Before.</p><h2 id='a'>One <em>two</em></h2>"
        "<p>Text <a class='cite' href='#s'>[3]</a>, with <math><mi>k</mi><mo>=</mo><mn>60</mn></math>.<br>More.</p>"
        "<table><tr><td>cell</td></tr></table><svg><title>drawn</title></svg>"
        "<ol><li id='wt-x--s'><h4>Step</h4><p>Says.</p></li></ol></article><p>after</p>"
    )
    found = passages(html, "article", "prose")[""]
    assert [(part.fragment, part.heading, part.paragraphs) for part in found] == [
        ("", "", ["Before."]),
        ("a", "One two", ["Text, with k=60. More."]),
        ("wt-x--s", "Step", ["Says."]),
    ]


def test_the_library_is_kept_with_its_licence_and_its_origin() -> None:
    folder = REPOSITORY / "templates/assets/vendor/minisearch"
    head, _, code = (folder / "minisearch.min.js").read_text(encoding="utf-8").partition("*/\n")
    assert "MiniSearch 7.2.0" in head and "MIT" in head and "SHA-256" in head
    assert "Permission is hereby granted" in (folder / "LICENSE.txt").read_text(encoding="utf-8")
    expected = "885c8833ae59798d751390a73f88b1514b866a0e0d3f08d41b6989058e3f48b9"
    assert hashlib.sha256(code.encode()).hexdigest() == expected, "the library was changed by hand"
