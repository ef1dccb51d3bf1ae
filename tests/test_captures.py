"""The shared check of figures fails on the figures that it is there to find."""

from __future__ import annotations

import pytest

from harness.capture.api import Figure, Payload
from tests.captures import standing_figures


def test_a_figure_must_stand_where_it_says_and_a_varying_one_needs_number_and_interval() -> None:
    right = Figure(1, "", "right", at="/result/a")
    assert set(standing_figures(Payload({"a": 1}, {"right": right}))) == {"right"}
    with pytest.raises(AssertionError, match="wrong: 2 is not what stands at /result/a"):
        standing_figures(Payload({"a": 1}, {"wrong": Figure(2, "", "wrong", at="/result/a")}))
    with pytest.raises(AssertionError, match="loose varies"):
        standing_figures(Payload({"a": 1}, {"loose": Figure(1, "", "loose", volatile=True)}))
