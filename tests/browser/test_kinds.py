"""Every walkthrough of every kind in a browser: one DOM per state, reversible, whole without script.

axe looks at them with their pages, in test_every_page.py. The pages are rendered from today's content and datasets;
whether a dataset is stale is another test's business.
A walkthrough or kind that is added is covered without being named here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.whole import rendered
from tests.walkthroughs.drawing import dataset, prints, spaced, view_of
from tests.walkthroughs.every import all_walkthroughs

pytestmark = pytest.mark.browser


def _covering_then_sweep() -> list[Any]:
    """Every walkthrough by id; one that moves and asks like an earlier one is for ``make test-all``."""
    known: set[tuple[Any, ...]] = set()
    found: list[Any] = []
    for ident, address in sorted(all_walkthroughs().items()):
        one = view_of(address)
        like = (one.kind.id, bool(one.prediction), one.opens != one.steps[0].id)
        found.append(pytest.param(ident, marks=pytest.mark.sweep) if like in known else ident)
        known.add(like)
    return found


covering_then_sweep = pytest.mark.parametrize("ident", _covering_then_sweep())
Open = Callable[..., Any]

STATE = """id => {
  const figure = document.getElementById(id), copy = figure.cloneNode(true);
  copy.querySelector('.wt-live').remove();
  return [[...figure.querySelectorAll('.wt-step')]
    .filter(step => getComputedStyle(step).visibility === 'visible').map(step => step.dataset.step),
    [...figure.querySelectorAll('.wt-range')].map(range => range.value), copy.outerHTML];
}"""


class Stand:
    """One walkthrough on its page: its states, where they lie on the dials, and the ways to reach them."""

    def __init__(self, site: Path, ident: str) -> None:
        self.view = view_of(all_walkthroughs()[ident])
        self.id, self.steps = f"wt-{ident}", [step.id for step in self.view.steps]
        self.sizes = [len(dial.values) for dial in self.view.dials]
        needle = f'id="{self.id}"'
        pages = (page for page in sorted(site.glob("concepts/*/index.html")) if needle in page.read_text("utf-8"))
        self.path = next(pages, None)
        if self.path is None:
            pytest.skip(f"no page shows the walkthrough {ident}")

    @property
    def opens(self) -> int:
        return self.steps.index(self.view.opens)

    @property
    def ends(self) -> list[int]:
        """The first, a middle and the last state."""
        return [0, len(self.steps) // 2, len(self.steps) - 1]

    def moves(self, start: int, to: int) -> list[tuple[int, int]]:
        """(axis, places) from one state to another; axis -1 is the line of all states."""
        if self.view.kind.control != "dials":
            return [(-1, to - start)]
        places = [[index // below % size for size, below in self._axes()] for index in (start, to)]
        return [(axis, b - a) for axis, (a, b) in enumerate(zip(*places, strict=True))]

    def _axes(self) -> list[tuple[int, int]]:
        return [(self.sizes[0], self.sizes[1]), (self.sizes[1], 1)] if len(self.sizes) == 2 else [(self.sizes[0], 1)]

    def state(self, page: Any) -> Any:
        return page.evaluate(STATE, self.id)

    def find(self, page: Any, what: str) -> Any:
        return page.locator(f"#{self.id} {what}")


def by_link(stand: Stand, page: Any, index: int) -> None:
    stand.find(page, ".wt-index a").nth(index).evaluate("link => link.click()")


def by_address(stand: Stand, page: Any, index: int) -> None:
    page.evaluate("fragment => { location.hash = fragment; }", f"{stand.id}--{stand.steps[index]}")
    page.wait_for_function(
        "([id, step]) => document.querySelector(`#${id} .is-current`).dataset.step === step",
        arg=[stand.id, stand.steps[index]],
    )


def by_button(stand: Stand, page: Any, index: int) -> None:
    for axis, places in stand.moves(stand.opens, index):
        button = stand.find(page, ".wt-next" if places > 0 else ".wt-back").nth(max(0, axis))
        button.evaluate("(button, n) => { for (let i = 0; i < n; i += 1) button.click(); }", abs(places))


def by_slider(stand: Stand, page: Any, index: int) -> None:
    for axis, places in stand.moves(stand.opens, index):
        stand.find(page, ".wt-range").nth(max(0, axis)).focus()
        for _ in range(abs(places)):
            page.keyboard.press("ArrowRight" if places > 0 else "ArrowLeft")


def by_key(stand: Stand, page: Any, index: int) -> None:
    """On the first button, or on the cell in focus where the cells are the control."""
    grid, cells = len(stand.sizes) == 2, stand.view.kind.control == "cells"
    stand.find(page, ".wt-map a[tabindex='0']" if cells else ".wt-next").first.focus()
    if grid:
        places = [[at // stand.sizes[1], at % stand.sizes[1]] for at in (stand.opens, index)]
        moves = [("Up", "Down", places[1][0] - places[0][0]), ("Left", "Right", places[1][1] - places[0][1])]
    else:
        moves = [("Left", "Right", index - stand.opens)]
    for less, more, by in moves:
        for _ in range(abs(by)):
            page.keyboard.press(f"Arrow{more if by > 0 else less}")


WAYS = {"link": by_link, "address": by_address, "button": by_button, "slider": by_slider, "key": by_key}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rendered(tmp_path_factory)


@covering_then_sweep
def test_a_state_is_one_dom_however_it_is_reached_and_leaving_it_restores_the_first(
    open_page: Open, site: Path, ident: str
) -> None:
    stand = Stand(site, ident)
    page = open_page(stand.path)
    opened = stand.state(page)
    assert opened[0] == [stand.view.opens]
    for index in stand.ends:
        reached = {}
        for way, go in WAYS.items():
            if way == "slider" and stand.view.kind.control == "cells":
                continue
            go(stand, page, index)
            reached[way] = stand.state(page)
            assert reached[way][0] == [stand.steps[index]], way
            page.focus(f"#{stand.id} .wt-next")
            page.keyboard.press("Escape")
            assert stand.state(page) == opened, f"after {way}"
        first = reached["link"]
        assert [way for way, found in reached.items() if found != first] == []
    fresh = open_page(stand.path, f"{stand.id}--{stand.steps[-1]}")
    assert stand.state(fresh) == reached["link"]


@covering_then_sweep
def test_a_state_that_is_not_there_says_so_and_the_first_is_shown(open_page: Open, site: Path, ident: str) -> None:
    stand = Stand(site, ident)
    page = open_page(stand.path, f"{stand.id}--nonsense")
    assert stand.state(page)[0] == [stand.view.opens]
    assert "nonsense" in stand.find(page, ".wt-note").inner_text()


@covering_then_sweep
def test_without_script_every_state_stands_there_with_its_numbers(open_page: Open, site: Path, ident: str) -> None:
    stand = Stand(site, ident)
    page = open_page(stand.path, script=False, width=320)
    found = stand.find(page, ".wt-step")
    assert [found.nth(i).get_attribute("data-step") for i in range(found.count())] == stand.steps
    assert all(found.nth(i).is_visible() for i in (0, len(stand.steps) // 2, len(stand.steps) - 1))
    assert stand.find(page, "button, input").count() == 0
    text = spaced(page.locator(f"#{stand.id}").text_content())
    data, html = dataset(stand.view.dataset.name), stand.find(page, ".wt-steps").inner_html()
    for name in stand.view.figures:
        assert prints(data.figures[name], text, html), name
    assert page.locator(f"#{stand.id}").bounding_box()["width"] <= 320


@covering_then_sweep
def test_it_fits_a_small_phone_and_paper_gets_every_state(open_page: Open, site: Path, ident: str) -> None:
    stand = Stand(site, ident)
    page = open_page(stand.path, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    targets = stand.find(page, ":is(.wt-controls button, .wt-controls input, .wt-index a):visible")
    sizes = targets.evaluate_all("all => all.map(one => one.getBoundingClientRect()).map(r => [r.width, r.height])")
    assert min(min(size) for size in sizes) >= 24
    page.emulate_media(media="print")
    assert stand.state(page)[0] == stand.steps
    assert not stand.find(page, ".wt-controls").is_visible()
    if stand.sizes:
        assert stand.find(page, ".wt-map").is_visible()
