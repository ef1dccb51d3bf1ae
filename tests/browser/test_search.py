"""Search and shortcuts from disk, and the page for a wrong address behind a small server."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from provenance.canonical import pretty
from render.preview.serve import serve
from render.reading.load import load_library
from render.site import Options, render_site
from render.write import write_files
from tests.browser.conftest import PATIENCE
from tests.browser.test_pages import violations
from tests.site.conftest import FIXTURE, REPOSITORY, sample_dataset

pytestmark = pytest.mark.browser
Open = Callable[..., Any]

FUSION = """---
title: Reciprocal rank fusion
slug: later
summary: Several ranked lists become one by adding up reciprocal ranks.
aliases: [RRF, rank fusion]
updated: 2025-05-04
---
## What it is

Each list that holds a passage gives it one over a constant plus its rank. An index and a filter come before it.

## Common mistakes

A missing rank counted as zero sinks half of the passages. Written `<img src=x onerror=alert>` it would be markup.
"""


def site(root: Path, base_url: str = "") -> dict[str, str | bytes]:
    """The files of a small site with a concept that has aliases."""
    if not root.exists():
        shutil.copytree(FIXTURE / "content", root / "content")
        (root / "content/concepts/retrieval/later.md").write_text(FUSION, encoding="utf-8")
        (root / "data/interactive").mkdir(parents=True)
        (root / "data/interactive/sample.json").write_text(pretty(sample_dataset()), encoding="utf-8")
    return render_site(load_library(root, []), REPOSITORY / "templates", Options(base_url)).files


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    write_files(folder / "site", site(folder / "source"))
    return folder / "site"


def ask(page: Any, query: str) -> list[str]:
    """The titles that the open search field finds for ``query``."""
    page.locator(".find-input").fill(query)
    page.locator(".find-status", has_text="result").wait_for()
    page.wait_for_function("query => document.querySelector('.find-list').dataset.query === query", arg=query)
    titles: list[str] = page.locator(".find-title").all_text_contents()
    return titles


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Reciprocal rank fusion", "Reciprocal rank fusion"),
        ("rrf", "Reciprocal rank fusion"),
        ("rank-fusion", "Reciprocal rank fusion"),
        ("reciprocl", "Reciprocal rank fusion"),
        ("missing rank counted as zero", "Reciprocal rank fusion"),
        ("filters", "Filters"),
        ("recall@k", "Recall at k"),
        ("sample", "Recall behind a filter"),
    ],
)
def test_title_alias_sentence_symbol_and_name_find_their_page_from_disk_and_offline(
    open_page: Open, small: Path, query: str, first: str
) -> None:
    page = open_page(small / "concepts/filters/index.html")
    page.context.set_offline(True)
    page.keyboard.press("/")
    assert ask(page, query)[0] == first


def test_a_result_shows_section_heading_and_sentence_with_marks_and_leads_to_the_heading(
    open_page: Open, small: Path
) -> None:
    page = open_page(small / "index.html")
    page.click("[data-find-open]")
    ask(page, "counted as zero")
    hit = page.locator(".find-hit").first
    assert hit.locator(".find-where").text_content() == "Retrieval: Common mistakes"
    text = hit.locator(".find-text")
    assert text.text_content() == "A missing rank counted as zero sinks half of the passages."
    assert text.locator("mark").all_text_contents() == ["counted", "as", "zero"]
    hit.click()
    assert page.url.endswith("concepts/later/index.html#common-mistakes")


def test_text_that_looks_like_markup_stays_text(open_page: Open, small: Path) -> None:
    page = open_page(small / "index.html")
    page.keyboard.press("/")
    ask(page, "onerror alert")
    assert "<img src=x onerror=alert>" in page.locator(".find-text").first.text_content()
    assert page.locator(".find-list img").count() == 0


def test_the_index_is_loaded_only_when_search_is_first_used(browser: Any, small: Path) -> None:
    asked: list[str] = []
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.goto((small / "concepts/later/index.html").as_uri())
    assert not [url for url in asked if "index.js" in url or "vendor" in url]
    page.keyboard.press("/")
    ask(page, "filter")
    page.close()
    assert len([url for url in asked if "search-index.js" in url]) == 1
    assert all(url.startswith((small.as_uri(), "data:")) for url in asked)


def test_arrows_move_through_the_results_typing_goes_on_and_escape_gives_the_focus_back(
    open_page: Open, small: Path
) -> None:
    page = open_page(small / "index.html")
    page.locator("[data-find-open]").focus()
    page.keyboard.press("Enter")
    titles = ask(page, "filter")
    focused = "document.activeElement.querySelector('.find-title')?.textContent ?? document.activeElement.tagName"
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        seen.append(page.evaluate(focused))
    assert seen == [titles[0], titles[1], titles[0], "INPUT"]
    page.keyboard.press("ArrowDown")
    page.keyboard.type("s")
    assert page.locator(".find-input").input_value() == "filters"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.hasAttribute('data-find-open')")


def test_enter_opens_the_first_result_of_what_was_typed_last(open_page: Open, small: Path) -> None:
    page = open_page(small / "data/sample/index.html")
    page.keyboard.press("/")
    ask(page, "filters")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("rrf")
    page.keyboard.press("Enter")
    page.wait_for_url("**/concepts/later/index.html")


def test_nothing_found_is_said(open_page: Open, small: Path) -> None:
    page = open_page(small / "index.html")
    page.keyboard.press("/")
    assert ask(page, "zymurgy") == []
    assert page.locator(".find-status").text_content() == "No results"


def test_a_query_in_the_address_of_the_search_page_is_answered_and_back_returns_to_it(
    open_page: Open, small: Path
) -> None:
    page = open_page(small / "search/index.html")
    page.goto((small / "search/index.html").as_uri() + "?q=rrf")
    page.locator(".find-hit").first.wait_for()
    assert not page.locator(".find-all").is_visible()
    ask(page, "filters")
    assert page.url.endswith("?q=filters")
    page.keyboard.press("Enter")
    page.wait_for_url("**/concepts/filters/index.html")
    page.go_back()
    page.locator(".find-hit").first.wait_for()
    assert page.locator(".find-input").input_value() == "filters"
    page.locator(".find-input").fill("")
    page.locator(".find-all").wait_for()


def test_without_script_the_link_leads_to_a_list_of_everything(open_page: Open, small: Path) -> None:
    page = open_page(small / "concepts/later/index.html", script=False)
    page.click("[data-find-open]")
    assert page.locator(".find-plain").is_visible()
    assert page.locator(".entry h3").count() == 5
    assert page.locator(".entry", has_text="RRF").locator("a", has_text="Common mistakes").is_visible()


def test_n_and_p_turn_pages_and_t_changes_the_theme(open_page: Open, small: Path) -> None:
    page = open_page(small / "concepts/filters/index.html")
    page.keyboard.press("p")
    assert page.locator("[role=status]", has_text="No previous page").count() == 1
    page.keyboard.press("n")
    page.wait_for_url("**/concepts/indexes/index.html")
    page.keyboard.press("p")
    page.wait_for_url("**/concepts/filters/index.html")
    page.keyboard.press("t")
    assert page.locator(".theme-toggle").text_content() == "Theme: light"


def test_no_shortcut_works_while_typing_or_with_a_modifier(open_page: Open, small: Path) -> None:
    page = open_page(small / "search/index.html")
    page.locator(".find-input").focus()
    page.keyboard.type("n/?t")
    assert page.locator(".find-input").input_value() == "n/?t"
    assert page.locator("dialog[open]").count() == 0
    page = open_page(small / "concepts/filters/index.html")
    page.keyboard.press("Control+/")
    page.keyboard.press("Alt+n")
    assert page.locator("dialog[open]").count() == 0
    assert page.url.endswith("concepts/filters/index.html")


def test_the_panel_names_every_shortcut_and_switches_them_off_for_good(open_page: Open, small: Path) -> None:
    page = open_page(small / "concepts/filters/index.html")
    page.keyboard.press("?")
    panel = page.locator("dialog.sheet--keys")
    assert panel.locator("kbd").all_text_contents()[:5] == ["/", "n", "p", "t", "?"]
    panel.get_by_label("Shortcuts of one key are on").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    for key in ("?", "/", "n"):
        page.keyboard.press(key)
    assert page.locator("dialog[open]").count() == 0
    assert page.url.endswith("concepts/filters/index.html")
    page.click(".keys-open")
    assert not panel.get_by_label("Shortcuts of one key are on").is_checked()
    panel.get_by_label("Shortcuts of one key are on").check()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.locator("dialog.sheet--find[open]").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_results_or_the_panel_open(open_page: Open, small: Path, scheme: str) -> None:
    page = open_page(small / "index.html", scheme=scheme)
    page.keyboard.press("?")
    assert not violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    ask(page, "filter")
    page.keyboard.press("ArrowDown")
    assert not violations(page)
    page = open_page(small / "search/index.html", scheme=scheme)
    assert not violations(page)
    ask(page, "filter")
    assert not violations(page)


def test_dialogs_and_search_page_fit_320_pixels_with_targets_of_24(open_page: Open, small: Path) -> None:
    page = open_page(small / "search/index.html", width=320)
    ask(page, "filter")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page = open_page(small / "index.html", width=320)
    page.keyboard.press("/")
    ask(page, "filter")
    page.keyboard.press("Escape")
    page.click(".keys-open")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.querySelector('.sheet--find').scrollWidth") <= 320
    small_ones = page.evaluate(
        """[...document.querySelectorAll('.find-open, .keys-open, dialog[open] :is(a, button, input)')]
        .map(node => node.getBoundingClientRect()).filter(box => box.width < 24 || box.height < 24).length"""
    )
    assert small_ones == 0


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Addresses of one site served three ways: at the host's root, and below a path with and without a base URL."""
    folder = tmp_path_factory.mktemp("host")
    write_files(folder / "root", site(folder / "source"))
    for name, base_url in (("below", "https://example.org/zeroth/"), ("unplaced", "")):
        write_files(folder / name / "zeroth", site(folder / "source", base_url))
        shutil.copy(folder / name / "zeroth/404.html", folder / name / "404.html")
    servers = {name: serve(folder / name, 0) for name in ("root", "below", "unplaced")}
    yield {
        name: f"http://localhost:{server.server_port}" + ("" if name == "root" else "/zeroth")
        for name, server in servers.items()
    }
    for server in servers.values():
        server.shutdown()


