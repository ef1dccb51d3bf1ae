"""Ten thousand files: checked in seconds, one at a time, whatever some of them are."""

from __future__ import annotations

import io
import re
import time
import tracemalloc
from pathlib import Path

import pytest

from checks.html.cli import main

FILES = 10_000
BROKEN = {
    "bytes": "undecodable-bytes",
    "cut": "omitted-end-tag",
    "dead": "unreadable-file",
    "deep": "nesting-too-deep",
}
PAGE = '<!DOCTYPE html>\n<html lang="en"><head><title>{0}</title></head>\n<body><p>{0}</p>{1}</body></html>\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("many")
    for number in range(FILES - 5):
        file = root / f"{number % 100:02}" / f"{number}.html"
        file.parent.mkdir(exist_ok=True)
        file.write_text(PAGE.format(number, "<p><div>x</div></p>" if number % 1000 == 0 else ""), encoding="utf-8")
    (root / "bytes.html").write_bytes(b"<p>\xff\x00</p>")
    (root / "cut.html").write_bytes(PAGE.format("cut", "<p title='").encode()[:-30])
    (root / "dead.html").symlink_to(root / "nowhere.html")
    (root / "deep.html").write_text("<div>" * 20_000 + "</div>" * 20_000, encoding="utf-8")
    (root / "empty.html").write_bytes(b"")
    return root


def test_ten_thousand_files_take_seconds_and_a_broken_one_stops_nothing(folder: Path) -> None:
    out, started = io.StringIO(), time.process_time()
    assert main([str(folder)], None, out) == 1
    assert time.process_time() - started < 20
    told = out.getvalue()
    assert told.splitlines()[-1].startswith(f"{FILES} files: ")
    assert told.count("[flow-in-p]") == FILES // 1000
    for name, rule in BROKEN.items():
        assert re.search(rf"/{name}\.html\S*: \w+ \[{rule}\]", told), name


def test_the_memory_of_a_run_does_not_grow_with_the_number_of_files(folder: Path) -> None:
    peaks = []
    for part in (folder / "01", folder):
        main([str(part)], None, io.StringIO())
        tracemalloc.start()
        main([str(part)], None, io.StringIO())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # A hundred times the files; what grows is their names, sorted.
    assert peaks[1] - peaks[0] < 20_000_000
