"""Pages as a whole: nothing leaves the folder, nothing overflows, popovers work by keyboard, themes keep contrast."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE
from tests.browser.sample import SampleSite
from tests.browser.whole import Whole

pytestmark = pytest.mark.browser

CONCEPT = "concepts/ann-post-filtering/index.html"
PAGES = sorted(SampleSite().pages())
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
Open = Callable[..., Any]


def pages_of(folder: Path, most: int = 12) -> list[Path]:
    """A spread of a built site's pages: the shallow ones and every kind, but for what only a server shows (404)."""
    found = sorted(
        (path for path in folder.rglob("*.html") if path.name != "404.html"),
        key=lambda path: (len(path.parts), str(path)),
    )
    return found if len(found) <= most else found[:: max(1, len(found) // most)][:most]


@pytest.mark.parametrize("path", PAGES)
def test_no_request_leaves_the_folder(browser: Any, sample: Path, path: str) -> None:
    asked: list[str] = []
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.goto((sample / path).as_uri())
    page.close()
    assert asked and all(url.startswith((sample.as_uri(), "data:")) for url in asked), asked


@pytest.mark.parametrize("path", PAGES)
def test_nothing_overflows_sideways_from_320_pixels_up(open_page: Open, sample: Path, path: str) -> None:
    page = open_page(sample / path)
    page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    for width in (320, 360, 768, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_number_opens_by_keyboard_and_escape_gives_the_focus_back(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    number = page.locator("a.num").first
    number.focus()
    page.keyboard.press("Enter")
    panel = page.locator(".pop:popover-open")
    assert panel.get_attribute("aria-label") == "How this number was made"
    assert "python -m harness regenerate ann_postfilter" in panel.inner_text()
    assert number.get_attribute("aria-expanded") == "true"
    assert panel.evaluate("node => node.contains(document.activeElement)")
    page.keyboard.press("Escape")
    assert page.locator(".pop:popover-open").count() == 0
    assert number.evaluate("node => document.activeElement === node")
    assert number.get_attribute("aria-expanded") == "false"


def test_a_metric_opens_its_panel_and_the_button_closes_it(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.click("a.metric-ref")
    assert "should be found" in page.locator(".pop:popover-open").inner_text()
    page.click(".pop-close")
    assert page.locator(".pop:popover-open").count() == 0
    assert page.evaluate("document.activeElement.className") == "metric-ref"


def test_an_open_panel_repeats_no_id(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.click("a.metric-ref")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))


def test_a_concept_link_shows_its_summary_on_focus_and_escape_takes_it_away(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.locator("a.metric-ref").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "xref":
            break
    assert "reciprocals" in page.locator(".pop--preview:popover-open").inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".pop--preview:popover-open").count() == 0
    assert page.evaluate("document.activeElement.className") == "xref"


def test_a_number_without_script_is_a_link_to_its_dataset(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT, script=False)
    page.locator(".prose a.num").first.click()
    assert page.url.endswith("data/ann_postfilter/index.html#fig-home")


def test_the_theme_is_remembered(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click(".theme-toggle")
    page.click(".theme-toggle")
    assert page.locator(".theme-toggle").text_content() == "Theme: dark"
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_the_menu_opens_without_script_on_a_phone_and_stands_open_on_a_wide_screen(
    open_page: Open, sample: Path
) -> None:
    phone = open_page(sample / CONCEPT, width=360, script=False)
    link = ".site-nav a[aria-current]"
    assert not phone.locator(link).is_visible()
    phone.click(".site-nav > .menu > summary")
    assert phone.locator(link).is_visible()
    wide = open_page(sample / CONCEPT, width=1280, script=False)
    assert wide.locator(link).is_visible()


def test_the_skip_link_comes_first_and_leads_to_the_content(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_controls_are_at_least_24_pixels(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT, width=360)
    small = page.evaluate(
        """[...document.querySelectorAll('button, input, summary, .site-header a, .wt-index a, .site-nav a')]
        .filter(node => node.checkVisibility()).map(node => [node.textContent, node.getBoundingClientRect()])
        .filter(([, box]) => box.width < 24 || box.height < 24).map(([text, box]) => `${text}: ${box.height}`)"""
    )
    assert not small


def test_styles_and_scripts_keep_to_their_budget() -> None:
    assets = Path(__file__).resolve().parents[2] / "templates" / "assets"
    for sheet in assets.glob("*.css"):
        assert sheet.stat().st_size <= 25_000, sheet.name
    for script in assets.glob("*.js"):
        assert script.stat().st_size <= 10_000, script.name


@pytest.mark.parametrize("path", PAGES)
def test_pages_carry_no_inline_style_and_no_inline_script(sample: Path, path: str) -> None:
    text = (sample / path).read_text(encoding="utf-8")
    assert not re.search(r"<[^>]+\sstyle\s*=", text)
    assert not re.search(r"<[^>]+\son[a-z]+\s*=", text)
    scripts = re.findall(r"<script([^>]*)>", text)
    assert all("src=" in attributes or "ld+json" in attributes for attributes in scripts)


def axe_source() -> str:
    spec = importlib.util.find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        pytest.skip("axe-core is not installed (axe_playwright_python carries it)")
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any, part: str = "html") -> list[str]:
    """axe's findings at level A and AA in a part of the page, one line each."""
    page.evaluate(axe_source())
    found = page.evaluate(
        f"axe.run({part!r}, {{preload: false, runOnly: {{type: 'tag', values: {TAGS!r}}}}}).then(r => r.violations)"
    )
    return [f"{one['id']}: {node['html'][:160]} ({node['failureSummary']})" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(open_page: Open, sample: Path, path: str, scheme: str) -> None:
    assert not violations(open_page(sample / path, scheme=scheme))


@pytest.mark.parametrize("step", ["asked", "roles", "all"])
def test_axe_finds_nothing_at_the_first_a_middle_and_the_last_state(open_page: Open, sample: Path, step: str) -> None:
    page = open_page(sample / CONCEPT, f"wt-ann_postfilter--{step}")
    page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    assert not violations(page)


def test_axe_finds_nothing_with_a_panel_open(open_page: Open, sample: Path) -> None:
    page = open_page(sample / CONCEPT)
    page.click(".prose a.num >> nth=0")
    assert not violations(page)


@pytest.mark.sweep
def test_axe_finds_nothing_on_a_spread_of_pages_at_the_width_of_a_phone(open_page: Open, whole: Whole) -> None:
    found = {str(path): violations(open_page(path, width=360)) for path in pages_of(whole.folder)}
    assert not {path: problems for path, problems in found.items() if problems}


def test_the_built_site_stays_in_its_folder_and_fits_a_phone_from_disk(open_page: Open, whole: Whole) -> None:
    built = whole.folder
    found: dict[str, list[str]] = {}
    for path in pages_of(built):
        page = open_page(path, width=360)
        problems = []
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            problems.append("wider than the screen")
        loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
        problems += [f"asks for {url}" for url in loaded if not url.startswith((built.as_uri(), "data:"))]
        if problems:
            found[str(path.relative_to(built))] = problems
    assert not found


def test_the_interval_of_a_large_figure_stands_on_one_line_clear_of_the_number(open_page: Open, whole: Whole) -> None:
    page = open_page(whole.folder / "index.html", width=1440)
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".big-figure:has(.interval) dd")].map((dd) => ({
            number: dd.querySelector(".num").getBoundingClientRect().toJSON(),
            lines: [...dd.querySelector(".interval").getClientRects()].map((box) => box.toJSON()),
        }))"""
    )
    assert boxes
    for box in boxes:
        (line,) = box["lines"]
        number = box["number"]
        assert line["left"] >= number["right"] or line["top"] >= number["bottom"], box
