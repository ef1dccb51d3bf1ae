"""The project as it stands: it builds, each kind of damage fails the build with its place, and undoing it mends it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tracked files of this tree as a repository of their own (with this one's history, where there is one)."""
    target = tmp_path_factory.mktemp("copy") / "zeroth"
    cloned = subprocess.run(["git", "clone", "-q", "--no-checkout", str(ROOT), str(target)], capture_output=True)
    if cloned.returncode != 0:
        pytest.skip("no git history here: the copy is made with git")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def build(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "build.py"], cwd=root, capture_output=True, text=True)


@pytest.fixture(scope="module", autouse=True)
def built(copy: Path) -> None:
    done = build(copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (copy / "site" / "index.html").exists()


def div_in_a_paragraph(root: Path) -> str:
    path = root / "templates" / "base.html.j2"
    text = path.read_text("utf-8")
    assert "</main>" in text
    path.write_text(text.replace("</main>", "<p>before <div>inside</div> after</p></main>", 1), "utf-8")
    return r"index\.html:\d+:\d+: error .*<div>.*<p>"


def no_generated_by(root: Path) -> str:
    path = root / "data" / "interactive" / "bm25.json"
    dataset = json.loads(path.read_text("utf-8"))
    del dataset["generated_by"]
    path.write_text(json.dumps(dataset, indent=1, ensure_ascii=False), "utf-8")
    return r"data/interactive/bm25\.json.*generated_by"


def number_edited_by_hand(root: Path) -> str:
    path = root / "data" / "interactive" / "bm25.json"
    text = path.read_text("utf-8")
    changed = re.sub(r'("score": )(\d+\.\d+)', r"\g<1>9\2", text, count=1)
    assert changed != text
    path.write_text(changed, "utf-8")
    return r"data/interactive/bm25\.json.*edited by hand"


def other_arithmetic_in_a_loaded_module(root: Path) -> str:
    path = root / "harness" / "retrieval" / "rrf.py"
    text = path.read_text("utf-8")
    changed = re.sub(r"(return [^\n]*)", r"\1  # kept\n    raise RuntimeError", text, count=1)
    assert changed != text
    path.write_text(changed, "utf-8")
    return r"data/interactive/rrf\.json.*code changed: harness/retrieval/rrf\.py"


def unknown_figure(root: Path) -> str:
    path = root / "content" / "concepts" / "retrieval" / "rrf.md"
    path.write_text(path.read_text("utf-8") + "\n\nAlso {fig}`rrf.no_such_figure`.\n", "utf-8")
    return r"content/concepts/retrieval/rrf\.md:\d+:\d+: error .*no_such_figure"


def dead_fragment(root: Path) -> str:
    path = root / "content" / "concepts" / "retrieval" / "rrf.md"
    path.write_text(path.read_text("utf-8") + "\n\n[nowhere](#no-such-place).\n", "utf-8")
    return r"concepts/rrf/index\.html.*no-such-place"


DAMAGES: list[Callable[[Path], str]] = [
    div_in_a_paragraph,
    no_generated_by,
    number_edited_by_hand,
    other_arithmetic_in_a_loaded_module,
    unknown_figure,
    dead_fragment,
]
TOUCHED = ("templates", "data", "harness", "content")


@pytest.fixture
def damaged(copy: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Path, str]]:
    keep = copy.parent / "kept"
    for name in TOUCHED:
        shutil.copytree(copy / name, keep / name)
    try:
        yield copy, request.param(copy)
    finally:
        for name in TOUCHED:
            shutil.rmtree(copy / name)
            shutil.copytree(keep / name, copy / name)
        shutil.rmtree(keep)


@pytest.mark.parametrize("damaged", DAMAGES, indirect=True, ids=lambda damage: damage.__name__)
def test_damage_fails_the_build_with_its_place_and_leaves_the_last_site(damaged: tuple[Path, str]) -> None:
    root, place = damaged
    before = (root / "site" / "index.html").read_bytes()
    done = build(root)
    printed = done.stdout + done.stderr
    assert done.returncode == 1, printed
    assert re.search(place, printed), printed
    assert "Traceback" not in printed
    assert (root / "site" / "index.html").read_bytes() == before


def test_the_build_passes_again_once_the_damage_is_undone(copy: Path) -> None:
    done = build(copy)
    assert done.returncode == 0, done.stdout + done.stderr


def test_two_builds_of_one_tree_are_byte_identical(copy: Path, tmp_path: Path) -> None:
    trees = []
    for name in ("one", "two"):
        out = tmp_path / name
        done = subprocess.run([sys.executable, "build.py", "--out", str(out)], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        trees.append({p.relative_to(out).as_posix(): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()})
    assert trees[0].keys() == trees[1].keys()
    assert [name for name in trees[0] if trees[0][name] != trees[1][name]] == []