def lost(browser: Any, url: str, *, script: bool = True, scheme: str = "light") -> Any:
    page = browser.new_context(java_script_enabled=script, color_scheme=scheme).new_page()
    page.set_default_timeout(PATIENCE)
    assert page.goto(url).status == 404
    return page


def styled(page: Any) -> bool:
    return bool(page.evaluate("getComputedStyle(document.querySelector('.lost-links')).listStyleType") == "none")


@pytest.mark.parametrize("place", ["root", "below"])
@pytest.mark.parametrize("depth", ["gone", "concepts/gone/index.html", "a/b/c/d/gone"])
def test_a_wrong_address_at_any_depth_shows_a_styled_list_that_works_without_script(
    browser: Any, host: dict[str, str], place: str, depth: str
) -> None:
    page = lost(browser, f"{host[place]}/{depth}", script=False)
    broken: list[str] = []
    page.on("response", lambda response: broken.append(response.url) if response.status >= 400 else None)
    page.click(".lost-all a:has-text('Reciprocal rank fusion')")
    assert page.url == f"{host[place]}/concepts/later/index.html"
    assert not broken
    page.context.close()


@pytest.mark.parametrize("place", ["root", "below", "unplaced"])
@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("reciprocal-rank-fusion", "Reciprocal rank fusion"),
        ("RRF.html", "Reciprocal rank fusion"),
        ("filtres", "Filters"),
        ("in-dexes", "Indexes"),
        ("filtering", "Filters"),
        ("recall_filter", "Recall behind a filter"),
    ],
)
def test_a_wrong_address_suggests_the_pages_with_the_nearest_words(
    browser: Any, host: dict[str, str], place: str, path: str, first: str
) -> None:
    page = lost(browser, f"{host[place]}/{path}")
    links = page.locator(".lost-near a")
    assert links.first.text_content() == first
    page.wait_for_function("getComputedStyle(document.querySelector('.lost-links')).listStyleType === 'none'")
    links.first.click()
    page.wait_for_load_state()
    assert page.locator("h1").text_content() == first
    page.context.close()


