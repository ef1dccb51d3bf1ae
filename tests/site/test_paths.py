"""Learning paths and the concept map: ways through pages that exist, in an order their prerequisites allow."""

from __future__ import annotations

import re

import pytest

from render.pages.concept_map import drawing, layered
from render.reading.load import load_library
from tests.site.conftest import REPOSITORY, Project

PATH = "content/paths/first.md"
STEPS = "  - {concept: filters, why: It comes first.}\n  - {concept: indexes, why: It needs *filters*.}\n"


def path(steps: str = STEPS) -> str:
    return f"---\ntitle: A first way\nfor: For readers of tests.\nsummary: Two pages.\nsteps:\n{steps}---\nRead on.\n"


def test_a_path_has_a_page_with_its_steps_and_reasons_in_order(project: Project) -> None:
    project.write(PATH, path())
    code, said = project.build()
    assert code == 0, said
    page = project.read("site/paths/first/index.html")
    assert page.index("It comes first.") < page.index("It needs <em>filters</em>.")
    assert '<a href="../../concepts/filters/index.html">Filters</a>' in page
    assert "For readers of tests." in page and "<p>Read on.</p>" in page
    assert "A first way" in project.read("site/paths/index.html")


def test_a_concept_page_tells_its_place_on_a_path_and_what_comes_next(project: Project) -> None:
    project.write(PATH, path())
    assert project.build()[0] == 0
    page = project.read("site/concepts/filters/index.html")
    link = '<a href="../../paths/first/index.html">A first way</a>, page 1 of 2.'
    assert f'{link} Next there: <a href="../../concepts/indexes/index.html">Indexes</a>.' in page
    assert "page 2 of 2. The last one." in project.read("site/concepts/indexes/index.html")


@pytest.mark.parametrize(
    ("steps", "rule", "words"),
    [
        ("  - {concept: filtres, why: x}\n", "unknown-concept", "did you mean `filters`?"),
        ("  - {concept: later, why: x}\n", "planned-concept", "`later` is not written yet"),
        ("  - {concept: indexes, why: x}\n  - {concept: filters, why: x}\n", "path-order", "`indexes` comes before"),
        ("  - {concept: filters, why: x}\n  - {concept: filters, why: x}\n", "path-step", "twice"),
        ("  - {concept: filters}\n", "front-matter", "a list of {concept, why}"),
    ],
)
def test_a_path_that_cannot_be_walked_fails_the_build(project: Project, steps: str, rule: str, words: str) -> None:
    project.write(PATH, path(steps))
    code, said = project.build()
    assert code == 1
    assert re.search(rf"{PATH}:5:1: error \[{rule}\]", said), said
    assert words in said


def test_without_paths_nothing_leads_to_them(project: Project) -> None:
    assert project.build()[0] == 0
    assert not (project.root / "site/paths").exists()
    assert "paths/index.html" not in project.read("site/index.html")


def test_the_map_puts_a_page_one_layer_after_what_it_needs(project: Project) -> None:
    library = load_library(project.root, [])
    assert layered(library) == [["filters"], ["indexes"]]
    svg = drawing(library, layered(library), "../")
    assert svg.count('class="map-edge"') == 1
    assert '<a class="map-node" href="../concepts/indexes/index.html" data-slug="indexes">' in svg


def test_everything_on_the_map_stands_beside_it_in_words(project: Project) -> None:
    assert project.build()[0] == 0
    page = project.read("site/map/index.html")
    words = page[page.index("The same in words") :]
    for slug in re.findall(r'data-slug="([a-z-]+)"', page):
        assert f'href="../concepts/{slug}/index.html"' in words
    assert re.search(r"Needs <a href=[^>]+>Filters</a>", words)


def test_the_paths_of_this_site_hold_for_four_kinds_of_reader() -> None:
    library = load_library(REPOSITORY, [])
    assert set(library.paths) == {"newcomer", "search-engineer", "security-reviewer", "evaluator"}
    for entry in library.paths.values():
        assert len(entry.steps) >= 4
        assert all(slug in library.pages and why for slug, why in entry.steps), entry.id
