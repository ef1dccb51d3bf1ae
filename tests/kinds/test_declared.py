"""The declaration of a kind, and what the kinds with controls of their own draw."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from render.views.chart import Axis, Series
from render.views.kinds import curve, matrix, sweep
from render.views.kinds.kind import kinds

FOLDER = Path(__file__).resolve().parents[2] / "render" / "views" / "kinds"
LINE = Series("share", [(0.1, 0.9), (0.5, 0.6), (0.9, 0.2)], "dense")


def drawn(at: float, groups: list[curve.Group]) -> str:
    return curve.state(
        [LINE],
        groups,
        at=at,
        word=f"score {at}",
        sides=("declined", "accepted"),
        title="T",
        desc="D.",
        x=Axis("score", 1),
        y=Axis("share", 1, low=0, high=1),
    )


def test_every_kind_is_a_module_of_its_name_with_a_sentence() -> None:
    for ident, kind in kinds().items():
        assert (FOLDER / f"{ident.replace('-', '_')}.py").is_file(), ident
        assert kind.name and kind.shows.endswith(".") and 0 < kind.states[0] <= kind.states[1]


@pytest.mark.parametrize("ident", sorted(kinds()))
def test_a_kind_is_at_most_ten_kilobytes_of_code(ident: str) -> None:
    assert (FOLDER / f"{ident.replace('-', '_')}.py").stat().st_size <= 10 * 1024


def test_a_grid_is_in_the_order_of_its_dials_the_last_turning_fastest() -> None:
    assert sweep.grid("ab", [1, 2], lambda one, other: f"{one}{other}") == ["a1", "a2", "b1", "b2"]


@pytest.mark.parametrize(("value", "expected"), [(11, 0), (1, 4), (6, 2), (20, 0), (-5, 4)])
def test_a_tone_runs_from_weak_to_strong_also_where_less_is_more(value: float, expected: int) -> None:
    assert sweep.tone(value, 11, 1) == expected


def test_a_tone_of_values_that_are_all_alike_is_the_weakest() -> None:
    assert sweep.tone(3, 3, 3) == 0


def test_counts_on_both_sides_of_a_threshold_add_up_and_what_was_never_reached_lies_above() -> None:
    group = curve.cut_at("dense", [1, 4, 10, None], 4, "low")
    assert (group.low, group.high) == (2, 2)


def test_the_threshold_is_drawn_with_its_counts_and_verdicts_in_words() -> None:
    html = drawn(0.5, [curve.Group("supported", 3, 7, "high"), curve.Group("unsupported", 9, 1, "low")])
    assert html.count('class="cut"') == 1 and "score 0.5" in html
    cells = re.findall(r'<data value="(\d)">\d</data> <span aria-hidden="true">.</span> (\w+)', html)
    assert cells == [("3", "wrong"), ("7", "right"), ("9", "right"), ("1", "wrong")]


def test_a_threshold_between_captured_points_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0\.3 is no captured point"):
        drawn(0.3, [])


def test_a_readout_gives_the_row_and_the_column_and_marks_the_cell_in_both() -> None:
    axes = ("form", ["a", "b"]), ("ef", ["10", "20", "40"])
    html = matrix.readout(*axes, [[1, 2, 3], [4, 5, 6]], (1, 2), what="plan")
    assert re.findall(r'<data value="(\d)"', html) == ["4", "5", "6", "3", "6"]
    assert html.count('<tr class="is-on">') == 2 and "Along the row: b" in html and "ef 40" in html


def test_a_matrix_of_another_shape_than_its_axes_is_refused() -> None:
    with pytest.raises(ValueError, match="not 2 × 1 values"):
        matrix.readout(("a", ["x", "y"]), ("b", ["z"]), [[1]], (0, 0), what="v")
