"""The guards of a folder of HTML from the command line: settings, formats, exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from checks.__main__ import COMMANDS
from checks.__main__ import main as checks_main
from checks.folder_cli import main
from checks.folder_guards import GUARDS

PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; base-uri 'none'; form-action 'none'\"><title>t</title></head>"
    "<body><main><h1>h</h1>{}</main></body></html>"
)
BROKEN = {
    "links": '<a href="none.html">x</a>',
    "a11y": '<a href="index.html"></a>',
    "csp": '<p style="color: red">x</p>',
    "budget": '<form action="https://a.example/"></form>',
    "noscript": "<button>x</button>",
}


def run(guard: str, *arguments: str, cwd: Path) -> tuple[int, str]:
    out = io.StringIO()
    return main(GUARDS[guard], arguments, out, cwd), out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text(PAGE.format("<p>x</p>"), encoding="utf-8")
    return tmp_path / "site"


@pytest.mark.parametrize("guard", GUARDS)
def test_a_guard_ends_with_0_on_a_good_page_with_1_on_a_bad_one_and_2_on_wrong_usage(guard: str, folder: Path) -> None:
    assert run(guard, str(folder), cwd=folder) == (0, "1 file: 0 errors, 0 warnings\n")
    (folder / "index.html").write_text(PAGE.format(BROKEN[guard]), encoding="utf-8")
    code, out = run(guard, str(folder), cwd=folder)
    assert code == 1 and out.startswith(f"{folder}/index.html:1:") and out.endswith("1 file: 1 error, 0 warnings\n")
    assert run(guard, str(folder / "none"), cwd=folder)[0] == 2
    assert run(guard, cwd=folder)[0] == 2
    assert run(guard, str(folder), "--rule", "no-such-rule=off", cwd=folder)[0] == 2


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("address", ["http://[", "a%00b", "x" * 300, "//"])
def test_an_address_that_is_none_stops_no_guard(guard: str, address: str, folder: Path) -> None:
    html = (
        f'<img alt="" src="{address}" srcset="{address} 2x"><a href="{address}">x</a><link rel="icon" href="{address}">'
    )
    (folder / "index.html").write_text(PAGE.format(html), encoding="utf-8")
    assert run(guard, str(folder), cwd=folder)[0] in (0, 1)


def test_the_file_that_a_server_sends_for_a_folder_can_be_named(folder: Path) -> None:
    (folder / "index.html").write_text(PAGE.format('<a href="./">x</a>'), encoding="utf-8")
    assert run("links", str(folder), cwd=folder)[0] == 1
    assert run("links", str(folder), "--index", "index.html", cwd=folder)[0] == 0
    with pytest.raises(SystemExit, match="2"):
        run("a11y", str(folder), "--index", "index.html", cwd=folder)


@pytest.mark.parametrize("guard", GUARDS)
def test_every_format_names_rule_and_file(guard: str, folder: Path) -> None:
    (folder / "index.html").write_text(PAGE.format(BROKEN[guard]), encoding="utf-8")
    told = json.loads(run(guard, "--json", str(folder), cwd=folder)[1])
    (problem,) = told["problems"]
    assert told["files"] == 1 and problem["rule"] in GUARDS[guard].rules
    (sarif,) = json.loads(run(guard, "--format", "sarif", str(folder), cwd=folder)[1])["runs"]
    assert sarif["tool"]["driver"]["name"] == f"zeroth-{guard}"
    assert {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} == set(GUARDS[guard].rules)
    assert sarif["results"][0]["ruleId"] == problem["rule"]
    annotation = run(guard, "--format", "github", str(folder), cwd=folder)[1]
    assert annotation.startswith(f"::error file={folder}/index.html,line=1,col=")


@pytest.mark.parametrize("guard", GUARDS)
def test_the_path_that_a_site_is_served_under_is_asked_only_where_it_counts(guard: str, folder: Path) -> None:
    (folder / "index.html").write_text(PAGE.format('<a href="/docs/index.html">x</a>'), encoding="utf-8")
    if guard in ("links", "budget"):
        assert run(guard, str(folder), "--base", "/docs/", cwd=folder)[0] == 0
    else:
        with pytest.raises(SystemExit, match="2"):
            run(guard, str(folder), "--base", "/docs/", cwd=folder)


@pytest.mark.parametrize(
    ("guard", "line", "says"),
    [
        ("links", "fragment = true", "unknown key 'fragment': expected rules or paths"),
        ("a11y", "page = 1", "unknown key 'page': expected rules or paths"),
        ("budget", "pages = 1", "unknown key 'pages': expected rules, paths, page or whole"),
        ("budget", "rules = 'off'", "rules: expected a table of rule = level"),
        ("budget", "rules.page-weight = 'no'", "rules: page-weight is 'no'; expected error, warning or off"),
    ],
)
def test_a_setting_that_a_guard_does_not_have_is_told(
    guard: str, line: str, says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.zeroth-checks.{guard}]\n{line}\n", encoding="utf-8")
    assert run(guard, str(folder), cwd=folder) == (2, "")
    assert capsys.readouterr().err == f"{says}\n"


@pytest.mark.parametrize("guard", GUARDS)
def test_a_rule_can_be_switched_in_pyproject_by_path_and_on_the_command_line(guard: str, folder: Path) -> None:
    (folder / "index.html").write_text(PAGE.format(BROKEN[guard]), encoding="utf-8")
    rule = json.loads(run(guard, "--json", str(folder), cwd=folder)[1])["problems"][0]["rule"]
    table = f"[tool.zeroth-checks.{guard}.rules]\n{rule} = 'off'\n"
    (folder.parent / "pyproject.toml").write_text(table, encoding="utf-8")
    assert run(guard, str(folder), cwd=folder.parent) == (0, "1 file: 0 errors, 0 warnings\n")
    assert run(guard, str(folder), "--rule", f"{rule}=error", cwd=folder.parent)[0] == 1
    by_path = f"[tool.zeroth-checks.{guard}.paths.'*/index.html']\n{rule} = 'warning'\n"
    (folder.parent / "pyproject.toml").write_text(by_path, encoding="utf-8")
    code, out = run(guard, str(folder), cwd=folder.parent)
    assert code == 0 and out.endswith("0 errors, 1 warning\n")
    code, out = run(guard, str(folder), "--rule", f"{rule}=off", cwd=folder.parent)
    assert code == 0 and out.endswith("0 errors, 0 warnings\n")


def test_sizes_come_from_pyproject_and_a_wrong_one_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = folder.parent / "pyproject.toml"
    project.write_text("[tool.zeroth-checks.budget]\npage = 10\n", encoding="utf-8")
    assert "[page-weight]" in run("budget", str(folder), cwd=folder.parent)[1]
    project.write_text("[tool.zeroth-checks.budget]\nwhole = 'much'\n", encoding="utf-8")
    assert run("budget", str(folder), cwd=folder.parent)[0] == 2
    assert "whole: expected a number of bytes" in capsys.readouterr().err


def test_wrong_usage_says_what_is_missing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("links", cwd=folder)
    assert capsys.readouterr().err == "give a folder of HTML\n"
    for name in ("none", "x" * 300):
        assert run("links", str(folder / name), cwd=folder)[0] == 2
        assert capsys.readouterr().err == f"{folder}/{name}: no such folder\n"


@pytest.mark.parametrize("guard", GUARDS)
def test_a_file_that_cannot_be_read_is_a_problem_and_the_run_goes_on(guard: str, folder: Path) -> None:
    (folder / "a.html").symlink_to(folder / "none.html")
    code, out = run(guard, str(folder), cwd=folder)
    assert code == 1 and out.startswith(f"{folder}/a.html: error [unreadable-file] No such file or directory.")
    assert out.endswith("2 files: 1 error, 0 warnings\n")
    assert "unreadable-file" in run(guard, "--rules", cwd=folder)[1]
    code, out = run(guard, str(folder), "--rule", "unreadable-file=off", cwd=folder)
    assert (code, out) == (0, "2 files: 0 errors, 0 warnings\n")


@pytest.mark.parametrize("guard", GUARDS)
def test_the_list_of_rules_names_each_with_its_level(guard: str, folder: Path) -> None:
    out = run(guard, "--rules", cwd=folder)[1]
    assert [line.split()[:2] for line in out.splitlines()] == [
        [one.id, one.level] for one in GUARDS[guard].rules.values()
    ]


def test_every_guard_has_its_command_and_its_line_of_help(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(COMMANDS) == {"html", "data", *GUARDS}
    assert checks_main(["--help"]) == 0
    usage = capsys.readouterr().out
    for name in COMMANDS:
        assert f"\n  {name} " in usage
    assert checks_main(["nonsense"]) == 2
    assert checks_main(["a11y", str(folder)]) == 0
