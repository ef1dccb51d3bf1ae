"""First visits in headless Chromium to every page of a folder, served on this machine, with scripting on and off."""

from __future__ import annotations

import functools
import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LEVEL = 6
"""Of gzip: what a host commonly compresses with."""

PLAIN = """() => {
  const shown = node => node.checkVisibility({ visibilityProperty: true });
  const address = link => new URL(link.getAttribute('href'), document.baseURI).href; // of drawn links too
  const texts = selector => [...document.querySelectorAll(selector)];
  return {
    states: texts('.wt-step').length,
    states_shown: texts('.wt-step').filter(shown).length,
    numbers: texts('a.num').map(address),
    metrics: texts('a.metric-ref').map(node => node.getAttribute('href').slice(1)),
    ids: texts('[id]').map(node => node.id),
    options: texts('.question .option').length,
    reasons: texts('.question .option .why').filter(node => node.textContent.trim()).length,
    controls: texts('button, input, select, textarea').filter(shown).length,
    links: texts('a[href]').map(address),
    told: Boolean(document.querySelector('.find-plain') && shown(document.querySelector('.find-plain'))),
    background: getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).color,
  };
}"""


@dataclass(frozen=True)
class Visit:
    """A first visit: the files it asked for below the folder, how much it asked elsewhere, what the page holds."""

    path: str
    files: tuple[str, ...]
    foreign: int
    plain: dict[str, Any]
    dark: str


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Requests are counted by the browser."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of ``folder`` on this machine, ending with a slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium: ``CHROMIUM``, or Debian's."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        executable = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = driver.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


def pages_of(folder: Path) -> list[str]:
    """Every page, sorted; neither the one for a wrong address nor those that only send on to another."""
    found = (file for file in folder.rglob("*.html") if b'http-equiv="refresh"' not in file.read_bytes())
    return sorted(path for file in found if (path := file.relative_to(folder).as_posix()) != "404.html")


def visit(browser: Any, address: str, path: str, script: bool) -> Visit:
    """Opens a page in a browser profile of its own and waits until it asks for nothing more."""
    context = browser.new_context(java_script_enabled=script, color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(300_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("?")[0]))
    page.goto(address + path, wait_until="load")  # a page still being read may be quiet too
    page.wait_for_load_state("networkidle")
    plain = page.evaluate(PLAIN)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(PLAIN)["background"]
    context.close()
    own = dict.fromkeys(url.removeprefix(address) for url in asked if url.startswith(address))
    foreign = sum(not url.startswith((address, "data:")) for url in asked)
    plain["links"] = [_within(url, address) for url in plain["links"] if url.startswith(address)]
    plain["numbers"] = [url.removeprefix(address) for url in plain["numbers"]]
    return Visit(path, tuple(own), foreign, plain, dark)


def _within(url: str, address: str) -> str:
    return url.removeprefix(address).partition("#")[0].partition("?")[0]


def compressed(content: bytes) -> int:
    """Bytes after gzip, or as they are where that is less."""
    return min(len(content), len(gzip.compress(content, LEVEL, mtime=0)))
