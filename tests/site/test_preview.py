"""The local preview: which options start it, a port that is taken, and files that come and go while it looks."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

import build
from render.serve import snapshot


@pytest.mark.parametrize("option", ["--serv", "--wat"])
def test_an_option_cut_short_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        build.parse([option], tmp_path)
    assert f"unrecognized arguments: {option}" in capsys.readouterr().err


def test_the_build_of_a_preview_serves_and_watches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], check: bool) -> SimpleNamespace:
        commands.append(command[2:])
        return SimpleNamespace(returncode=0)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(build, "watch", stop)
    given = ["--watch", "--draft"]
    assert build.preview(given, build.parse(given, tmp_path), tmp_path) == 0
    assert commands == [["--draft"]]


def test_a_port_that_is_taken_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, check: SimpleNamespace(returncode=0))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(build, "PORT", port)
        assert build.preview(["--serve"], build.parse(["--serve"], tmp_path), tmp_path) == 1
    told = f"cannot serve on port {port}: Address already in use; end what serves there\n"
    assert capsys.readouterr().err == told


def test_a_file_that_is_gone_while_it_is_looked_at_stops_no_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = tmp_path / "content"
    (content / "__pycache__").mkdir(parents=True)
    for name in ("kept.md", "saved.md", "__pycache__/x.pyc"):
        (content / name).write_text("", encoding="utf-8")
    (content / "gone.md").symlink_to(content / "none")
    stat = Path.stat

    def saving(path: Path, **options: bool) -> object:
        found = stat(path, **options)
        if path.name == "saved.md":
            path.unlink()
        return found

    monkeypatch.setattr(Path, "stat", saving)
    assert {file.name for file in snapshot(tmp_path)} == {"kept.md", "saved.md"}
    assert {file.name for file in snapshot(tmp_path)} == {"kept.md"}
