"""The guard of links, on small folders of HTML."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.links import check_folder


def folder(root: Path, **pages: str) -> Path:
    for name, text in pages.items():
        file = root / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.with_suffix(".html").write_text(text)
    return root


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        ('<a href="missing.html">x</a>', "broken-link"),
        ('<a href="../../up.html">x</a>', "broken-link"),
        ('<a href="other.html#nowhere">x</a>', "broken-fragment"),
        ('<a href="#nowhere">x</a>', "broken-fragment"),
        ('<a href="">x</a>', "empty-link"),
        ('<a href="javascript:void 0">x</a>', "script-link"),
        ('<p id="a"></p><p id="a"></p>', "duplicate-id"),
        ('<script src="https://cdn.example/x.js"></script>', "external-resource"),
        ('<link rel="stylesheet" href="//cdn.example/x.css">', "external-resource"),
        ('<img alt="" src="https://cdn.example/x.png">', "external-resource"),
        ('<img alt="" src="missing.png">', "broken-link"),
        ('<a href="/elsewhere/index.html">x</a>', "broken-link"),
    ],
)
def test_a_fault_is_found(tmp_path: Path, html: str, rule: str) -> None:
    folder(tmp_path, page=html, other="<p id='here'>x</p>")
    assert [problem.rule for problem in check_folder(tmp_path, "/base/")] == [rule]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="other.html#here">x</a>',
        '<a href="/base/other.html">x</a>',
        '<a href="https://example.org/page">x</a>',
        '<a href="mailto:a@example.org">x</a>',
        '<link rel="canonical" href="https://example.org/page">',
        '<img alt="" src="data:image/png;base64,AA">',
        '<p id="caf&eacute;"></p><a href="#caf%C3%A9">x</a>',
    ],
)
def test_a_good_link_passes(tmp_path: Path, html: str) -> None:
    folder(tmp_path, page=html, other="<p id='here'>x</p>")
    assert check_folder(tmp_path, "/base/") == []
