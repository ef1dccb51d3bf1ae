"""What scripts add for a returning reader: progress in this browser alone, the way back, copying, old addresses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checks.problems import Problem, errors
from provenance.canonical import pretty
from render.reading.load import load_library
from render.site import render_site
from render.write import write_files
from tests.browser.conftest import PATIENCE, REPO
from tests.browser.test_pages import violations
from tests.site.conftest import FIXTURE, sample_dataset

pytestmark = pytest.mark.browser

INDEXES = "concepts/indexes/index.html"
PROGRESS = "progress/index.html"
LEARNING = ["map/index.html", "glossary/index.html", "paths/index.html", "paths/first/index.html", PROGRESS, INDEXES]
PATH = """---
title: First
for: For all.
summary: Two pages.
steps:
  - {concept: filters, why: First.}
  - {concept: indexes, why: Second.}
---
"""
GLOSSARY = "- term: Index\n  says: A structure.\n  see: indexes\n"
MOVES = f"""pages:
  - {{from: concepts/old/index.html, to: {INDEXES}}}
fragments:
  - {{page: {INDEXES}, from: old-part, to: how-it-works}}
"""
Open = Callable[..., Any]


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site with paths, glossary, map and redirects, from the templates as they are."""
    root = tmp_path_factory.mktemp("small")
    shutil.copytree(FIXTURE / "content", root / "content")
    more = {"paths/first.md": PATH, "glossary.yml": GLOSSARY, "redirects.yml": MOVES}
    shutil.copy(REPO / "content/numbers.yml", root / "content")
    (root / "content/paths").mkdir()
    for name, text in more.items():
        (root / "content" / name).write_text(text, encoding="utf-8")
    (root / "data/interactive").mkdir(parents=True)
    (root / "data/interactive/sample.json").write_text(pretty(sample_dataset()), encoding="utf-8")
    problems: list[Problem] = []
    site = render_site(load_library(root, problems), REPO / "templates")
    assert not errors(problems + site.problems)
    write_files(root / "site", site.files)
    return root / "site"


def kept(page: Any) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(page.evaluate("localStorage.getItem('zeroth-progress') || '{}'"))
    return state


def follow(page: Any, site: Path, path: str) -> None:
    file, mark, fragment = path.partition("#")
    page.goto((site / file).as_uri() + mark + fragment)


def say(page: Any) -> str:
    text: str = page.locator(".progress-say").inner_text()
    return text


def test_a_page_is_marked_as_read_and_unmarked_by_keyboard(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES)
    button = page.locator(".progress-button")
    assert button.inner_text() == "Mark as read" and button.get_attribute("aria-pressed") == "false"
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    assert kept(page)["read"] == ["indexes"]
    page.reload()
    assert page.locator(".progress-button").get_attribute("aria-pressed") == "true"
    page.locator(".progress-button").click()
    assert kept(page)["read"] == []


def test_what_is_read_is_marked_in_lists_paths_and_on_the_map(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES)
    page.locator(".progress-button").click()
    assert "✓ read" in page.locator(".site-nav a[aria-current]").inner_text()
    follow(page, small, "paths/first/index.html")
    assert page.locator(".path-steps .read-mark").count() == 1
    follow(page, small, "map/index.html")
    assert page.locator(".map-node.is-read").get_attribute("aria-label") == "Indexes, read"


def test_the_home_page_leads_back_to_where_the_reader_was(open_page: Open, small: Path) -> None:
    page = open_page(small / "index.html")
    assert page.locator(".resume").count() == 0
    follow(page, small, INDEXES + "#how-it-works")
    follow(page, small, "index.html")
    assert page.locator(".resume").inner_text() == "Where you were: Indexes"
    page.locator(".resume a").click()
    assert page.url.endswith(INDEXES + "#how-it-works")


def test_progress_is_exported_forgotten_and_imported_again(open_page: Open, small: Path, tmp_path: Path) -> None:
    page = open_page(small / INDEXES)
    page.locator(".progress-button").click()
    follow(page, small, PROGRESS)
    assert say(page) == "1 of 2 pages read."
    with page.expect_download(timeout=PATIENCE) as waiting:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "mine.json"
    waiting.value.save_as(file)
    assert json.loads(file.read_text())["read"] == ["indexes"]
    page.get_by_role("button", name="Forget everything").click()
    assert kept(page)["read"] == ["indexes"], "one click only asks"
    page.get_by_role("button", name="Yes, forget it").click()
    assert kept(page) == {} and say(page) == "Forgotten. 0 of 2 pages read."
    page.set_input_files("input[type=file]", file)
    page.locator(".progress-say", has_text="Imported").wait_for()
    assert kept(page)["read"] == ["indexes"]
    assert page.get_by_label("Indexes: read").is_checked()


