"""What every walkthrough keeps to, whatever its kind."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest
from markupsafe import Markup

from checks.html import check
from render.model import WalkthroughView
from render.pages.renderer import environment
from render.views.kinds.kind import kinds
from tests.walkthroughs.drawing import LARGEST, ROOT, dataset, prints, spaced, text, view_of
from tests.walkthroughs.every import all_walkthroughs

ONES = sorted(all_walkthroughs())


def _view(ident: str) -> WalkthroughView:
    return view_of(all_walkthroughs()[ident])


def _html(ident: str) -> str:
    macros = environment(Path(ROOT) / "templates").get_template("macros.html.j2").module
    return str(macros.walkthrough(_view(ident), "../../"))  # type: ignore[attr-defined]


@pytest.mark.parametrize("ident", ONES)
def test_a_walkthrough_is_of_a_declared_kind_and_has_as_many_states_as_the_kind_allows(ident: str) -> None:
    one = _view(ident)
    assert kinds()[one.kind.id] == one.kind
    fewest, most = one.kind.states
    assert fewest <= len(one.steps) <= most


@pytest.mark.parametrize("ident", ONES)
def test_its_html_is_as_written_and_small(ident: str) -> None:
    html = _html(ident)
    page = f'<!doctype html><html lang="en"><head><title>x</title></head><body>{html}</body></html>'
    assert check(page, f"{ident}.html") == []
    assert len(gzip.compress(html.encode())) <= LARGEST


@pytest.mark.parametrize("ident", ONES)
def test_every_figure_that_a_step_claims_and_every_cell_of_its_grid_is_in_the_text(ident: str) -> None:
    one = _view(ident)
    data, html = dataset(one.dataset.name), _html(ident)
    everything = spaced(text(Markup(html)))
    for name in one.figures:
        assert prints(data.figures[name], everything, html), f"{ident} does not print {name}"
    for step in one.steps:
        seen = spaced(f"{step.title} {text(Markup(step.says))} {text(step.body)}")
        for name in step.numbers:
            assert prints(data.figures[name], seen, f"{step.says}{step.body}"), f"{step.id} does not print {name}"
        if one.dials:
            assert f'href="#wt-{ident}--{step.id}"' in html and str(step.brief), step.id


@pytest.mark.parametrize("ident", ONES)
def test_a_grid_of_states_has_one_for_every_combination_and_opens_at_one_of_them(ident: str) -> None:
    one = _view(ident)
    assert one.opens in [step.id for step in one.steps]
    if one.kind.index == "grid":
        assert len(one.steps) == math.prod(len(dial.values) for dial in one.dials)
        assert all(len(set(dial.values)) == len(dial.values) for dial in one.dials)
        assert one.cells


@pytest.mark.parametrize("ident", ONES)
def test_a_prediction_has_one_right_answer_and_stands_behind_the_first_step(ident: str) -> None:
    one = _view(ident)
    if one.prediction is not None:
        assert [option.right for option in one.prediction.options].count(True) == 1
        assert one.prediction.before in [step.id for step in one.steps[1:]]


@pytest.mark.parametrize("ident", ONES)
def test_no_step_prints_a_value_as_the_program_holds_it(ident: str) -> None:
    for step in _view(ident).steps:
        seen = f"{step.title} {text(Markup(step.says))} {text(step.body)} {step.brief}"
        assert [raw for raw in ("[{'", "{'", "None", "True", "Markup(") if raw in seen] == [], step.id
