"""The timeline draws every span it is given, keeps its place from step to step, and counts requests honestly."""

from __future__ import annotations

import re

import pytest

from checks.html import check
from render.views.kinds.timeline import Ceiling, Span, counts, timeline

SPANS = [
    Span("request 1", 0.0, 0.4, "ok", "200"),
    Span("request 2", 0.4, 0.5, "refused", "429", "Retry-After: 2 s", on=True),
    Span("request 2", 0.5, 2.5, "wait"),
    Span("request 2", 2.5, 3.1, "ok", "200"),
    Span("parse", 1.0, 4.0, "work"),
]


def drawn(**options: object) -> str:
    return str(timeline(SPANS, title="Two requests", desc="One is refused.", high=5.0, **options))  # type: ignore[arg-type]


def test_every_span_is_a_bar_and_a_row() -> None:
    html = drawn()
    inside = html[html.index('<svg class="drawing"') : html.index("<details")]
    assert [inside.count(f'class="t-{state}"') for state in ("ok", "refused", "wait", "work")] == [2, 1, 1, 1]
    assert html.count('<th scope="row"') == len(SPANS)
    assert "Retry-After: 2 s" in html and '<tr class="is-on">' in html
    page = f'<!doctype html><html lang="en"><head><title>x</title></head><body>{html}</body></html>'
    assert check(page, "timeline.html") == []


def test_a_span_that_has_not_begun_is_not_drawn_and_one_under_way_is_cut() -> None:
    html = drawn(now=2.0)
    assert html.count('<th scope="row"') == 4 and html.count("running") == 2
    bar = re.search(r'class="t-work" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', html[html.index("drawing") :])
    line = re.search(r'<path class="now" d="M([\d.]+)', html)
    assert bar and line and float(bar[1]) + float(bar[2]) == pytest.approx(float(line[1]), abs=0.2)


def test_lanes_and_axis_keep_their_place_from_step_to_step() -> None:
    def frame(html: str) -> list[str]:
        return re.findall(r'viewBox="[^"]+"|<path class="grid"[^>]+>|text-anchor="end">(?:request|parse)[^<]*', html)

    assert frame(drawn(now=0.1)) == frame(drawn(now=3.0)) == frame(drawn())


def test_requests_open_at_once_and_requests_begun_lately_are_two_counts() -> None:
    pair = [Span("a", 0, 2, "ok"), Span("b", 1, 3, "refused"), Span("b", 3, 9, "wait"), Span("c", 3, 4, "failed")]
    assert counts(pair, None) == [(0, 1), (1, 2), (2, 1), (3, 1), (4, 0)]
    assert counts(pair, 1.5) == [(0, 1), (1, 2), (1.5, 1), (2.5, 0), (3, 1), (4.5, 0)]


def test_a_count_above_the_ceiling_stands_above_its_line() -> None:
    def heights(limit: int) -> tuple[float, float]:
        html = drawn(ceiling=Ceiling(limit, "requests begun in the last 1 s", per=1.0))
        line = re.search(r'class="ceiling" d="M[\d.]+ ([\d.]+)', html)
        level = re.search(r'class="level" d="([^"]+)"', html)
        assert line and level
        return float(line[1]), min(float(y) for y in re.findall(r"V([\d.]+)", level[1]))

    line, top = heights(1)
    assert top < line  # SVG counts downwards: two requests begun within a second break a ceiling of one
    line, top = heights(4)
    assert top > line


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (Span("a", 0, 1, "lost"), "no state 'lost'"),
        (Span("a", 2, 1), "ends at 1, before 2"),
        (Span("x" * 19, 0, 1), "longer than 18 characters"),
    ],
)
def test_what_cannot_be_drawn_is_refused(span: Span, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        timeline([span], title="T", desc="D.")
