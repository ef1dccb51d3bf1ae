"""A walkthrough on a page: every step is in the HTML, with the numbers it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.html import check
from checks.problems import Problem
from render.reading.load import load_library
from render.site import RenderedSite, render_site
from tests.site.conftest import Project

FILE = "content/walkthroughs/sample/recall.md"
SAMPLE = (Path(__file__).parent / "walkthroughs/recall.md").read_text(encoding="utf-8")
PAGE = "content/concepts/retrieval/filters.md"


def rendered(project: Project, written: str = SAMPLE) -> RenderedSite:
    report: list[Problem] = []
    project.write(FILE, written)
    library = load_library(project.root, report)
    assert report == []
    return render_site(library, project.root / "templates")


def test_all_steps_are_listed_in_order_without_script(project: Project) -> None:
    project.append(PAGE, "\n```{walkthrough} sample\n```\n")
    site = rendered(project)
    assert site.problems == []
    page = str(site.files["concepts/filters/index.html"])
    places = [page.index(f'id="wt-recall--{step}"') for step in ("filter", "control", "both")]
    assert places == sorted(places)
    assert 'one tenant: <data value="0.4125">0.412</data>' in page
    assert 'all tenants: <data value="0.98125">0.98125</data>' in page
    assert '<li class="wt-step is-first" id="wt-recall--filter"' in page
    assert "Does the control lose as much?" in page
    assert "n = 240" in page and "captured 2025-05-01" in page
    assert 'id="num-sample-recall_all"' in page
    assert check(page, "page.html") == []


def test_a_walkthrough_twice_on_a_page_is_a_problem(project: Project) -> None:
    project.append(PAGE, "\n```{walkthrough} sample\n```\n\n```{walkthrough} sample\n```\n")
    assert [problem.rule for problem in rendered(project).problems] == ["duplicate-id"]


def test_a_dataset_without_a_walkthrough_is_a_problem_that_names_the_file(project: Project) -> None:
    project.append(PAGE, "\n```{walkthrough} sample\n```\n")
    code, said = project.build()
    assert code == 1
    assert "[unknown-walkthrough]" in said and "content/walkthroughs/sample/<id>.md" in said


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{#control}", "{#filter}", "two steps are called 'filter'"),
        ("{#both}", "", "names no state"),
        ("{#both}", "{#b c}", "'b c' is no id"),
        ("kind: stepper", "kind: ladder", "no kind of walkthrough is called `ladder`"),
        ("kind: stepper", "kind: stepper\nfigures: [nothing_*]", "no figure of sample is called `nothing_*`"),
        ("kind: stepper", "kind: stepper\nopens: nowhere", "opens at 'nowhere', which is no step"),
        ("/result/rows/0/role", "/result/rows/0/rule", "has the keys ef, empty, note, recall, role, not 'rule'"),
        ("/result/rows/0/role", "rows/role", "nothing is called `rows` here; did you mean `row`?"),
        ("right: true", "right: false", "no option of the question is right"),
    ],
)
def test_what_is_wrong_with_a_walkthrough_is_reported_at_its_place(
    project: Project, old: str, new: str, told: str
) -> None:
    project.append(PAGE, "\n```{walkthrough} sample#recall\n```\n")
    assert old in SAMPLE
    project.write(FILE, SAMPLE.replace(old, new, 1))
    code, said = project.build()
    assert code == 1
    assert told in said, said
    assert "Traceback" not in said
