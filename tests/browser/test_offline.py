"""Reading offline: what a served site keeps, that first visits and pages from disk start nothing, and an update."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from render.pages.offline import worker_script
from render.preview.serve import serve
from render.write import write_files
from tests.browser.conftest import PATIENCE
from tests.browser.test_search import ask, site
from tests.site.conftest import REPOSITORY

pytestmark = pytest.mark.browser
READY = "navigator.serviceWorker.ready.then(ready => ready.active.state === 'activated')"
KEPT = """async () => {
  const names = await caches.keys();
  const lists = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
  return [names, lists.flat().map(request => new URL(request.url).pathname + new URL(request.url).search)];
}"""
HOLDS = "path => caches.match(path).then(Boolean)"


class Host:
    """A small site that can be built anew under the same address, and taken off the network."""

    def __init__(self, folder: Path) -> None:
        self.source, self.root = folder / "source", folder / "served"
        self.publish()
        self.server = serve(self.root, 0)
        self.url = f"http://localhost:{self.server.server_port}/zeroth"

    def publish(self) -> None:
        write_files(self.root / "zeroth", site(self.source))

    def change(self) -> None:
        """The next build: other words on a page, another sheet of style, another index."""
        page = self.source / "content/concepts/retrieval/later.md"
        page.write_text(page.read_text(encoding="utf-8") + "\nA quokka was added.\n", encoding="utf-8")
        files = site(self.source)
        files["assets/site.css"] = bytes(files["assets/site.css"]) + b":root { --build: second; }\n"  # type: ignore[arg-type]
        files["worker.js"] = worker_script(
            {path: text for path, text in files.items() if path != "worker.js"}, REPOSITORY / "templates"
        )
        write_files(self.root / "zeroth", files)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    made = Host(tmp_path)
    yield made
    made.server.shutdown()


@pytest.fixture
def reader(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def settled(page: Any, host: Host) -> None:
    """Two pages opened, so that the worker is there and has kept both."""
    page.goto(f"{host.url}/index.html")
    page.goto(f"{host.url}/concepts/filters/index.html", referer=f"{host.url}/index.html")
    page.wait_for_function(READY)
    page.wait_for_function(HOLDS, arg=f"{host.url}/concepts/filters/index.html")


def build_of(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--build')")).strip()


def test_pages_opened_before_and_search_work_without_a_network(host: Host, reader: Any) -> None:
    page = reader.new_page()
    settled(page, host)
    page.goto(f"{host.url}/concepts/later/")
    page.wait_for_function(HOLDS, arg=f"{host.url}/concepts/later/index.html")
    reader.set_offline(True)
    page.goto(f"{host.url}/concepts/filters/index.html")
    assert page.locator("h1").text_content() == "Filters"
    page.keyboard.press("/")
    assert ask(page, "rank fusion")[0] == "Reciprocal rank fusion"
    page.keyboard.press("Enter")
    page.wait_for_url("**/concepts/later/index.html")
    assert page.locator("h1").text_content() == "Reciprocal rank fusion"
    assert page.evaluate("getComputedStyle(document.querySelector('.site-links ul')).listStyleType") == "none"


def test_a_page_never_opened_says_so_without_a_network_and_names_what_is_kept(host: Host, reader: Any) -> None:
    page = reader.new_page()
    settled(page, host)
    reader.set_offline(True)
    page.goto(f"{host.url}/concepts/indexes/index.html")
    assert "“concepts/indexes/index.html” has not been opened" in page.locator(".moved-note").inner_text()
    page.locator("[data-page='concepts/filters/index.html'] .read-mark").wait_for()
    assert page.locator("[data-page='concepts/indexes/index.html'] .read-mark").count() == 0
    page.goto(f"{host.url}/filtres")
    assert page.locator(".lost-near a").first.text_content() == "Filters"


def test_a_first_visit_transfers_the_page_and_starts_no_worker(host: Host, reader: Any) -> None:
    page = reader.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{host.url}/concepts/filters/index.html", wait_until="networkidle")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0
    assert not [url for url in asked if "search-index" in url or "worker" in url]


def test_a_page_from_disk_starts_no_worker_and_the_page_about_it_says_why(host: Host, browser: Any) -> None:
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((host.root / "zeroth/index.html").as_uri())
    page.goto((host.root / "zeroth/offline/index.html").as_uri())
    assert "opened from disk" in page.locator("[data-kept]").inner_text()
    assert not problems
    page.close()


def test_an_update_keeps_open_readers_on_one_build_and_takes_over_when_they_are_gone(host: Host, reader: Any) -> None:
    page = reader.new_page()
    settled(page, host)
    host.change()
    # A page of the new build is shown with the new build's style, and is not put among the pages of the old one.
    page.goto(f"{host.url}/concepts/later/index.html")
    assert build_of(page) == "second"
    assert "quokka" in page.locator("article").inner_text()
    page.keyboard.press("/")
    assert ask(page, "quokka") == ["Reciprocal rank fusion"]
    names, kept = page.evaluate(KEPT)
    assert "/zeroth/concepts/later/index.html" not in [path for path in kept if len(names) == 1], (
        "a page of another build was kept"
    )
    page.wait_for_function("navigator.serviceWorker.getRegistration().then(one => Boolean(one.waiting))")
    # Offline, what was kept of the old build still goes together.
    reader.set_offline(True)
    page.goto(f"{host.url}/concepts/filters/index.html")
    assert build_of(page) == ""
    page.keyboard.press("/")
    assert ask(page, "quokka") == []
    # Once no page of the old build is open, the new one takes over and the old one is gone.
    reader.set_offline(False)
    page.close()
    page = reader.new_page()
    page.goto(f"{host.url}/index.html")
    page.wait_for_function("navigator.serviceWorker.getRegistration().then(one => !one.waiting)")
    page.goto(f"{host.url}/concepts/later/index.html")
    assert build_of(page) == "second"
    digest = re.search(r'"id":"([0-9a-f]+)"', (host.root / "zeroth/worker.js").read_text(encoding="utf-8"))
    assert digest
    only = "name => caches.keys().then(names => names.length === 1 && names[0] === name)"
    page.wait_for_function(only, arg=f"zeroth /zeroth/ {digest[1]}")


def test_half_an_update_on_the_server_installs_nothing(host: Host, reader: Any) -> None:
    (host.root / "zeroth/assets/site.css").write_text("body { color: red; }", encoding="utf-8")
    page = reader.new_page()
    page.goto(f"{host.url}/index.html")
    page.goto(f"{host.url}/concepts/filters/index.html", referer=f"{host.url}/index.html")
    page.wait_for_timeout(1500)
    assert page.evaluate("navigator.serviceWorker.getRegistration().then(one => Boolean(one && one.active))") is False


def test_every_page_can_be_kept_and_everything_forgotten(host: Host, reader: Any) -> None:
    page = reader.new_page()
    page.goto(f"{host.url}/offline/index.html")
    page.click("text=Keep every page")
    page.locator("[data-page='data/sample/index.html'] .read-mark").wait_for()
    assert page.locator(".read-mark").count() == page.locator("[data-page]").count()
    page.click("text=Forget what is kept")
    page.locator("text=Nothing is kept now.").wait_for()
    assert page.locator(".read-mark").count() == 0
    assert page.evaluate("caches.keys().then(names => names.length)") == 0
