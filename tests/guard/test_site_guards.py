"""The build's guard of a site asks every guard there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.site import check_site

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
