"""The figure kit: what it refuses, what it never leaves out, and that its markup is clean."""

from __future__ import annotations

import re

import pytest

from checks.html import check
from render.views.chart import Axis, Series, line_chart, ticks
from render.views.chart_options import chart
from render.views.kit import Bar, Col, Rank, Slot, bars, data, excerpt, heat, rank_list, slots, table
from tests.browser.sample import SampleSite

RECORDS = [{"ef": 10, "recall": 0.6, "role": "home"}, {"ef": 40, "recall": 0.83, "role": "home"}]
LINES = {"kind": "line", "x": "ef", "y": "recall", "series": "role", "title": "Recall by ef", "desc": "It rises."}


@pytest.mark.parametrize("path", sorted(SampleSite().pages()))
def test_every_template_writes_html_a_browser_reads_as_written(path: str) -> None:
    assert not check(SampleSite().pages()[path], path)


def test_a_table_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells under 2 columns"):
        table(["a", "b"], [["only"]], title="T")


def test_a_missing_value_reads_none_and_never_zero() -> None:
    html = table(["list", Col("rank", 0)], [["dense", None]], title="T")
    assert "none" in html and "<data" not in html


def test_text_is_escaped() -> None:
    assert "&lt;b&gt;" in table(["a"], [["<b>"]], title="<i>")
    assert "<i>" not in table(["a"], [["x"]], title="<i>")


def test_a_number_keeps_its_unrounded_value_beside_its_text() -> None:
    assert str(data(0.98512, 3)) == '<data value="0.98512">0.985</data>'


def test_a_bar_never_leaves_its_scale_and_a_negative_one_is_refused() -> None:
    html = bars([Bar("a", 2.0)], title="T", maximum=1)
    assert 'width="200.0" height="12"' in html
    with pytest.raises(ValueError, match="negative"):
        bars([Bar("a", -1.0)], title="T")


def test_a_ranking_keeps_the_ranks_it_was_given() -> None:
    assert re.findall(r'<li value="(\d+)"', rank_list([Rank(1, "a"), Rank(4, "b")], title="T")) == ["1", "4"]


def test_slots_print_every_place_up_to_forty_and_counts_always() -> None:
    few = slots([Slot("permitted", "x")] * 3 + [Slot("discarded")] * 2 + [Slot("empty")], title="T")
    assert few.count('<li class="slot ') == 6
    many = slots([Slot("permitted")] * 30 + [Slot("discarded")] * 170, title="T")
    assert many.count("<rect") == 200
    assert '<data value="170">170</data>' in many


def test_the_largest_value_of_each_row_of_a_matrix_is_outlined() -> None:
    assert heat(["a", "b"], ["x", "y"], [[1, 2], [4, 3]], title="T", mark_row_max=True).count("is-max") == 2


def test_an_excerpt_longer_than_three_hundred_characters_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 300"):
        excerpt("x" * 301, title="T", url="https://example.org", licence="L")


def test_a_chart_carries_its_data_as_a_table() -> None:
    html = chart(RECORDS, LINES, "c1")
    assert "<title>Recall by ef</title><desc>It rises.</desc>" in html
    assert '<data value="0.83">' in html


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "pie"}, "no chart of kind 'pie'"),
        ({"colour": "red"}, "no option 'colour'"),
        ({"desc": ""}, "needs 'desc'"),
        ({"y": "recal"}, "without points"),
        ({"y": "role"}, "column 'role' holds 'home', no number"),
    ],
)
def test_a_chart_says_what_is_wrong_with_its_options(change: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        chart(RECORDS, {**LINES, **change}, "c1")


def test_a_logarithmic_axis_from_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="must start above 0"):
        line_chart([Series("a", [(0, 1)])], title="T", desc="D.", x=Axis("x", log=True), y=Axis("y"))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 800, [0, 200, 400, 600, 800]),
        (5, 5, [5]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == expected


def test_sizes_take_no_look_of_a_role_and_are_named_beside_their_lines() -> None:
    sizes = [Series(f"{n} tenants", [(1, n / 20), (2, n / 10)]) for n in (1, 3, 10)]
    exact = Series("exact search", [(1, 1.0), (2, 1.0)], "exact")
    html = line_chart([exact, *sizes], title="T", desc="D.", x=Axis("x"), y=Axis("y"))
    looks = re.findall(r'<path class="line ([^"]+)"', html)
    assert looks[0] == "exact" and len(set(looks)) == 4
    assert not set(looks[1:]) & {"lexical", "dense", "fused", "approx", "permitted", "discarded", "exact"}
    assert re.findall(r'<text class="tag"[^>]*>([^<]+)', html) == ["10 tenants", "3 tenants", "1 tenants"]
