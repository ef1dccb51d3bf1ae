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


ASKING = ["apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "manifest", "preload", "modulepreload"]
ASKING += ["prefetch", "prerender", "preconnect", "dns-prefetch", "compression-dictionary"]
NAMING = ["me", "help", "search", "shortlink", "privacy-policy", "alternate", "next", "prev", "license", "author"]


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
        ('<a href="/else/other.html">x</a>', "broken-link"),
        ('<img alt="" src="mailto:a@example.org">', "external-resource"),
        ('<map><area alt="x" href="missing.html"></map>', "broken-link"),
        ('<link rel="stylesheet" href="missing.css">', "broken-link"),
        ('<script src="missing.js"></script>', "broken-link"),
        ('<picture><source src="missing.png"></picture>', "broken-link"),
        ('<iframe src="missing.html"></iframe>', "broken-link"),
        ('<video src="missing.mp4"></video>', "broken-link"),
        ('<audio src="missing.mp3"></audio>', "broken-link"),
        ('<embed src="missing.svg">', "broken-link"),
        ('<object data="missing.svg"></object>', "broken-link"),
        ('<svg><image href="missing.png"/></svg>', "broken-link"),
        ('<svg><use href="missing.svg#a"/></svg>', "broken-link"),
        ('<video><track src="missing.vtt"></video>', "broken-link"),
        ('<video poster="missing.png"></video>', "broken-link"),
        ('<img alt="" srcset="sprite.svg 1x, missing.png 2x">', "broken-link"),
        ('<img alt="" srcset=" ,missing.png, sprite.svg">', "broken-link"),
        ('<picture><source srcset="sprite.svg 1x,missing.png"></picture>', "broken-link"),
        ('<link rel="preload" imagesrcset="missing.png 640w">', "broken-link"),
        ('<a href="http://[">x</a>', "broken-link"),
        ('<a href="a%00b.html">x</a>', "broken-link"),
        (f'<a href="{"x" * 300}.html">x</a>', "broken-link"),
        ('<a href="..">x</a>', "broken-link"),
        ('<a href="sub/">x</a>', "broken-link"),
        ('<a href=" ">x</a>', "empty-link"),
        ('<link rel="Alternate Stylesheet" title="x" href="https://cdn.example/x.css">', "external-resource"),
        ('<link rel="shortcut icon" href="https://cdn.example/x.ico">', "external-resource"),
        *((f'<link rel="{rel}" href="https://cdn.example/x">', "external-resource") for rel in ASKING),
        ('<svg><foreignObject><img alt="" src="missing.png"></foreignObject></svg>', "broken-link"),
        ('<input type="Image" alt="x" src="https://cdn.example/x.png">', "external-resource"),
        ('<svg><image xlink:href="https://cdn.example/x.png"/></svg>', "external-resource"),
        ('<svg><feImage xlink:href="https://cdn.example/x.png"/></svg>', "external-resource"),
        ('<svg><use xlink:href="https://cdn.example/x.svg#a"/></svg>', "external-resource"),
        ('<svg><script href="https://cdn.example/x.js"></script></svg>', "external-resource"),
        ('<svg><script xlink:href="https://cdn.example/x.js"/></svg>', "external-resource"),
        ('<svg><a xlink:href="missing.html">x</a></svg>', "broken-link"),
        ('<frameset><frame src="https://cdn.example/x.html"></frameset>', "external-resource"),
        ('<a href="/base/%2Fetc/passwd">x</a>', "broken-link"),
        ('<a href="/base//etc/passwd">x</a>', "broken-link"),
        ('<a href="%2fetc/passwd">x</a>', "broken-link"),
        ('<a href="sub%2Findex.html">x</a>', "broken-link"),
        ('<a href="/baseold/other.html">x</a>', "broken-link"),
        ('<a href="/base/../other.html">x</a>', "broken-link"),
        ('<a href="/base">x</a>', "broken-link"),
        ('<a href="#nowhere:~:text=x">x</a>', "broken-fragment"),
        ('<p name="n">x</p><a href="#n">x</a>', "broken-fragment"),
        ('<template><p id="n">x</p><a name="n">x</a></template><a href="#n">x</a>', "broken-fragment"),
    ],
)
def test_a_fault_is_found(tmp_path: Path, html: str, rule: str) -> None:
    folder(tmp_path, page=html, other="<p id='here'>x</p>", sub__index="x")
    (tmp_path / "sprite.svg").touch()
    assert [problem.rule for problem in check_folder(tmp_path, "/base/")] == [rule]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="other.html#here">x</a>',
        '<a href="/base/other.html">x</a>',
        '<a href="https://example.org/page">x</a>',
        '<a href="mailto:a@example.org">x</a>',
        '<a href="tel:+4912345">x</a>',
        '<a href="urn:isbn:0451450523">x</a>',
        '<svg><use href="sprite.svg#a"/></svg>',
        '<p href="missing.html">x</p>',
        '<link rel="canonical" href="https://example.org/page">',
        '<link rel="Canonical" href="https://example.org/page">',
        '<a href=" other.html ">x</a>',
        '<a href="..more.html">x</a>',
        '<img alt="" srcset="https://cdn.example/a,b.png 2x">',  # told by the guard of requests
        '<p srcset="missing.png" poster="missing.png">x</p>',
        '<video poster="sprite.svg"></video>',
        '<img alt="" srcset="sprite.svg, sprite.svg 2x,sprite.svg 640w , data:image/png;base64,AA 3x">',
        '<img alt="" src="data:image/png;base64,AA">',
        '<p id="caf&eacute;"></p><a href="#caf%C3%A9">x</a>',
        '<a href="#top">x</a><a href="other.html#TOP">x</a><a href="#">x</a>',
        '<a name="n">x</a><a href="#n">x</a><div><p id="b">x</p></div><a href="#b">x</a>',
        '<a href="#:~:text=x">x</a><a href="other.html#here:~:text=x,-y">x</a>',
        *(f'<link rel="{rel}" href="https://example.org/">' for rel in NAMING),
        '<link href="https://example.org/">',
        '<template><p id="a">x</p></template><template><p id="a">x</p></template><p id="a">x</p>',
        '<template id="a"><p>x</p></template><a href="#a">x</a>',
        '<input src="missing.png"><script href="missing.js"></script>',
        '<svg><use href="sprite.svg" xlink:href="missing.svg"/></svg>',
        '<a href="/base/./sub/../other.html">x</a>',
    ],
)
def test_a_good_link_passes(tmp_path: Path, html: str) -> None:
    folder(tmp_path, page=html, other="<p id='here'>x</p>")
    (tmp_path / "..more.html").touch()
    (tmp_path / "sprite.svg").write_text("<svg><g id='a'/></svg>")
    assert check_folder(tmp_path, "/base/") == []


