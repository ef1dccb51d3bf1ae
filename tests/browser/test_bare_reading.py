"""Every page without style sheets reads in order, and with a keyboard alone everything is reached and seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.whole import Whole, covering_then_sweep

pytestmark = pytest.mark.browser

BARE = r"""() => {
  const problems = [];
  if (getComputedStyle(document.querySelector('.skip')).position !== 'static') problems.push('a style sheet arrived');
  const parts = [...document.body.children].map(node => node.localName + (node.matches('.skip') ? '.skip' : ''));
  if (!parts.join(' ').match(/^a\.skip header (div|main) footer/)) problems.push('parts: ' + parts);
  const all = document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)');
  const headings = [...all].filter(node => node.checkVisibility());
  const levels = headings.map(node => Number(node.localName[1]));
  if (levels.lastIndexOf(1) !== 0) problems.push('not one h1 before the rest');
  levels.forEach((level, at) => {
    const above = levels[at - 1];
    if (at && level > above + 1) problems.push(`h${level} “${headings[at].textContent}” after h${above}`);
  });
  let last = -1;
  for (const node of document.querySelectorAll('main :is(h1, h2, h3, h4, p, li, dt, dd, tr, pre)')) {
    if (!node.checkVisibility() || node.closest('svg, math')) continue;
    const top = node.getBoundingClientRect().top + scrollY;
    if (top + 1 < last) problems.push('out of order: ' + node.textContent.slice(0, 60));
    last = top;
  }
  for (const step of document.querySelectorAll('.wt-step')) {
    if (!step.checkVisibility({ visibilityProperty: true })) problems.push('not shown: ' + step.id);
  }
  return problems;
}"""

# A grid of states is one stop: its arrows move within it. For a hidden choice of a file stands a button.
STOPS = """[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  .filter(node => node.checkVisibility({ visibilityProperty: true }) && !node.matches('input.visually-hidden'))
  .filter(node => node.tabIndex >= 0 || node.matches('a, button, input, select, textarea, summary'))
  .filter(node => node.tabIndex >= 0 || !node.closest('.wt-map')?.querySelector('a:not([tabindex="-1"])'))"""

FOCUS = f"""() => {{
  const seen = style => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
    && style.outlineColor !== 'rgba(0, 0, 0, 0)';
  return {STOPS}.flatMap(node => {{
    const name = `${{node.localName}}.${{node.className}} “${{node.textContent.trim().slice(0, 40)}}”`;
    if (node.tabIndex < 0) return ['no stop of Tab: ' + name];
    node.focus();
    if (document.activeElement !== node) return ['takes no focus: ' + name];
    const drawn = [...node.children].some(part => parseFloat(getComputedStyle(part).strokeWidth) >= 3);
    if (!seen(getComputedStyle(node)) && !(node.closest('svg') && drawn)) return ['focus not seen: ' + name];
    const box = node.getBoundingClientRect();
    return box.right < 0 || box.left > innerWidth ? ['focused off the screen: ' + name] : [];
  }});
}}"""


@covering_then_sweep
@pytest.mark.parametrize("script", [True, False])
def test_without_style_sheets_every_page_reads_in_order_with_every_state(
    whole: Whole, visit: Callable[..., Any], script: bool, reach: str
) -> None:
    page = visit(java_script_enabled=script)
    page.route("**/*.css", lambda route: route.abort())
    found = {}
    for path in whole.reach(reach):
        page.goto(whole.url + path)
        if problems := page.evaluate(BARE):
            found[path] = problems
    assert not found


@covering_then_sweep
@pytest.mark.parametrize("width", [360, 1280])
def test_every_control_of_every_page_takes_focus_and_shows_it(
    whole: Whole, visit: Callable[..., Any], width: int, reach: str
) -> None:
    page = visit(viewport={"width": width, "height": 900})
    found = {}
    for path in whole.reach(reach):
        page.goto(whole.url + path)
        page.keyboard.press("Tab")
        if problems := page.evaluate(FOCUS):
            found[path] = problems[:5]
    assert not found


def test_tab_goes_through_a_page_of_each_kind_in_the_order_it_is_written(
    whole: Whole, visit: Callable[..., Any]
) -> None:
    def lightest(beginning: str) -> str:
        return min((path for path in whole.pages if path.startswith(beginning)), key=lambda path: len(whole.read(path)))

    page = visit()
    for path in ("index.html", "search/index.html", *map(lightest, ("concepts/", "data/", "paths/", "glossary/"))):
        page.goto(whole.url + path)
        page.evaluate(f"window.stops = {STOPS}")
        reached: list[int] = []
        while True:
            page.keyboard.press("Tab")
            at = page.evaluate("window.stops.indexOf(document.activeElement)")
            if reached and (at == 0 or page.evaluate("document.activeElement === document.body")):
                break  # round, or out of the page
            if at >= 0:
                reached.append(at)
        assert reached == list(range(page.evaluate("window.stops.length"))), path
