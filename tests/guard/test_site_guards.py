"""The build's guard of a site asks every guard there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.pages import read_page
from checks.problems import Problem, errors
from checks.rule import Rule
from checks.site import check_content, check_site

PAGE = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; base-uri 'none'; form-action 'none'\"><title>t</title></head>"
    "<body><main><h1>h</h1>{}</main></body></html>"
)


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        ("<p>x</p>", None),
        ("<p><div>x</div></p>", "flow-in-p"),
        ('<a href="none.html">x</a>', "broken-link"),
        ('<a class="num" data-num="n" href="#fig-a"><data value="1">1</data></a><p id="fig-a">x</p>', "figure-differs"),
        ("<h3>x</h3>", "heading-level"),
        ('<p style="color: red">x</p>', "inline-style"),
        ("<button>x</button>", "script-only-control"),
        ('<video poster="//a.example/p">x</video>', "foreign-request"),
    ],
)
def test_a_fault_of_each_kind_keeps_the_site_from_being_published(tmp_path: Path, html: str, rule: str | None) -> None:
    (tmp_path / "index.html").write_text(PAGE.format(html), encoding="utf-8")
    assert [problem.rule for problem in check_site(tmp_path)] == ([rule] if rule else [])


def test_the_budget_of_a_page_can_be_set_in_the_project_s_pyproject(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE.format("<p>x</p>"), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.zeroth-checks.budget]\npage = 10\n", encoding="utf-8")
    assert check_site(folder) == []
    assert [problem.rule for problem in check_site(folder, root=tmp_path)] == ["page-weight"]


@pytest.mark.parametrize(
    ("levels", "found"),
    [
        ("[tool.zeroth-checks.budget.rules]\npage-weight = 'off'\n", []),
        ("[tool.zeroth-checks.budget.rules]\npage-weight = 'warning'\n", ["warning"]),
        ("[tool.zeroth-checks.budget.paths.'site/*']\npage-weight = 'off'\n", []),
        ("[tool.zeroth-checks.budget.paths.'index.html']\npage-weight = 'off'\n", ["error"]),
    ],
)
def test_levels_of_weight_count_in_the_build_as_in_the_command(tmp_path: Path, levels: str, found: list[str]) -> None:
    folder = tmp_path / ".site-fresh"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE.format("<p>x</p>"), encoding="utf-8")
    table = f"[tool.zeroth-checks.budget]\npage = 10\n{levels}"
    (tmp_path / "pyproject.toml").write_text(table, encoding="utf-8")
    problems = check_site(folder, root=tmp_path, place=tmp_path / "site")
    assert [(one.path, one.level) for one in problems] == [("index.html", level) for level in found]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("budget]\npages = 1", "unknown key 'pages': expected rules, paths, page or whole"),
        ("budget]\npage = 'much'", "page: expected a number of bytes, got 'much'"),
        ("budget.rules]\npage-weight = 'no'", "rules: page-weight is 'no'; expected error, warning or off"),
        ("budget.rules]\nweight = 'off'", "rules: no rule 'weight'; --rules lists them"),
        ("budget", "Expected ']' at the end of a table declaration (at line 1, "),
    ],
)
def test_a_wrong_setting_of_the_budget_is_a_problem_of_the_build(tmp_path: Path, table: str, says: str) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (tmp_path / "pyproject.toml").write_text(f"[tool.zeroth-checks.{table}\n", encoding="utf-8")
    (problem,) = check_site(folder, root=tmp_path)
    assert (problem.path, problem.rule, problem.level) == ("pyproject.toml", "settings", "error")
    place = "the file" if table == "budget" else "[tool.zeroth-checks.budget]"
    assert problem.message.startswith(says) and problem.fix == f"mend {place}; docs/checks.md shows its form"


def test_a_file_of_settings_that_cannot_be_read_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (problem,) = check_site(Path("site"), root=Path())
    assert problem.fix.startswith("mend the file;")


@pytest.mark.parametrize("guard", ["html", "links", "a11y", "csp", "budget", "noscript"])
def test_each_guard_has_its_settings_in_the_project_s_pyproject(tmp_path: Path, guard: str) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    faults = {
        "html": ("flow-in-p", "<p><div>x</div></p>"),
        "links": ("broken-link", '<a href="none.html">x</a>'),
        "a11y": ("heading-level", "<h3>x</h3>"),
        "csp": ("inline-style", '<p style="color: red">x</p>'),
        "budget": ("foreign-request", '<video poster="//a.example/p">x</video>'),
        "noscript": ("script-only-control", "<button>x</button>"),
    }
    (folder / "index.html").write_text(PAGE.format("".join(html for _, html in faults.values())), encoding="utf-8")
    rule = faults[guard][0]
    for setting in (f"{guard}.rules]\n{rule} = 'off'", f"{guard}.paths.'site/*']\n{rule} = 'off'"):
        (tmp_path / "pyproject.toml").write_text(f"[tool.zeroth-checks.{setting}\n", encoding="utf-8")
        found = {problem.rule for problem in check_site(folder, root=tmp_path)}
        assert found == {rule for rule, _ in faults.values()} - {rule}
    other = "a11y" if guard == "links" else "links"
    wrong = "".join(f"[tool.zeroth-checks.{one}.rules]\nno-such-rule = 'off'\n" for one in (guard, other))
    (tmp_path / "pyproject.toml").write_text(wrong, encoding="utf-8")
    fixes = [one.fix.partition(";")[0] for one in check_site(folder, root=tmp_path) if one.rule == "settings"]
    assert sorted(fixes) == sorted(f"mend [tool.zeroth-checks.{one}]" for one in (guard, other))


def test_texts_are_pieces_of_pages_where_the_settings_say_so(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE.format("<p>x</p>"), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.zeroth-checks.html]\nfragment = true\n", encoding="utf-8")
    assert "doctype" in {problem.rule for problem in check_site(tmp_path, root=tmp_path)}


def test_a_fault_in_what_prose_may_carry_fails_the_build(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content/numbers.yml").write_text("- a\n", encoding="utf-8")
    assert [str(one).partition("]")[0] for one in check_content(tmp_path)] == [
        "content/numbers.yml:1:1: error [allowed-number"
    ]


def test_what_was_published_is_looked_for_only_in_a_project(tmp_path: Path) -> None:
    for folder in ("site", "content"):
        (tmp_path / folder).mkdir()
    (tmp_path / "site/index.html").write_text(PAGE.format("<p>x</p>"), encoding="utf-8")
    (tmp_path / "content/published-ids.json").write_text('{"gone.html": []}', encoding="utf-8")
    assert check_site(tmp_path / "site") == []
    assert [problem.rule for problem in check_site(tmp_path / "site", root=tmp_path)] == ["published-page"]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("site.yml", "headline: {text: It loses 41.}", 1),
        ("site.yml", "headline: {text: }", 0),
        ("site.yml", "headline: {}", 0),
        ("site.yml", "headline: It loses 41.", 0),
        ("site.yml", "- headline", 0),
        ("site.yml", "a: [", 0),
        ("glossary.yml", "- {term: word, says: It loses 41.}\n- word", 1),
        ("glossary.yml", "- {term: word}", 0),
        ("glossary.yml", "41", 0),
        ("glossary.yml", "a: [", 0),
        ("page.md", "It loses 41.", 1),
    ],
)
def test_words_of_headline_glossary_and_pages_carry_no_typed_numbers(
    tmp_path: Path, path: str, text: str, found: int
) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content/other.md").write_text("word", encoding="utf-8")
    (tmp_path / "content" / path).write_text(text, encoding="utf-8")
    told = [one for one in check_content(tmp_path) if one.rule == "unbound-number"]
    assert [(one.path, one.line) for one in told] == [(f"content/{path}", int(path == "page.md"))] * found


def test_a_finding_about_a_whole_page_stands_at_its_body_or_at_the_beginning_of_a_piece() -> None:
    rule = Rule("r", "warning", "says", "fix")
    places = [rule.on(read_page(html, "a.html"), "m") for html in ("<html>\n<body>x", "<html>x", "\n<p>x")]
    assert [(one.line, one.column) for one in places] == [(2, 1), (1, 1), (1, 1)]


def test_a_finding_is_told_with_its_place_and_remedy_where_it_has_them() -> None:
    placed, whole = Problem("a", 2, 3, "r", "m", "do", "warning"), Problem("a", 0, 0, "r", "m")
    assert str(placed) == "a:2:3: warning [r] m\n    fix: do"
    assert str(whole) == "a: error [r] m"
    assert errors([placed, whole]) == [whole]


@pytest.mark.parametrize(("character", "shown"), [("\n", "\\n"), ("\r", "\\r"), ("\x1b", "\\x1b"), ("\x9b", "\\x9b")])
def test_a_finding_is_told_on_its_own_lines_whatever_the_page_says(character: str, shown: str) -> None:
    problem = Problem(f"a{character}::error::b", 2, 3, "r", f"m{character}::error::n", f"do{character}::error::o")
    assert str(problem) == f"a{shown}::error::b:2:3: error [r] m{shown}::error::n\n    fix: do{shown}::error::o"
    assert problem.as_dict()["message"] == problem.message
