"""The walkthrough of BM25 says what its dataset says."""

import pytest

from render.walkthroughs._bm25_case import SHOWN, case_of
from tests.walkthroughs.drawing import dataset, keeps_the_rules, shown, step, text


def test_the_walkthrough_of_bm25_keeps_the_rules() -> None:
    keeps_the_rules("bm25")


def test_the_first_view_shows_the_answer_low_under_one_setting_and_high_under_the_default() -> None:
    case = case_of(dataset("bm25"))
    first, (low, high) = step("bm25", "dials"), (case.rank(*case.worst), case.rank(case.k1, case.b))
    seen = text(first.body)
    assert high is not None and (low is None or low > high)
    assert all(case.names[id] in seen for id in [*case.ranking(*case.worst)[:SHOWN], *case.default[:SHOWN]])
    assert f"number {high} under the default" in first.says


def test_the_default_cell_of_the_grid_is_the_ranking_taken_apart() -> None:
    case = case_of(dataset("bm25"))
    assert [row["id"] for row in case.query["top"]] == case.default


def test_the_parts_of_the_first_score_are_printed_and_sum_to_it() -> None:
    top = case_of(dataset("bm25")).query["top"][0]
    seen = text(step("bm25", "sum").body)
    assert sum(top["contribution"]) == pytest.approx(top["score"], abs=1e-4)
    assert all(shown(part, 3) in seen for part, tf in zip(top["contribution"], top["tf"], strict=True) if tf)
    assert shown(top["score"], 3) in seen


def test_the_arithmetic_of_a_term_gives_its_part() -> None:
    data = dataset("bm25")
    case = case_of(data)
    top = case.query["top"][0]
    for term, tf, part in zip(case.query["terms"], top["tf"], top["contribution"], strict=True):
        length = 1 - case.b + case.b * top["length_ratio"]
        whole = term["count"] * (term["idf"] or 0) * (tf / (tf + case.k1 * length) if tf else 0)
        assert whole == pytest.approx(part, abs=2e-4)


def test_every_pair_of_dials_has_a_rank() -> None:
    case = case_of(dataset("bm25"))
    assert str(step("bm25", "grid").body).count("<td") == len(case.k1s) * len(case.bs)


def test_every_cell_of_the_quality_grid_is_printed() -> None:
    seen = text(step("bm25", "all").body)
    assert all(shown(row["MRR@10 evidence"], 3) in seen for row in dataset("bm25").result["grid_quality"])


def test_the_page_says_that_no_tokeniser_is_shown_to_help_or_to_hurt() -> None:
    rows = [row for row in dataset("bm25").result["differences"] if row["label"] == "evidence"]
    unclamped = [row for row in rows if row["to"] == "bm25_unclamped"]
    assert all(row["high"] < 0 for row in unclamped) and len(unclamped) == 2
    assert all(row["low"] <= 0 <= row["high"] for row in rows if row not in unclamped)
