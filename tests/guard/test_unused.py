"""Metric panels, references and terms that nothing uses, in small folders of content."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.site import check_content
from checks.unused import RULES, check_unused

SITE = "sections:\n  - {id: a, pages: [written, planned]}\nheadline: {text: A headline}\n"


class Content:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("site.yml", SITE)
        self.page("")

    def write(self, path: str, text: str) -> None:
        file = self.root / "content" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def page(self, text: str) -> None:
        self.write("concepts/a/written.md", text)

    def told(self) -> list[str]:
        return [f"{one.rule} {one.path.removeprefix('content/')}:{one.line}" for one in check_unused(self.root)]


@pytest.fixture
def content(tmp_path: Path) -> Content:
    return Content(tmp_path)


def test_a_metric_that_no_page_uses_is_told_and_one_in_use_is_not(content: Content) -> None:
    content.write("metrics/mrr.md", "x")
    assert content.told() == ["unused-metric metrics/mrr.md:0"]
    for use in ("{metric}`mrr`", "{metric}`the measure <mrr>`"):
        content.page(use)
        assert content.told() == []
    for other in ("{concept}`mrr`", "{cite}`mrr`"):
        content.page(other)
        assert content.told() == ["unused-metric metrics/mrr.md:0"]


def test_a_metric_that_a_used_panel_names_is_in_use(content: Content) -> None:
    content.write("metrics/mrr.md", "{metric}`ndcg`")
    content.write("metrics/ndcg.md", "{metric}`mrr`")
    assert len(content.told()) == 2
    content.page("{metric}`mrr`")
    assert content.told() == []


def test_a_reference_counts_where_a_page_or_a_panel_in_use_cites_it(content: Content) -> None:
    content.write("bibliography.yml", "one:\n  year: 2000\ntwo:\n  year: 2001\n")
    content.write("metrics/mrr.md", "{cite}`two`")
    content.page("{cite}`one, two`")
    assert content.told() == ["unused-metric metrics/mrr.md:0"]
    content.page("{cite}`one`")
    assert content.told() == ["unused-metric metrics/mrr.md:0", "unused-reference bibliography.yml:3"]
    content.page("{cite}`one` {metric}`mrr`")
    assert content.told() == []


def test_what_a_planned_page_awaits_is_kept_until_the_page_is_there(content: Content) -> None:
    content.write("metrics/mrr.md", "{cite}`two`")
    content.write("bibliography.yml", "one: {year: 2000}\ntwo: {year: 2001}\n")
    content.write("awaiting.yml", "metrics: {mrr: planned}\nreferences: {one: planned}\n")
    assert content.told() == []
    content.write("concepts/a/planned.md", "x")
    assert len(content.told()) == 3


def test_nothing_else_is_kept_by_what_a_planned_page_awaits(content: Content) -> None:
    content.write("metrics/mrr.md", "x")
    content.write("metrics/one.md", "x")
    content.write("bibliography.yml", "one: {year: 2000}\nmrr: {year: 2001}\n")
    content.write("awaiting.yml", "metrics: {mrr: planned}\nreferences: {one: planned}\n")
    assert content.told() == ["unused-metric metrics/one.md:0", "unused-reference bibliography.yml:2"]


def test_a_planned_page_may_have_a_name_beside_its_slug(content: Content) -> None:
    content.write("site.yml", "sections:\n  - {id: a, pages: [written, planned: A page to come]}\n")
    content.write("metrics/mrr.md", "x")
    content.write("awaiting.yml", "metrics: {mrr: planned}\n")
    assert content.told() == []


def test_an_awaited_page_or_an_awaiting_thing_that_does_not_exist_is_told(content: Content) -> None:
    content.write("metrics/mrr.md", "x")
    content.page("{metric}`mrr`")
    content.write("awaiting.yml", "metrics: {mrr: nowhere, ndcg: planned}\nothers: {x: planned, y: planned}\n")
    assert sorted(content.told()) == [f"awaiting awaiting.yml:{line}" for line in (1, 1, 2)]
    content.write("awaiting.yml", "metrics: {mrr: written}\n")
    assert content.told() == []


def test_a_term_is_a_word_of_the_pages_or_explained_by_a_planned_one(content: Content) -> None:
    content.write("glossary.yml", "- term: Candidate list\n  says: x\n- term: BM25\n  also: [Okapi]\n  says: x\n")
    content.page("Two candidate\nlists, by OKAPI.")
    assert content.told() == []
    content.page("Okapis, and a candidate listing.")
    assert content.told() == ["unused-term glossary.yml:1"]
    content.write("glossary.yml", "- term: Headline\n  says: x\n- {term: Index, says: x, see: planned}\n")
    assert content.told() == []
    content.write("glossary.yml", "- term: Index\n  says: x\n  see: written\n")
    assert content.told() == ["unused-term glossary.yml:1"]


def test_a_term_without_a_word_is_unused_and_what_is_no_term_is_left_alone(content: Content) -> None:
    content.page("Text.")
    content.write("glossary.yml", "- says: x\n- not a term\n")
    assert content.told() == ["unused-term glossary.yml:0"]


def test_only_a_concept_of_its_name_makes_a_planned_page_written(content: Content) -> None:
    content.write("site.yml", "sections:\n  - {id: a, pages: [planned]}\n  - {id: b}\n")
    content.write("metrics/mrr.md", "x")
    content.write("awaiting.yml", "metrics: {mrr: planned}\n")
    content.write("about/planned.md", "x")
    assert content.told() == []


def test_a_finding_stands_in_the_first_column_of_its_line_or_nowhere(content: Content) -> None:
    content.write("metrics/mrr.md", "x")
    content.write("bibliography.yml", "one: {year: 2000}\n")
    assert [(one.line, one.column) for one in check_unused(content.root)] == [(0, 0), (1, 1)]


def test_nothing_may_await_a_page(content: Content) -> None:
    for text in ("", "metrics:\n", "metrics: {}\nreferences:\n"):
        content.write("awaiting.yml", text)
        assert content.told() == []


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("- a", 1, "expected keys with values, found a sequence"),
        ("metrics: {}\nreferences: [a]", 2, "expected keys with values, found a sequence"),
        ("others:", 1, "unknown key 'others': expected metrics or references"),
        ("metrics:\n  mrr: [planned]", 2, "mrr: '' is no page of content/site.yml"),
        ("metrics:\n  mrr: ~", 2, "mrr: '' is no page of content/site.yml"),
        ("metrics: {", 1, "not YAML: "),
    ],
)
def test_a_fault_in_what_awaits_a_page_is_told_with_its_line(content: Content, text: str, line: int, says: str) -> None:
    content.write("metrics/mrr.md", "x")
    content.page("{metric}`mrr`")
    content.write("awaiting.yml", text)
    (problem,) = check_unused(content.root)
    assert (problem.path, problem.line, problem.column) == ("content/awaiting.yml", line, 1)
    assert problem.rule == "awaiting"
    assert problem.message.startswith(says) and problem.level == "warning"


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("site.yml", "sections: 3\n", 0),
        ("site.yml", "sections: [a, {id: a, pages: planned}, {id: b, pages: 3}]\n", 0),
        ("glossary.yml", "- {term: Index, says: x, also: 3, see: [planned]}\n", 1),
        ("bibliography.yml", "2020: {title: x}\n", 1),
    ],
)
def test_values_of_another_kind_stop_nothing(content: Content, path: str, text: str, found: int) -> None:
    content.write(path, text)
    assert len(content.told()) == found


def test_broken_or_missing_files_are_left_to_the_loader(content: Content) -> None:
    content.write("glossary.yml", "- [")
    content.write("bibliography.yml", "- a list")
    (content.root / "content/site.yml").unlink()
    assert content.told() == []


def test_unused_content_is_a_warning_of_the_build(content: Content) -> None:
    content.write("metrics/mrr.md", "x")
    content.write("numbers.yml", "patterns: []\n")
    (problem,) = check_content(content.root)
    assert (problem.rule, problem.level) == ("unused-metric", "warning") and problem.fix == RULES["unused-metric"].fix


def test_the_repository_holds_no_unused_content() -> None:
    assert check_unused(Path(__file__).parents[2]) == []
