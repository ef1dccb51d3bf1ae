"""The project as it stands: it builds, each kind of damage fails the build with its place, and undoing it fixes it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
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
    lay_out(target)
    return target


def lay_out(target: Path) -> None:
    """Copies the tracked files as they are here, over what may have been changed."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def build(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "build.py", *options], cwd=root, capture_output=True, text=True)


Files = dict[str, bytes]


def files(folder: Path) -> Files:
    """Every file of a site, by its path; the folder that this repository keeps for one has a ``.gitignore``."""
    found = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != ".gitignore")
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}


@pytest.fixture(scope="module")
def built(copy: Path) -> Files:
    """The site as the undamaged tree gives it."""
    done = build(copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (copy / "site" / "index.html").exists()
    return files(copy / "site")


def div_in_a_paragraph(root: Path) -> str:
    path = root / "templates" / "base.html.j2"
    text = path.read_text("utf-8")
    assert "</main>" in text
    path.write_text(text.replace("</main>", "<p>before <div>inside</div> after</p></main>", 1), "utf-8")
    return r"index\.html:\d+:\d+: error .*<div>.*<p>"


def no_generated_by(root: Path) -> str:
    path = root / "data" / "interactive" / "nesting.json"
    dataset = json.loads(path.read_text("utf-8"))
    del dataset["generated_by"]
    path.write_text(json.dumps(dataset, indent=1, ensure_ascii=False), "utf-8")
    return r"data/interactive/nesting\.json.*generated_by"


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


@pytest.fixture(scope="module")
def damaged(copy: Path, built: Files) -> tuple[dict[str, str], subprocess.CompletedProcess[str]]:
    """What a build says of a tree with every damage at once: where each stands, and the outcome."""
    places = {damage.__name__: damage(copy) for damage in DAMAGES}
    return places, build(copy)


@pytest.mark.parametrize("damage", [damage.__name__ for damage in DAMAGES])
def test_damage_fails_the_build_with_its_place(
    damaged: tuple[dict[str, str], subprocess.CompletedProcess[str]], damage: str
) -> None:
    places, done = damaged
    printed = done.stdout + done.stderr
    assert re.search(places[damage], printed), printed


def test_a_failed_build_ends_with_1_and_no_traceback_and_leaves_the_last_site(
    copy: Path, built: Files, damaged: tuple[dict[str, str], subprocess.CompletedProcess[str]]
) -> None:
    _, done = damaged
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert files(copy / "site") == built


def test_once_the_damage_is_undone_another_build_gives_the_same_bytes(
    copy: Path, built: Files, damaged: object, tmp_path: Path
) -> None:
    lay_out(copy)
    done = build(copy, "--out", str(tmp_path / "again"))
    assert done.returncode == 0, done.stdout + done.stderr
    again = files(tmp_path / "again")
    assert again.keys() == built.keys()
    assert [name for name in again if again[name] != built[name]] == []
