"""The local preview: its options, a port that is taken, files that come and go, news to open pages, the reloaded page."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import build
from checks.problems import Problem
from render.preview.serve import EVENTS, SCRIPT, News, serve
from render.preview.watch import changed, is_code, snapshot
from tests.site.conftest import REPOSITORY, Project

PAGE = "content/concepts/retrieval/indexes.md"


@pytest.mark.parametrize("option", ["--serv", "--wat"])
def test_an_option_cut_short_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        build.parse([option], tmp_path)
    assert f"unrecognized arguments: {option}" in capsys.readouterr().err


def test_a_port_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        build.parse(["--port", "70000"], tmp_path)
    assert "--port 70000: expected 0 (any free one) to 65535" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told_in_one_line(project: Project) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        given = ["--serve", "--port", str(port)]
        assert build.preview(given, build.parse(given, project.root), project.root) == 1
    told = project.capsys.readouterr().err
    assert told.endswith(f"cannot serve on port {port}: Address already in use; choose another --port\n")


def test_a_file_that_is_gone_while_it_is_looked_at_stops_no_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = tmp_path / "content"
    (content / "__pycache__").mkdir(parents=True)
    for name in ("kept.md", "saved.md", "__pycache__/x.pyc"):
        (content / name).write_text("", encoding="utf-8")
    (content / "gone.md").symlink_to(content / "none")
    stat = os.stat

    def saving(path: Any, **options: Any) -> os.stat_result:
        found = stat(path, **options)
        if str(path).endswith("saved.md"):
            os.unlink(path)
        return found

    monkeypatch.setattr(os, "stat", saving)
    assert set(snapshot(tmp_path)) == {"content/kept.md", "content/saved.md"}
    assert set(snapshot(tmp_path)) == {"content/kept.md"}


def test_what_changed_between_two_looks_is_named(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    for name in ("same.md", "edited.md", "gone.md"):
        (tmp_path / "content" / name).write_text("a", encoding="utf-8")
    before = snapshot(tmp_path)
    (tmp_path / "content/edited.md").write_text("ab", encoding="utf-8")
    (tmp_path / "content/gone.md").unlink()
    (tmp_path / "content/new.md").write_text("", encoding="utf-8")
    assert changed(before, snapshot(tmp_path)) == ["content/edited.md", "content/gone.md", "content/new.md"]


@pytest.mark.parametrize(
    ("path", "code"),
    [("build.py", True), ("render/site.py", True), ("content/a.py", False), ("render/preview/reload.js", False)],
)
def test_code_of_the_build_is_told_from_what_it_reads(path: str, code: bool) -> None:
    assert is_code(path) is code


@pytest.fixture
def site(tmp_path: Path) -> Path:
    head = "<head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'\"></head>"
    (tmp_path / "index.html").write_text(f"<html>{head}<body>Home</body></html>", encoding="utf-8")
    (tmp_path / "404.html").write_text(f"<html>{head}<body>No such page</body></html>", encoding="utf-8")
    (tmp_path / "a.css").write_text("body {}", encoding="utf-8")
    return tmp_path


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def events(port: int) -> Iterator[dict[str, Any]]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{EVENTS}", timeout=60) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


def test_pages_are_served_as_built_unless_their_sources_are_watched(site: Path) -> None:
    server = serve(site, 0)
    assert get(server.server_port, "/") == (200, (site / "index.html").read_text("utf-8"))
    assert get(server.server_port, "/none") == (404, (site / "404.html").read_text("utf-8"))
    assert get(server.server_port, SCRIPT)[0] == get(server.server_port, EVENTS)[0] == 404
    server.shutdown()


def test_while_watching_every_page_is_served_with_the_script_and_no_file_has_it(site: Path) -> None:
    server = serve(site, 0, News(True, "abc"))
    for path, code in (("/", 200), ("/index.html", 200), ("/none", 404)):
        found = get(server.server_port, path)
        assert found[0] == code
        assert f'<script defer src="{SCRIPT}" data-site="abc"></script>\n</head>' in found[1]
        assert "default-src 'none'; connect-src 'self'; script-src 'self'" in found[1]
    assert "EventSource" in get(server.server_port, SCRIPT)[1]
    assert get(server.server_port, "/a.css") == (200, "body {}")
    assert "preview" not in (site / "index.html").read_text("utf-8")
    server.shutdown()


def test_open_pages_hear_of_a_build_its_problems_and_its_site(site: Path) -> None:
    news = News(True, "one")
    server = serve(site, 0, news)
    heard = events(server.server_port)
    assert next(heard) == {"site": "one", "problems": [], "busy": False}
    news.tell("", [Problem("a.md", 3, 1, "role", "wrong"), Problem("a.md", 4, 1, "old", "late", level="warning")])
    assert next(heard) == {"site": "one", "problems": ["a.md:3:1: error [role] wrong"], "busy": False}
    news.tell("two", [])
    assert next(heard) == {"site": "two", "problems": [], "busy": False}
    server.shutdown()


def test_a_browser_that_goes_away_leaves_no_traceback(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (site / "large.bin").write_bytes(b"x" * 20_000_000)
    server = serve(site, 0)
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", server.server_port)) as client:
            client.sendall(b"GET /large.bin HTTP/1.0\r\n\r\n")
            client.recv(10)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    time.sleep(0.5)
    server.shutdown()
    assert "Traceback" not in capfd.readouterr().err


@pytest.fixture
def watching(project: Project) -> Iterator[tuple[Project, int, Path]]:
    """The sample project under ``--watch``, in a process of its own, with its code linked in."""
    for name in ("build.py", "render", "checks", "provenance"):
        (project.root / name).symlink_to(REPOSITORY / name)
    log = project.root.parent / "log"
    code = f"import sys, build, pathlib; r = pathlib.Path({str(project.root)!r}); a = sys.argv[1:]; "
    code += "sys.exit(build.preview(a, build.parse(a, r), r))"
    command = [sys.executable, "-c", code, "--watch", "--port", "0", "--jobs", "1"]
    with log.open("w") as told, subprocess.Popen(command, cwd=REPOSITORY, stderr=told) as process:
        found = None
        for _ in range(600):
            if found := re.search(r"serving http://localhost:(\d+)/", log.read_text("utf-8")):
                break
            time.sleep(0.1)
        assert found, log.read_text("utf-8")
        yield project, int(found[1]), log
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)


def test_under_watch_an_edit_reaches_the_open_page_and_a_fault_leaves_the_last_good_one(
    watching: tuple[Project, int, Path],
) -> None:
    project, port, log = watching
    heard = events(port)
    first = next(heard)
    time.sleep(0.3)  # the watch has looked once
    project.append(PAGE, "\nA paragraph written while watching.\n")
    second = next(one for one in heard if not one["busy"] and one["site"] != first["site"])
    assert not second["problems"]
    page = get(port, "/concepts/indexes/")[1]
    assert "A paragraph written while watching." in page
    assert f'data-site="{second["site"]}"' in page
    project.append(PAGE, "\n{fig}`sample.nothing`\n")
    third = next(one for one in heard if not one["busy"] and one["problems"])
    assert third["site"] == second["site"]
    assert "unknown-figure" in third["problems"][0]
    assert "A paragraph written while watching." in get(port, "/concepts/indexes/")[1]
    told = log.read_text("utf-8")
    assert f"{PAGE} changed\n" in told
    assert re.search(r"2 pages made in \d+\.\d\d s\n", told)
    assert "Traceback" not in told
