"""Serving a built site on this machine; while its sources are watched, with a script in every page that reloads it."""

from __future__ import annotations

import functools
import html
import json
import sys
import threading
from collections.abc import Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseServer
from typing import Any
from urllib.parse import urlsplit

from checks.problems import Problem

PORT = 8000
EVENTS = "/.preview/events"
SCRIPT = "/.preview/reload.js"
SILENCE = 15.0
"""Seconds after which an idle stream says that it still is there."""


class News:
    """What the watching build has to say to open pages: which site is in place, and what the last build found."""

    def __init__(self, reloads: bool, site: str = "", problems: Sequence[Problem] = ()) -> None:
        self.reloads = reloads
        self.site = site
        self._changed = threading.Condition()
        self._number = 0
        self._problems = tuple(problems)
        self._busy = False

    def busy(self) -> None:
        """A build has begun."""
        self._set(self.site, self._problems, True)

    def tell(self, site: str, problems: Sequence[Problem]) -> None:
        """A build has ended, with a site in place or ("") without."""
        self._set(site or self.site, tuple(problems), False)

    def after(self, number: int, wait: float) -> tuple[int, str]:
        """The number and the text of the news, once there are any later than ``number`` or the wait is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > number, wait)
            shown = [str(problem) for problem in self._problems if problem.level == "error"]
            return self._number, json.dumps({"site": self.site, "problems": shown, "busy": self._busy})

    def _set(self, site: str, problems: tuple[Problem, ...], busy: bool) -> None:
        with self._changed:
            self.site, self._problems, self._busy = site, problems, busy
            self._number += 1
            self._changed.notify_all()


class _Handler(SimpleHTTPRequestHandler):
    """Files of the site, never cached; a wrong address gets the site's own page."""

    def __init__(self, *arguments: Any, news: News, **options: Any) -> None:
        self.news = news
        super().__init__(*arguments, **options)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def do_GET(self) -> None:
        """A file; a page with the script that reloads it; the script; the stream of news."""
        path = urlsplit(self.path).path
        if not self.news.reloads:
            super().do_GET()
        elif path == EVENTS:
            self._stream()
        elif path == SCRIPT:
            self._send(200, "text/javascript", Path(__file__).with_name("reload.js").read_bytes())
        else:
            file = Path(self.translate_path(self.path))
            file = file / "index.html" if path.endswith("/") else file
            if file.suffix == ".html" and file.is_file():
                self._send(200, "text/html", self._page(file))
            else:
                super().do_GET()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The site's 404 page where there is one."""
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
        else:
            self._send(404, "text/html", self._page(page))

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not worth a line."""

    def _send(self, code: int, kind: str, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _page(self, file: Path) -> bytes:
        """A page of the site as it is served: while sources are watched, allowed to listen and told to."""
        text = file.read_bytes()
        if not self.news.reloads:
            return text
        tag = f'<script defer src="{SCRIPT}" data-site="{html.escape(self.news.site)}"></script>\n</head>'
        text = text.replace(b"default-src 'none';", b"default-src 'none'; connect-src 'self';", 1)
        return text.replace(b"</head>", tag.encode(), 1)

    def _stream(self) -> None:
        """News as they come, until the page is closed."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        number = -1
        while True:
            latest, text = self.news.after(number, SILENCE)
            line = f"data: {text}\n\n" if latest > number else ": still here\n\n"
            self.wfile.write(line.encode())
            self.wfile.flush()
            number = latest


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no fault worth a traceback."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def serve(folder: Path, port: int, news: News | None = None) -> ThreadingHTTPServer:
    """Starts serving ``folder`` on this machine only, in the background."""
    handler = functools.partial(_Handler, directory=str(folder), news=news or News(False))
    server = _Server(("127.0.0.1", port), handler)
    threading.Thread(target=BaseServer.serve_forever, args=(server,), daemon=True).start()
    print(f"serving http://localhost:{server.server_port}/  (Ctrl+C stops)", file=sys.stderr)
    return server
