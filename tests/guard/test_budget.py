"""The weight of a first visit and requests to other hosts, on small folders."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import pytest

from checks.addresses import candidates
from checks.budget import RULES, Budget, check_pages, compressed, kilobytes
from checks.pages import read_site
from checks.problems import Problem
from checks.styles import references


def noise(size: int, seed: int = 0) -> str:
    """Text that hardly compresses: about ``size`` bytes in transfer."""
    return random.Random(seed).randbytes(size * 9 // 10).hex()


def site(root: Path, **files: str) -> Path:
    for name, text in files.items():
        file = root / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def check(folder: Path, page: int = 10_000, whole: int = 20_000, base: str = "/") -> list[Problem]:
    return list(check_pages(folder, read_site(folder), Budget(page, whole), base))


def rules(problems: list[Problem]) -> list[str]:
    return [problem.rule for problem in problems]


def test_a_page_within_its_budget_passes_and_a_heavier_one_says_what_weighs(tmp_path: Path) -> None:
    site(tmp_path, index_dot_html=f"<html><body>{noise(5000)}</body></html>")
    assert check(tmp_path) == []
    site(tmp_path, index_dot_html=f"<html>\n<body>{noise(15_000)}</body></html>")
    (problem,) = check(tmp_path)
    assert (problem.rule, problem.path, problem.line, problem.column) == ("page-weight", "index.html", 2, 1)
    assert "expected at most 10.0 KB: page 1" in problem.message


def test_a_walkthrough_counts_only_towards_the_larger_budget(tmp_path: Path) -> None:
    walk = f"<figure data-wt='w'>{noise(12_000)}</figure>"
    site(tmp_path, index_dot_html=f"<p>a</p>{walk}<p>{noise(5000, 1)}</p>")
    assert check(tmp_path) == []
    assert rules(check(tmp_path, whole=12_000)) == ["page-weight-whole"]
    assert rules(check(tmp_path, page=4000, whole=12_000)) == ["page-weight", "page-weight-whole"]


def test_nested_walkthroughs_are_left_out_once(tmp_path: Path) -> None:
    inner = f"<div data-wt='v'>{noise(6000)}</div>"
    site(tmp_path, index_dot_html=f"<figure data-wt='w'>{inner}{noise(6000, 1)}</figure>")
    assert check(tmp_path, page=1000) == []


@pytest.mark.parametrize(
    "loads",
    [
        '<link rel="stylesheet" href="big.txt">',
        '<link rel="Icon" href="/at/big.txt">',
        '<script defer src="../at/big.txt"></script>',
        '<img src="big.txt?v=1" alt="">',
        '<video poster="big.txt"></video>',
        '<input type="image" src="big.txt" alt="x">',
        '<link rel="preload" as="image" href="none.png" imagesrcset="none.png 1x, big.txt 2x">',
        '<link rel="preload" as="font" href="big.txt">',
        '<img src="none.png" srcset="none.png 1x,big.txt 2x" alt="">',
        '<picture><source srcset="big.txt"><img src="none.png" alt=""></picture>',
        "<style>p { background: url(big.txt) }</style>",
        "<p style=\"background: url('big.txt')\">x</p>",
        '<div hidden><img src="big.txt" alt=""></div>',
        '<base href="/other/"><img src="../at/big.txt" alt="">',
    ],
)
def test_what_the_page_loads_counts(tmp_path: Path, loads: str) -> None:
    site(tmp_path, at__page_dot_html=loads, at__big_dot_txt=noise(12_000))
    (problem,) = check(tmp_path)
    assert problem.rule == "page-weight" and ", at/big.txt 1" in problem.message
    assert check(tmp_path, page=15_000) == []


@pytest.mark.parametrize(
    "waits",
    [
        '<a href="big.txt">x</a>',
        '<link rel="alternate" href="big.txt">',
        '<img loading="lazy" src="big.txt" alt="">',
        '<template><img src="big.txt" alt=""></template>',
        '<img src="https://a.example/big.txt" alt="">',
        '<script src="data:text/javascript,big.txt"></script>',
        '<script src="none.js"></script>',
        '<video controls><source src="big.txt"></video>',
        "<template><style>p { background: url(big.txt) }</style></template>",
        '<p hidden style="background: url(big.txt)">x</p>',
        '<img src="none.png" srcset="big.txt, none.png 2x" loading="lazy" alt="">',
        '<div><source srcset="big.txt"><img src="none.png" alt=""></div>',
        '<picture><p srcset="big.txt"></p><img src="none.png" alt=""></picture>',
        "<style>p { background: url(data:big.txt) url(#big.txt) }</style>",
        "<style>@font-face { src: url(none.woff2), url(big.txt) }</style>",
        '<p style="background: url(data:big.txt)">x</p>',
        '<img src="//a.example/big.txt" alt="">',
        '<script src="data:big.txt"></script>',
        '<picture><source srcset="big.txt"><script src="none.js"></script></picture>',
        '<p src="big.txt">x</p>',
        '<template><script src="big.txt"></script><link rel="stylesheet" href="big.txt"></template>',
        '<template><video poster="big.txt"></video><p style="background: url(big.txt)">x</p></template>',
        '<base href="sub/"><img src="big.txt" alt="">',
        '<img src="%2Fbig.txt" alt=""><img src="../big.txt" alt="">',
    ],
)
def test_what_comes_later_or_from_elsewhere_does_not_count(tmp_path: Path, waits: str) -> None:
    site(tmp_path, page_dot_html=waits, big_dot_txt=noise(12_000))
    assert check(tmp_path) == []


def test_a_sheet_s_file_of_the_same_name_on_another_host_does_not_count(tmp_path: Path) -> None:
    css = "p { background: url(https://a.example/big.txt) }"
    page = '<link rel="stylesheet" href="a.css">'
    site(tmp_path, page_dot_html=page, a_dot_css=css, big_dot_txt=noise(12_000))
    assert rules(check(tmp_path)) == ["foreign-request"]


def test_what_weighs_names_only_files_and_unless_told_the_budget_is_that_of_the_site(tmp_path: Path) -> None:
    site(tmp_path, at__page_dot_html=f"<html><body><img src='#a' alt=''>{noise(61_000)}</body></html>")
    (problem,) = check_pages(tmp_path, read_site(tmp_path))
    assert re.search(r"expected at most 60\.0 KB: page \d+\.\d KB$", problem.message)


def test_a_file_loaded_twice_counts_once_and_below_the_base(tmp_path: Path) -> None:
    twice = '<script src="big.txt"></script><script src="/docs/big.txt"></script>'
    site(tmp_path, page_dot_html=twice, big_dot_txt=noise(6000))
    assert check(tmp_path, base="/docs/") == []
    assert rules(check(tmp_path, page=5000, base="/docs/")) == ["page-weight"]


def test_imported_style_sheets_count_even_in_a_circle(tmp_path: Path) -> None:
    site(
        tmp_path,
        page_dot_html='<link rel="stylesheet" href="css/a.css">',
        css__a_dot_css='@import url("b.css"); @import "https://a.example/c.css";',
        css__b_dot_css=f"@import 'a.css'; /* {noise(12_000)} */",
    )
    assert rules(check(tmp_path)) == ["page-weight", "foreign-request"]


def test_what_a_style_sheet_names_counts_each_font_in_one_format(tmp_path: Path) -> None:
    fonts = "@font-face { font-family: x; src: local(X), url(a.woff2) format('woff2'), url('a.woff') }"
    site(
        tmp_path,
        page_dot_html='<link rel="stylesheet" href="css/a.css">',
        css__a_dot_css=f"{fonts} p {{ background: URL( ../i.png ) }}",
        css__a_dot_woff2=noise(6000, 1),
        css__a_dot_woff=noise(7000, 2),
        i_dot_png=noise(6000, 3),
    )
    (problem,) = check(tmp_path)
    assert re.search(r": page 0\.\d KB, [^ ]+2? [56]\.\d KB, [^ ]+ [56]\.\d KB, css/a\.css 0\.\d KB$", problem.message)
    assert "i.png" in problem.message and "css/a.woff2" in problem.message
    assert check(tmp_path, page=14_000) == []


def test_what_is_named_twice_counts_once(tmp_path: Path) -> None:
    sheets = '<link rel="stylesheet" href="a.css"><link rel="stylesheet" href="b.css">'
    site(
        tmp_path,
        page_dot_html=f'{sheets}<link rel="preload" as="font" href="x.woff2">',
        a_dot_css="@import 'both.css'; @font-face { src: url(x.woff2) }",
        b_dot_css="@import 'both.css';",
        both_dot_css=f"/* {noise(4000, 1)} */",
        x_dot_woff2=noise(3000, 2),
    )
    assert check(tmp_path) == []
    (problem,) = check(tmp_path, page=5000)
    assert re.search(r"both\.css 4\.\d KB, x\.woff2 3\.\d KB, a\.css 0\.\d KB$", problem.message)


@pytest.mark.parametrize("first", ["a.css", "b.css"])
def test_sheets_that_import_each_other_weigh_the_same_whichever_is_read_first(tmp_path: Path, first: str) -> None:
    link = '<link rel="stylesheet" href="{}">'
    site(
        tmp_path,
        a_dot_html=link.format(first),
        b_dot_html=link.format("b.css"),
        a_dot_css=f"@import 'b.css'; /* {noise(6000, 1)} */",
        b_dot_css=f"@import 'a.css'; /* {noise(6000, 2)} */",
    )
    assert rules(check(tmp_path)) == ["page-weight"] * 2
    assert check(tmp_path, page=14_000) == []


@pytest.mark.parametrize("base", ["/docs", "/docs/"])
def test_an_address_from_the_root_in_a_sheet_is_below_the_base(tmp_path: Path, base: str) -> None:
    css = "p { background: url(/docs/big.png) url(/docsold/big.png) url(/big.png) }"
    page = '<link rel="stylesheet" href="/docs/css/a.css">'
    site(tmp_path, page_dot_html=page, css__a_dot_css=css, big_dot_png=noise(12_000))
    (problem,) = check(tmp_path, base=base)
    assert ", big.png 1" in problem.message
    assert check(tmp_path, page=15_000, base=base) == []


def test_a_page_whose_base_is_elsewhere_loads_nothing_from_here(tmp_path: Path) -> None:
    page = '<base href="https://a.example/"><img src="big.txt" alt="">'
    site(tmp_path, page_dot_html=page, big_dot_txt=noise(12_000))
    assert rules(check(tmp_path)) == ["foreign-request"]


def test_what_only_looks_like_a_style_in_a_script_is_not_loaded(tmp_path: Path) -> None:
    page = '<script src="a.js"></script>'
    site(tmp_path, page_dot_html=page, a_dot_js="css = 'p { background: url(big.txt) }'", big_dot_txt=noise(12_000))
    assert check(tmp_path) == []


def test_of_the_candidates_for_a_picture_the_heaviest_counts(tmp_path: Path) -> None:
    candidates = '<img src="a.png" srcset="b.png 2x, c.png 3x" alt="">'
    sizes = {"a_dot_png": noise(2000, 1), "b_dot_png": noise(7000, 2), "c_dot_png": noise(6000, 3)}
    site(tmp_path, page_dot_html=candidates, **sizes)
    assert check(tmp_path) == []
    assert rules(check(tmp_path, page=6000)) == ["page-weight"]


@pytest.mark.parametrize(
    ("srcset", "found"),
    [
        ("a 1x, b 2x", ["a", "b"]),
        ("a,b 1x,c", ["a,b", "c"]),
        (" ,a, b , c 100w", ["a", "b", "c"]),
        ("data:image/png;base64,AA 1x", ["data:image/png;base64,AA"]),
        (" , ", []),
    ],
)
def test_a_srcset_is_read_as_the_standard_says(srcset: str, found: list[str]) -> None:
    assert candidates(srcset) == found


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ("@import url(a.css) screen; @import 'b.css'; @IMPORT \"c.css\";", ["a.css", "b.css", "c.css"]),
        ("@import url('a b.css');@import a.css;", ["a b.css", "a.css"]),
        (
            "p { background: url( a.png ), url(\"b.png\") } q { cursor: url('c.cur') 1 1, auto }",
            ["a.png", "b.png", "c.cur"],
        ),
        (
            "p { background: image-set('a.avif' type('image/avif') 1x, \"b.png\" 2x); content: 'c.png' }",
            ["a.avif", "b.png"],
        ),
        ("p { background: src('a.png') } q::before { content: 'url(x.png)' }", ["a.png"]),
        ("/* url(a.png) */ @namespace url(http://www.w3.org/2000/svg); p { fill: url(#a) }", ["#a"]),
        ("@namespace s 'http://www.w3.org/2000/svg'; /* url(b) ", []),
        ("p { background: url(\\68ttps://a.example/\\(x\\)) }", []),
        ("p { background: url('\\68 ttps://a.example/\\(x') }", ["https://a.example/(x"]),
        (
            "p { background: url('\\0 \\110000 \\d800 \\dfff \\e000 \\10ffff x') }",
            ["\ufffd\ufffd\ufffd\ufffd\ue000\U0010ffffx"],
        ),
        ("p { background: url('a\\\nb') }", ["ab"]),
        ("p { background: url('') }", []),
        ("a::before { content: '/*' } b { background: url(a.png) } /* '*/", ["a.png"]),
        ('a::before { content: "\\"/*" } b { background: url(a.png) }', ["a.png"]),
        (
            "b { background: url(//a.example/*/a.png) } c { background: url('b*/.png') }",
            ["//a.example/*/a.png", "b*/.png"],
        ),
        (".a\\' { background: url(a.png) } b::before { content: 'x' }", ["a.png"]),
        (".a\\'/* url(a.png) ' */ { background: url(b.png) }", ["b.png"]),
        ("/* ' */ p { background: url(a.png) } /* ' */", ["a.png"]),
    ],
)
def test_the_addresses_of_a_style_sheet_are_found(css: str, found: list[str]) -> None:
    assert [one.target for one in references(css)] == found


def test_sizes_are_told_in_kilobytes_of_a_thousand_bytes() -> None:
    assert [kilobytes(0), kilobytes(1000), kilobytes(60_049)] == ["0.0 KB", "1.0 KB", "60.0 KB"]


def test_a_script_imports_no_style_sheets(tmp_path: Path) -> None:
    big = noise(12_000)
    files = {"page_dot_html": '<script src="a.js"></script>', "b_dot_css": big}
    for text in ("'@import \"b.css\"'", "p{background:url(b.css)}"):
        assert check(site(tmp_path, a_dot_js=text, **files)) == []


def test_a_page_may_weigh_exactly_what_its_budget_says(tmp_path: Path) -> None:
    text = f"<html><body>{noise(5000)}</body></html>"
    site(tmp_path, index_dot_html=text)
    size = compressed(text.encode())
    assert check(tmp_path, page=size, whole=size) == []
    assert rules(check(tmp_path, page=size - 1, whole=size - 1)) == ["page-weight", "page-weight-whole"]


def test_a_file_that_compression_would_enlarge_counts_as_it_is() -> None:
    assert compressed(b"x") == 1
    assert compressed(b"x" * 1000) == len(gzip.compress(b"x" * 1000, 6))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page_dot_html", '<img src="a" alt="" srcset="a 1x, https://a.example/b 2x">'),
        ("page_dot_html", '<img src="a" alt="" srcset=",//a.example/b 2x">'),
        ("page_dot_html", '<video poster="//a.example/p"></video>'),
        ("page_dot_html", '<form action="https://a.example/"></form>'),
        ("page_dot_html", '<a href="a" ping="https://a.example/">x</a>'),
        ("page_dot_html", '<a href="a" ping="b https://a.example/">x</a>'),
        ("page_dot_html", '<base href="https://a.example/">'),
        *(("page_dot_html", f'<form action="{scheme}:x"></form>') for scheme in ("http", "https", "ws", "wss", "ftp")),
        ("a_dot_css", "p { background: url( 'https://a.example/i.png' ) }"),
        ("a_dot_css", "@import '//a.example/i.css';"),
        ("a_dot_css", "@import url(//a.example/i.css);"),
        ("a_dot_css", "@font-face { src: local(x), url(https://a.example/f.woff2), url(f.woff) }"),
        ("a_dot_css", "p { background: image-set('https://a.example/i.png' 1x) }"),
        ("page_dot_html", "<style>p { background: url(//a.example/i.png) }</style>"),
        ("page_dot_html", '<p style="background: url(//a.example/i.png)">x</p>'),
        ("page_dot_html", '<link rel="preload" as="image" imagesrcset="a 1x, //a.example/b 2x" href="a">'),
        ("a_dot_js", "fetch('https://a.example/x')"),
        ("a_dot_js", 'import x from "https://a.example/x.js"'),
        ("a_dot_mjs", "new WebSocket(`wss://a.example`)"),
        ("a_dot_js", "request.open('GET', '//a.example/x')"),
        ("a_dot_js", "import 'https://a.example/x.js';"),
        ("a_dot_js", 'import"//a.example/x.js";'),
        ("a_dot_css", "p::before { content: '/*' } q { background: url(https://a.example/x) }"),
    ],
)
def test_a_request_to_another_host_is_found(tmp_path: Path, name: str, text: str) -> None:
    site(tmp_path, **{name: f"\n  {text}"})
    (problem,) = check(tmp_path)
    assert (problem.rule, problem.line) == ("foreign-request", 2)
    start = re.search(r"<\w+|url|@import|import ?['\"]|'https|fetch|from|WebSocket|\.open|<\w+", text)
    assert start is not None and problem.column == start.start() + 3


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page_dot_html", '<img src="a" alt="" srcset="a 1x, b/https 2x"><form action="find"></form><base href="/">'),
        ("page_dot_html", '<a href="https://a.example/">x</a>'),
        ("a_dot_css", "p { background: url(data:image/png;base64,AA) } /* url(https://a.example) */"),
        ("a_dot_css", "@namespace svg url(http://www.w3.org/2000/svg); @font-face { src: url(f.woff2) }"),
        ("a_dot_js", "// https://a.example\nfetch('x.json'); location.href = 'https://a.example'"),
        ("a_dot_txt", "fetch('https://a.example/x')"),
        ("lib_dot_js__page_dot_html", "<p>url(https://a.example/x)</p>"),
        ("page_dot_html", '<form action="find ,https://a.example/ x"></form>'),
    ],
)
def test_what_stays_on_the_host_passes(tmp_path: Path, name: str, text: str) -> None:
    site(tmp_path, **{name: text})
    assert check(tmp_path) == []


@pytest.mark.parametrize("table", [{"page": 0}, {"whole": "1 MB"}, {"page": True}])
def test_a_wrong_budget_is_named(table: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(table))):
        Budget.from_dict(table)


def test_the_budget_unless_changed_is_that_of_the_site() -> None:
    assert Budget.from_dict({}) == Budget(page=60_000, whole=110_000)
    assert Budget.from_dict({"page": 1}) == Budget(1, 110_000)
    assert Budget.from_dict({"whole": 1}) == Budget(60_000, 1)
    assert all(rule.explains and rule.fix for rule in RULES.values())
