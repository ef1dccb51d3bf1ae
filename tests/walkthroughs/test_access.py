"""The walkthroughs of entitlements and barriers: states, numbers, and predictions right on the captured run."""

from __future__ import annotations

from tests.walkthroughs.drawing import dataset, keeps_the_rules, shown, spaced, step, text, view_of

MODES = ("tenant", "classification", "barrier")


def test_the_conditions_keep_the_rules_of_a_walkthrough() -> None:
    keeps_the_rules("authorized_retrieval")


def test_the_barrier_keeps_the_rules_of_a_walkthrough() -> None:
    keeps_the_rules("barriers")


def test_each_chunk_is_hidden_by_the_condition_that_its_step_names_and_by_no_other() -> None:
    cases = {case["condition"]: case for case in dataset("authorized_retrieval").at("/result/conditions/cases")}
    assert tuple(cases) == MODES
    for mode, case in cases.items():
        reader, chunk = case["reader"], case["chunk"]
        holds = {
            "tenant": chunk["tenant"] in reader["tenants"],
            "classification": ("open", "internal", "restricted").index(chunk["level"])
            <= ("open", "internal", "restricted").index(reader["clearance"]),
            "barrier": chunk["side"] in reader["sides"],
        }
        assert [name for name, held in holds.items() if not held] == [mode]
        seen = text(step("authorized_retrieval", mode).body)
        assert spaced(case["question"]) in seen and spaced(chunk["title"]) in seen
        assert seen.count("hidden") >= 4 and seen.count("visible") >= 3


def test_over_fetching_fails_where_the_prediction_says() -> None:
    data = dataset("authorized_retrieval")
    figures = data.figures
    for size in ("1", "3", "10"):
        home, away = (figures[f"short_fetch1_{mode}_{size}"] for mode in ("home", "tenant"))
        assert home["value"] < away["value"] and home["interval"][1] < away["interval"][0]
    prediction = view_of("authorized_retrieval").prediction
    assert prediction is not None and prediction.options[1].right


def test_a_longer_list_never_comes_up_short_more_often() -> None:
    rows = {(row["cell"], row["way"]): row for row in dataset("authorized_retrieval").at("/result/readings")}
    for cell in {cell for cell, _ in rows}:
        shares = [rows[cell, way]["measured"]["short_share"] for way in ("fetch1", "fetch2", "fetch4")]
        assert shares == sorted(shares, reverse=True), cell


def test_the_dials_have_a_cell_for_every_reader_and_list() -> None:
    data, one = dataset("authorized_retrieval"), view_of("authorized_retrieval#access-fetch")
    assert one.dials
    assert len(one.steps) == len(data.at("/result/cells")) * 4


def test_the_two_pages_of_the_barrier_differ_only_where_hidden_rows_were_ranked() -> None:
    case = dataset("barriers").at("/result/case")
    present, absent = case["worlds"]["present"], case["worlds"]["absent"]
    assert present["before"] == absent["before"] and present["total_before"] == absent["total_before"]
    assert present["missing"] > absent["missing"]
    drawn = str(step("barriers", "worlds").body)
    assert drawn.count('class="slot discarded"') == present["missing"] + absent["missing"]
    assert "(source)" not in drawn.partition("Without it")[2]


def test_comparing_beats_one_look_as_the_prediction_says() -> None:
    figures = dataset("barriers").figures
    single, paired = figures["single_missing_after"], figures["paired_missing_after"]
    assert single["interval"][0] > 0.5 and single["interval"][1] < paired["interval"][0] < 0.95
    prediction = view_of("barriers").prediction
    assert prediction is not None and prediction.options[1].right


def test_every_accuracy_that_a_clock_gave_stands_beside_chance() -> None:
    data, seen = dataset("barriers"), text(step("barriers", "time").body)
    assert "Chance is one half" in seen
    for row in data.at("/result/timed"):
        assert shown(row["measured"]["paired"], 3) in seen and row["words"] in seen


def test_what_is_called_established_lies_above_chance_with_its_whole_interval() -> None:
    data = dataset("barriers")
    rows = [*data.at("/result/observables"), *(row["measured"] for row in data.at("/result/timed"))]
    for row in rows:
        above = row["single_interval"][0] > 0.5 or row["paired_interval"][0] > 0.5
        assert row["told"] == ("yes" if above else "no")
