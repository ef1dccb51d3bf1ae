"""The walkthroughs of deduplication say what their dataset says."""

from __future__ import annotations

from typing import Any

from render.walkthroughs._dedup_thresholds import WALKTHROUGH as THRESHOLDS
from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, shown, spaced, step, text


def cases() -> dict[str, dict[str, Any]]:
    return {case["case"]: case for case in dataset("dedup").result["cases"]}


def test_the_walkthrough_of_deduplication_keeps_the_rules() -> None:
    keeps_the_rules("dedup")


def test_the_first_view_sets_containment_beside_jaccard_for_every_pair() -> None:
    seen = text(drawn("dedup")[0].body)
    for case in cases().values():
        assert shown(case["raw"]["containment"], 3) in seen and shown(case["raw"]["jaccard"], 3) in seen


def test_the_exhibit_shown_stands_wholly_in_its_file_and_is_not_like_it() -> None:
    case = cases()["filed"]
    assert case["raw"]["shared"] == case["raw"]["left"]
    assert case["raw"]["containment"] == 1 and case["raw"]["jaccard"] < 0.05


def test_the_unrelated_pair_shares_boilerplate_and_nothing_else() -> None:
    case = cases()["unrelated"]
    assert 0.25 < case["raw"]["containment"] < 0.34  # the step's title says nearly a third
    assert case["clear"]["containment"] < 0.05 and case["boilerplate"]["excerpt"]


def test_every_superseding_pair_falls_into_one_tenth() -> None:
    rows = dataset("dedup").result["superseding"]
    tenths = [min(9, int(10 * row["containment"])) for row in rows]
    seen = text(step("dedup", "superseded").body)
    for tenth in range(10):
        assert f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f} {tenths.count(tenth)}" in seen


def test_controls_that_must_be_one_are_and_no_sample_says_otherwise() -> None:
    rows = {row["control"]: row for row in dataset("dedup").result["controls"]}
    for name in ("embedded", "reformatted"):
        assert rows[name]["lowest"] == rows[name]["lowest_clear"] == 1 and rows[name]["samples_below_one"] == 0
    assert rows["hyphenated"]["mean"] < 1 and rows["replaced"]["mean"] < 1


def test_unrelated_texts_stay_below_the_line_once_boilerplate_is_out() -> None:
    data = dataset("dedup")
    limit, line = data.params["limit"], data.params["line"]
    rows = [row for row in data.result["unrelated"] if row["limit"] == limit]
    assert len(rows) == 6
    assert all(row["p99"] < line and row["mean"] < line / 4 for row in rows)


def test_exhibits_are_found_in_their_files_and_the_ones_filed_twice_are_found() -> None:
    result = dataset("dedup").result
    assert all(row["containment"] > 0.99 for row in result["filed"])
    equal = [row for row in result["twice"] if row["family"] == "exhibit" and row["jaccard"] == 1]
    assert len(equal) >= 6


def test_the_error_grows_as_the_sample_shrinks_and_is_the_one_expected() -> None:
    rows = dataset("dedup").result["errors"]
    assert [row["rate"] for row in rows] == [1, 4, 16, 64]
    means = [row["mean"] for row in rows]
    assert means == sorted(means) and means[0] == 0
    for row in rows[1:]:
        assert abs(row["mean"] - row["expected"]) < 0.15 * row["expected"]
        assert row["covered"] > 0.94


def test_the_sweep_has_a_state_for_every_family_and_threshold() -> None:
    data = dataset("dedup")
    steps = THRESHOLDS.steps(data)
    assert THRESHOLDS.dials is not None
    families, limits = THRESHOLDS.dials(data)
    assert len(steps) == len(families.values) * len(limits.values) == 54
    rows = {(row["family"], row["limit"]): row for row in data.result["unrelated"]}
    for one in steps:
        family, _, limit = one.id.rpartition("-")
        row = rows[family, None if limit == "all" else int(limit)]
        assert spaced(str(one.brief)) == shown(row["p99"], 3)
        assert shown(row["largest"], 3) in text(one.body)


def test_a_threshold_above_the_size_of_a_family_leaves_its_boilerplate_in() -> None:
    mean = {(row["family"], row["limit"]): row["mean"] for row in dataset("dedup").result["unrelated"]}
    assert mean["filing", 40] > 0.9 * mean["filing", None]
    assert mean["rfc", 40] < 0.1 * mean["rfc", None]
    assert mean["filing", 10] < 0.3 * mean["filing", None]
