"""Trees of the nesting capture: as written, as built, and the guard asked from outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.capture.api import Run
from harness.capture.block import payload_of
from harness.errors import HarnessError
from harness.experiments.nesting import chromium, guard, trees
from harness.experiments.nesting.capture import CAPTURE, capture
from harness.experiments.nesting.cases import Case, read_cases
from provenance.digests import comparable

ROOT = Path(__file__).resolve().parents[2]


def case(html: str) -> Case:
    return Case("x", "x", html, "")


def test_the_written_tree_believes_every_tag() -> None:
    assert trees.written("<p>a <div>b</div> c</p>") == (
        ("p", (("#text", "a"), ("div", (("#text", "b"),)), ("#text", "c"))),
    )


@pytest.mark.parametrize("html", ["<b>a<i>b</b>c</i>", "<ul><li>a</ul>", "<p>a", "a</p>"])
def test_tags_that_do_not_pair_up_describe_no_tree(html: str) -> None:
    assert trees.written(html) is None


def test_a_panel_closes_its_paragraph_in_turbohtml_and_not_in_html5lib() -> None:
    page = case("<p>a <dialog>b</dialog> c</p>").page
    assert trees.line(trees.by_turbohtml(page)) == "p[a] dialog[b] c p[]"
    assert trees.line(trees.by_html5lib(page)) == "p[a dialog[b] c]"


def test_an_outline_indents_by_depth_and_quotes_text() -> None:
    shown = trees.outline((("p", (("#text", "a"), ("b", ()))),))
    assert [(line["depth"], line["node"]) for line in shown] == [(0, "<p>"), (1, "“a”"), (1, "<b>")]


def test_a_document_is_cut_off_after_every_token() -> None:
    tokens = case("<p>a <b>c</b></p>").pages_by_token()
    assert [token for token, _ in tokens] == ["<p>", "a ", "<b>", "c", "</b>", "</p>"]
    assert tokens[2][1].endswith("<body><p>a <b>")


def test_the_guard_answers_for_every_page_by_name() -> None:
    answers = guard.ask({"bad": case("<p><div></div></p>").page, "good": case("<p>a</p>").page})
    assert answers["bad"].verdict == "unstable" and answers["bad"].rules[0] == "flow-in-p"
    assert answers["good"] == guard.Answer("clean", (), "", "")


def test_recorded_trees_of_other_documents_are_refused_with_the_command_that_fixes_it() -> None:
    changed = [Case("p-div", "paragraph", "<p>Another</p>", "")]
    with pytest.raises(HarnessError, match=rf"made of another document.*{chromium.COMMAND}"):
        chromium.recorded(changed)


@pytest.mark.browser
def test_the_recorded_trees_are_those_of_the_installed_chromium(browser: Any) -> None:
    cases = read_cases()
    version, recorded = chromium.recorded(cases)
    seen = chromium.read(cases, browser)
    if seen["version"] != version:
        pytest.skip(f"recorded with Chromium {version}, here is {seen['version']}")
    assert {entry["id"]: trees.from_json(entry["tree"]) for entry in seen["cases"]} == recorded


def test_a_re_run_gives_the_published_dataset() -> None:
    """Needs neither corpus nor database, so it is run again here and not only hashed."""
    published = json.loads((ROOT / "data/interactive/nesting.json").read_text("utf-8"))
    run = Run(dict(CAPTURE.params))
    again = {**payload_of(capture(run)), "volatile": list(CAPTURE.volatile)}
    versions = {name: run.params[name] for name in ("turbohtml", "html5lib", "chromium")}
    if any(published["params"][name] != version for name, version in versions.items()):
        pytest.skip(f"published with other versions than {versions}")
    assert comparable(again) == comparable(published)
