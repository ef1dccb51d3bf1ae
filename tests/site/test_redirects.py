"""Old addresses keep working: renamed pages and parts send on, and what was published cannot vanish unnoticed."""

from __future__ import annotations

import json
import re

import pytest

from tests.site.conftest import Project

PAGE = "content/concepts/retrieval/indexes.md"
URL = "concepts/indexes/index.html"
IDS = "content/published-ids.json"
MOVES = "content/redirects.yml"


def published(project: Project) -> None:
    assert project.build("--update-ids")[0] == 0


def rename_part(project: Project) -> None:
    project.replace(PAGE, "## How it works", "## How it is built")


def rename_page(project: Project) -> None:
    text = project.read(PAGE).replace("slug: indexes", "slug: vector-indexes")
    (project.root / PAGE).unlink()
    project.write("content/concepts/retrieval/vector-indexes.md", text)
    project.replace("content/site.yml", "indexes", "vector-indexes")
    project.replace("content/concepts/retrieval/filters.md", "[indexes]", "[vector-indexes]")


def test_update_ids_lists_pages_and_lasting_ids_and_drops_none(project: Project) -> None:
    published(project)
    listed = json.loads(project.read(IDS))
    assert {"what-it-is", "how-it-works", "metric-recall-at-k"} <= set(listed[URL])
    assert "fig-recall_one" in listed["data/sample/index.html"]
    assert not [ident for ident in listed[URL] if ident.startswith(("num-", "preview-", "source-"))]
    listed[URL].append("a-part-of-old")
    project.write(IDS, json.dumps(listed))
    project.write(MOVES, f"fragments:\n  - {{page: {URL}, from: a-part-of-old, to: what-it-is}}\n")
    published(project)
    assert "a-part-of-old" in json.loads(project.read(IDS))[URL]


def test_a_published_part_that_is_gone_fails_the_build_with_place_and_remedy(project: Project) -> None:
    published(project)
    rename_part(project)
    code, said = project.build()
    assert code == 1
    line = project.read(IDS).split("\n").index('  "how-it-works",') + 1
    assert f"{IDS}:{line}:1: error [published-id] {URL} has no id 'how-it-works' any more" in said
    assert f"{{page: {URL}, from: how-it-works, to: …}}" in said


def test_a_published_page_that_is_gone_fails_the_build_with_place_and_remedy(project: Project) -> None:
    published(project)
    rename_page(project)
    code, said = project.build()
    assert code == 1
    assert f"[published-page] {URL} was published and is gone" in said
    assert f"{{from: {URL}, to: …}}" in said


def test_a_renamed_part_is_listed_on_its_page_and_leads_to_its_new_name(project: Project) -> None:
    published(project)
    rename_part(project)
    project.write(MOVES, f"fragments:\n  - {{page: {URL}, from: how-it-works, to: how-it-is-built}}\n")
    code, said = project.build()
    assert code == 0, said
    page = project.read(f"site/{URL}")
    assert re.search(r'<li id="how-it-works">.*<a href="#how-it-is-built">', page)
    assert "assets/moved.js" in page
    assert "assets/moved.js" not in project.read("site/concepts/filters/index.html")


def test_a_part_may_move_to_another_page(project: Project) -> None:
    move = f"{{page: {URL}, from: costs, to: concepts/filters/index.html#what-it-is}}"
    project.write(MOVES, f"fragments:\n  - {move}\n")
    assert project.build()[0] == 0
    page = project.read(f"site/{URL}")
    assert '<li id="costs"><code>#costs</code> is now <a href="../../concepts/filters/index.html#what-it-is">' in page


@pytest.mark.parametrize("base", ["", "https://example.org/z"])
def test_a_renamed_page_sends_on_without_script(project: Project, base: str) -> None:
    published(project)
    rename_page(project)
    project.write(MOVES, f"pages:\n  - {{from: {URL}, to: concepts/vector-indexes/index.html}}\n")
    code, said = project.build(*(["--base-url", base] if base else []))
    assert code == 0, said
    page = project.read(f"site/{URL}")
    assert '<meta http-equiv="refresh" content="0; url=../vector-indexes/index.html">' in page
    assert '<a href="../vector-indexes/index.html" data-moved-page>' in page
    home = f"{base}/concepts/vector-indexes/" if base else "../vector-indexes/index.html"
    assert f'<link rel="canonical" href="{home}">' in page
    if base:
        assert "concepts/indexes/" not in project.read("site/sitemap.xml")


def test_parts_of_a_renamed_page_must_live_on_where_it_went(project: Project) -> None:
    published(project)
    rename_page(project)
    project.replace("content/concepts/retrieval/vector-indexes.md", "## How it works", "## How it is built")
    project.write(MOVES, f"pages:\n  - {{from: {URL}, to: concepts/vector-indexes/index.html}}\n")
    code, said = project.build()
    assert code == 1
    assert "concepts/vector-indexes/index.html has no id 'how-it-works' any more" in said


@pytest.mark.parametrize(
    ("text", "line", "said_of_it"),
    [
        ("pages:\n  - {from: old/index.html, to: concepts/nothing/index.html}\n", 2, "which is no page"),
        (f"pages:\n  - {{from: {URL}, to: index.html}}\n", 2, "is a page of the site"),
        ("fragments:\n\n  - {page: concepts/x/index.html, from: a, to: b}\n", 3, "which is no page"),
        ("pages:\n  - {from: /old, to: index.html}\n", 2, "names no page"),
        ("pages:\n  - {from: old.html}\n", 2, "is no redirect"),
        ("pages: [\n", 2, "not YAML"),
    ],
)
def test_a_redirect_that_cannot_work_is_named_with_its_line(
    project: Project, text: str, line: int, said_of_it: str
) -> None:
    project.write(MOVES, text)
    code, said = project.build()
    assert code == 1
    assert re.search(rf"{MOVES}:{line}:1: error .*{said_of_it}", said), said


def test_a_fragment_redirect_to_a_part_that_is_not_there_is_a_broken_link(project: Project) -> None:
    project.write(MOVES, f"fragments:\n  - {{page: {URL}, from: old, to: nowhere}}\n")
    code, said = project.build()
    assert code == 1
    assert "[broken-fragment]" in said and "'nowhere'" in said
