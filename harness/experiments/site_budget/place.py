"""A site to measure: the one of the last commit, built in a folder of its own, or a small one written here."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.errors import HarnessError
from harness.paths import ROOT

PAGE = "content/concepts/publishing/static-export.md"
DATASET = "data/interactive/site_budget.json"
OWN = (PAGE, DATASET, "render/walkthroughs/site_budget.py")
"""What shows the numbers to come: left out of the site that is measured, so that it does not measure itself."""


def head() -> str:
    """The commit whose site is measured; HarnessError outside of a git history."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise HarnessError("the site to measure is that of a commit, and there is no git history here")
    return done.stdout.strip()


@contextmanager
def site_of(commit: str) -> Iterator[Path]:
    """The site of a commit without its own page, gone when the block ends.

    It is built as a draft: the guards are for publishing, and a dataset that waits to be captured changes no size.
    """
    with TemporaryDirectory(prefix="zeroth-export-") as name:
        folder = Path(name)
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder / "tree", filter="data")
        for path in OWN:
            (folder / "tree" / path).unlink(missing_ok=True)
        command = [sys.executable, "build.py", "--draft", "--out", str(folder / "site")]
        done = subprocess.run(command, cwd=folder / "tree", capture_output=True, text=True, check=False)
        if done.returncode:
            raise HarnessError(f"the site of {commit[:12]} cannot be built:\n{done.stderr[-2000:]}")
        yield folder / "site"


SAMPLE = {
    "index.html": '<main><h1>Home</h1><p><a href="concepts/one/index.html">One</a> '
    '<a href="search/index.html">Search</a> '
    '<svg><a href="data/d/index.html"><text>D</text></a></svg></p></main>',
    "concepts/one/index.html": '<main><h1>One</h1><article class="prose"><p>A number: '
    '<a class="num" href="../../data/d/index.html#fig-f">1</a>, '
    'a <a class="metric-ref" href="#metric-m">metric</a>.</p>'
    '<figure class="wt" id="wt-d"><ol class="wt-steps"><li class="wt-step" id="wt-d--a">a</li>'
    '<li class="wt-step" id="wt-d--b">b</li></ol><footer class="wt-foot"></footer></figure>'
    '<details class="question" open><summary>?</summary><details class="option"><summary>x</summary>'
    '<p class="why">Why.</p></details></details></article>'
    '<section class="metric-panel" id="metric-m"><p>M</p></section></main>',
    "search/index.html": '<main><h1>Search</h1><p class="find-plain">Searching needs script</p>'
    '<p><a href="../concepts/one/index.html">One</a> <a href="../data/d/index.html">D</a></p></main>',
    "data/d/index.html": '<main><h1>D</h1><table><tr id="fig-f"><td>1</td></tr></table></main>',
}


@contextmanager
def sample_site() -> Iterator[Path]:
    """Four pages that hold one of everything that is looked at, for the canary."""
    with TemporaryDirectory(prefix="zeroth-export-") as name:
        folder = Path(name)
        for path, body in SAMPLE.items():
            rel = "../" * path.count("/")
            head = f'<title>{path}</title><link rel="stylesheet" href="{rel}assets/site.css">'
            script = f'<script defer src="{rel}assets/extra.js"></script>'
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8">{head}{script}{body}', "utf-8")
        (folder / "assets").mkdir()
        (folder / "assets/site.css").write_text(":root { color-scheme: light dark; } body { color: CanvasText; }")
        (folder / "assets/extra.js").write_text("document.body.append(document.createElement('button'));")
        yield folder


def kind_of(path: str) -> str:
    """What sort of page a path is of, in words."""
    for pattern, kind in (
        (r"index\.html", "home"),
        (r"concepts/[^/]+/index\.html", "concept"),
        (r"data/[^/]+/index\.html", "dataset"),
        (r"paths/[^/]+/index\.html", "learning path"),
    ):
        if re.fullmatch(pattern, path):
            return kind
    return "other"
