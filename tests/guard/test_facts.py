"""The facts of pages are enough to check a site: they give what the guards find in its folder, each by itself."""

from __future__ import annotations

import json
import pickle
import random
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from checks import a11y, budget, csp, links, noscript
from checks.facts import page_facts
from checks.html import Config, check
from checks.ids import check_published
from checks.ids import facts_of as ids_of
from checks.numbers import check_figures
from checks.pages import read_site
from checks.problems import Problem
from checks.site import check_facts, check_site, page_settings
from checks.site_files import FolderFiles, MemoryFiles

POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
PAGE = f"""<!DOCTYPE html>
<html lang="en"><head><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>PATH</title><link rel="stylesheet" href="/at/a.css"><script defer src="/at/a.js"></script></head>
<body><main><h1 id="top">h</h1><p><a href="/at/index.html#half">home</a> <a href="/at/b/index.html">b</a></p>
<h2 id="part">p</h2><figure data-wt="w"><div class="wt-step" id="wt-a">state
<a class="num" data-num="n" href="/at/data/d/index.html#fig-half"><data value="0.5">0.50</data></a></div></figure>
<p id="half">x</p></main></body></html>
"""
PATHS = ("index.html", "b/index.html", "data/d/index.html")
DAMAGE = (
    "",
    "<div>",
    "</p>",
    '<p id="half">',
    '<a href="#gone">x</a><a href="none.html">y</a><a href="../b">z</a><a href="">e</a>',
    '<a href="javascript:x()">x</a><a href="http://[">y</a><img src="//x.example/a.png" srcset="a.png, //b 2x">',
    '<template><p id="kept"></p><a href="#kept">x</a><data>3</data></template><a href="#kept">y</a>',
    '<div style="background: url(//x.example/a.png)" onclick="x()">x</div><style>p { color: red }</style>',
    '<button>x</button><h6 hidden>y</h6><h5>z</h5><svg role="img"></svg>',
    '<a class="num" data-num="n" href="/at/data/d/index.html#fig-none"><data value="2">2</data></a>',
    '<base href="/at/b/"><title>again</title>',
    f'<script src="big.js"></script><p>{"x y z" * 40}</p>',
)
SETTINGS = """[tool.zeroth-checks.budget]
page = 1_000
whole = 2_000
[tool.zeroth-checks.links.rules]
duplicate-id = "warning"
"""


def damaged(seed: int) -> dict[str, str | bytes]:
    """A small site with a few random damages to pages and other files."""
    draw = random.Random(seed)
    files: dict[str, str | bytes] = {
        path: PAGE.replace("PATH", path if draw.random() < 0.8 else "same") for path in PATHS
    }
    files["a.css"] = draw.choice(["p { color: red }", "@import '//x.example/b.css';\r\n p { background: url(big.js) }"])
    files["a.js"] = draw.choice(["'use strict';", "\rfetch('https://x.example/')"])
    files["big.js"] = draw.randbytes(1500)
    files["data/d/d.json"] = json.dumps({"figures": {"half": {"value": draw.choice([0.5, 0.25]), "digits": 2}}})
    for _ in range(draw.randrange(6)):
        path = draw.choice(PATHS)
        text = str(files[path])
        tag = draw.choice(list(re.finditer(r"<[^>]*>", text)))
        files[path] = text[: draw.choice(tag.span())] + draw.choice(DAMAGE) + text[tag.end() :]
    if draw.random() < 0.2:
        del files[draw.choice([*PATHS, "a.css", "data/d/d.json"])]
    return files


def project(root: Path, files: dict[str, str | bytes]) -> Path:
    """A project with the site in its folder ``site``, and a list of what it published."""
    for path, content in files.items():
        file = root / "site" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    (root / "content").mkdir()
    (root / "content/published-ids.json").write_text(json.dumps({path: ["part", "wt-a"] for path in PATHS}))
    return root


def each_guard(root: Path) -> list[Problem]:
    """What the guards find one by one in the folder."""
    folder, whole = root / "site", budget.Budget(page=1_000, whole=2_000)
    pages = read_site(folder)
    found = [one for page in pages for one in check(page.source, page.path, Config())]
    found += check_figures(folder) + check_published(root, map(ids_of, pages))
    found += links.check_folder(folder, "/at/")
    found += [*a11y.check_pages(pages), *csp.check_pages(pages), *noscript.check_pages(pages)]
    return found + list(budget.check_pages(folder, pages, whole, "/at/"))


def as_set(problem: Problem) -> tuple[object, ...]:
    """A problem at the level that the settings give its rule."""
    level = "warning" if problem.rule == "duplicate-id" and "stands on line" in problem.message else problem.level
    return (*{**problem.as_dict(), "level": level}.values(),)


@pytest.mark.parametrize("half", range(2))
def test_facts_of_damaged_pages_give_what_each_guard_finds_in_the_folder(tmp_path: Path, half: int) -> None:
    met: set[str] = set()
    for seed in range(half, 120, 2):
        files = damaged(seed)
        root = project(tmp_path / str(seed), files)
        (root / "pyproject.toml").write_text(SETTINGS)
        settings = page_settings(root, "/at/")
        facts = [page_facts(str(files[path]), path, settings) for path in PATHS if path in files]  # in no order
        kept = pickle.loads(pickle.dumps(facts))
        assert kept == facts and json.loads(json.dumps([asdict(one) for one in facts]))
        found = sorted(map(as_set, each_guard(root)))
        for where in (MemoryFiles(files), FolderFiles(root / "site")):
            told = check_facts(kept, where, "/at/", root, root / "site")
            assert sorted((*one.as_dict().values(),) for one in told) == found, seed
        assert sorted(check_site(root / "site", "/at/", root)) == sorted(told)
        met |= {one.rule for one in told}
    expected = "broken-link broken-fragment duplicate-id empty-link script-link external-resource figure-differs "
    expected += "title-unique page-weight page-weight-whole foreign-request published-id published-page inline-style "
    expected += "script-only-control image-alt flow-in-phrasing stray-end-tag number-in-template"
    assert met >= set(expected.split())


def test_the_facts_of_a_page_are_small() -> None:
    """A page's text is not in them: they grow with its links, ids and figures alone."""
    text = PAGE.replace("<p id", f"<p>{'word ' * 20_000}</p><p id")
    assert len(pickle.dumps(page_facts(text, "index.html"))) < 3_000


def test_files_in_memory_are_those_that_would_be_written(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"b-c.txt": "é", "b/a.txt": b"\xff", "b/d/e.txt": "", "a.txt": ""}
    root = project(tmp_path, files)
    disk, memory = FolderFiles(root / "site"), MemoryFiles(files)
    assert list(memory.paths()) == list(disk.paths()) == ["a.txt", "b/a.txt", "b/d/e.txt", "b-c.txt"]
    for path in (*files, "b", "b/d", ".", "c", "b/d/e", "a" * 5000, "\x00"):
        assert memory.is_file(path) == disk.is_file(path) == (path in files)
        assert memory.is_folder(path) == disk.is_folder(path) == (path in ("b", "b/d", "."))
        assert path not in files or memory.read(path) == disk.read(path)
