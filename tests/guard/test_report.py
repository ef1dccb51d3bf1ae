"""The four output formats, word for word, of findings with and without a place, a remedy and related elements."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from checks.html.messages import Located, Related
from checks.html.report import HTML, WRITERS, Tally
from checks.problems import Problem

PLACED = Problem("a b.html", 2, 3, "one", "50%, {x}", "mend it", "error")
BARE = Problem("c.html", 0, 0, "two", "it is odd", "", "warning")
FINDINGS = [Located(PLACED, "unstable", (Related("limit", "<p>", 1, 1),)), Located(BARE, "site")]


def written(form: str) -> str:
    out = io.StringIO()
    WRITERS[form](FINDINGS, Tally(files=2), out, HTML)
    return out.getvalue()


def test_text_has_a_paragraph_a_finding_and_the_totals() -> None:
    assert written("text") == (
        "a b.html:2:3: error [one] 50%, {x}\n    fix: mend it\nc.html: warning [two] it is odd\n"
        "2 files: 1 error, 1 warning\n"
    )


def test_github_gets_a_command_a_finding() -> None:
    assert written("github").splitlines() == [
        "::error file=a b.html,line=2,col=3,title=one::50%25, {x}. Fix: mend it",
        "::warning file=c.html,title=two::it is odd",
    ]


def test_json_has_every_field() -> None:
    told = json.loads(written("json"))
    assert told["files"] == 2 and [one["verdict"] for one in told["problems"]] == ["unstable", "site"]
    assert told["problems"][0]["related"] == [{"role": "limit", "element": "<p>", "line": 1, "column": 1}]
    assert told["problems"][1] == {**told["problems"][1], "fix": "", "line": 0, "related": []}


def test_sarif_leaves_out_what_is_not_there() -> None:
    results: list[dict[str, Any]] = json.loads(written("sarif"))["runs"][0]["results"]
    placed, bare = results
    assert placed["message"] == {"text": "50%, {{x}}. Fix: mend it"} and placed["level"] == "error"
    assert placed["relatedLocations"][0]["message"] == {"text": "limit: <p>"}
    assert placed["relatedLocations"][0]["id"] == 0
    assert placed["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.html"},
        "region": {"startLine": 2, "startColumn": 3},
    }
    assert bare == {
        "ruleId": "two",
        "level": "warning",
        "message": {"text": "it is odd"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "c.html"}}}],
    }


def test_sarif_says_the_level_of_every_rule() -> None:
    rules = json.loads(written("sarif"))["runs"][0]["tool"]["driver"]["rules"]
    assert {rule["defaultConfiguration"]["level"] for rule in rules} == {"error", "warning"}


@pytest.mark.parametrize(("number", "says"), [(0, "0 files"), (1, "1 file"), (2, "2 files")])
def test_totals_count_in_words(number: int, says: str) -> None:
    out = io.StringIO()
    WRITERS["text"]([], Tally(files=number), out, HTML)
    assert out.getvalue() == f"{says}: 0 errors, 0 warnings\n"
