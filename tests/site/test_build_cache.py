"""The cache of a build: the same files with it as without, whatever was edited; nothing made anew that need not be."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.site.conftest import Project
from tests.site.test_build import tree

PAGE = "content/concepts/retrieval/indexes.md"
OTHER = "content/concepts/retrieval/filters.md"


def made(project: Project, monkeypatch: pytest.MonkeyPatch, *options: str) -> set[str]:
    """The paths of the pages that a build made anew."""
    import build

    found: set[str] = set()
    render = build.render_site

    def spied(*arguments: object) -> object:
        site = render(*arguments)  # type: ignore[arg-type]
        found.update(site.fresh)
        return site

    with monkeypatch.context() as patch:
        patch.setattr(build, "render_site", spied)
        project.build(*options)
    return found


def edits(project: Project, rng: random.Random) -> None:
    """One random edit of content, data, templates or configuration."""
    page = rng.choice([PAGE, OTHER])
    word = f"word{rng.randrange(1000)}"
    match rng.randrange(12):
        case 0 | 1:
            project.append(page, f"\nA paragraph with the {word[:4]} {{concept}}`filters` and {{cite}}`cormack2009`.\n")
        case 2:
            project.write(page, re.sub(r"title: .*", f"title: Title {word}", project.read(page), count=1))
        case 3:
            project.write(page, re.sub(r"summary: .*", f"summary: Says {word[:4]}.", project.read(page), count=1))
        case 4:
            label = f"label {word}"
            project.dataset(lambda data: data["figures"]["recall_one"].update(label=label))
        case 5:
            project.replace("templates/concept.html.j2", "<h1>", f"<!-- {word} --><h1>")
        case 6:
            project.replace("templates/macros.html.j2", "<summary>All concepts", f"<summary>All {word} concepts")
        case 7:
            project.write("content/site.yml", re.sub(r"tagline: .*", f"tagline: {word}", project.read("content/site.yml")))
        case 8:
            text = f"---\ntitle: Later {word}\nslug: later\nsummary: Late.\nupdated: 2025-05-03\n---\n\n## Why\n\nText.\n"
            later = project.root / "content/concepts/retrieval/later.md"
            later.unlink() if later.is_file() else project.write("content/concepts/retrieval/later.md", text)
        case 9:
            project.append("content/metrics/recall-at-k.md", f"\nMore of it, {word[:4]}.\n")
        case 10:
            project.write("content/glossary.yml", f"- term: recall\n  says: What is found, {word[:4]}.\n  see: indexes\n")
        case _:
            project.append("templates/assets/site.css", f"/* {word} */\n")


@pytest.mark.parametrize("seed", range(3))
def test_a_build_with_a_cache_equals_one_without_after_every_edit(project: Project, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(7):
        edits(project, rng)
        with_cache = project.build("--out", str(project.root / "kept"), "--jobs", str(rng.choice([1, 2])))
        without = project.build("--out", str(project.root / "anew"), "--no-cache", "--jobs", "1")
        assert [line.replace("/kept", "/anew") for line in with_cache[1].split("\n")] == without[1].split("\n")
        assert with_cache[0] == without[0]
        if not with_cache[0]:
            assert tree(project.root / "kept") == tree(project.root / "anew")


def test_an_edited_paragraph_makes_its_page_and_the_search_page_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert project.build()[0] == 0
    assert made(project, monkeypatch) == set()
    project.append(PAGE, "\nOne more paragraph.\n")
    assert made(project, monkeypatch) == {"concepts/indexes/index.html", "search/index.html"}


def test_a_changed_dataset_makes_the_pages_that_read_it_and_no_other(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "---\ntitle: Later\nslug: later\nsummary: Late.\nupdated: 2025-05-03\n---\n\n## Why\n\nText.\n"
    project.write("content/concepts/retrieval/later.md", text)
    assert project.build()[0] == 0
    project.dataset(lambda data: data["figures"]["recall_one"].update(label="another label"))
    found = made(project, monkeypatch)
    assert {"data/sample/index.html", "concepts/indexes/index.html", "index.html"} <= found
    assert "concepts/later/index.html" not in found


def test_a_build_without_a_cache_neither_reads_nor_writes_one(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "concepts/indexes/index.html" in made(project, monkeypatch, "--no-cache")
    assert not (project.root / ".cache").exists()
    assert "concepts/indexes/index.html" in made(project, monkeypatch)
    assert "concepts/indexes/index.html" in made(project, monkeypatch, "--no-cache")


@pytest.mark.parametrize("harm", [b"", b"x" * 100, None])
def test_an_entry_that_cannot_be_read_is_made_anew(project: Project, harm: bytes | None) -> None:
    assert project.build()[0] == 0
    before = tree(project.root / "site")
    entries = [file for file in (project.root / ".cache/zeroth/build").rglob("*") if file.is_file()]
    assert entries
    for file in entries:
        content = file.read_bytes()
        file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]) if harm is None else harm)
    assert project.build()[0] == 0
    assert tree(project.root / "site") == before


def test_entries_of_pages_that_are_gone_are_deleted(project: Project) -> None:
    text = "---\ntitle: Later\nslug: later\nsummary: Late.\nupdated: 2025-05-03\n---\n\n## Why\n\nText.\n"
    project.write("content/concepts/retrieval/later.md", text)
    assert project.build()[0] == 0

    def count() -> int:
        return sum(file.is_file() for file in (project.root / ".cache/zeroth/build").rglob("*"))

    before = count()
    Path(project.root / "content/concepts/retrieval/later.md").unlink()
    assert project.build()[0] == 0
    assert count() == before - 1
