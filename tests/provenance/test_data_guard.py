"""Every rule of ``checks data``: a dataset that must fail, and the same one mended that passes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checks.__main__ import main as guards
from checks.data import check_datasets
from checks.data_cli import main
from checks.data_lines import line_of
from checks.data_rules import DATA_RULES
from checks.problems import Problem, errors
from provenance.codehash import file_digest
from provenance.digests import sealed
from tests.provenance.sample_repo import COMMIT, HELPER, INPUT, SCRIPT, Repo

ROOT = Path(__file__).resolve().parents[2]
Change = Callable[[dict[str, Any]], object]


def found(repo: Repo, today: str = "2026-01-15") -> list[Problem]:
    return check_datasets(repo.root, today)


def rules(repo: Repo) -> set[str]:
    return {problem.rule for problem in errors(found(repo))}


def test_a_dataset_in_order_passes(repo: Repo) -> None:
    assert errors(found(repo)) == []
    assert [problem.rule for problem in found(repo)] == ["commit-skipped"]


def test_a_check_skipped_for_all_datasets_is_said_once(repo: Repo) -> None:
    repo.write("data/interactive/other.json", json.dumps({**repo.dataset, "name": "other"}))
    skipped = [problem for problem in found(repo) if problem.rule == "commit-skipped"]
    assert [(problem.path, problem.line) for problem in skipped] == [("data/interactive", 0)]


BROKEN: dict[str, tuple[str, Change]] = {
    "no provenance block": ("provenance", lambda d: d.pop("generated_by")),
    "no description": ("schema", lambda d: d.pop("describes")),
    "name of another file": ("name", lambda d: d.update(name="other")),
    "schema of another dataset": ("name", lambda d: d.update(schema="zeroth/other/1")),
    "unknown script": ("script", lambda d: d["generated_by"].update(script="harness/experiments/gone/capture.py")),
    "script that is no capture": ("script", lambda d: d["generated_by"].update(script=HELPER)),
    "script not among the code": ("script", lambda d: d["generated_by"]["code"].pop()),
    "unregistered command": ("command", lambda d: d["generated_by"].update(regenerate="make it")),
    "dirty capture": ("dirty", lambda d: d["generated_by"].update(dirty=True)),
    "figure that disagrees": ("figure-pointer", lambda d: d["figures"]["k"].update(value=61)),
    "figure that points nowhere": ("figure-pointer", lambda d: d["figures"]["k"].update(at="/result/none")),
    "timing without spread": ("timing", lambda d: d["figures"]["p50"].pop("interval")),
    "timing without count": ("timing", lambda d: d["figures"]["p50"].pop("n")),
    "timing without hardware": ("timing", lambda d: d["environment"].pop("cpu")),
    "long excerpt": ("excerpt", lambda d: d["result"]["rows"][0].update(excerpt="x" * 301)),
    "long text elsewhere": ("excerpt", lambda d: d["result"].update(passage="x" * 301)),
    "excerpt without source": ("excerpt", lambda d: d["result"].pop("sources")),
    "excerpt without document": ("excerpt", lambda d: d["result"]["rows"][0].pop("doc")),
    "rows of two runs": ("one-run", lambda d: d["result"]["rows"].append({"run_id": "demo-2"})),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_fails_and_mending_it_passes(repo: Repo, name: str) -> None:
    rule, change = BROKEN[name]
    repo.changed(change)
    assert rule in rules(repo)
    problem = next(problem for problem in found(repo) if problem.rule == rule)
    assert problem.path == "data/interactive/demo.json" and problem.line > 0 and problem.fix
    repo.save(repo.dataset)
    assert errors(found(repo)) == []


def test_a_capture_that_no_longer_exists_fails(repo: Repo) -> None:
    (repo.root / SCRIPT).unlink()
    assert {"script", "command", "stale"} <= rules(repo)


def test_an_edit_by_hand_fails_and_sealing_by_a_capture_passes(repo: Repo) -> None:
    repo.save({**repo.dataset, "title": "A better title"})
    assert rules(repo) == {"edited"}
    repo.save(sealed({**repo.dataset, "title": "A better title"}))
    assert rules(repo) == set()


def test_stale_code_names_file_line_and_command(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    problem = next(problem for problem in found(repo) if problem.message == f"code changed: {HELPER}")
    lines = (repo.root / problem.path).read_text().split("\n")
    assert lines[problem.line - 1].strip() == "{" and HELPER in lines[problem.line]
    assert problem.fix == "python -m harness regenerate demo"


def test_a_changed_input_fails(repo: Repo) -> None:
    repo.write(INPUT, "{}")
    assert [problem.message for problem in errors(found(repo))] == [f"input changed: {INPUT}"]


def test_an_equivalent_dataset_warns(repo: Repo) -> None:
    repo.write(HELPER, "K = 59 + 1\n")
    repo.record_canary("c" * 64)
    assert errors(found(repo)) == []
    assert "equivalent" in {problem.rule for problem in found(repo)}


@pytest.mark.parametrize(
    "path",
    [
        "harness/corpus/load.py",
        "harness/corpus/manifest.py",
        "harness/golden/queries.py",
        "harness/chunking/fixed.py",
        "harness/embedding/model.py",
        "harness/store/schema.py",
        SCRIPT,
    ],
)
def test_an_equal_canary_does_not_excuse_code_that_it_cannot_see(repo: Repo, path: str) -> None:
    code = {**repo.code(), path: "0" * 64}
    repo.changed(lambda d: d["generated_by"].update(code=[{"path": p, "sha256": h} for p, h in sorted(code.items())]))
    repo.write(path, "SIZE = 1\n" if path != SCRIPT else "CAPTURE = 1\n")
    repo.record_canary("c" * 64, {**repo.code(), path: file_digest(repo.root / path)})
    assert [problem.rule for problem in errors(found(repo))] == ["stale"]
    assert "the canary is equal, but it does not see" in errors(found(repo))[0].message


def test_an_excused_stale_dataset_warns_until_its_date(repo: Repo) -> None:
    repo.write(HELPER, "K = 61\n")
    repo.save({**repo.dataset, "stale_ok": {"reason": "recapture under way", "until": "2026-01-31"}})
    assert errors(found(repo, "2026-01-31")) == []
    assert "stale" in {problem.rule for problem in found(repo, "2026-01-31")}
    assert errors(found(repo, "2026-02-01"))


def test_no_excuse_covers_a_number_edited_by_hand(repo: Repo) -> None:
    dataset = {**repo.dataset, "describes": "Something else.", "stale_ok": {"reason": "r", "until": "2026-12-31"}}
    repo.save(dataset)
    assert "edited" in {problem.rule for problem in errors(found(repo, "2026-01-31"))}


def test_a_commit_must_exist_where_history_is_present(repo: Repo) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        done = subprocess.run(
            ["git", "-C", str(repo.root), *identity, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    assert rules(repo) == {"commit"}
    repo.changed(lambda d: d["generated_by"].update(commit=git("rev-parse", "HEAD")))
    assert found(repo) == []
    assert git("rev-parse", "HEAD") != COMMIT


def test_a_capture_outside_version_control_warns(repo: Repo) -> None:
    repo.changed(lambda d: d["generated_by"].update(commit=None))
    assert [(problem.rule, problem.level) for problem in found(repo)] == [("commit", "warning")]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": NaN'])
def test_what_is_no_json_object_fails(repo: Repo, text: str) -> None:
    repo.write("data/interactive/demo.json", text)
    assert rules(repo) == {"json"}


def test_all_problems_are_reported_not_the_first(repo: Repo) -> None:
    def spoil(dataset: dict[str, Any]) -> None:
        dataset["generated_by"].update(dirty=True, regenerate="make it")
        dataset["figures"]["k"]["value"] = 61

    repo.changed(spoil)
    assert {"dirty", "command", "figure-pointer"} <= rules(repo)


def test_the_guard_imports_neither_harness_nor_models(repo: Repo) -> None:
    script = "import sys, checks.__main__ as m; m.main(sys.argv[1:]); print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script, "data", "--root", str(repo.root)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    modules = done.stdout.splitlines()[-1]
    assert "'provenance.state'" in modules
    assert not [name for name in ("'harness", "'numpy", "'torch", "'psycopg") if name in modules]


def test_the_command_prints_problems_and_ends_with_one(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(repo.root)]) == 0
    repo.changed(lambda d: d["generated_by"].update(dirty=True))
    assert main(["--root", str(repo.root)]) == 1
    assert "fix: commit, then: python -m harness regenerate demo" in capsys.readouterr().out
    main(["--root", str(repo.root), "--json"])
    assert "dirty" in {item["rule"] for item in json.loads(capsys.readouterr().out)["problems"]}


def test_wrong_usage_ends_with_two(tmp_path: Path, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(tmp_path / "nowhere")]) == 2
    assert main(["--root", str(repo.root), "--explain", "dem"]) == 2
    assert "known: demo" in capsys.readouterr().err
    assert main(["--root", str(repo.root), "--explain", "../interactive/demo"]) == 2
    with pytest.raises(SystemExit) as stop:
        main(["--root", str(repo.root), "--today", "soon"])
    assert stop.value.code == 2


def test_explain_prints_the_chain_from_figure_to_document(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(repo.root), "--explain", "demo"]) == 0
    chain = capsys.readouterr().out
    links = [
        "figure    demo.k = 60",
        "command   python -m harness regenerate demo",
        f"code      {HELPER}",
        f"input     queries: {INPUT}",
        "model     embedder",
        "document  d1: One, https://example.org/1",
    ]
    assert [link for link in links if link not in chain] == []
    assert chain.count("dataset   ") == 1


@pytest.mark.parametrize(("words", "code"), [(["--help"], 0), ([], 2), (["dta"], 2), (["links", "no/such/folder"], 2)])
def test_the_guards_have_one_command_line(words: list[str], code: int) -> None:
    assert guards(words) == code


def test_a_pointer_leads_to_its_line_or_to_that_of_the_nearest_parent() -> None:
    text = '{\n "a/b": [\n  1,\n  {"c": "x, ]"}\n ],\n "d": {}\n}\n'
    assert line_of(text, "/a~1b") == (2, 2)
    assert line_of(text, "/a~1b/0") == (3, 3)
    assert line_of(text, "/a~1b/1/c") == (4, 4)
    assert line_of(text, "/d/none") == (6, 2)
    assert line_of(text, "") == (1, 1)
    assert line_of("{", "/a") == (0, 0)


def test_every_format_of_the_guards_is_one_of_datasets_too(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.changed(lambda d: d["generated_by"].update(dirty=True))
    base = ["--root", str(repo.root), "--format"]
    assert main([*base, "sarif"]) == 1
    (sarif,) = json.loads(capsys.readouterr().out)["runs"]
    assert sarif["tool"]["driver"]["name"] == "zeroth-data"
    assert {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} == set(DATA_RULES)
    (place,) = next(one for one in sarif["results"] if one["ruleId"] == "dirty")["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "data/interactive/demo.json"
    assert place["physicalLocation"]["region"]["startLine"] > 1
    main([*base, "github"])
    assert "::error file=data/interactive/demo.json,line=" in capsys.readouterr().out
    main([*base, "text"])
    assert "1 file: 1 error" in capsys.readouterr().out


def test_the_rules_of_datasets_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rules"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(DATA_RULES)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 5_000 + "1" + "}" * 5_000, "9" * 5_000])
def test_what_is_nested_too_deeply_or_too_long_is_a_finding(repo: Repo, text: str) -> None:
    repo.write("data/interactive/demo.json", text)
    assert rules(repo) == {"json"}


def test_a_dataset_nested_as_deeply_as_json_can_be_read_stops_nothing(repo: Repo) -> None:
    deep = '{"a":' * 900 + "1" + "}" * 900
    text = json.dumps({**repo.dataset, "result": "DEEP"}).replace('"DEEP"', deep)
    repo.write("data/interactive/demo.json", text)
    assert rules(repo) & {"json", "edited"}


def test_a_folder_named_like_a_dataset_is_a_finding(repo: Repo) -> None:
    (repo.root / "data/interactive/folder.json").mkdir()
    (one,) = [problem for problem in check_datasets(repo.root) if problem.path == "data/interactive/folder.json"]
    assert one.rule == "json" and "directory" in one.message.lower()
