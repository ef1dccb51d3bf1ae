"""The walkthrough of HTML nesting over its real dataset."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from markupsafe import Markup

from checks.html import check
from provenance.state import State
from render.reading.source import Dataset
from render.views.walkthrough import view
from render.walkthroughs.nesting import WALKTHROUGH

ROOT = Path(__file__).resolve().parents[2]
FILE = "data/interactive/nesting.json"


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    raw = (ROOT / FILE).read_bytes()
    return Dataset("nesting", FILE, json.loads(raw), raw, State("fresh", (), "hash-checked at build"))


@pytest.fixture(scope="module")
def html(dataset: Dataset) -> str:
    return "".join(
        Markup("<h4>{}</h4><div>{}</div>").format(step.title, step.body) for step in WALKTHROUGH.steps(dataset)
    )


def test_it_has_seven_states_and_predicts_before_one_of_them(dataset: Dataset) -> None:
    shown = view(WALKTHROUGH, dataset)
    assert [step.id for step in shown.steps] == [
        "trees", "start-tag", "end-tag", "html5lib", "scope", "parsed", "mended",
    ]  # fmt: skip
    assert shown.prediction is not None and sum(option.right for option in shown.prediction.options) == 1


def test_every_number_a_state_claims_is_printed_in_it(dataset: Dataset) -> None:
    for step in WALKTHROUGH.steps(dataset):
        for name in step.numbers:
            assert f">{dataset.figures[name]['value']}</data>" in step.body, (step.id, name)


def test_the_first_state_shows_that_the_trees_differ_and_where(dataset: Dataset) -> None:
    first = WALKTHROUGH.steps(dataset)[0].body
    assert "<strong>&lt;dialog&gt;  ◂</strong>" in first
    assert "<strong>    “The share found”  ◂</strong>" in first


def test_the_trace_ends_with_the_tree_of_the_whole_document(dataset: Dataset) -> None:
    case = next(case for case in dataset.result["cases"] if case["id"] == dataset.result["traced"]["id"])
    last = dataset.result["traced"]["tokens"][-1]
    assert (last["browser"], last["html5lib"]) == (case["browser"], case["html5lib"])


def test_the_sentences_hold_for_what_was_captured(dataset: Dataset) -> None:
    cases = {case["id"]: case for case in dataset.result["cases"]}
    others = [case for case in cases.values() if case["group"] == "paragraph"]
    assert [case["id"] for case in others if not case["html5lib_equal"]] == ["p-dialog", "p-search"]
    assert cases["button-div"]["as_written"] and cases["button-div"]["verdict"] == "non-conforming"
    assert cases["panel-outside"]["as_written"] and cases["panel-outside"]["verdict"] == "clean"


def test_its_html_is_clean_and_small(html: str) -> None:
    assert check(html, "nesting.html") == []
    assert len(gzip.compress(html.encode())) <= 50_000
