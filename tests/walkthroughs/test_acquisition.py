"""The walkthrough of acquisition says what its dataset says."""

from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, shown, step, text


def test_the_walkthrough_of_acquisition_keeps_the_rules() -> None:
    keeps_the_rules("acquisition")


def test_both_buckets_stand_on_one_scale_against_the_ceiling() -> None:
    rate = dataset("acquisition").params["rate"]
    for ident in ("full", "strict"):
        assert f"limit {rate}" in text(step("acquisition", ident).body)


def test_every_request_of_the_opening_runs_is_in_the_table_of_its_step() -> None:
    traces = dataset("acquisition").timings["opening"]["traces"]
    for ident in ("full", "strict"):
        requests = sum(span["state"] != "wait" for span in traces[f"open_{ident}"]["spans"])
        body = str(step("acquisition", ident).body)
        assert body.count('<th scope="row"') >= requests


def test_each_fault_is_shown_in_one_step_with_the_answers_it_met() -> None:
    rows = dataset("acquisition").result["faults"]["cases"]
    seen = {ident: text(step("acquisition", ident).body) for ident in ("waits", "broken", "refused")}
    for row in rows[1:]:
        answers = ", ".join(str(status) if status else "no answer" for status in row["statuses"])
        assert sum(f"{row['label']} {answers} {row['requests']}" in body for body in seen.values()) == 1


def test_the_quota_step_sets_the_stopped_run_beside_the_one_that_retries() -> None:
    quota, seen = dataset("acquisition").result["quota"], text(step("acquisition", "quota").body)
    for run in ("stopped", "retried", "next_day"):
        assert f"{quota[run]['requests']} {quota[run]['answered_429']} {quota[run]['fetched']}" in seen


def test_the_last_step_shows_a_run_for_every_kill_and_the_one_after_them() -> None:
    restart = dataset("acquisition").result["restart"]
    assert [run["killed_in"] is None for run in restart["runs"]] == [False] * restart["kills"] + [True]
    seen = text(drawn("acquisition")[-1].body)
    for run in restart["runs"]:
        assert f"{shown(run['resumed_from'])} {shown(run['bytes'])} {shown(run['part_bytes'])} {run['whole']}" in seen
