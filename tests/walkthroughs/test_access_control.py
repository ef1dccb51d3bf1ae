"""The walkthroughs of access control say what their datasets say, and their predictions are right on these runs."""

from __future__ import annotations

import pytest

from render.views.kinds.explain import from_text
from render.views.walkthrough import view
from render.walkthroughs import _iterative_dials, _topology_mistakes, iterative_scan
from render.walkthroughs._layout_rows import SCATTERED, cells, modes, readings
from render.walkthroughs.partitioning import folded
from tests.walkthroughs.drawing import dataset, shown, spaced, step, text


@pytest.mark.parametrize("name", ["iterative_scan", "partitioning", "topologies"])
def test_every_reading_stands_beside_the_time_of_the_same_searches(name: str) -> None:
    for reading in readings(dataset(name), "cell").values():
        for key in ("cell", "way"):
            assert reading.row[key] == reading.time[key]


def test_home_and_away_are_told_apart_and_the_reader_of_everything_is_in_neither() -> None:
    data = dataset("iterative_scan")
    home, away = modes(data, "home"), modes(data, "away")
    assert cells(data) == [*away, *home, "all"]
    assert "home" not in text(step("iterative_scan", "limit-away").body)
    assert "away" not in text(step("iterative_scan", "limit-home").body)
    assert "home" not in text(step("partitioning", "away-lists").body)
    assert "away" not in text(step("partitioning", "home-lists").body)


def test_every_role_stands_with_what_it_sees_and_with_the_refusal_of_the_harness() -> None:
    seen = text(step("rls_bypasses", "roles").body)
    for row in dataset("rls_bypasses").at("/result/roles"):
        answer = f"refuses: {row['refusal']}" if row["refusal"] else "measures"
        assert f"{row['who']} {shown(row['chunks'])} {shown(row['foreign'])} {answer}" in seen


def test_every_way_round_is_shown_open_and_closed() -> None:
    seen = text(step("rls_bypasses", "ways").body)
    for row in dataset("rls_bypasses").at("/result/ways"):
        counts = f"{shown(row['opened']['foreign'])} {row['remedy']} {shown(row['closed']['foreign'])}"
        assert f"{row['what']} {counts}" in seen


def test_the_attempts_of_a_reader_fail_and_the_control_does_not() -> None:
    attempts = dataset("rls_bypasses").at("/result/attempts")
    assert [row["attempt"] for row in attempts if row["foreign"]] == ["leakproof"]
    assert "told of a foreign chunk" in step("rls_bypasses", "attempts").says


def test_strict_order_drops_and_relaxed_order_shuffles_as_its_prediction_says() -> None:
    found = readings(dataset("iterative_scan"), "cell", "way")
    limit = dataset("iterative_scan").params["max_scan_tuples"][-1]
    for (cell, way), reading in found.items():
        assert way.startswith("relaxed") or reading.measured["unordered"] == 0, (cell, way)
    assert found["away1", f"relaxed_{limit}"].measured["unordered"] > 0
    assert found["away1", f"strict_{limit}"].recall < found["away1", f"relaxed_{limit}"].recall


def test_a_filter_that_one_row_in_a_hundred_passes_is_filled_at_the_default_limit() -> None:
    data = dataset("iterative_scan")
    assert iterative_scan.DEFAULT in data.params["max_scan_tuples"] and data.params["one_in"] == 100
    found = readings(data, "cell", "way")
    for order in ("strict", "relaxed"):
        assert found[SCATTERED, f"{order}_{iterative_scan.DEFAULT}"].measured["short"] == 0
    assert "one chunk in a hundred" in step("iterative_scan", "scattered").title


def test_the_plans_of_an_iterative_scan_differ_in_what_the_filter_removed() -> None:
    plans = [from_text(row["lines"]) for row in dataset("iterative_scan").at("/result/plans")]
    names = [[node.name for _, node in top.walk()] for top in plans]
    assert names[0] == names[1]
    removed = [sum(node.total(node.removed) or 0 for _, node in top.walk()) for top in plans]
    assert removed[0] < removed[1]
    assert all(shown(int(count)) in spaced(step("iterative_scan", "plans").says) for count in removed)


def test_every_setting_of_the_dials_shows_its_recall_in_both_orders() -> None:
    data = dataset("iterative_scan")
    found = readings(data, "cell", "way")
    steps = {one.id: one for one in view(_iterative_dials.WALKTHROUGH, data).steps}
    for (cell, way), reading in found.items():
        limit = way.partition("_")[2] or "off"
        assert shown(reading.recall, 3) in text(steps[f"{cell}-{limit}"].body)


def test_a_plan_with_idle_scans_taken_together_keeps_every_removed_row() -> None:
    plans = {row["way"]: from_text(row["lines"]) for row in dataset("partitioning").at("/result/plans")}
    partitions = len(dataset("partitioning").at("/result/partitions"))
    ef = dataset("partitioning").params["ef_search"]
    whole = plans[f"without_ef{ef}"]
    tree, together = folded(whole)
    assert together > 1
    before, after = (sum(n.total(n.removed) or 0 for _, n in top.walk()) for top in (whole, tree))
    assert before == after > 0
    drawn = sum("Scan" in node.name for _, node in tree.walk())
    assert drawn + together == partitions == sum("Scan" in node.name for _, node in whole.walk())
    assert folded(plans[f"with_ef{ef}"])[1] == 0


def test_without_the_predicate_the_rows_are_the_same_as_the_prediction_says() -> None:
    data = dataset("partitioning")
    assert all(row["differing"] == 0 and row["gain"] == 0 for row in data.at("/result/predicate"))
    found, ef = readings(data, "cell", "way"), data.params["ef_search"]
    one, other = found["home1", f"with_ef{ef}"], found["home1", f"without_ef{ef}"]
    assert one.time["p50"] < other.time["p50"] and one.measured["short"] == other.measured["short"] == 0


def test_each_mistake_in_each_layout_is_a_cell_of_the_matrix() -> None:
    data = dataset("topologies")
    steps = {one.id: one for one in view(_topology_mistakes.WALKTHROUGH, data).steps}
    rows = data.at("/result/exposures")
    assert len(steps) == len(rows)
    for row in rows:
        one = steps[f"{row['layout']}-{row['mistake'].replace('_', '-')}"]
        assert spaced(str(one.brief)) == shown(row["rows_mean"], 0)
        assert shown(row["rows_most"], 0) in text(one.body)


def test_without_a_policy_the_bridge_shows_the_small_tenants_and_keeps_the_large() -> None:
    data = dataset("topologies")
    seen = {(row["layout"], row["mistake"]): row for row in data.at("/result/exposures")}
    bridge, pool = seen["bridge", "no_policy"], seen["pool", "no_policy"]
    assert bridge["tenants_mean"] <= data.at("/result/bridge/small_tenants") < pool["tenants_mean"]
    assert bridge["exposed"] == bridge["readers"]
    assert seen["silo", "no_policy"]["exposed"] == 0
    assert sum(seen[name, "no_predicate"]["exposed"] for name in ("pool", "partitions", "silo", "bridge")) == 0
