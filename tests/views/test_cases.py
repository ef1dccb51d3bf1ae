"""Each view and directive on a small dataset: Markdown in, HTML out, as pairs of files in ``cases/``.

A pair that differs is looked at, and if it is right written anew: ``python -m tests.views.test_cases``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checks.html import check
from render.text.directives import DIRECTIVES
from render.text.markdown import render_block
from render.text.roles import ROLES
from render.views.registry import VIEWS
from tests.views.made import scope

CASES = Path(__file__).parent / "cases"
NAMES = sorted(file.stem for file in CASES.glob("*.md"))
ELSEWHERE = {"walkthrough", "question", "steps", "predict"}
"""Directives that the tests of the site cover."""


def drawn(name: str) -> str:
    """The HTML of a case; one whose name begins with ``page`` is outside walkthroughs."""
    page = scope(inside=not name.startswith("page"))
    html = str(render_block((CASES / f"{name}.md").read_text(encoding="utf-8"), page, 1))
    assert page.problems == []
    return re.sub(r"(?<=>)(?=<(?:t[rhd]|li|figure|figcaption|svg|p|d[tdl]|div|ol|ul|table|caption)\b)", "\n", html)


@pytest.mark.parametrize("name", NAMES)
def test_a_case_gives_the_html_beside_it(name: str) -> None:
    assert drawn(name) == (CASES / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_html_of_a_case_conforms(name: str) -> None:
    page = f'<!doctype html><html lang="en"><head><title>x</title></head><body>{drawn(name)}</body></html>'
    assert check(page, f"{name}.html") == []


def test_every_view_and_directive_has_a_case() -> None:
    texts = "\n".join((CASES / f"{name}.md").read_text(encoding="utf-8") for name in NAMES)
    shown = set(re.findall(r"```\{([\w-]+)\}", texts))
    assert set(DIRECTIVES) - shown == ELSEWHERE
    assert set(VIEWS) <= shown
    assert {"at", "calc", "claim"} <= set(re.findall(r"\{([\w-]+)\}`", texts)) <= set(ROLES)


if __name__ == "__main__":
    for each in NAMES:
        (CASES / f"{each}.html").write_text(drawn(each), encoding="utf-8")
