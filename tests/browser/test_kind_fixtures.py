"""Kinds without a dataset of their own yet, on declared fixtures: one DOM per state, whole without script, axe clean.

The fixtures' values are theirs and are shown nowhere but here. Kinds with a dataset are covered by ``test_kinds``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from render.model import WalkthroughView
from render.views.kinds import timeline, tokens
from render.views.kinds.timeline import Ceiling, Span
from render.views.kinds.tokens import Decoding, Token, token_mask
from render.views.walkthrough import Step
from tests.browser.sample import SampleSite, walkthrough_view
from tests.browser.test_pages import violations

pytestmark = pytest.mark.browser

PATH = "concepts/ann-post-filtering/index.html"
Open = Callable[..., Any]

SPANS = [
    Span("request 1", 0.0, 0.41, "ok", "200"),
    Span("request 2", 0.41, 0.53, "refused", "429", "Retry-After: 2 s", on=True),
    Span("request 2", 0.53, 2.55, "wait"),
    Span("request 3", 0.6, 1.27, "failed", "cut off"),
    Span("request 2", 2.55, 3.13, "ok", "200"),
    Span("parse", 1.0, 3.9, "work"),
]
MOMENTS = (0.45, 1.3, 2.6, 4.0)
DECODINGS = [
    Decoding("", [Token("{", 0.213, 1.0), Token("Sure", 0.702, None)], 1, 50_257, "{"),
    Decoding("{", [Token('"', 0.318, 0.887), Token("\n", 0.411, None), Token("}", 0.041, 0.113)], 2, 50_257, '"'),
    Decoding('{"', [Token("answer", 0.514, 0.661), Token(" a", 0.122, None), Token("cite", 0.2, 0.339)], 42, 50_257,
             "answer"),
    Decoding('{"answer', [Token('"', 0.976, 0.991), Token("s", 0.011, 0.009)], 50_000, 50_257, '"'),
]  # fmt: skip


def _view(ident: str, kind: Any, bodies: Sequence[Markup]) -> WalkthroughView:
    steps = tuple(Step(f"s{i}", f"State {i}", f"What state {i} shows.", body) for i, body in enumerate(bodies, 1))
    return replace(walkthrough_view(ident), kind=kind, steps=steps, prediction=None, opens="s1", title=f"A {ident}?")


def _timelines() -> list[Markup]:
    limit = Ceiling(2, "requests begun in the last 1 s", per=1.0)
    return [
        timeline.timeline(SPANS, title="Requests", desc="One is refused and waits.", ceiling=limit, now=now, high=4.0)
        for now in MOMENTS
    ]


VIEWS = {
    "timeline": _view("timeline", timeline.KIND, _timelines()),
    "tokens": _view("tokens", tokens.KIND, [token_mask(one, title=f"Token {i}") for i, one in enumerate(DECODINGS, 1)]),
}
NUMBERS = {
    "timeline": ["0.41", "0.53", "2.55", "3.13", "1.27", "2.90", "429", "Retry-After: 2 s", "cut off", "limit 2"],
    "tokens": ["0.213", "0.702", "0.887", "0.113", "0.661", "0.991", "0.009", "forbidden", "50 257"],
}
STATE = """id => {
  const figure = document.getElementById(id), copy = figure.cloneNode(true);
  copy.querySelector('.wt-live').remove();
  return [[...figure.querySelectorAll('.wt-step')]
    .filter(step => getComputedStyle(step).visibility === 'visible').map(step => step.dataset.step), copy.outerHTML];
}"""


class KindSite(SampleSite):
    """The sample site with the fixtures' walkthroughs in its article."""

    def article(self, rel: str) -> Markup:
        walks = [Markup(self.macros.walkthrough(view, rel)) for view in VIEWS.values()]
        return Markup('<h2 id="walkthrough">Walkthrough</h2>') + Markup("").join(walks)


@pytest.fixture(scope="module")
def kind_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return KindSite().write(tmp_path_factory.mktemp("kind-fixtures"))


@pytest.mark.parametrize("ident", VIEWS)
def test_a_state_is_one_dom_by_address_link_button_key_and_slider(open_page: Open, kind_site: Path, ident: str) -> None:
    wt, steps = f"#wt-{ident}", [step.id for step in VIEWS[ident].steps]
    page = open_page(kind_site / PATH)
    opened = page.evaluate(STATE, wt[1:])
    for index in (1, len(steps) - 1):
        found = []
        page.locator(f"{wt} .wt-index a").nth(index).click()
        found.append(page.evaluate(STATE, wt[1:]))
        for way in (".wt-next", ".wt-range", "button"):
            page.focus(f"{wt} .wt-next")
            page.keyboard.press("Escape")
            assert page.evaluate(STATE, wt[1:]) == opened
            for _ in range(index):
                if way == "button":
                    page.click(f"{wt} .wt-next")
                else:
                    page.focus(f"{wt} {way}")
                    page.keyboard.press("ArrowRight")
            found.append(page.evaluate(STATE, wt[1:]))
        assert found[0][0] == [steps[index]]
        assert all(one == found[0] for one in found)
    fresh = open_page(kind_site / PATH, f"wt-{ident}--{steps[-1]}")
    assert fresh.evaluate(STATE, wt[1:]) == found[0]


@pytest.mark.parametrize("ident", VIEWS)
def test_without_script_every_state_and_number_is_there_on_a_small_phone(
    open_page: Open, kind_site: Path, ident: str
) -> None:
    page = open_page(kind_site / PATH, script=False, width=320)
    steps = page.locator(f"#wt-{ident} .wt-step")
    assert [steps.nth(i).is_visible() for i in range(steps.count())] == [True] * len(VIEWS[ident].steps)
    text = (page.locator(f"#wt-{ident}").text_content() or "").replace("\u202f", " ")
    assert [number for number in NUMBERS[ident] if number not in text] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ident", VIEWS)
def test_axe_finds_nothing_at_the_first_a_middle_and_the_last_state(
    open_page: Open, kind_site: Path, ident: str, scheme: str
) -> None:
    page = open_page(kind_site / PATH, scheme=scheme)
    for index in (0, 2, len(VIEWS[ident].steps) - 1):
        page.locator(f"#wt-{ident} .wt-index a").nth(index).click()
        page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        assert violations(page, f"#wt-{ident}") == []
