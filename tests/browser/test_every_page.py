"""What holds on every page of the sitemap, as served: accessible, light, still while loading, usable by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from checks.budget import Budget, compressed
from tests.browser.test_pages import TAGS, axe_source
from tests.browser.whole import Whole, covering_then_sweep

pytestmark = pytest.mark.browser
Found = dict[str, list[str]]

OPEN = "document.querySelectorAll('details:not(.fold--table)').forEach(node => { node.open = true; })"
AXE = """([where, only]) => axe.run(where ? document.querySelector(where) : document, {
  preload: false, resultTypes: ['violations'], runOnly: only,
}).then(found => found.violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)}`)))"""
ALL_RULES = {"type": "tag", "values": TAGS}
THEME_RULES = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
SHIFT = """
  window.shifted = [];
  new PerformanceObserver(list => list.getEntries().forEach(entry => {
    const nodes = entry.sources.map(source => source.node ? (source.node.className || source.node.nodeName) : '');
    window.shifted.push([entry.value, String(nodes)]);
  })).observe({ type: 'layout-shift', buffered: true });
"""
SHOWN = "id => document.getElementById(id).checkVisibility({ visibilityProperty: true })"
MOST_SHIFT = 0.01
SHARES = 4
PAINTED = "new Promise(done => new PerformanceObserver(done).observe({ type: 'paint', buffered: true })).then(() => 1)"
_FACE = """
@font-face {{ font-family: Tried; size-adjust: {size}%; src: {sources}; }}
* {{ font-family: Tried, sans-serif !important; }}"""
FONTS = {
    name: _FACE.format(size=size, sources=", ".join(f'local("{one}")' for one in fonts))
    for name, size, *fonts in [
        ("wider", 112, "DejaVu Sans", "Verdana", "Noto Sans", "Arial"),
        ("narrower", 90, "Liberation Sans Narrow", "Arial Narrow", "Liberation Sans", "Arial"),
    ]
}
"""Style sheets that set every text in a font wider or narrower than those the site names."""


def looked_at(whole: Whole, reach: str) -> Iterator[tuple[str, bool, list[tuple[str, str]]]]:
    """Pages, whether as they open, and (figure, state) of the further states: what has every element inside every
    other, or the rest of the pages and of the middle and last states of every walkthrough."""
    for path in whole.pages:
        wanted = []
        for figure, states in whole.states(path).items():
            ends = {states[len(states) // 2], states[-1]} - whole.covering_states
            some = whole.covering_states.intersection(states) if reach == "covering" else ends
            wanted += [(figure, state) for state in states if state in some]
        opens = path in whole.reach(reach)
        if opens or wanted:
            yield path, opens, wanted


@covering_then_sweep
@pytest.mark.parametrize(
    "share", [pytest.param(share, marks=pytest.mark.xdist_group(f"axe-{share}")) for share in range(SHARES)]
)
def test_axe_finds_nothing_on_any_page_light_or_dark_at_the_first_a_middle_and_the_last_state(
    whole: Whole, visit: Callable[..., Any], share: int, reach: str
) -> None:
    """All rules of WCAG 2.2 AA in light; in dark those that look at colours, for the elements are the same.

    The first state is the page as it opens; at the others the figure is looked at, for the rest has not changed.
    The pages are dealt out to shares, for this is the longest of all tests.
    """
    page = visit(axe_source())
    found: Found = {}
    for path, opens, wanted in list(looked_at(whole, reach))[share::SHARES]:
        page.goto(whole.url + path)
        page.evaluate(OPEN)
        problems = []
        for figure, state in [*([("", "")] if opens else []), *wanted]:
            if state:
                page.evaluate("state => { location.hash = state; }", state)
                page.wait_for_function(SHOWN, arg=state)
            for scheme, rules in (("light", ALL_RULES), ("dark", THEME_RULES)):
                page.emulate_media(color_scheme=scheme)
                problems += [f"{state} {scheme}: {one}" for one in page.evaluate(AXE, [figure and "#" + figure, rules])]
        if problems:
            found[path] = problems
    assert not found


def slowly(page: Any, url: str, css: str = "") -> None:
    """Opens a page on a machine whose scripts are late: none that the parser does not wait for runs before the first
    paint. ``css`` is added to the style of the site."""
    held: list[Any] = []
    painted: list[bool] = []

    def hold(route: Any) -> None:
        if painted:
            route.continue_()
        else:
            held.append(route)

    # The first script that is deferred: the others wait for it.
    page.route("**/assets/popovers.js", hold, times=1)
    page.route("**/assets/site.css", lambda route: _with(route, css), times=1)
    page.goto(url, wait_until="commit")
    page.evaluate(PAINTED)
    painted.append(True)
    for route in held:
        route.continue_()
    page.wait_for_load_state("load")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def _with(route: Any, css: str) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text() + css)


def unsteady(page: Any, url: str, width: int, css: str = "") -> list[str]:
    """What moves on a page while it loads, or is wider than the screen."""
    slowly(page, url, css)
    shifted = page.evaluate("window.shifted")
    problems = [f"shifts while loading: {shifted}"] if sum(value for value, _ in shifted) > MOST_SHIFT else []
    wide = page.evaluate("document.documentElement.scrollWidth") > width
    return problems + ["wider than the screen"] * wide


@covering_then_sweep
@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_shifts_while_a_page_loads_nothing_overflows_and_nothing_is_asked_of_another_host(
    whole: Whole, visit: Callable[..., Any], width: int, reach: str
) -> None:
    """The home page comes once more at the end: to a returning reader it shows the way back."""
    page = visit(SHIFT, viewport={"width": width, "height": 900})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    broken: list[str] = []
    page.on("response", lambda response: broken.append(response.url) if response.status >= 400 else None)
    found: Found = {}
    for path in [*whole.reach(reach), "index.html"]:
        asked.clear()
        broken.clear()
        problems = unsteady(page, whole.url + path, width)
        problems += [f"asks for {url}" for url in asked if not url.startswith((whole.url, "data:"))]
        problems += [f"is not there: {url}" for url in broken]
        if problems:
            found[path] = problems
    assert not found


@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("font", FONTS)
def test_a_page_of_each_kind_holds_still_and_fits_the_screen_in_wider_and_narrower_fonts(
    whole: Whole, visit: Callable[..., Any], font: str, width: int
) -> None:
    page = visit(SHIFT, viewport={"width": width, "height": 900})
    found: Found = {}
    for path in [*whole.kinds, "index.html"]:
        if problems := unsteady(page, whole.url + path, width, FONTS[font]):
            found[path] = problems
        if not page.evaluate("[...document.fonts].some(face => face.status === 'loaded')"):
            pytest.skip("none of the fonts that are tried is installed")
    assert not found


@covering_then_sweep
def test_a_first_visit_to_a_concept_page_transfers_no_more_than_its_budget(
    whole: Whole, visit: Callable[..., Any], reach: str
) -> None:
    """Counted from what the browser really asks for, each file compressed as a host would."""
    budget = Budget()
    found: Found = {}
    for path in whole.reach(reach, whole.concepts):
        page = visit()
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(urlsplit(request.url)._replace(query="").geturl()))
        page.goto(whole.url + path, wait_until="networkidle")
        page.context.close()
        files = {url.removeprefix(whole.url) for url in asked if url.startswith(whole.url)} - {path}
        assert {"assets/site.css", "assets/walkthrough.js"} <= files
        beside = sum(compressed((whole.folder / file).read_bytes()) for file in files)
        text = whole.read(path)
        whole_weight = beside + compressed(text.encode())
        bare = re.sub(r'<figure class="wt.*?</footer>\s*</figure>', "", text, flags=re.S)
        assert (bare == text) == (not whole.states(path)) and 'class="wt-step' not in bare
        bare_weight = beside + compressed(bare.encode())
        if whole_weight > budget.whole or bare_weight > budget.page:
            found[path] = [f"{whole_weight} bytes, {bare_weight} without walkthroughs", *sorted(files)]
    assert not found


@covering_then_sweep
def test_a_link_to_a_state_opens_it_back_returns_and_an_unknown_state_is_told(
    whole: Whole, visit: Callable[..., Any], reach: str
) -> None:
    page = visit()
    shown = SHOWN
    found: Found = {}
    for path in whole.reach(reach):
        problems: list[str] = []
        for figure, states in whole.states(path).items():
            first = whole.opening(path, figure)
            last = next(state for state in reversed(states) if state != first)
            page.goto("about:blank")
            page.goto(f"{whole.url}{path}#{last}")
            if not page.evaluate(shown, last) or page.evaluate(shown, first):
                problems.append(f"{last} is not opened by its link")
            page.evaluate("state => { location.hash = state; }", first)
            page.wait_for_function(shown, arg=first)
            page.go_back()
            page.wait_for_function(shown, arg=last)
            page.goto("about:blank")
            page.goto(f"{whole.url}{path}#{figure}--no-such-state")
            if not page.locator(f"#{figure} .wt-note").count() or not page.evaluate(shown, first):
                problems.append(f"{figure} does not tell an unknown state")
        if problems:
            found[path] = problems
    assert not found