def test_an_address_like_no_page_leads_to_a_search_for_its_words(browser: Any, host: dict[str, str]) -> None:
    page = lost(browser, f"{host['root']}/deep/down/zymurgy%20lessons")
    assert page.locator(".lost-near a").all_text_contents() == ["Search for “deep down zymurgy lessons”"]
    page.click(".lost-near a")
    page.wait_for_url("**/search/index.html?q=deep*")
    page.locator(".find-status", has_text="result").wait_for()
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_wrong_address(browser: Any, host: dict[str, str], scheme: str) -> None:
    page = lost(browser, f"{host['below']}/a/b/reciprocal", scheme=scheme)
    assert styled(page)
    assert not violations(page)
    page.context.close()


def test_search_works_from_the_page_for_a_wrong_address(browser: Any, host: dict[str, str]) -> None:
    page = lost(browser, f"{host['below']}/x/y/z")
    page.keyboard.press("/")
    assert ask(page, "rrf")[0] == "Reciprocal rank fusion"
    page.keyboard.press("Enter")
    page.wait_for_url(f"{host['below']}/concepts/later/index.html")
    page.context.close()


def test_the_page_for_a_wrong_address_opened_from_disk_is_styled_and_its_links_work(browser: Any, small: Path) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto((small / "404.html").as_uri())
    page.wait_for_function("getComputedStyle(document.querySelector('.lost-links')).listStyleType === 'none'")
    page.click(".lost-all a:has-text('Filters')")
    assert page.url == (small / "concepts/filters/index.html").as_uri()
    page.close()
