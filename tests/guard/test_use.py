"""The guard in use: positions, messages, settings, fragments, files, command line and output formats."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.html import RULES, Config, ConfigError, check, check_paths, inspect, is_stable, written_tree
from checks.html.cli import main
from checks.html.messages import Located
from checks.html.report import HTML, WRITERS, Tally
from checks.html.roundtrip import available

PAGE = '<!DOCTYPE html>\n<html lang="en"><head><title>t</title></head>\n<body>{}</body></html>\n'


def run(*arguments: str, stdin: str = "", folder: Path | None = None) -> tuple[int, str]:
    out = io.StringIO()
    return main(arguments, io.StringIO(stdin), out, folder), out.getvalue()


def test_a_finding_names_offender_limit_what_is_between_what_happens_and_the_remedy() -> None:
    (problem,) = check("<p>\n x <em><dialog>y</dialog></em></p>", "a.html")
    assert (problem.line, problem.column, problem.rule, problem.level) == (2, 8, "flow-in-p", "error")
    assert problem.message == (
        "<dialog> cannot be inside <p> (1:1), through <em> (2:4); "
        "a browser closes the paragraph before <dialog>, and a later </p> makes an empty one"
    )
    assert "end the paragraph before <dialog>" in problem.fix


def test_through_transparent_elements_the_element_that_sets_the_limit_is_named() -> None:
    (problem,) = check("<div><span><ins><x-y><div>x</div></x-y></ins></span></div>", "a.html")
    assert "inside <span> (1:6), through <ins> (1:12), <x-y> (1:17)" in problem.message


def test_what_makes_an_element_interactive_is_said() -> None:
    (by_nature,) = check('<a href="/"><input tabindex="0"></a>', "a.html")
    (by_attribute,) = check('<a href="/"><b tabindex="0">x</b></a>', "a.html")
    assert "<input> is interactive content and cannot" in by_nature.message
    assert "<b> has a tabindex attribute and cannot" in by_attribute.message


def test_every_message_and_fix_is_complete() -> None:
    for rule in RULES.values():
        assert rule.explains.endswith((".", ")."))
        assert rule.says and rule.browser and rule.fix


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_count_with_every_kind_of_line_ending(ending: str) -> None:
    (problem,) = check(f"<p>a</p>{ending}<p>é<div>b</div></p>", "a.html")
    assert (problem.line, problem.column) == (2, 5)


def test_one_mistake_gives_one_finding() -> None:
    assert len(check("<p>a <ul><li>b</li><li>c</li></ul> d</p><p>e</p>", "a.html")) == 1


def test_what_was_learnt_in_quirks_mode_does_not_count_elsewhere() -> None:
    body = "<template><p><table></table></p></template>"
    quirks = f'<html lang="en"><head><title>t</title></head><body>{body}</body></html>'
    assert is_stable(quirks)
    assert not is_stable(PAGE.format(body))


def test_the_same_tag_is_judged_anew_in_every_place() -> None:
    for _ in range(2):
        assert is_stable("<div><div>x</div></div>")
        assert not is_stable("<p><b><div>x</div></b></p>")


def test_an_attribute_value_may_hold_anything() -> None:
    assert check("<p><a href='x' title=\"</p><div> > <!--\">y</a></p>", "a.html") == []


def test_nested_comments_in_scripts_are_read_as_browsers_do() -> None:
    script = "<script><!-- <script> </script> --></script><p>x</p>"
    assert check(script, "a.html") == []
    assert not is_stable("<script><!-- </script> --></script>")
    assert is_stable("<script><!--> <script> </script><p>x</p>")


def test_text_is_a_node_of_the_written_tree_unless_it_is_white_space() -> None:
    assert written_tree("<p> a<b></b> </p>") == ("#document", (("p", (("#text", ()), ("b", ()))),))
    assert written_tree("<b><i></b></i>") is None


def test_rules_can_be_switched_everywhere_and_by_path() -> None:
    table = "<table><tr><td>x</td></tr></table>"
    assert [problem.rule for problem in check(table, "a.html")] == ["implied-tbody"]
    off = Config.from_dict({"rules": {"implied-tbody": "off"}})
    assert check(table, "a.html", off) == []
    here = Config.from_dict({"paths": {"old/*": {"*": "warning"}}})
    assert [problem.level for problem in check(table, "old/a.html", here)] == ["warning"]
    assert [problem.level for problem in check(table, "new/a.html", here)] == ["error"]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"rule": {}}, "unknown key 'rule'"),
        ({"rules": {"flow-in-q": "off"}}, "no rule 'flow-in-q'"),
        ({"rules": {"flow-in-p": "no"}}, "expected error, warning or off"),
        ({"paths": {"*": 3}}, "expected a table"),
        ({"fragment": "yes"}, "expected true or false"),
    ],
)
def test_a_wrong_setting_is_named(table: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        Config.from_dict(table)


def test_with_omission_allowed_the_content_of_omitting_pages_is_still_judged() -> None:
    config = Config(rules={"omitted-end-tag": "off"})
    assert check("<ul><li>a<li>b</ul><p>x", "a.html", config) == []
    assert [problem.rule for problem in check("<ul><li>a<li><span><div></div></span></ul>", "a.html", config)] == [
        "flow-in-phrasing"
    ]


def test_a_file_that_cannot_be_read_is_a_problem_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<p>\xff</p>")
    (tmp_path / "b.html").write_text("<p><div></div></p>", encoding="utf-8")
    (tmp_path / "c.html").symlink_to(tmp_path / "missing")
    (tmp_path / "d.html").write_bytes(b"\xef\xbb\xbf<p>x</p>")
    rules = [(Path(problem.path).name, problem.rule) for problem in check_paths([tmp_path])]
    assert rules == [("a.html", "undecodable-bytes"), ("b.html", "flow-in-p"), ("c.html", "unreadable-file")]


@pytest.mark.parametrize(
    ("error", "says"), [(OSError("odd"), "odd"), (PermissionError(13, "Permission denied", "a"), "Permission denied")]
)
def test_why_a_file_cannot_be_read_is_told_in_the_words_of_the_system(
    monkeypatch: pytest.MonkeyPatch, error: OSError, says: str
) -> None:
    def fails(self: Path) -> bytes:
        raise error

    monkeypatch.setattr(Path, "read_bytes", fails)
    (problem,) = check_paths(["a.html"])
    assert problem.message == f"{says}. Nothing in it was checked"


def test_the_command_ends_with_0_1_or_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.html"
    good.write_text(PAGE.format("<p>x</p>"), encoding="utf-8")
    assert run(str(tmp_path)) == (0, "1 file: 0 errors, 0 warnings\n")
    assert run("-", stdin="<p><div></div></p>")[0] == 1
    assert run("-", stdin="<select><option><button>x</button></option></select>")[0] == 0
    assert run()[0] == 2
    capsys.readouterr()
    assert run(str(tmp_path / "none")) == (2, "")
    assert capsys.readouterr().err == f"{tmp_path / 'none'}: no such file or folder\n"
    assert run("--rule", "flow-in-p", "-")[0] == 2
    assert run("--nonsense")[0] == 2
    assert run("--help")[0] == 0


def test_settings_come_from_a_file_and_from_the_command_line(tmp_path: Path) -> None:
    settings = tmp_path / "html.toml"
    settings.write_text('[html.rules]\nimplied-tbody = "off"\n', encoding="utf-8")
    table = "<table><tr><td>x</td></tr></table>"
    assert run("--config", str(settings), "-", stdin=table)[0] == 0
    assert run("--config", str(settings), "--rule", "implied-tbody=error", "-", stdin=table)[0] == 1
    assert run("--config", str(tmp_path / "none"), "-")[0] == 2


def test_settings_come_from_pyproject_unless_a_file_is_named(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.zeroth-checks.html.rules]\nimplied-tbody = "off"\n', encoding="utf-8")
    other = tmp_path / "other.toml"
    other.write_text("", encoding="utf-8")
    table = "<table><tr><td>x</td></tr></table>"
    assert run("-", stdin=table, folder=tmp_path)[0] == 0
    assert run("--rule", "implied-tbody=error", "-", stdin=table, folder=tmp_path)[0] == 1
    assert run("--config", str(project), "-", stdin=table)[0] == 0
    assert run("--config", str(other), "-", stdin=table, folder=tmp_path)[0] == 1
    assert run("-", stdin=table, folder=tmp_path / "none")[0] == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tool.zeroth-checks]\nhtml = 1\n", "expected a table html"),
        ("[tool]\nzeroth-checks = 1\n", "expected a table html"),
        ("[tool.zeroth-checks.html]\nrule = 1\n", "unknown key 'rule'"),
        ("[tool", "pyproject.toml"),
    ],
)
def test_a_wrong_table_of_pyproject_is_named_and_standard_output_stays_clean(
    tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert run("-", "--json", stdin="<p>x</p>", folder=tmp_path) == (2, "")
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_a_finding_is_written_before_the_next_is_looked_for(name: str) -> None:
    out, seen = io.StringIO(), []

    def findings() -> Iterator[Located]:
        for number in range(3):
            yield inspect("<p><div></div></p>", f"page{number}.html")[0]
            seen.append(f"page{number}.html" in out.getvalue())

    WRITERS[name](findings(), Tally(), out, HTML)
    assert seen == [True, True, True]


@pytest.mark.parametrize("name", ["json", "sarif"])
def test_without_findings_the_machine_formats_are_whole(name: str) -> None:
    out = run("--format", name, "-", stdin="<p>x</p>")[1]
    told = json.loads(out)
    assert (told["problems"] if name == "json" else told["runs"][0]["results"]) == []


def test_what_is_shown_of_a_strange_declaration_is_cut_short() -> None:
    (problem,) = check('<?xml version="1.0" encoding="ISO-8859-1"?>\n<p>x</p>', "a.html")
    assert problem.message.startswith('<?xml version="1.0" encoding=…: browsers make it a comment')


def test_json_holds_verdict_and_related_elements() -> None:
    code, out = run("--json", "-", stdin="<p><div></div></p>")
    told = json.loads(out)
    assert code == 1 and told["files"] == 1
    (problem,) = told["problems"]
    assert problem["verdict"] == "unstable" and problem["rule"] == "flow-in-p"
    assert problem["related"] == [{"role": "limit", "element": "<p>", "line": 1, "column": 1}]


def test_sarif_describes_rules_and_places() -> None:
    told = json.loads(run("--format", "sarif", "-", stdin="<p><b><div></div></b></p>")[1])
    (sarif,) = told["runs"]
    assert told["version"] == "2.1.0" and {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} == set(RULES)
    (result,) = sarif["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1, "startColumn": 7}
    assert [one["message"]["text"] for one in result["relatedLocations"]] == ["limit: <p>", "through: <b>"]


def test_github_annotations_escape_what_has_a_meaning_there() -> None:
    out = run("--format", "github", "-", stdin='<p a="1" a="2">50%</p>')[1]
    assert out.startswith("::error file=-,line=1,col=1,title=duplicate-attribute::<p> has the attribute a twice")
    assert out.count("\n") == 1


def test_the_list_of_rules_names_each_with_verdict_and_level() -> None:
    out = run("--rules")[1]
    assert [line.split()[0] for line in out.splitlines()] == list(RULES)


@pytest.mark.skipif(not available(), reason="turbohtml is not installed")
def test_the_round_trip_adds_nothing_to_pages_that_survive_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.format("<p>x</p>")
    assert run("--round-trip", "-", stdin=page)[0] == 0
    monkeypatch.setattr("checks.html.roundtrip.survives", lambda text, fragment: False)
    code, out = run("--round-trip", "-", stdin=page)
    assert code == 1 and "[round-trip]" in out


def test_the_guard_imports_nothing_but_the_standard_library_and_the_problem_type() -> None:
    import subprocess
    import sys

    code = (
        "import sys, checks.html.cli; print([m for m in sys.modules if m.split('.')[0] in ('turbohtml', 'html5lib')])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_reader_that_stops_early_gets_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p><div></div></p>\n" * 20_000, encoding="utf-8")
    command = [sys.executable, "-m", "checks", "html", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (1, b"")


def test_the_address_of_a_file_in_sarif_is_percent_encoded() -> None:
    out = io.StringIO()
    found = inspect("<p><div></div></p>", "a b/ü#1%.html")
    WRITERS["sarif"](found, Tally(), out, HTML)
    (place,) = json.loads(out.getvalue())["runs"][0]["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/%C3%BC%231%25.html"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("form", sorted(WRITERS))
def test_no_name_of_a_file_and_no_encoding_of_the_output_ends_a_run(tmp_path: Path, form: str, encoding: str) -> None:
    file = tmp_path / os.fsdecode(b"\xc3\xa9\xff.html")
    try:
        file.write_text('<p \u00e9="1" \u00e9="2">x</p>', encoding="utf-8")
    except OSError:
        pytest.skip("files here cannot have such names")
    command = [sys.executable, "-m", "checks", "html", "--format", form, str(tmp_path)]
    done = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, check=False)
    out = done.stdout.decode(encoding)
    assert (done.returncode, done.stderr) == (1, b"")
    if form == "json":
        assert json.loads(out)["problems"][0]["path"] == file.as_posix()
    elif form == "sarif":
        (place,) = json.loads(out)["runs"][0]["results"][0]["locations"]
        assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("/%C3%A9%FF.html")
    else:
        assert ("\u00e9\\udcff.html" if encoding == "utf-8" else "\\xe9\\udcff.html") in out


def test_braces_are_no_placeholders_in_sarif() -> None:
    out = run("--format", "sarif", "-", stdin="<p><x-{1}><div {0}=1 {0}=2></div></x-{1}></p>")[1]
    repeated, flow = json.loads(out)["runs"][0]["results"]
    assert "through <x-{{1}}> (1:4)" in flow["message"]["text"]
    assert [one["message"]["text"] for one in flow["relatedLocations"]] == ["limit: <p>", "through: <x-{{1}}>"]
    assert repeated["message"]["text"].startswith("<div> has the attribute {{0}} twice. ")


def test_what_sarif_says_of_a_rule_has_no_gaps() -> None:
    told = json.loads(run("--format", "sarif", "-", stdin="<p>x</p>")[1])["runs"][0]["tool"]["driver"]["rules"]
    assert not [rule["id"] for rule in told if set("{}") & set(rule["help"]["text"] + rule["shortDescription"]["text"])]
    helps = {rule["id"]: rule["help"]["text"] for rule in told}
    assert helps["missing-child"] == "add what the finding names"
    assert helps["heading-in-heading"] == "close the other element first, or make the element a <span>"
