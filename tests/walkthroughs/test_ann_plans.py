"""The walkthrough of the plans shows what PostgreSQL printed, and its prediction is right on the captured run."""

from __future__ import annotations

from checks.html import check
from render.views.walkthrough import view
from render.walkthroughs._ann_plans import WALKTHROUGH, _counts
from tests.walkthroughs.drawing import dataset, shown, spaced, text


def test_every_count_that_a_plan_printed_stands_in_its_step() -> None:
    data = dataset("ann_postfilter")
    steps = {step.id: step for step in view(WALKTHROUGH, data).steps}
    assert list(steps) == ["index", "policy", "exact", "home", "all", "both"]
    cases = {case["id"]: case for case in data.at("/result/cases")}
    for step, case, which in (("index", "away", "plan"), ("exact", "away", "exact_plan"), ("home", "home", "plan")):
        lines = " ".join(cases[case][which])
        removed = lines.partition("Rows Removed by Filter: ")[2].split()[0]
        seen = spaced(f"{steps[step].says} {text(steps[step].body)}")
        assert seen.count(shown(int(removed))) >= 2, step
        assert "(InitPlan 1).col1" in seen


def test_every_removed_candidate_is_drawn_as_one_discarded_row() -> None:
    data = dataset("ann_postfilter")
    steps = {step.id: step for step in view(WALKTHROUGH, data).steps}
    cases = {case["id"]: case for case in data.at("/result/cases")}
    for name, case in (("index", "away"), ("home", "home")):
        kept, removed = _counts(cases[case])
        drawn = str(steps[name].body)
        scan = drawn[drawn.index("plan-cells", drawn.index("Index Scan")) :].partition("</svg>")[0]
        assert scan.count("fill discarded") == removed
        assert scan.count("fill permitted") == kept


def test_the_exact_scan_removes_more_and_returns_ten() -> None:
    away = next(case for case in dataset("ann_postfilter").at("/result/cases") if case["id"] == "away")
    assert _counts(away, "exact_plan")[1] > 10 * _counts(away)[1]
    assert away["exact_plan"][0].startswith("Limit (actual rows=10")
    assert WALKTHROUGH.prediction is not None
    assert [option.right for option in WALKTHROUGH.prediction.options].count(True) == 1


def test_the_markup_is_clean() -> None:
    steps = view(WALKTHROUGH, dataset("ann_postfilter")).steps
    page = "<!doctype html><html lang=en><head><title>t</title></head><body>{}</body></html>"
    assert check(page.format("".join(step.body for step in steps)), "ann_plans.html") == []