def test_forgetting_can_be_called_off(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES)
    page.locator(".progress-button").click()
    follow(page, small, PROGRESS)
    page.get_by_role("button", name="Forget everything").click()
    page.get_by_role("button", name="Keep it").click()
    assert kept(page)["read"] == ["indexes"]
    assert page.evaluate("document.activeElement.textContent") == "Forget everything"


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"version": 9, "read": []}', '{"version": 1, "read": "all"}'])
def test_a_file_that_is_no_progress_changes_nothing_and_says_so(
    open_page: Open, small: Path, tmp_path: Path, text: str
) -> None:
    page = open_page(small / PROGRESS)
    page.get_by_label("Filters: read").check()
    file = tmp_path / "other.json"
    file.write_text(text)
    page.set_input_files("input[type=file]", file)
    page.locator(".progress-say", has_text="That file").wait_for()
    assert kept(page)["read"] == ["filters"]


def test_pages_that_the_site_does_not_have_are_counted_not_kept(open_page: Open, small: Path, tmp_path: Path) -> None:
    page = open_page(small / PROGRESS)
    file = tmp_path / "older.json"
    file.write_text('{"version": 1, "read": ["indexes", "gone", "<b>"], "last": null}')
    page.set_input_files("input[type=file]", file)
    page.locator(".progress-say", has_text="Imported").wait_for()
    assert "does not have: 1." in say(page)
    assert kept(page)["read"] == ["indexes"]


def test_a_stored_state_of_another_kind_does_no_harm(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES)
    page.evaluate("localStorage.setItem('zeroth-progress', '{\"read\": 3}')")
    page.reload()
    page.locator(".progress-button").click()
    assert kept(page)["read"] == ["indexes"]


def test_without_script_there_is_no_button_and_the_progress_page_says_why(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES, script=False)
    assert page.locator(".progress-button, .copy-button, .permalink").count() == 0
    follow(page, small, PROGRESS)
    assert "Scripting is off" in page.locator("noscript").inner_text()
    assert page.locator("[data-page] a").count() == 2


def test_code_is_copied_by_a_button(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy: sql code")
    button.click()
    page.locator(".copy-button", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "SELECT 42;"


def test_the_command_of_a_dataset_can_be_copied(open_page: Open, small: Path) -> None:
    page = open_page(small / "data/sample/index.html")
    assert page.get_by_role("button", name="Copy: Command").count() == 1


def test_drawings_of_a_walkthrough_have_no_copy_button(open_page: Open, small: Path) -> None:
    page = small / "drawing.html"
    script = '<script defer src="assets/copy.js"></script>'
    page.write_text(f'{script}<main><pre>code</pre><figure class="wt"><pre>a tree</pre></figure></main>')
    shown = open_page(page)
    assert shown.locator(".copyable pre").all_inner_texts() == ["code"]


def test_a_heading_has_a_permalink_that_the_keyboard_reaches(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES)
    link = page.get_by_role("link", name="Link to “How it works”")
    link.focus()
    assert link.evaluate("node => getComputedStyle(node).opacity") == "1"
    page.keyboard.press("Enter")
    assert page.url.endswith("#how-it-works")


def test_an_old_fragment_leads_to_the_part_under_its_new_name_and_says_so(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES, "old-part")
    page.wait_for_url("**#how-it-works", timeout=PATIENCE)
    assert page.locator(".moved-note").inner_text().startswith("You followed a link to #old-part.")


def test_an_old_fragment_without_script_lands_on_a_note_with_the_way(open_page: Open, small: Path) -> None:
    page = open_page(small / INDEXES, "old-part", script=False)
    assert page.locator("li:target a").get_attribute("href") == "#how-it-works"


@pytest.mark.parametrize("script", [True, False])
def test_an_old_page_sends_on(open_page: Open, small: Path, script: bool) -> None:
    page = open_page(small / "concepts/old/index.html", script=script)
    page.wait_for_url(f"**/{INDEXES}", timeout=PATIENCE)
    assert page.locator("h1").inner_text() == "Indexes"


def test_an_old_page_keeps_the_fragment_of_the_link(open_page: Open, small: Path) -> None:
    page = open_page(small / "concepts/old/index.html", "how-it-works")
    page.wait_for_url(f"**/{INDEXES}#how-it-works", timeout=PATIENCE)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", LEARNING)
def test_axe_finds_nothing_on_pages_for_learning(open_page: Open, small: Path, path: str, scheme: str) -> None:
    page = open_page(small / INDEXES, scheme=scheme)
    page.locator(".progress-button").click()
    follow(page, small, path)
    assert not violations(page)


@pytest.mark.parametrize("path", LEARNING)
def test_pages_for_learning_fit_a_narrow_phone(open_page: Open, small: Path, path: str) -> None:
    page = open_page(small / path, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
