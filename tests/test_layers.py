"""Imports go one way: harness → provenance ← checks, render; only build.py knows them all but the harness."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIRST_PARTY = {"provenance", "harness", "checks", "render", "build"}
ALLOWED = {
    "provenance": {"provenance"},
    "harness": {"harness", "provenance"},
    "checks": {"checks", "provenance"},
    "render": {"render", "provenance", "checks"},
    "build.py": {"render", "provenance", "checks"},
}
SITE_PACKAGES = {"jinja2", "markdown_it", "mdit_py_plugins", "yaml", "latex2mathml", "jsonschema", "markupsafe"}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def sources(layer: str) -> list[Path]:
    place = ROOT / layer
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


def rooms(path: Path) -> set[str]:
    """The rooms of the harness that a file imports, lazily or not: ``store`` for ``harness.store.layouts``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in found if name.startswith("harness.")}


def room_of(path: Path) -> str:
    return path.relative_to(ROOT / "harness").parts[0]


def test_no_room_of_the_harness_imports_what_measures_it() -> None:
    above = ["capture", "measuring", "experiments"]  # each may use those before it, and the pipeline
    for path in sources("harness"):
        room = room_of(path)
        if room != "__main__.py":
            closed = above[above.index(room) + 1 :] if room in above else above
            assert rooms(path) & set(closed) == set(), path


def test_an_experiment_imports_no_other() -> None:
    for path in sources("harness/experiments"):
        own = ".".join(path.relative_to(ROOT).parts[:3])
        others = [name for name in experiments(path) if not f"{name}.".startswith(f"{own}.")]
        assert others == [], path


def experiments(path: Path) -> list[str]:
    nodes = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.ImportFrom)]
    return [node.module for node in nodes if node.module and node.module.startswith("harness.experiments")]


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_nothing_above_it(layer: str) -> None:
    found = {(path.name, name) for path in sources(layer) for name in imported(path) & FIRST_PARTY}
    assert {pair for pair in found if pair[1] not in ALLOWED[layer]} == set()


def test_the_html_guard_needs_nothing_but_the_standard_library() -> None:
    import sys

    optional = {"turbohtml"}  # the round trip, only when asked for
    for path in sources("checks/html"):
        foreign = imported(path) - set(sys.stdlib_module_names) - {"checks", "__future__"} - optional
        assert foreign == set(), path


@pytest.mark.parametrize("layer", ["provenance", "checks", "render", "build.py"])
def test_the_site_needs_only_its_handful_of_packages(layer: str) -> None:
    import sys

    for path in sources(layer):
        foreign = imported(path) - set(sys.stdlib_module_names) - FIRST_PARTY - SITE_PACKAGES - {"turbohtml"}
        assert foreign == set(), path
