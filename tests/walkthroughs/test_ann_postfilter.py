"""The walkthrough of the headline: its states, its numbers, and that its prediction is right on the captured run."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from checks.html import check
from render.numbers import number_text
from render.reading.load import load_library
from render.reading.source import Dataset
from render.views.walkthrough import Step, view
from render.walkthroughs._ann_cases import reader
from render.walkthroughs.ann_postfilter import WALKTHROUGH

ROOT = Path(__file__).resolve().parents[2]
STATES = ["nothing", "distance", "readers", "home", "dial", "home-questions", "away-questions", "planner", "lexical"]


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    found = load_library(ROOT, []).datasets.get("ann_postfilter")
    if found is None:
        pytest.skip("data/interactive/ann_postfilter.json has not been captured")
    return found


@pytest.fixture(scope="module")
def steps(dataset: Dataset) -> dict[str, Step]:
    return {step.id: step for step in view(WALKTHROUGH, dataset).steps}


def text(step: Step) -> str:
    """What a reader without script sees of a step, marks of structure left out."""
    return re.sub(r"<[^>]+>", " ", step.body)


def test_it_has_nine_states_in_order(steps: dict[str, Step]) -> None:
    assert list(steps) == STATES


def test_the_first_view_shows_an_empty_result_beside_a_full_exact_one(dataset: Dataset, steps: dict[str, Step]) -> None:
    case = next(case for case in dataset.at("/result/cases") if case["id"] == "away")
    assert case["returned"] == [] and len(case["exact"]) == dataset.params["k"]
    shown = text(steps["nothing"])
    assert case["query"]["question"] in shown.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&")
    assert steps["nothing"].body.count('class="slot discarded"') == len(case["slots"])
    assert steps["nothing"].body.count('class="slot empty"') == len(case["exact"])
    for row in case["exact"]:
        assert row["id"] in shown and number_text(row["distance"], 3) in text(steps["distance"])


def test_every_figure_a_step_names_exists_and_stands_in_its_text(dataset: Dataset, steps: dict[str, Step]) -> None:
    for step in steps.values():
        for name in step.numbers:
            value = dataset.figures[name]["value"]
            assert f'<data value="{value!r}">' in step.body or str(value) in step.says, f"{step.id}: {name}"


def test_the_candidates_a_reader_may_see_are_what_the_search_returned(dataset: Dataset) -> None:
    for case in dataset.at("/result/cases"):
        for role in case["roles"]:
            permitted = sum(slot["tenant"] in role["tenants"] for slot in case["slots"])
            at = next(entry for entry in role["by_ef"] if entry["ef_search"] == case["ef_search"])
            assert at["returned"] == min(permitted, dataset.params["k"]), (case["id"], role["cell"])


def test_the_right_answer_of_the_prediction_is_right_on_this_run(dataset: Dataset) -> None:
    home = next(case for case in dataset.at("/result/cases") if case["id"] == "home")
    permitted = [slot["permitted"] for slot in home["slots"]]
    at = next(entry for entry in home["by_ef"] if entry["ef_search"] == home["ef_search"])
    assert any(permitted) and not all(permitted) and 0 < at["recall"] < 1
    assert WALKTHROUGH.prediction is not None
    assert [option.right for option in WALKTHROUGH.prediction.options].count(True) == 1


def test_home_and_away_are_never_drawn_in_one_recall_chart(steps: dict[str, Step]) -> None:
    assert "away" not in text(steps["home-questions"]) and "home" not in text(steps["away-questions"])


def test_the_markup_is_clean_and_small(dataset: Dataset, steps: dict[str, Step]) -> None:
    page = "<!doctype html><html lang=en><head><title>t</title></head><body>{}</body></html>"
    whole = page.format("".join(step.body for step in steps.values()))
    assert check(whole, "ann_postfilter.html") == []
    assert len(gzip.compress(whole.encode())) < 50_000


def test_readers_are_named_in_words() -> None:
    named = [reader(cell) for cell in ("all", "home1", "away10")]
    assert named == ["all tenants", "1 tenant, home", "10 tenants, away"]


def test_what_the_page_on_row_level_security_says_of_plans_holds(dataset: Dataset) -> None:
    rows = [row for row in dataset.at("/result/plan_choices") if row["cell"] == "home1"]
    left = {(row["form"], row["btree"]) for row in rows if row["ef_search"] == 40 and row["plan"] != "hnsw index scan"}
    assert left <= {("array_setting", True), ("definer_per_row", True)}  # the sample of the statistics decides
    estimable = {"definer_per_row", "array_setting"}
    for row in rows:
        if row["ef_search"] == 200:
            assert (row["plan"] != "hnsw index scan") == (row["btree"] and row["form"] in estimable), row
    everyone = dataset.at("/result/plan_choices")
    same = {row["form"]: {other["estimated"] for other in everyone if other["form"] == row["form"]} for row in everyone}
    assert {form for form, estimates in same.items() if len(estimates) == 1} == {"definer_subquery", "acl_subquery"}
