"""A walkthrough on a page: every step is in the HTML, with the numbers it prints."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.html import check
from checks.problems import Problem
from render.reading.load import load_library
from render.site import RenderedSite, render_site
from render.views.walkthrough import Prediction, Step, view
from tests.site.conftest import Project
from tests.site.walkthroughs.sample import WALKTHROUGH

PAGE = "content/concepts/retrieval/filters.md"


def rendered(project: Project) -> RenderedSite:
    report: list[Problem] = []
    library = load_library(project.root, report)
    assert report == []
    return render_site(library, project.root / "templates", walkthrough_package="tests.site.walkthroughs")


def test_all_steps_are_listed_in_order_without_script(project: Project) -> None:
    project.append(PAGE, "\n```{walkthrough} sample\n```\n")
    site = rendered(project)
    assert site.problems == []
    page = str(site.files["concepts/filters/index.html"])
    places = [page.index(f'id="wt-sample--{step}"') for step in ("filter", "control", "both")]
    assert places == sorted(places)
    assert "one tenant: 0.4125" in page and "all tenants: 0.98125" in page
    assert "Does the control lose as much?" in page
    assert "n = 240" in page and "captured 2025-05-01" in page
    assert 'id="num-sample-recall_all"' in page
    assert check(page, "page.html") == []


def test_a_walkthrough_twice_on_a_page_is_a_problem(project: Project) -> None:
    project.append(PAGE, "\n```{walkthrough} sample\n```\n\n```{walkthrough} sample\n```\n")
    assert [problem.rule for problem in rendered(project).problems] == ["duplicate-id"]


def test_a_dataset_without_a_walkthrough_module_is_a_problem_that_names_the_file(project: Project) -> None:
    project.append(PAGE, "\n```{walkthrough} sample\n```\n")
    code, said = project.build()
    assert code == 1
    assert "[unknown-walkthrough]" in said and "render/walkthroughs/sample.py" in said


def test_steps_of_one_name_and_a_prediction_before_no_step_are_refused(project: Project) -> None:
    dataset = load_library(project.root, []).datasets["sample"]
    step = Step("a", "A", "A.", WALKTHROUGH.steps(dataset)[0].body)
    with pytest.raises(ValueError, match="two steps"):
        view(replace(WALKTHROUGH, steps=lambda _: [step, step], prediction=None), dataset)
    with pytest.raises(ValueError, match="no step"):
        view(replace(WALKTHROUGH, prediction=Prediction("z", "?", ())), dataset)
