"""A local HTTP server that misbehaves as it is told: late, short, wrong, over quota.

It answers at most ``limit`` requests in any second and ``quota`` requests in all; what is above is answered
with 429. Each path may have a list of acts for its first requests, after which it is served as it should be.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

RESET_AFTER = 6 * 3600
"""Seconds until the day's quota is said to come back."""
ERROR_PAGE = b"<!DOCTYPE html>\n<html><body><h1>Service temporarily unavailable</h1></body></html>\n"
Misdeed = Literal["status", "cut", "short", "other", "page", "reset", "stall", "call"]


@dataclass(frozen=True)
class Act:
    """What the server does instead of serving a document.

    ``status``: answers with ``code`` and ``headers``. ``cut``: announces the whole length, sends half, closes.
    ``short``: announces no length, sends half, closes. ``other``: a shorter document under the same name.
    ``page``: HTTP 200 with an HTML page. ``reset``: no answer, the connection is reset. ``stall``: half, then
    ``seconds`` of silence. ``call``: half, then ``hook``, then the connection is closed.
    """

    kind: Misdeed
    code: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    hook: Callable[[], None] = field(default=lambda: None, compare=False)


@dataclass(frozen=True)
class Served:
    """One request as the server saw it: when (its clock), path, first byte asked for, status, body bytes sent."""

    at: float
    path: str
    offset: int
    status: int
    sent: int


class Server:
    """Serves ``documents`` (path → bytes) on 127.0.0.1 while used as a context manager."""

    def __init__(
        self,
        documents: Mapping[str, bytes],
        acts: Mapping[str, Sequence[Act]] | None = None,
        *,
        limit: int | None = None,
        quota: int | None = None,
        whole_only: Collection[str] = (),
    ) -> None:
        self.documents = dict(documents)
        self.acts = {path: list(planned) for path, planned in (acts or {}).items()}
        self.limit, self.quota, self.whole_only = limit, quota, frozenset(whole_only)
        self._log: list[Served] = []
        self._open = 0
        self._admitted: list[float] = []
        self._lock = threading.Condition()
        server = self

        class Handler(_Handler):
            rehearsal = server

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Server:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()

    def admit(self, now: float) -> list[tuple[str, str]] | None:
        """None when a request at ``now`` is answered, else the headers of a 429."""
        with self._lock:
            if self.quota is not None and len(self._admitted) >= self.quota:
                return [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", str(int(time.time()) + RESET_AFTER))]
            if self.limit is not None and sum(1 for at in self._admitted if at > now - 1.0) >= self.limit:
                return [("Retry-After", "1")]
            self._admitted.append(now)
            return None

    def next_act(self, path: str) -> Act | None:
        """The act planned for this request of ``path``, taken off the plan."""
        with self._lock:
            planned = self.acts.get(path)
            return planned.pop(0) if planned else None

    def begin(self) -> None:
        """A request has come in."""
        with self._lock:
            self._open += 1

    def record(self, served: Served) -> None:
        """A request is done with."""
        with self._lock:
            self._open -= 1
            self._log.append(served)
            self._lock.notify_all()

    def log(self) -> list[Served]:
        """Every request so far in order of arrival, once none is under way: a client may hear the last byte first."""
        with self._lock:
            self._lock.wait_for(lambda: self._open == 0, timeout=10)
            return sorted(self._log, key=lambda served: served.at)


class _Handler(BaseHTTPRequestHandler):
    rehearsal: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        now = time.monotonic()
        self._offset, self._sent, self._status = 0, 0, 0
        self.rehearsal.begin()
        try:
            self._serve(now)
        except OSError:
            self.close_connection = True
        finally:
            self.rehearsal.record(Served(now, self.path, self._offset, self._status, self._sent))

    def _serve(self, now: float) -> None:
        body = self.rehearsal.documents.get(self.path)
        told = self.headers.get("Range", "")
        self._offset = int(told[6:-1]) if told.startswith("bytes=") and told.endswith("-") else 0
        if (refused := self.rehearsal.admit(now)) is not None:
            self._answer(429, b"", refused)
        elif (act := self.rehearsal.next_act(self.path)) is not None:
            self._misbehave(act, body or b"")
        elif body is None:
            self._answer(404, b"not here\n")
        elif self._offset and self.path not in self.rehearsal.whole_only:
            span = f"bytes {self._offset}-{len(body) - 1}/{len(body)}"
            self._answer(206, body[self._offset :], [("Content-Range", span)])
        else:
            self._answer(200, body)

    def _misbehave(self, act: Act, body: bytes) -> None:
        half = body[: len(body) // 2]
        if act.kind == "status":
            self._answer(act.code, b"", list(act.headers))
        elif act.kind == "other":
            self._answer(200, half)
        elif act.kind == "page":
            self._answer(200, ERROR_PAGE, [("Content-Type", "text/html")])
        elif act.kind == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            os.close(self.connection.detach())
        else:
            self._answer(200, half, length=None if act.kind == "short" else len(body))
            self.close_connection = True
            time.sleep(act.seconds)
            act.hook()

    def _answer(
        self, status: int, body: bytes, headers: Sequence[tuple[str, str]] = (), length: int | None = -1
    ) -> None:
        """``length``: the one announced; -1 that of the body, None for none at all."""
        self._status = status
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if not any(name == "Content-Type" for name, _ in headers):
            self.send_header("Content-Type", "text/plain")
        if length is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(len(body) if length < 0 else length))
        self.end_headers()
        self.wfile.write(body)
        self._sent = len(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the log is the server's."""
