"""The walkthroughs of the orientation section say what their datasets say, and the datasets agree with each other."""

from __future__ import annotations

from render.views.walkthrough import view
from render.walkthroughs import ablation, diagnosis, pipeline_trace
from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, step, text


def test_the_walkthroughs_of_the_ladder_and_the_diagnosis_keep_the_rules() -> None:
    for name in ("ablation", "diagnosis"):
        keeps_the_rules(name)


def test_every_question_shown_has_every_stage_and_its_last_cell_names_its_end() -> None:
    data = dataset("pipeline_trace")
    steps = view(pipeline_trace.WALKTHROUGH, data).steps
    cases = data.result["cases"]
    assert len(steps) == len(cases) * len(pipeline_trace.STAGES)
    for at, case in enumerate(cases, start=1):
        last = next(one for one in steps if one.id == f"q{at}-answer")
        assert last.brief == pipeline_trace.ENDS[case["stage"]] and case["question"] in text(last.body)


def test_a_question_lost_before_the_context_never_has_its_evidence_marked_in_it() -> None:
    for case in dataset("pipeline_trace").result["cases"]:
        held = any(row["evidence"] for row in case["context"])
        if case["stage"] in ("search", "cut", "policy", "answered", "declined"):
            assert not held, case["id"]
        if case["stage"] in ("sentence", "company"):
            assert held, case["id"]


def test_a_hidden_passage_is_in_no_list_of_its_reader() -> None:
    for case in dataset("pipeline_trace").result["cases"]:
        if case["reader"] == "away":
            assert (
                set(case["ranks"].values()) == {None}
                and case["visible"] < dataset("pipeline_trace").result["population"]["chunks"]
            )


def test_shown_answers_are_right_exactly_when_a_quote_is_of_the_evidence_and_the_floor_lets_it_through() -> None:
    data = dataset("pipeline_trace").result
    for case in data["cases"]:
        assert case["answered"] == (case["score"] >= data["floor"])
        right = case["answered"] and any(quote["evidence"] for quote in case["quotes"])
        assert right == (case["stage"] == "right"), case["id"]


def test_failing_and_successful_questions_are_both_shown() -> None:
    population = dataset("pipeline_trace").result["population"]
    assert 0 < population["failing"] < population["shown"] <= 12


def test_the_three_datasets_rest_on_one_floor_and_count_alike() -> None:
    trace, ladder, found = (dataset(name).result for name in ("pipeline_trace", "ablation", "diagnosis"))
    assert trace["floor"] == ladder["floor"]["value"] == found["floor"]
    both = next(part for part in ladder["floor"]["parts"] if part["part"] == "all")
    assert both["home_right"] == found["outcomes"]["home"]["right"]
    assert both["away_answered"] == found["outcomes"]["away"]["wrong"] + found["outcomes"]["away"]["right"]
    assert both["none_answered"] == found["outcomes"]["none"]["wrong"]


def test_the_ladder_counts_every_lost_answer_once() -> None:
    result = dataset("diagnosis").result
    for arm in ("home", "away"):
        assert sum(row[f"{arm}_failed"] for row in result["ladder"]) == result["outcomes"][arm]["failed"]


def test_a_gain_whose_interval_crosses_zero_is_called_not_established() -> None:
    for gap in dataset("ablation").result["differences"]:
        assert (gap["finding"] == "not established") == (gap["low"] <= 0 <= gap["high"])
    for to, base, *_ in ablation.CHANGES:
        gaps = [g for g in dataset("ablation").result["differences"] if (g["base"], g["to"]) == (base, to)]
        unsure = any(gap["finding"] == "not established" for gap in gaps if gap["label"] == "evidence")
        assert ("Not established" in step("ablation", to.replace("_", "-")).says) == unsure


def test_every_rung_that_loses_answers_has_a_case() -> None:
    ids = {one.id for one in drawn("diagnosis")}
    for row in dataset("diagnosis").result["ladder"]:
        if row["home_failed"]:
            assert row["stage"] in ids
    assert set(diagnosis.NAMES) == {row["stage"] for row in dataset("diagnosis").result["ladder"]}
