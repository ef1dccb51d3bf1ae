"""Reading offline: the service worker of one build, and the page that says what is kept.

The worker begins with a list of every file and the beginning of its SHA-256, named by the digest of that list. The
same files give the same worker; a changed file gives another name, so two builds never share a cache.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from render.pages.renderer import Rendered, Renderer

WORKER = "worker.js"
PAGE = "offline/index.html"
PAGES = ("index.html", "404.html", PAGE, "search/index.html", "concepts/index.html", "data/index.html")
LENGTH = 16
"""Hexadecimal digits of a digest: 64 bits tell files of two builds apart; no one is kept out by them."""


def worker_script(files: Mapping[str, str | bytes], templates: Path) -> str:
    """The worker for a site of exactly these files: the list of the build, then ``templates/worker.js``.

    ``shell`` is what the worker fetches at once: what every page is made with, search, and the pages that lead on.
    """
    digests = {path: _digest(content) for path, content in sorted(files.items())}
    whole = _digest(json.dumps(digests, separators=(",", ":")))
    shell = [path for path in digests if path in PAGES or _is_asset(path)]
    build = json.dumps({"id": whole, "shell": shell, "files": digests}, ensure_ascii=False, separators=(",", ":"))
    code = (templates / WORKER).read_text(encoding="utf-8")
    return f'"use strict";\nconst BUILD = {build};\n{code}'


def offline_page(renderer: Renderer) -> Rendered:
    """What is kept for reading without a network; a script marks the pages and offers to keep or forget them all."""
    description = "Which pages this browser keeps for reading without a network."
    text = renderer.page("offline.html.j2", PAGE, kind="progress", title="Reading offline", description=description)
    return Rendered(PAGE, text)


def _is_asset(path: str) -> bool:
    return path.startswith("assets/") and path.endswith((".css", ".js", ".svg"))


def _digest(content: str | bytes) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:LENGTH]
