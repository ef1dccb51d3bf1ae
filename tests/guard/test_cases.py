"""Every rule against its case file, and the handed cases where they are present."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from checks.html import RULES, check, inspect, is_stable, is_unstable, written_tree
from checks.problems import errors
from tests.guard.guard_cases import Case, cases, shared

CASES = cases()
NOT_FROM_TEXT = {"round-trip", "unreadable-file", "undecodable-bytes", "legacy-encoding"}  # test_encoding.py


def told(case: Case) -> list[str]:
    lines = []
    for one in inspect(case.html, "case.html"):
        limit = [f" {r.element} {r.line}:{r.column}" for r in one.related if r.role == "limit"]
        lines.append(f"{one.problem.rule} {one.problem.line}:{one.problem.column}{''.join(limit)}")
    return lines


@pytest.mark.parametrize("rule", sorted({case.rule for case in CASES}))
def test_each_case_gives_exactly_the_findings_in_its_file(rule: str) -> None:
    for case in CASES:
        if case.rule == rule:
            assert told(case) == list(case.expected), f"{case}: {case.html[-300:]}"


@pytest.mark.parametrize("rule", sorted(set(RULES) - NOT_FROM_TEXT))
def test_every_rule_has_a_case_that_must_fail_and_one_that_must_pass(rule: str) -> None:
    kinds = Counter(case.fails for case in CASES if case.rule == rule)
    assert kinds[True] and kinds[False]
    for case in CASES:
        if case.rule == rule:
            found = any(line.split()[0] == rule for line in case.expected)
            assert found == case.fails, case


def test_no_case_file_is_about_an_unknown_rule() -> None:
    assert {case.rule for case in CASES} <= set(RULES)


def test_unstable_and_non_conforming_are_kept_apart() -> None:
    for case in CASES:
        unstable = [line for line in case.expected if is_unstable(line.split()[0])]
        assert is_stable(case.html) == (not unstable), case


def test_a_stable_case_has_a_written_tree() -> None:
    for case in CASES:
        if is_stable(case.html):
            assert written_tree(case.html) is not None, case


def test_the_handed_cases_are_all_judged_as_browsers_judge_them() -> None:
    path = shared("nesting/cases.jsonl")
    if path is None:
        pytest.skip("the handed nesting cases are not beside this repository (ZEROTH_SHARED)")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = []
    for row in rows:
        found = errors(check(row["html"], "case.html"))
        if is_stable(row["html"]) != row["parser_stable"]:
            wrong.append((row["id"], "stability"))
        if (row["truth"] == "valid") and found:
            wrong.append((row["id"], "false alarm"))
        if row["truth"] in ("invalid", "omission") and not found:
            wrong.append((row["id"], "missed"))
        if (written_tree(row["html"]) is not None) != row["source_well_formed"]:
            wrong.append((row["id"], "well-formed"))
    assert rows and not wrong
