"""The capture on the small corpus: controls hold, figures stand where they say, exhibits are found in their files."""

from __future__ import annotations

import math

import numpy as np
import pytest

from harness.capture.api import Payload, Run
from harness.capture.canary_corpus import canary_corpus
from harness.experiments.dedup.capture import CAPTURE
from harness.experiments.dedup.sampling import wilson
from harness.experiments.dedup.sources import sources
from harness.experiments.dedup.unrelated import components, drawn
from tests.captures import standing_figures


@pytest.fixture(scope="module")
def run() -> Run:
    return Run.over(canary_corpus(), {**CAPTURE.params, **CAPTURE.canary_params})


@pytest.fixture(scope="module")
def payload(run: Run) -> Payload:
    return CAPTURE.capture(run)


def test_every_figure_stands_where_it_says(payload: Payload) -> None:
    assert len(standing_figures(payload)) > 100


def test_controls_known_beforehand_are_one_at_every_rate(payload: Payload) -> None:
    certain = [row for row in payload.result["controls"] if row["certain"]]
    assert [row["control"] for row in certain] == ["embedded", "reformatted"]
    for row in certain:
        assert row["lowest"] == row["lowest_clear"] == 1 and row["samples_below_one"] == 0 < row["samples"]
    assert certain[0]["jaccard"] < 1 == certain[1]["jaccard"]


def test_damaged_controls_are_below_one(payload: Payload) -> None:
    damaged = [row for row in payload.result["controls"] if not row["certain"]]
    assert all(row["mean"] < 1 for row in damaged) and len(damaged) == 2


def test_exhibits_stand_whole_in_their_file_and_the_ones_filed_twice_are_found(payload: Payload) -> None:
    assert all(row["containment"] == 1 and row["jaccard"] < 0.6 for row in payload.result["filed"])
    equal = [row for row in payload.result["twice"] if row["family"] == "exhibit"]
    assert len(equal) == 2 and all(row["jaccard"] == 1 for row in equal)


def test_boilerplate_taken_out_lowers_what_unrelated_texts_share(payload: Payload) -> None:
    mean = {(row["family"], row["limit"]): row["mean"] for row in payload.result["unrelated"]}
    assert mean["rfc", None] > 0.05 > mean["rfc", 6] >= mean["rfc", 4]


def test_the_whole_sample_has_no_error(payload: Payload) -> None:
    first, *rest = payload.result["errors"]
    assert first["rate"] == 1 and first["largest"] == 0
    assert all(row["mean"] > 0 for row in rest)


def test_unrelated_pairs_are_of_two_groups_and_of_no_common_chain(run: Run) -> None:
    found = sources(run)
    chain = components(found.items, found.supersedes)
    assert len(found.supersedes) == 1
    for old, new in found.supersedes:
        assert chain[old] == chain[new]
    for family, chosen in drawn(found.items, found.supersedes, 1000, 0).items():
        for a, b in chosen:
            one, other = found.items[a], found.items[b]
            assert one.family == other.family == family
            assert one.group != other.group and chain[one.id] != chain[other.id]


def test_the_score_interval_is_the_one_worked_by_hand() -> None:
    low, high = wilson(np.array([5]), np.array([10]))
    z = 1.959964
    reach = z / (1 + z * z / 10) * math.sqrt(0.25 / 10 + z * z / 400)
    assert (low[0], high[0]) == (pytest.approx(0.5 - reach), pytest.approx(0.5 + reach))
