"""The stepper: one DOM per state however it is reached, reversible, addressable, and complete without script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.sample import walkthrough_view

pytestmark = pytest.mark.browser

CONCEPT = "concepts/ann-post-filtering/index.html"
WT = "#wt-ann_postfilter"
STEPS = [step.id for step in walkthrough_view().steps]
Open = Callable[..., Any]

STATE = """() => {
  const figure = document.querySelector('#wt-ann_postfilter').cloneNode(true);
  figure.querySelector('.wt-live').remove();
  const shown = [...document.querySelectorAll('#wt-ann_postfilter .wt-step')]
    .filter(step => getComputedStyle(step).visibility === 'visible').map(step => step.dataset.step);
  return [shown, document.querySelector('#wt-ann_postfilter .wt-range').value, figure.outerHTML];
}"""


def state(page: Any) -> Any:
    return page.evaluate(STATE)


def shown(page: Any) -> list[str]:
    return list(state(page)[0])


@pytest.mark.parametrize("index", [0, 3, len(STEPS) - 1])
def test_a_state_is_the_same_by_address_link_button_key_and_slider(open_page: Open, sample: Path, index: int) -> None:
    def by_address() -> Any:
        return state(open_page(sample / CONCEPT, f"wt-ann_postfilter--{STEPS[index]}"))

    def by_link() -> Any:
        page = open_page(sample / CONCEPT)
        page.locator(f"{WT} .wt-index a").nth(len(STEPS) - 1).click()
        page.locator(f"{WT} .wt-index a").nth(index).click()
        return state(page)

    def by_button() -> Any:
        page = open_page(sample / CONCEPT)
        for _ in range(index):
            page.click(f"{WT} .wt-next")
        return state(page)

    def by_key() -> Any:
        page = open_page(sample / CONCEPT)
        page.focus(f"{WT} .wt-next")
        for _ in range(index):
            page.keyboard.press("ArrowRight")
        return state(page)

    def by_slider() -> Any:
        page = open_page(sample / CONCEPT)
        page.focus(f"{WT} .wt-range")
        for _ in range(index):
            page.keyboard.press("ArrowRight")
        return state(page)

    first, *others = [way() for way in (by_address, by_link, by_button, by_key, by_slider)]
    assert first[0] == [STEPS[index]]
    for other in others:
        assert other == first


def test_forward_then_back_restores_the_picture(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    before = state(page)
    page.click(f"{WT} .wt-next")
    assert state(page) != before
    page.click(f"{WT} .wt-back")
    assert state(page) == before


def test_the_browsers_back_goes_back_one_step_and_to_the_page_as_it_opened(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.click(f"{WT} .wt-next")
    page.click(f"{WT} .wt-next")
    assert page.url.endswith(f"#wt-ann_postfilter--{STEPS[2]}")
    page.go_back()
    assert shown(page) == [STEPS[1]]
    page.go_back()
    assert shown(page) == [STEPS[0]]
    page.go_forward()
    assert shown(page) == [STEPS[1]]


def test_a_walkthrough_leaves_another_one_on_the_page_where_it_was(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.click(f"{WT} .wt-next")
    page.click("#wt-second .wt-next")
    assert shown(page) == [STEPS[1]]
    page.go_back()
    assert shown(page) == [STEPS[1]]
    assert page.locator("#wt-second .wt-step.is-current").get_attribute("data-step") == STEPS[0]


def test_an_unknown_step_says_so_and_shows_the_first(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT, "wt-ann_postfilter--nonsense")
    assert shown(page) == [STEPS[0]]
    assert "no step “nonsense”" in page.locator(f"{WT} .wt-note").inner_text()
    page.click(f"{WT} .wt-next")
    assert page.locator(f"{WT} .wt-note").count() == 0


def test_keys_work_only_while_the_figure_has_focus(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert shown(page) == [STEPS[0]]
    page.focus(f"{WT} .wt-next")
    page.keyboard.press("End")
    assert shown(page) == [STEPS[-1]]
    page.keyboard.press("ArrowLeft")
    assert shown(page) == [STEPS[-2]]
    page.keyboard.press("Home")
    assert shown(page) == [STEPS[0]]
    page.keyboard.press("End")
    page.keyboard.press("Escape")
    assert shown(page) == [STEPS[0]]


def test_focus_stays_on_the_control_and_the_change_is_spoken(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    button = page.locator(f"{WT} .wt-next")
    button.focus()
    for _ in STEPS:
        page.keyboard.press("Enter")
    assert button.evaluate("node => document.activeElement === node")
    assert button.get_attribute("aria-disabled") == "true"
    last = f"Step {len(STEPS)} of {len(STEPS)}: All candidates, side by side"
    assert page.locator(f"{WT} .wt-live").inner_text() == last
    assert page.locator(f"{WT} .wt-range").get_attribute("aria-valuetext") == last


PLACES = """() => {
  const figure = document.querySelector('#wt-ann_postfilter');
  const top = name => figure.querySelector(name).getBoundingClientRect().top + scrollY;
  const step = figure.querySelector('.wt-step.is-current').getBoundingClientRect();
  return {above: ['.wt-head', '.wt-index', '.wt-steps'].map(top),
          below: Math.round(top('.wt-foot') - step.bottom - scrollY)};
}"""


@pytest.mark.parametrize("width", [360, 800])
def test_what_stands_above_a_step_keeps_its_place_and_no_step_leaves_blank_space(
    open_page: Open, sample: Path, width: int
) -> None:
    page = open_page(sample / CONCEPT, width=width)
    places = []
    for index in range(len(STEPS)):
        page.locator(f"{WT} .wt-index a").nth(index).click()
        places.append(page.evaluate(PLACES))
    assert all(place["above"] == places[0]["above"] for place in places)
    assert {place["below"] for place in places} == {places[0]["below"]} and places[0]["below"] < 40


@pytest.mark.parametrize("fragment", ["", f"wt-ann_postfilter--{STEPS[-1]}"])
def test_the_step_that_opens_has_its_place_before_any_script_ran(open_page: Open, sample: Path, fragment: str) -> None:
    page = open_page(sample / CONCEPT, fragment)
    ready = page.locator(WT).evaluate("node => node.getBoundingClientRect().height")
    page.evaluate("""() => {
      const figure = document.querySelector('#wt-ann_postfilter');
      delete figure.dataset.ready;
      figure.querySelector('.is-current').classList.remove('is-current');
      figure.querySelector('.wt-controls').replaceChildren();
    }""")
    assert page.locator(WT).evaluate("node => node.getBoundingClientRect().height") == ready


def test_a_step_left_from_its_middle_gives_way_to_the_top_of_the_next(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT, width=360)
    page.locator(f"{WT} .wt-next").focus()
    page.locator(f"{WT} .wt-foot").scroll_into_view_if_needed()
    page.keyboard.press("ArrowRight")
    title = page.locator(f"{WT} .is-current .wt-step-title").bounding_box()
    bar = page.locator(f"{WT} .wt-controls").bounding_box()
    assert bar["y"] + bar["height"] <= title["y"] < 500


def test_without_script_every_step_is_visible_and_every_number_is_text(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT, script=False)
    assert page.locator(f"{WT} button, {WT} input").count() == 0
    steps = page.locator(f"{WT} .wt-step")
    assert [steps.nth(i).is_visible() for i in range(steps.count())] == [True] * len(STEPS)
    text = page.locator(WT).text_content()
    for number in ("0.83", "0.985", "0.03252", "240", "106"):
        assert number[:6] in text
    page.close()


def test_show_all_steps_shows_all_steps_and_takes_them_back(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    before = state(page)
    page.click(f"{WT} .wt-all")
    assert shown(page) == STEPS
    page.click(f"{WT} .wt-all")
    assert state(page)[0] == before[0]


def test_paper_gets_every_step(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.emulate_media(media="print")
    assert shown(page) == STEPS
    assert not page.locator(f"{WT} .wt-controls").is_visible()


def test_a_page_whose_walkthrough_script_is_missing_still_shows_every_step(
    open_page: Open, browser: Any, sample: Path, tmp_path: Path
) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(sample, copy)
    (copy / "assets" / "walkthrough.js").write_text("/* did not arrive */")
    page = open_page(copy / CONCEPT)
    page.wait_for_function("!document.documentElement.classList.contains('js')")
    assert page.locator(f"{WT} .wt-step").last.is_visible()


def test_the_mouse_drags_the_slider_into_one_history_entry(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.locator(f"{WT} .wt-range").scroll_into_view_if_needed()
    box = page.locator(f"{WT} .wt-range").bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2, steps=12)
    page.mouse.up()
    assert shown(page) == [STEPS[-1]]
    page.go_back()
    assert shown(page) == [STEPS[0]]
