"""The guard against independent parsers: stable exactly when the parsed tree is the written one."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from checks.html import is_stable, written_tree
from checks.html.cli import main
from checks.html.elements import KNOWN
from checks.html.guard import Guard
from checks.html.roundtrip import available, outline, survives
from tests.guard.generator import document
from tests.guard.guard_cases import around, as_page, cases
from tests.guard.oracles import html5lib_tree
from tests.guard.test_findings import telling

needs_turbohtml = pytest.mark.skipif(not available(), reason="turbohtml is not installed")
TOO_DEEP_FOR_COMPARISON = {"nesting-too-deep"}  # browsers flatten at 512 levels, these parsers do not
NAMES = sorted(
    (KNOWN | {"image", "svg", "math", "x-y", "foreignobject", "desc", "g", "mi", "annotation-xml"})
    # <plaintext> cannot end; what is in <selectedcontent> is the parser's copy; turbohtml holds <isindex> for special
    - {"plaintext", "selectedcontent", "isindex"}
)


def command(*arguments: str, stdin: str) -> tuple[int, str]:
    out = io.StringIO()
    return main([*arguments, "-"], io.StringIO(stdin), out), out.getvalue()


def agrees(page: str) -> bool:
    """Whether guard and turbohtml agree; a noscript that holds another is not comparable as a tree."""
    rules = {finding.rule for finding in Guard(page).run()}
    return "noscript-content" in rules or is_stable(page) == survives(page)


@needs_turbohtml
def test_a_piece_of_a_page_is_compared_as_what_stands_in_a_body() -> None:
    assert survives("<p>x</p>") and not survives("<p><div></div></p>")


@needs_turbohtml
def test_the_round_trip_says_nothing_of_what_a_rule_would_say_that_is_off() -> None:
    table = "<table><tr><td>x</td></tr></table>"
    for off in (("--rule", "implied-tbody=off"), ("--rule", "implied-tbody=off", "--rule", "round-trip=off")):
        assert command(*off, "--round-trip", stdin=table) == (0, "1 file: 0 errors, 0 warnings\n")


@pytest.mark.parametrize(("level", "code", "told"), [("error", 1, 1), ("warning", 0, 1), ("off", 0, 0)])
def test_the_round_trip_has_a_level_like_any_rule(
    level: str, code: int, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checks.html.roundtrip.available", lambda: True)
    monkeypatch.setattr("checks.html.roundtrip.survives", lambda text, fragment: False)
    found = command("--round-trip", "--rule", f"round-trip={level}", stdin="<p>x</p>")
    assert (found[0], found[1].count(f"{level} [round-trip]")) == (code, told)


@needs_turbohtml
def test_the_round_trip_takes_a_text_for_what_the_guard_takes_it_for() -> None:
    """A doctype alone gives findings of no other tree, so a fragment with one is compared."""
    for text in ("<!DOCTYPE html><p>x</p>", "<p>x</p>"):
        assert "[round-trip]" not in command("--fragment", "--round-trip", stdin=text)[1]


@needs_turbohtml
def test_trees_as_deep_as_a_browser_nests_are_compared() -> None:
    deep = "<div>" * 500 + "{}" + "</div>" * 500
    assert survives(deep.format("<p>x</p>")) and not survives(deep.format("<p><div></div></p>"))


def test_what_takes_part_in_a_comparison_is_how_deep_an_element_stands() -> None:
    trees = [("#document", (("a", (("b", ()),)),)), ("#document", (("a", ()), ("b", ())))]
    assert outline(trees[0]) != outline(trees[1])
    assert outline(trees[0], frozenset({"a"})) == [(0, "#document"), (1, "a")]


@needs_turbohtml
@pytest.mark.parametrize(
    "piece", ["<template>a<b>c</b></template>", "a<!-- x -->b", "<p>a</p>b", "<svg><![CDATA[a]]></svg>"]
)
def test_the_parsed_tree_is_outlined_like_the_written_one(piece: str) -> None:
    assert survives(piece)


@needs_turbohtml
def test_own_cases_agree_with_turbohtml() -> None:
    for case in cases():
        if case.rule not in TOO_DEEP_FOR_COMPARISON:
            assert agrees(as_page(case.html)), case


@needs_turbohtml
def test_small_telling_documents_agree_with_turbohtml() -> None:
    incomparable = ("<plaintext", "<selectedcontent", "<isindex", "shadowrootmode")
    texts = [text for text in telling() if not any(name in text.lower() for name in incomparable)]
    assert not [text for text in texts if not agrees(as_page(text))]


@needs_turbohtml
@pytest.mark.parametrize("part", range(10))
def test_two_thousand_random_documents_agree_with_turbohtml(part: int) -> None:
    wrong = [seed for seed in range(part * 200, part * 200 + 200) if not agrees(document(seed))]
    assert not wrong


@needs_turbohtml
@pytest.mark.parametrize("parent", NAMES)
def test_every_pair_of_elements_agrees_with_turbohtml(parent: str) -> None:
    wrong = []
    before, after = around(parent)
    for child in NAMES:
        body = f"{before}<{parent}><{child}></{child}></{parent}>{after}"
        if not agrees(as_page_always(body)):
            wrong.append(body)
    assert not wrong


SCOPES = [
    ("p", "div"),
    ("p", "table"),
    ("a", "a"),
    ("button", "button"),
    ("nobr", "nobr"),
    ("form", "form"),
    ("ul><li", "li"),
    ("dl><dd", "dt"),
    ("h2", "h3"),
    ("select><option", "option"),
    ("select", "input"),
    ("ruby", "rt"),
    ("svg", "p"),
    ("math", "g"),
    ("table><tbody><tr><td", "tr"),
]


@needs_turbohtml
@pytest.mark.parametrize(("outer", "inner"), SCOPES)
def test_every_element_bounds_a_scope_as_in_turbohtml(outer: str, inner: str) -> None:
    closing = "".join(f"</{name}>" for name in reversed(outer.split("><")))
    wrong = []
    for between in NAMES:
        before, after = around(between)
        for tail in ("", "x"):
            body = f"<{outer}>{before}<{between}><{inner}></{inner}></{between}>{after}{tail}{closing}"
            if not agrees(as_page_always(body)):
                wrong.append(body)
    assert not wrong


def as_page_always(body: str) -> str:
    return f"<!DOCTYPE html><html><head></head><body>{body}</body></html>"


ELEMENTS = [
    "div", "p", "span", "a", "b", "em", "i", "code", "button", "ul", "li", "dl", "dt", "dd", "table",
    "caption", "tbody", "tr", "td", "th", "h1", "h2", "section", "dialog", "search", "pre", "form", "svg",
    "g", "foreignObject", "math", "mi", "title", "ruby", "rt", "object", "label", "nobr", "address",
    "hgroup", "details", "summary", "article", "br", "hr", "img",
]  # fmt: skip
VOID = {"br", "hr", "img"}


@st.composite
def element(draw: st.DrawFn, children: st.SearchStrategy[str]) -> str:
    name = draw(st.sampled_from(ELEMENTS))
    inner = draw(children)
    return f"<{name}>" if name in VOID else f"<{name}>{inner}</{name}>"


LEAF = st.sampled_from(["", "x", " ", "<!-- <p> -->", "</p>", "</div>", "<b>", "<li>", "<br/>", "<g/>", "&amp;"])
BODY = st.recursive(LEAF, lambda inner: st.lists(element(inner), max_size=3).map("".join), max_leaves=12)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(BODY)
@example("<p><dialog></dialog></p>")
@example("<table><tbody><tr><td><p><table></table></p></td></tr></tbody></table>")
def test_stable_means_that_html5lib_builds_the_written_tree(body: str) -> None:
    page = as_page_always(body)
    written = written_tree(page)
    assert is_stable(page) == (written is not None and html5lib_tree(page) == written), body


SCRAPS = [
    *"<>/-=&?! bax'\"\n\u00e9",
    *["</", "<!", "<!--", "-->", "<p", "<b", "</p>", "</b>", "<p>", "<b>", "<?", "<![CDATA[", "]]>", "/>", "&#32;"],
    *["<svg>", "</svg>", "<script>", "</script>", "<style>", "</style", "<title>", "</title >", "<textarea>"],
]


@needs_turbohtml
def test_scraps_of_markup_are_read_as_turbohtml_reads_them() -> None:
    choose = random.Random(7)
    pages = [as_page_always("".join(choose.choices(SCRAPS, k=choose.randint(1, 12)))) for _ in range(2000)]
    assert not [page for page in pages if not agrees(page)]
