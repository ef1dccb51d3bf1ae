"""The list of digits that prose may carry: what it allows, and how a fault in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.allowed import FILE, RULE, load_allowed
from checks.problems import Problem


def test_what_prose_may_carry_is_listed_with_a_reason(tmp_path: Path) -> None:
    report: list[Problem] = []
    assert load_allowed(tmp_path, report) == []
    (tmp_path / "content").mkdir()
    for text in ("", "patterns:\n", "patterns: []\n"):
        (tmp_path / FILE).write_text(text)
        assert load_allowed(tmp_path, report) == []
    (tmp_path / FILE).write_text("patterns:\n  - {pattern: x, reason: y}\n  - {pattern: 5, reason: z}\n")
    found = [(one.pattern.pattern, one.reason) for one in load_allowed(tmp_path, report)]
    assert found == [("x", "y"), ("5", "z")] and report == []


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("- a", 1, "expected keys with values, found a sequence"),
        ("a word", 1, "expected keys with values, found a scalar"),
        ("patterns: {a: b}", 1, "expected a list, found a mapping"),
        ("patterns:\n  - {pattern: x, reason: y}\npattern: []", 3, "unknown key 'pattern': expected patterns"),
        ("patterns:\n  - a", 2, "expected keys with values, found a scalar"),
        ("patterns:\n  - reason: y\n  - {pattern: x, reason: y}", 2, "the entry lacks a pattern"),
        ("patterns:\n  - {pattern: x, reason: y}\n  - pattern: x", 3, "the entry lacks a reason"),
        ("patterns:\n  - {pattern: x, reason: }", 2, "the entry lacks a reason"),
        ("patterns:\n  - {pattern: [x], reason: y}", 2, "the entry lacks a pattern"),
        ("patterns:\n\n  - {pattern: (, reason: y}", 3, "the pattern '(' cannot be used: missing ), unterminated"),
        ("patterns:\n  - {pattern: 'a{9999999999}', reason: y}", 2, "the pattern 'a{9999999999}' cannot be used: the"),
        ("patterns:\n  - [", 2, "not YAML: expected the node content"),
        ("\x07", 0, "not YAML: special characters are not allowed"),
        (b"patterns:\n  # caf\xe9\n", 2, "byte 0xe9 is not UTF-8"),
    ],
)
def test_a_fault_in_what_prose_may_carry_is_told_with_its_line(
    tmp_path: Path, text: str | bytes, line: int, says: str
) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / FILE).write_bytes(text if isinstance(text, bytes) else text.encode())
    report: list[Problem] = []
    assert None not in load_allowed(tmp_path, report)
    told = [(one.path, one.line, one.rule, one.level) for one in report if one.message.startswith(says)]
    assert told == [(FILE, line, "allowed-number", "error")] and len(report) == 1, report
    assert report[0].column == (1 if line else 0)
    assert report[0].fix == (RULE.fix if isinstance(text, str) else "save the file as UTF-8")
