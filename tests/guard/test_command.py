"""The command and its settings at their edges: each test here tells one condition of them from its opposite."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from checks.html import RULES, Config, ConfigError
from checks.html.cli import main
from checks.html.encoding import declared, decode
from checks.html.files import html_files, inspect, inspect_paths, read_html

UNSTABLE = "<p><div></div></p>"


def run(*arguments: str, stdin: io.TextIOBase | None = None, folder: Path | None = None) -> tuple[int, str]:
    out = io.StringIO()
    return main(arguments, stdin, out, folder), out.getvalue()  # type: ignore[arg-type]


def test_a_wrong_option_ends_with_2_also_where_the_parser_gives_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise SystemExit("no number")

    monkeypatch.setattr("argparse.ArgumentParser.parse_args", stop)
    assert run("--rules")[0] == 2


def test_standard_input_is_wanted_only_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text("<p>x</p>", encoding="utf-8")
    assert run(str(tmp_path), stdin=None)[0] == 0
    assert run("-", stdin=None) == (2, "")
    told = "standard input is closed: give files or folders, or pipe a page into it\n"
    assert capsys.readouterr().err == told


def test_the_round_trip_says_what_it_needs_and_the_rest_needs_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("checks.html.roundtrip.available", lambda: False)
    assert run("-", stdin=io.StringIO("<p>x</p>"))[0] == 0
    assert run("--round-trip", "-", stdin=io.StringIO("<p>x</p>")) == (2, "")
    assert capsys.readouterr().err == "--round-trip needs turbohtml: pip install turbohtml\n"


def test_the_round_trip_is_only_for_texts_in_which_no_rule_finds_another_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.html.roundtrip.available", lambda: True)
    monkeypatch.setattr("checks.html.roundtrip.survives", lambda text, fragment: False)
    assert "[round-trip]" not in run("--round-trip", "-", stdin=io.StringIO(UNSTABLE))[1]
    assert "[round-trip]" in run("--round-trip", "-", stdin=io.StringIO("<foo></foo>"))[1]
    assert "[round-trip]" not in run("-", stdin=io.StringIO("<p>x</p>"))[1]


def test_as_a_fragment_a_page_is_a_piece_of_a_body() -> None:
    page = '<!DOCTYPE html><html lang="en"><head><title>t</title></head><body></body></html>'
    assert run("-", stdin=io.StringIO(page))[0] == 0
    assert run("--fragment", "-", stdin=io.StringIO(page))[0] == 1


def test_files_are_read_also_beside_standard_input(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(UNSTABLE, encoding="utf-8")
    code, out = run("--json", str(tmp_path / "a.html"), "-", stdin=io.StringIO("<p>x</p>"))
    told = json.loads(out)
    assert (code, told["files"]) == (1, 2)
    assert [Path(one["path"]).name for one in told["problems"]] == ["a.html"]


def test_a_file_that_cannot_be_read_is_told_unless_its_rule_is_off(tmp_path: Path) -> None:
    broken = tmp_path / "a.html"
    broken.symlink_to(tmp_path / "missing")
    code, out = run(str(tmp_path))
    assert code == 1 and "[unreadable-file]" in out
    assert run("--rule", "unreadable-file=off", str(tmp_path))[0] == 0
    off = Config(rules={"unreadable-file": "off"})
    assert [found for _, found in inspect_paths([tmp_path], off)] == [[]]
    assert [len(found) for _, found in inspect_paths([tmp_path])] == [1]


def test_only_what_ends_like_html_is_looked_for_in_folders(tmp_path: Path) -> None:
    for name in ("a.html", "b.HTM", "c.xhtml", "d.txt", "e.html/f.htm", ".g.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    found = [path.relative_to(tmp_path).as_posix() for path in html_files([tmp_path])]
    assert found == [".g.html", "a.html", "b.HTM", "c.xhtml", "e.html/f.htm"]
    assert list(html_files([tmp_path / "d.txt"])) == [tmp_path / "d.txt"]
    assert getattr(read_html(tmp_path / "e.html"), "rule", "") == "unreadable-file"


@pytest.mark.parametrize("value", [True, False, None])
def test_whether_texts_are_fragments_may_be_set_or_left_open(value: bool | None) -> None:
    assert Config.from_dict({"fragment": value} if value is not None else {}).fragment is value


@pytest.mark.parametrize(
    "table", [{"paths": 3}, {"paths": ["*"]}, {"rules": []}, {"rules": "off"}, {"rules": 5}, {"fragment": 1}]
)
def test_settings_of_the_wrong_kind_are_refused(table: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        Config.from_dict(table)


def test_a_rule_on_the_command_line_needs_its_level() -> None:
    with pytest.raises(ConfigError, match="--rule flow-in-p: expected ID=LEVEL"):
        Config().over(["flow-in-p"])
    with pytest.raises(ConfigError, match="--rule flow-in-q=off: no rule 'flow-in-q'"):
        Config().over(["flow-in-q=off"])
    with pytest.raises(ConfigError, match="--rule flow-in-p=no: flow-in-p is 'no'; expected error, warning or off"):
        Config().over(["flow-in-p=no"])


def test_a_rule_on_the_command_line_wins_over_every_setting_of_a_file() -> None:
    table = {"rules": {"flow-in-p": "error"}, "paths": {"old/*": {"*": "warning", "doctype": "error"}}}
    config = Config.from_dict(table).over(["flow-in-p=off", "doctype=warning"])
    assert "flow-in-p" not in config.levels("old/a.html") and "flow-in-p" not in config.levels("a.html")
    assert (config.levels("old/a.html")["doctype"], config.levels("old/a.html")["nested-link"]) == ("warning",) * 2
    assert Config.from_dict(table).over(["*=off", "doctype=error"]).levels("old/a.html") == {"doctype": "error"}


@pytest.mark.parametrize("value", ['"off"', "5"])
def test_levels_that_are_no_table_are_told_by_the_command(
    tmp_path: Path, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.zeroth-checks.html]\nrules = {value}\n", encoding="utf-8")
    assert run("-", stdin=io.StringIO("<p>x</p>"), folder=tmp_path) == (2, "")
    assert capsys.readouterr().err == "rules: expected a table of rule = level\n"


def test_a_name_longer_than_any_file_s_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 300
    assert run(name) == (2, "")
    assert capsys.readouterr().err == f"{name}: no such file or folder\n"


def test_a_level_of_its_own_goes_before_that_of_all_rules() -> None:
    config = Config(rules={"*": "off", "flow-in-p": "warning"})
    assert config.levels("a.html") == {"flow-in-p": "warning"}
    assert set(Config(rules={"flow-in-p": "off"}).levels("a.html")) == set(RULES) - {"flow-in-p"}


@pytest.mark.parametrize(
    ("label", "content", "text"),
    [
        ("utf-8", b"\xc3\xa9", "é"),
        ("cp866", b"\x80", "А"),
        ("koi8-u", b"\xa4", "є"),
        ("macintosh", b"\x80", "Ä"),
        ("x-mac-cyrillic", b"\x80", "А"),
        ("x-mac-ukrainian", b"\x80", "А"),
        ("x-mac-roman", b"\x80", "Ä"),
        ("dos-874", b"\xa1", "ก"),
        ("x-sjis", b"\x82\xa0", "あ"),
        ("x-gbk", b"\xc4\xe3", "你"),
        ("x-x-big5", b"\xa4\xa4", "中"),
        *((f"x-cp{n}", bytes([0xE0]), bytes([0xE0]).decode(f"cp{n}")) for n in (1250, 1258)),
        ("gb18030", b"\x81\x30\x81\x30", "\x80"),
        ("gbk", b"\xc4\xe3", "你"),
        ("euc-jp", b"\xa4\xa2", "あ"),
        ("big5", b"\xa4\xa4", "中"),
        ("big5-hkscs", b"\xa4\xa4", "中"),
        ("iso-2022-jp", b'\x1b$B$"\x1b(B', "あ"),
        ("iso-8859-11", b"\xa1", "ก"),
        ("tis-620", b"\xa1", "ก"),
        ("windows-874", b"\xa1", "ก"),
        ("utf-16", b"\xc3\xa9", "é"),
        ("utf-16le", b"\xc3\xa9", "é"),
        ("utf-16be", b"\xc3\xa9", "é"),
        *((f"iso-8859-{n}", bytes([0xE0]), bytes([0xE0]).decode(f"iso8859-{n}")) for n in (2, 3, 4, 5, 6, 7, 8, 10)),
        *((f"windows-{n}", bytes([0xE0]), bytes([0xE0]).decode(f"cp{n}")) for n in range(1250, 1259)),
    ],
)
def test_every_encoding_that_browsers_read_is_read(label: str, content: bytes, text: str) -> None:
    read = decode(f"<meta charset={label}>".encode() + content)
    told = [detail for rule, _, detail in read.flaws if rule == "legacy-encoding"]
    assert read.text == f"<meta charset={label}>{text}"
    if "utf" in label:
        assert not told
    else:
        assert told == [f"the encoding {label}"]


def test_an_encoding_named_in_charset_goes_before_that_in_content() -> None:
    both = b"<meta charset=koi8-r http-equiv=content-type content='text/html; charset=big5'>"
    assert declared(both)[0] == "koi8-r"


def test_a_text_without_findings_has_none_under_any_settings() -> None:
    assert inspect("<p>x</p>", "a.html") == []
    assert inspect(UNSTABLE, "a.html", Config(rules={"*": "off"})) == []
