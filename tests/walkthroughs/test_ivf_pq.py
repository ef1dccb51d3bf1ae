"""The walkthrough of lists and codes says what its dataset says, and its arithmetic adds up."""

from __future__ import annotations

import pytest

from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, shown, step, text


def test_the_walkthrough_of_lists_and_codes_keeps_the_rules() -> None:
    keeps_the_rules("ivf_pq")


def test_the_first_view_says_what_became_of_each_of_the_exact_ten() -> None:
    case = dataset("ivf_pq").at("/result/case")
    seen = text(step("ivf_pq", "fate").body)
    assert len(case["exact"]) == 10
    for row in case["exact"]:
        assert row["id"] in seen and shown(row["cosine"], 4) in seen
    lost = sum(not row["probed"] for row in case["exact"])
    assert seen.count("list not probed") == lost > 0
    assert seen.count("found by codes") == sum(row["found"] for row in case["exact"]) > 0


def test_the_case_loses_neighbours_in_both_ways_and_gets_some_back() -> None:
    case = dataset("ivf_pq").at("/result/case")
    assert any(not row["probed"] for row in case["exact"])
    assert any(row["probed"] and not row["found"] for row in case["exact"])
    assert any(row["reranked"] and not row["found"] for row in case["exact"])


def test_the_error_of_a_code_is_as_large_as_the_differences_between_the_exact_ten() -> None:
    rows = dataset("ivf_pq").at("/result/case/exact")
    worst = max(abs(row["score"] - row["cosine"]) for row in rows if row["probed"])
    assert worst > rows[0]["cosine"] - rows[-1]["cosine"] > 0


def test_the_parts_of_a_score_are_printed_and_add_up_to_it() -> None:
    code = dataset("ivf_pq").at("/result/case/code")
    seen = text(step("ivf_pq", "code").body)
    assert code["centroid"] + sum(code["parts"]) == pytest.approx(code["score"], abs=1e-4)
    assert all(shown(part, 4) in seen for part in code["parts"])
    assert shown(code["score"], 4) in seen and shown(code["cosine"], 4) in seen


def test_the_vectors_compared_are_those_of_the_probed_lists() -> None:
    case = dataset("ivf_pq").at("/result/case")
    probed = [row for row in case["lists"] if row["probed"]]
    assert len(probed) <= case["probes"]
    assert sum(row["size"] for row in probed) <= case["scanned"]
    if len(probed) == case["probes"]:
        assert sum(row["size"] for row in probed) == case["scanned"]


def test_every_code_size_has_every_number_of_probes() -> None:
    data, steps = dataset("ivf_pq"), drawn("ivf_pq#ivf-pq-dials")
    sizes = [row for row in data.at("/result/bytes") if row["variant"] in ("flat", "residual")]
    assert len(steps) == len(sizes) * len(data.params["probes"])
    assert len({one.id for one in steps}) == len(steps)


def test_codes_never_pass_the_ceiling_of_their_lists() -> None:
    rows = dataset("ivf_pq").at("/result/readings")
    ceiling = {row["probes"]: row["recall"] for row in rows if row["variant"] == "flat"}
    for row in rows:
        assert row["recall"] <= row["reranked"] + 1e-9 <= ceiling[row["probes"]] + 2e-9


def test_lists_of_full_vectors_lose_the_same_in_numpy_and_in_postgresql() -> None:
    data = dataset("ivf_pq")
    lists = data.params["lists"]
    numpy = {row["probes"]: row["recall"] for row in data.at("/result/readings") if row["variant"] == "flat"}
    for row in data.at("/result/postgres"):
        if row["index"] == f"ivfflat_{lists}":
            assert row["measured"]["recall"]["mean"] == pytest.approx(numpy[row["setting"]], abs=0.05)
            assert set(row["plans"]) == {"ivfflat index scan"}