def test_a_link_to_a_folder_means_the_file_that_a_server_sends_for_it(tmp_path: Path) -> None:
    links = (
        '<a href="sub/#here">x</a><a href="sub">x</a><a href=".">x</a><a href="/base/">x</a><a href="sub/#none">x</a>'
    )
    folder(tmp_path, index=links + '<a href="empty/">x</a>', sub__index="<p id='here'>x</p>")
    (tmp_path / "empty").mkdir()
    found = check_folder(tmp_path, "/base/", index="index.html")
    assert [problem.rule for problem in found] == ["broken-fragment", "broken-link"]
    assert "no file empty/index.html" in found[1].message
    on_disk = check_folder(tmp_path, "/base/")
    assert len(on_disk) == 6 and "a folder" in on_disk[0].message


@pytest.mark.parametrize("address", ["../beside.html", "..", "../"])
def test_what_lies_beside_the_site_is_no_part_of_it(tmp_path: Path, address: str) -> None:
    folder(tmp_path, site__page=f'<a href="{address}">x</a>', beside="x")
    (problem,) = check_folder(tmp_path / "site", index="beside.html")
    assert problem.rule == "broken-link" and "outside the site" in problem.message


@pytest.mark.parametrize("base", ["/docs", "/docs/", "docs", "docs/"])
def test_the_path_a_site_is_served_under_needs_no_slash_at_its_end(tmp_path: Path, base: str) -> None:
    folder(tmp_path, page='<a href="/docs/page.html">x</a><a href="/docs">x</a><a href="/docsold/page.html">x</a>')
    (tmp_path / "index.html").touch()
    (problem,) = check_folder(tmp_path, base, index="index.html")
    assert problem.message == "<a> leads to '/docsold/page.html', outside /docs/"


@pytest.mark.parametrize(
    ("html", "rules"),
    [
        ('<base href="sub/"><a href="in.html#here">x</a><a href="../page.html">x</a>', []),
        ('<base href="sub/in.html"><a href="#here">x</a><a href="in.html">x</a>', []),
        ('<base href="/docs/sub/"><a href="in.html">x</a><img alt="" src="../a.png">', []),
        ('<base target="_top"><base href="sub/"><base href="none/"><a href="in.html">x</a>', []),
        ('<template><base href="none/"></template><a href="page.html">x</a>', []),
        ('<base href="sub/"><p id="here"></p><a href="page.html">x</a><a href="#here">x</a>', ["broken-link"] * 2),
        ('<base href="/"><a href="page.html">x</a><a href="docs/page.html">x</a>', ["broken-link"]),
        ('<base href="https://a.example/"><a href="none.html">x</a>', []),
        ('<base href="about:blank"><a href="none.html">x</a>', []),
        ('<base href="//a.example/"><img alt="" src="a.png"><a href="">x</a>', ["external-resource", "empty-link"]),
    ],
)
def test_addresses_are_relative_to_the_base_of_the_page(tmp_path: Path, html: str, rules: list[str]) -> None:
    folder(tmp_path, page=html, sub__in='<p id="here">x</p>')
    (tmp_path / "a.png").touch()
    assert [problem.rule for problem in check_folder(tmp_path, "/docs/")] == rules


def test_pages_that_were_read_already_are_not_read_again(tmp_path: Path) -> None:
    folder(tmp_path, page='<a href="missing.html">x</a>')
    assert check_folder(tmp_path, pages=[]) == [] != check_folder(tmp_path)
