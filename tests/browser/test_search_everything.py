"""Search over the whole site, from disk and without a network: every page is found by what a reader would type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE
from tests.browser.test_search import ask
from tests.browser.whole import Whole

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser: Any, whole: Whole) -> Iterator[Any]:
    """A page from disk with the network off and the search open."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    opened.goto((whole.folder / "concepts/chunking/index.html").as_uri())
    context.set_offline(True)
    opened.keyboard.press("/")
    yield opened
    context.close()


@pytest.fixture(scope="module")
def entries(whole: Whole) -> list[dict[str, Any]]:
    text = whole.read("assets/search-index.js")
    found: list[dict[str, Any]] = json.loads(text[text.index("[") : text.rindex("]") + 1])
    return found


def urls(page: Any, query: str) -> list[str]:
    """The pages that the engine finds, best first, without the part within the page."""
    return list(page.evaluate("query => zerothFind(query).map(hit => hit.url.split('#')[0])", query))


@pytest.mark.parametrize(
    "query",
    [
        "Reciprocal rank fusion",
        "reciprocal rank fusion",
        "RRF",
        "rrf",
        "Several ranked lists become one by adding up, for each passage, one over a constant",
    ],
)
def test_a_concept_is_found_by_title_alias_and_sentence_typed_into_the_field(page: Any, query: str) -> None:
    assert ask(page, query)[0] == "Reciprocal rank fusion"


def test_every_concept_is_the_first_result_for_its_title_and_every_other_name(
    page: Any, entries: list[dict[str, Any]]
) -> None:
    ask(page, "chunk")
    concepts = [entry for entry in entries if entry["kind"] == "concept"]
    names = {name.lower() for entry in concepts for name in [entry["title"], *entry["aliases"]]}
    assert len(names) >= 2 * len(concepts)
    missed = [
        (name, found)
        for entry in concepts
        for name in [entry["title"], *entry["aliases"]]
        if (found := urls(page, name))[:1] != [entry["url"]]
    ]
    assert not missed


def test_every_concept_is_the_first_result_for_a_sentence_of_its_text(page: Any, entries: list[dict[str, Any]]) -> None:
    ask(page, "chunk")
    missed = []
    for entry in entries:
        if entry["kind"] == "concept":
            longest = max((text for part in entry["passages"] for text in part[2]), key=len)
            sentence = longest.split(". ")[0]
            if entry["url"] not in urls(page, sentence)[:1]:
                missed.append((entry["url"], sentence))
    assert not missed


def test_metrics_words_paths_and_datasets_are_found_by_their_names(page: Any, entries: list[dict[str, Any]]) -> None:
    ask(page, "chunk")
    kinds = {entry["kind"] for entry in entries}
    assert {"metric", "term", "path", "dataset"} <= kinds
    missed = [
        entry["title"]
        for entry in entries
        if entry["kind"] in ("metric", "path", "dataset")
        and entry["url"].split("#")[0] not in urls(page, entry["title"])
    ]
    words = [entry for entry in entries if entry["kind"] == "term"]
    missed += [entry["title"] for entry in words if entry["url"].split("#")[0] not in urls(page, entry["title"])]
    assert not missed
