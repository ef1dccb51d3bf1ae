"""What ``checks data`` says: which rule, at which line, with which remedy, and the chain behind a dataset."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from checks.data import check_datasets
from checks.data_cli import main
from checks.data_explain import explain
from checks.data_lines import line_of
from checks.data_rules import DATA_RULES
from checks.data_vouching import unvouched
from checks.problems import Problem
from tests.provenance.sample_repo import HELPER, INPUT, SCRIPT, Repo

READERS = [
    "harness/corpus/contract.py", "harness/golden/queries.py", "harness/experiments/dedup/sources.py",
    "harness/dedup/index.py",
]  # fmt: skip
RERUN = "python -m harness regenerate demo"


def of_rule(repo: Repo, rule: str) -> list[Problem]:
    return [one for one in check_datasets(repo.root, "2026-01-15") if one.rule == rule]


def line(repo: Repo, pointer: str) -> int:
    return line_of((repo.root / "data/interactive/demo.json").read_text(), pointer)[0]


def test_the_rules_are_those_that_the_documentation_names() -> None:
    assert " ".join(DATA_RULES) == (
        "json provenance schema name script command dirty stale equivalent edited "
        "figure-pointer table timing excerpt one-run commit commit-skipped"
    )


def test_one_skipped_check_is_told_of_its_dataset_and_several_are_counted(repo: Repo) -> None:
    (one,) = check_datasets(repo.root)
    assert one.path == "data/interactive/demo.json" and one.line == line(repo, "/generated_by/commit")
    repo.write("data/interactive/other.json", json.dumps(repo.dataset))
    repo.changed(lambda d: d["generated_by"].update(dirty=True))
    (both,) = of_rule(repo, "commit-skipped")
    assert both.message.startswith("commits of 2 datasets not checked") and both.level == "warning"
    assert len(of_rule(repo, "dirty")) == 1


@pytest.mark.parametrize(("text", "at"), [('{\n "a": 1,\n "b": 2,\n "a": 3}', 4), ('{"a": 1, "a": 2}', 0)])
def test_a_key_that_stands_twice_is_told_at_its_second_line(repo: Repo, text: str, at: int) -> None:
    repo.write("data/interactive/demo.json", text)
    (one,) = check_datasets(repo.root)
    assert (one.rule, one.line) == ("json", at) and one.message.endswith("which they take: 'a'")


def test_name_and_schema_are_each_held_to_the_file(repo: Repo) -> None:
    repo.changed(lambda d: d.update(name="other", schema="zeroth/other/1"))
    (one,) = of_rule(repo, "name")
    assert one.message == "name is 'other', the file 'demo.json'" and one.line == line(repo, "/name")


def test_a_script_that_is_gone_or_no_capture_has_a_remedy_of_its_own(repo: Repo) -> None:
    gone = "harness/experiments/gone/capture.py"
    repo.changed(lambda d: d["generated_by"].update(script=HELPER))
    assert [one.fix.partition("known: ")[2] for one in of_rule(repo, "script")] == ["demo"]
    repo.changed(lambda d: d["generated_by"].update(script=gone))
    assert [one.message for one in of_rule(repo, "script")] == [f"the code list lacks the script {gone}"]
    (repo.root / SCRIPT).unlink()
    missing, listed = of_rule(repo, "script")
    assert missing.message == f"no script {gone}" and missing.fix.startswith("git rm data/interactive/")
    assert listed.message == f"the code list lacks the script {gone}"
    repo.changed(lambda d: d["generated_by"].update(script=HELPER))
    assert [one.fix.partition("known: ")[2] for one in of_rule(repo, "script")] == ["none"]


def test_a_capture_that_moved_is_known_by_its_name(repo: Repo) -> None:
    moved = "harness/interactive/demo.py"
    repo.changed(lambda d: d["generated_by"].update(script=moved))
    repo.changed(lambda d: d["generated_by"]["code"].append({"path": moved, "sha256": "0" * 64}))
    assert of_rule(repo, "script") == [] and of_rule(repo, "command") == []
    assert any(one.message.startswith(f"code removed: {moved}") for one in check_datasets(repo.root))


def test_changed_code_is_told_with_its_canary_and_the_line_of_each(repo: Repo) -> None:
    repo.write("data/canary.json", "{}")
    repo.write(SCRIPT, "CAPTURE = 1\n")
    code, missing = sorted(of_rule(repo, "stale"), key=lambda one: one.message)
    assert (code.message, code.fix, code.line) == (f"code changed: {SCRIPT}", RERUN, line(repo, "/generated_by/code/1"))
    assert (missing.message, missing.line) == ("no canary run recorded", line(repo, "/canary"))
    assert missing.fix == f"python -m harness canary demo, or: {RERUN}"
    repo.record_canary("c" * 64, {HELPER: "0" * 64})
    (older,) = [one for one in of_rule(repo, "stale") if "canary" in one.message]
    assert older.message == f"canary run is older than {HELPER}" and older.fix == missing.fix
    repo.write(INPUT, "{}")
    (entry,) = [one for one in of_rule(repo, "stale") if INPUT in one.message]
    assert entry.line == line(repo, "/inputs/0") and entry.fix == RERUN


def test_an_exception_that_ended_is_told_at_the_code(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.save({**repo.dataset, "stale_ok": {"reason": "r", "until": "2026-01-01"}})
    (ended,) = [one for one in of_rule(repo, "stale") if "its exception ended" in one.message]
    assert ended.line == line(repo, "/generated_by/code")


def git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(["git", "-C", str(root), *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("shallow", [True, False])
def test_history_counts_only_where_it_is_whole_and_the_project_s_own(repo: Repo, shallow: bool) -> None:
    top = repo.root if shallow else repo.root.parent
    git(top, "init", "-q")
    git(top, "add", ".")
    git(top, "commit", "-qm", "first")
    if shallow:
        (top / ".git/shallow").write_text(git(top, "rev-parse", "HEAD") + "\n")
    assert len(of_rule(repo, "commit-skipped")) == 1 and of_rule(repo, "commit") == []


@pytest.mark.parametrize("path", [*READERS, SCRIPT])
def test_a_canary_never_vouches_for_what_reads_the_real_corpus(path: str) -> None:
    ((reason, what),) = unvouched([f"code changed: {path}", f"code changed: {HELPER}"])
    assert reason.endswith(path) and what


def test_a_pointer_into_what_is_no_json_leads_nowhere() -> None:
    assert line_of("[,]", "/0") == (0, 0)


def test_a_date_to_hold_exceptions_against_may_be_given(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.save({**repo.dataset, "stale_ok": {"reason": "r", "until": "2026-01-31"}})
    assert main(["--root", str(repo.root), "--today", "2026-01-31"]) == 0
    assert main(["--root", str(repo.root), "--today", "2026-02-01"]) == 1


def test_a_chain_can_be_had_as_a_list(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(repo.root), "--explain", "demo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == explain(repo.root, "demo")


@pytest.mark.parametrize("text", ["[]", "{}", None])
def test_a_dataset_that_is_broken_has_no_chain(
    repo: Repo, text: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is None:
        repo.changed(lambda d: d.pop("describes"))
    else:
        repo.write("data/interactive/demo.json", text)
    assert main(["--root", str(repo.root), "--explain", "demo"]) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err != ""


@pytest.mark.parametrize("format", ["sarif", "github"])
def test_a_chain_is_no_list_of_findings(repo: Repo, format: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--root", str(repo.root), "--explain", "demo", "--format", format])
    told = capsys.readouterr()
    assert told.out == "" and f"--explain goes with text and json, not with {format}" in told.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "missing"),
        ("{", "broken, not JSON: Expecting property name enclosed in double quotes"),
        ("[]", "broken, "),
        ('{"name": "other"}', "broken, "),
    ],
)
def test_a_chain_names_a_dataset_that_it_cannot_follow(
    repo: Repo, text: str | None, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.changed(lambda d: d["inputs"][0].update({"from": "other"}))
    if text is not None:
        repo.write("data/interactive/other.json", text)
    assert main(["--root", str(repo.root), "--explain", "demo"]) == 0
    (line,) = [one for one in capsys.readouterr().out.splitlines() if one.startswith("    ")]
    assert line.startswith(f"    dataset   other: {says}")


def test_a_name_longer_than_any_file_s_is_told_in_one_line(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 300
    assert main(["--root", str(repo.root), "--explain", name]) == 2
    assert capsys.readouterr().err == f"{name}: no such dataset; known: demo\n"
    assert main(["--root", str(repo.root / name)]) == 2
    assert capsys.readouterr().err.startswith(f"{repo.root / name}: no folder data/interactive")


def test_where_there_is_no_dataset_none_is_known(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    (repo.root / "data/interactive/demo.json").unlink()
    assert main(["--root", str(repo.root), "--explain", "demo"]) == 2
    assert capsys.readouterr().err == "demo: no such dataset; known: none\n"


def chain(repo: Repo, word: str, name: str = "demo") -> list[str]:
    """The lines of a kind, without it."""
    return [one.strip()[10:] for one in explain(repo.root, name) if one.strip().startswith(word)]


def test_a_figure_in_the_chain_has_its_unit_interval_count_and_place_where_it_has_them(repo: Repo) -> None:
    assert chain(repo, "figure") == [
        "demo.k = 60, at /result/k: the constant",
        "demo.p50 = 1.25 ms, 1.0 to 1.5, n = 30, at /timings/p50: median time",
    ]
    repo.changed(lambda d: d["figures"]["k"].pop("at"))
    assert chain(repo, "figure")[0] == "demo.k = 60: the constant"


def test_code_and_inputs_in_the_chain_are_the_same_changed_or_removed(repo: Repo) -> None:
    assert [one.split()[-1] for one in chain(repo, "code")] == ["same", "same"]
    assert chain(repo, "input")[0].endswith(" same, 0 records")
    repo.write(HELPER, "K = 61\n")
    (repo.root / SCRIPT).unlink()
    repo.write(INPUT, "{}")
    assert [one.split()[-1] for one in chain(repo, "code")] == ["changed", "removed"]
    assert chain(repo, "input")[0].endswith(" changed, 0 records")
    (repo.root / INPUT).unlink()
    assert chain(repo, "input")[0].endswith(" removed, 0 records")
    repo.changed(lambda d: d["inputs"][0].update(available="external", records=None))
    assert chain(repo, "input")[0].endswith(" external")


def test_the_run_in_the_chain_names_its_commit_or_none(repo: Repo) -> None:
    assert chain(repo, "run") == [f"demo-1, 1.0 s, commit {'0' * 40}"]
    repo.changed(lambda d: d["generated_by"].update(commit=None))
    assert chain(repo, "run") == ["demo-1, 1.0 s, commit none"]


def test_the_chain_goes_through_datasets_once_though_they_name_each_other(repo: Repo) -> None:
    def naming(other: str) -> dict[str, Any]:
        entry = {**repo.dataset["inputs"][0], "uri": f"data/interactive/{other}.json", "from": other}
        return {**repo.dataset, "name": "demo" if other == "other" else "other", "inputs": [entry]}

    repo.write("data/interactive/demo.json", json.dumps(naming("other")))
    repo.write("data/interactive/other.json", json.dumps(naming("demo")))
    lines = explain(repo.root, "demo")
    assert [one.split(":")[0] for one in lines if "dataset   " in one] == ["dataset   demo", "    dataset   other"]
    assert len(chain(repo, "input")) == 2


def test_documents_in_the_chain_are_named_by_their_rows_or_by_where_they_stand(repo: Repo) -> None:
    rows = [{"doc": "d2", "url": "u2"}, {"doc": "d2", "url": "u3"}, {"doc": "d4", "url": 4}, {"doc": "d5"}, "url"]
    repo.changed(lambda d: d["result"].update(rows=rows))
    assert chain(repo, "document") == ["d1: One, https://example.org/1", "d2: , u2"]
