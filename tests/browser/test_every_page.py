"""What holds on every page of the sitemap, as served: accessible, light, still while loading, usable by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from checks.budget import Budget, compressed
from tests.browser.conftest import PATIENCE
from tests.browser.test_pages import TAGS, axe_source
from tests.browser.whole import Whole, whole_site

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
SHARES = 6


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    with whole_site(tmp_path_factory) as made:
        yield made


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Makes a page in a context of its own; what it throws fails the test at the end."""
    contexts: list[Any] = []
    problems: list[str] = []

    def opener(script: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        context.set_default_timeout(PATIENCE)
        if script:
            context.add_init_script(script)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        return page

    yield opener
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.mark.parametrize(
    "share", [pytest.param(share, marks=pytest.mark.xdist_group(f"axe-{share}")) for share in range(SHARES)]
)
def test_axe_finds_nothing_on_any_page_light_or_dark_at_the_first_a_middle_and_the_last_state(
    whole: Whole, visit: Callable[..., Any], share: int
) -> None:
    """All rules of WCAG 2.2 AA in light; in dark those that look at colours, for the elements are the same.

    The first state is the page as it opens; at the others the figure is looked at, for the rest has not changed.
    The pages are dealt out to shares, for this is the longest of all tests.
    """
    page = visit(axe_source())
    found: Found = {}
    for path in whole.pages[share::SHARES]:
        page.emulate_media(color_scheme="light")
        page.goto(whole.url + path)
        page.evaluate(OPEN)
        problems = page.evaluate(AXE, ["", ALL_RULES])
        page.emulate_media(color_scheme="dark")
        problems += ["dark: " + one for one in page.evaluate(AXE, ["", THEME_RULES])]
        for figure, states in whole.states(path).items():
            for state in {states[len(states) // 2], states[-1]}:
                page.evaluate("state => { location.hash = state; }", state)
                page.wait_for_function(SHOWN, arg=state)
                problems += [f"{state}, dark: {one}" for one in page.evaluate(AXE, ["#" + figure, THEME_RULES])]
                page.emulate_media(color_scheme="light")
                problems += [f"{state}: {one}" for one in page.evaluate(AXE, ["#" + figure, ALL_RULES])]
                page.emulate_media(color_scheme="dark")
        if problems:
            found[path] = problems
    assert not found


@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_shifts_while_a_page_loads_nothing_overflows_and_nothing_is_asked_of_another_host(
    whole: Whole, visit: Callable[..., Any], width: int
) -> None:
    page = visit(SHIFT, viewport={"width": width, "height": 900})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    broken: list[str] = []
    page.on("response", lambda response: broken.append(response.url) if response.status >= 400 else None)
    found: Found = {}
    for path in whole.pages:
        asked.clear()
        broken.clear()
        page.goto(whole.url + path)
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shifted = page.evaluate("window.shifted")
        problems = [f"asks for {url}" for url in asked if not url.startswith((whole.url, "data:"))]
        problems += [f"is not there: {url}" for url in broken]
        if sum(value for value, _ in shifted) > MOST_SHIFT:
            problems.append(f"shifts while loading: {shifted}")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            problems.append("wider than the screen")
        if problems:
            found[path] = problems
    assert not found


def test_a_first_visit_to_a_concept_page_transfers_no_more_than_its_budget(
    whole: Whole, visit: Callable[..., Any]
) -> None:
    """Counted from what the browser really asks for, each file compressed as a host would."""
    budget = Budget()
    found: Found = {}
    for path in whole.concepts:
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


def test_a_link_to_a_state_opens_it_back_returns_and_an_unknown_state_is_told(
    whole: Whole, visit: Callable[..., Any]
) -> None:
    page = visit()
    shown = SHOWN
    found: Found = {}
    for path in whole.pages:
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
