"""Local preview: serves the built folder, and builds again when a source file changes."""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

WATCHED = ("content", "data/interactive", "templates", "render")
PORT = 8000
PAUSE = 0.5


class _Handler(SimpleHTTPRequestHandler):
    """Files of the site, never cached; a wrong address gets the site's own page."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The site's 404 page where there is one."""
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not worth a line."""


def serve(folder: Path, port: int) -> ThreadingHTTPServer:
    """Starts serving ``folder`` on this machine only, in the background."""
    handler = functools.partial(_Handler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"serving http://localhost:{server.server_port}/  (Ctrl+C stops)", file=sys.stderr)
    return server


def snapshot(root: Path) -> dict[Path, int]:
    """The time of change of every source file, in nanoseconds; a file that goes while it is looked at is left out."""
    found: dict[Path, int] = {}
    for file in _sources(root):
        with suppress(FileNotFoundError):
            found[file] = file.stat().st_mtime_ns
    return found


def _sources(root: Path) -> Iterator[Path]:
    for name in WATCHED:
        for folder, _, files in os.walk(root / name):
            if Path(folder).name != "__pycache__":
                yield from (Path(folder, file) for file in files)


def watch(root: Path, rebuild: Callable[[], object]) -> None:
    """Calls ``rebuild`` after every change of a source file, until interrupted."""
    before = snapshot(root)
    while True:
        time.sleep(PAUSE)
        now = snapshot(root)
        if now != before:
            rebuild()
        before = now
