"""The whole site as the content says today: rendered once, served below a path, with the list of its pages."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from render.preview.serve import serve
from render.reading.load import load_library
from render.site import Options, render_site
from render.write import write_files
from tests.browser.covering import Features, cover, features

REPO = Path(__file__).resolve().parents[2]
BASE = "https://example.org/zeroth/"
covering_then_sweep = pytest.mark.parametrize("reach", ["covering", pytest.param("rest", marks=pytest.mark.sweep)])
"""A test of every page: in ``make test`` of pages that show everything there is, in ``make test-all`` of the others."""


@dataclass(frozen=True)
class Whole:
    """A folder with every file, the address it is served at, and the pages that the sitemap names."""

    folder: Path
    url: str
    pages: tuple[str, ...]

    @property
    def concepts(self) -> tuple[str, ...]:
        """Paths of the concept pages."""
        return tuple(path for path in self.pages if re.fullmatch(r"concepts/[^/]+/index\.html", path))

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    @cached_property
    def features(self) -> dict[str, Features]:
        """What each page shows, by path."""
        return {path: features(self.read(path)) for path in self.pages}

    @cached_property
    def covering(self) -> frozenset[str]:
        """Pages that, as they open, show every kind of element inside each other."""
        weights = {path: len(self.read(path)) + 30_000 for path in self.pages}
        return frozenset(cover({path: one.opening for path, one in self.features.items()}, weights))

    def reach(self, name: str, among: Iterable[str] = ()) -> list[str]:
        """The covering pages, or the rest of the pages (of those ``among`` them where some are given)."""
        return [path for path in among or self.pages if (path in self.covering) == (name == "covering")]

    @cached_property
    def covering_states(self) -> frozenset[str]:
        """Fragments of states that show what no page shows as it opens."""
        found = {f"{path}#{state}": pairs for path, one in self.features.items() for state, pairs in one.states.items()}
        opened = {pair for one in self.features.values() for pair in one.opening}
        return frozenset(name.partition("#")[2] for name in cover(found, dict.fromkeys(found, 1), opened))

    @cached_property
    def kinds(self) -> list[str]:
        """The lightest page of each kind: by the class of its body and the scripts it loads."""
        found: dict[tuple[tuple[str, str], ...], str] = {}
        for path in sorted(self.pages, key=lambda path: len(self.read(path)), reverse=True):
            marks = re.findall(r'<body class="([^"]*)"|<script defer src="(?:\.\./)*([^"]*)"', self.read(path))
            found[tuple(marks)] = path
        return sorted(found.values())

    def states(self, path: str) -> dict[str, list[str]]:
        """The fragments of the states of every walkthrough of a page, in order, by the id of its figure."""
        found: dict[str, list[str]] = {}
        for fragment in re.findall(r'<li class="wt-step[^"]*" id="(wt-[^"]+)"', self.read(path)):
            found.setdefault(fragment.split("--")[0], []).append(fragment)
        return found

    def opening(self, path: str, figure: str) -> str:
        """The state that a walkthrough shows first."""
        first = re.search(rf'<li class="wt-step is-first" id="({figure}--[^"]+)"', self.read(path))
        return first[1] if first else self.states(path)[figure][0]


def rendered(temporary: pytest.TempPathFactory) -> Path:
    """The site without the guards, which tests of their own hold; a stale dataset is no matter here.

    One folder for all workers of a run, to be read only: the first that asks renders it, the others wait.
    """
    base = temporary.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "whole"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "zeroth").is_dir():
            write_files(folder / "part", render_site(load_library(REPO, []), REPO / "templates", Options(BASE)).files)
            (folder / "part").rename(folder / "zeroth")
    return folder / "zeroth"


@contextmanager
def whole_site(temporary: pytest.TempPathFactory) -> Iterator[Whole]:
    """The rendered site, served below a path while it is looked at."""
    site = rendered(temporary)
    named = re.findall(r"<loc>(.*?)</loc>", (site / "sitemap.xml").read_text(encoding="utf-8"))
    paths = [loc.removeprefix(BASE) for loc in named]
    pages = tuple(path + "index.html" if not path or path.endswith("/") else path for path in paths)
    server = serve(site.parent, 0)
    yield Whole(site, f"http://localhost:{server.server_port}/zeroth/", pages)
    server.shutdown()
