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
AXE = """([where, only, rules]) => axe.run(where ? document.querySelector(where) : document, {
  preload: false, resultTypes: ['violations'], runOnly: only, rules,
}).then(found => found.violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)}`)))"""
ALL_RULES = {"type": "tag", "values": TAGS}
BUT_COLOURS = {"color-contrast": {"enabled": False}}
COLOURS = {"type": "rule", "values": ["color-contrast"]}

# axe lays a grid over every visible element to judge colours, which takes seconds on a page of ten thousand. Contrast
# depends on colour, ground, size, weight and opacity alone, so one text of each combination is left on the screen.
THIN = """where => {
  const top = where ? document.querySelector(where) : document.body;
  const kinds = new Map(), keep = new Set(), hidden = [];
  const ground = node => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)') return colour;
    }
  };
  for (const node of top.querySelectorAll('*')) {
    const written = [...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (!written || !node.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(node);
    const kind = [style.color, style.fill, style.fontSize, style.fontWeight, style.opacity, ground(node)].join();
    if (!kinds.has(kind)) kinds.set(kind, node);
  }
  for (const node of kinds.values()) for (let at = node; at; at = at.parentElement) keep.add(at);
  for (const node of document.body.querySelectorAll('*')) {
    if (keep.has(node) || !keep.has(node.parentElement)) continue;
    hidden.push([node, node.style.display]);
    node.style.setProperty('display', 'none', 'important');
  }
  window.whole = () => hidden.forEach(([node, display]) => { node.style.display = display; });
  return kinds.size;
}"""
SHIFT = """
  window.shifted = [];
  new PerformanceObserver(list => list.getEntries().forEach(entry => {
    const nodes = entry.sources.map(source => source.node ? (source.node.className || source.node.nodeName) : '');
    window.shifted.push([entry.value, String(nodes)]);
  })).observe({ type: 'layout-shift', buffered: true });
"""
MOST_SHIFT = 0.01


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    with whole_site(tmp_path_factory.mktemp("whole")) as made:
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


def colours(page: Any, where: str = "") -> list[str]:
    """What axe finds in the colours of a page or of one figure, light and dark."""
    found: list[str] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(THIN, where) > 3
        found += [f"{scheme}: {one}" for one in page.evaluate(AXE, [where, COLOURS, {}])]
        page.evaluate("window.whole()")
    return found


def test_axe_finds_nothing_on_any_page_light_or_dark_at_the_first_a_middle_and_the_last_state(
    whole: Whole, visit: Callable[..., Any]
) -> None:
    """All rules of WCAG 2.2 AA on every page, those of colours in light and in dark: the elements are the same.

    The first state is the page as it opens; at the others the figure is looked at, for the rest has not changed.
    """
    page = visit(axe_source())
    found: Found = {}
    for path in whole.pages:
        page.goto(whole.url + path)
        page.evaluate(OPEN)
        problems = page.evaluate(AXE, ["", ALL_RULES, BUT_COLOURS]) + colours(page)
        for figure, states in whole.states(path).items():
            for state in sorted({states[len(states) // 2], states[-1]}):
                page.evaluate("state => { location.hash = state; }", state)
                page.wait_for_function("state => document.getElementById(state).checkVisibility()", arg=state)
                one = page.evaluate(AXE, ["#" + figure, ALL_RULES, BUT_COLOURS]) + colours(page, "#" + figure)
                problems += [f"{state}: {problem}" for problem in one]
        if problems:
            found[path] = problems
    assert not found


def test_a_faint_word_is_found_on_the_thinned_page_in_the_scheme_where_it_is_faint(
    whole: Whole, visit: Callable[..., Any]
) -> None:
    page = visit(axe_source())
    page.goto(whole.url + "glossary/index.html")
    page.evaluate("document.querySelectorAll('dd')[20].style.color = 'light-dark(#c8c8c8, #fff)'")
    assert [one.split(":")[0] for one in colours(page)] == ["light"]


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
    shown = "id => document.getElementById(id).checkVisibility({visibilityProperty: true})"
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
