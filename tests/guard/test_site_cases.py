"""Every rule about accessibility, policy and completeness without script against its case file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from checks import a11y, csp, noscript
from checks.pages import Page, read_page
from checks.problems import Problem
from tests.guard.guard_cases import Case, cases

Check = Callable[[list[Page]], Iterable[Problem]]
GUARDS: dict[str, tuple[Check, set[str]]] = {
    "a11y": (a11y.check_pages, set(a11y.RULES) - {"title-unique"}),
    "csp": (csp.check_pages, set(csp.RULES)),
    "noscript": (noscript.check_pages, set(noscript.RULES)),
}
CASES = {name: cases(Path(__file__).parent / f"cases_{name}") for name in GUARDS}
ALL = [(name, case) for name, found in CASES.items() for case in found]
BEFORE = '<!DOCTYPE html><html lang="en"><head><title>t</title></head><body><main><h1>h</h1>\n'


def told(guard: str, case: Case) -> list[str]:
    """What the guard says; for accessibility a piece stands in a page that is fine otherwise."""
    whole = guard != "a11y" or "<!DOCTYPE" in case.html
    html = case.html if whole else f"{BEFORE}{case.html}\n</main></body></html>"
    found = GUARDS[guard][0]([read_page(html, "case.html")])
    return sorted(f"{one.rule} {one.line - (not whole)}:{one.column}" for one in found)


@pytest.mark.parametrize(("guard", "case"), ALL, ids=str)
def test_each_case_gives_exactly_the_findings_in_its_file(guard: str, case: Case) -> None:
    assert told(guard, case) == sorted(case.expected), case.html


@pytest.mark.parametrize("guard", GUARDS)
def test_every_rule_has_a_case_that_must_fail_and_one_that_must_pass(guard: str) -> None:
    rules = {case.rule for case in CASES[guard]}
    assert rules == GUARDS[guard][1]
    for rule in rules:
        assert {case.fails for case in CASES[guard] if case.rule == rule} == {True, False}, rule
        for case in CASES[guard]:
            if case.rule == rule:
                assert any(line.startswith(f"{rule} ") for line in case.expected) == case.fails, case


@pytest.mark.parametrize("guard", GUARDS)
def test_every_finding_has_a_message_and_a_remedy(guard: str) -> None:
    for case in CASES[guard]:
        for one in GUARDS[guard][0]([read_page(case.html, "case.html")]):
            assert one.message and one.fix and one.path == "case.html"


def pages(**titles: str) -> list[Page]:
    html = '<!DOCTYPE html><html lang="en"><head>{}</head><body><main><h1>h</h1></main></body></html>'
    return [read_page(html.format(head), name) for name, head in titles.items()]


def test_two_pages_with_one_title_are_told_apart() -> None:
    (problem,) = a11y.check_pages(pages(a="<title>x</title>", b="<title> x\n</title>", c="<title>y</title>"))
    assert (problem.rule, problem.path, problem.column) == ("title-unique", "b", 38)
    assert "is that of a too" in problem.message


def test_pages_that_send_on_at_once_may_share_a_title() -> None:
    moved = '<title>Moved</title><meta http-equiv="refresh" content="0; url=a.html">'
    assert list(a11y.check_pages(pages(a=moved, b=moved))) == []
    waits = moved.replace("0;", "9;")
    assert [one.rule for one in a11y.check_pages(pages(a=waits, b=waits))].count("title-unique") == 1
    assert [one.rule for one in a11y.check_pages(pages(a="<title></title>", b="<title></title>"))] == ["page-title"] * 2
