"""The guards in other people's projects: installed alone, as pre-commit hooks, as an action, and documented."""

from __future__ import annotations

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from checks.__main__ import COMMANDS
from checks.catalogue import BUILD_RULES, DATA_RULES, PUBLISHED_RULES, sections

ROOT = Path(__file__).parents[2]
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BAD = "<p><div>x</div></p>"
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed here")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the installed packages and the script, and none of their dependencies."""
    for needed in ("setuptools", "pip"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed here")
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("checks", "provenance"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]
    command += ["--no-deps", "--no-build-isolation", "--target", str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    return target


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The installed command in a folder that is not the repository, with nothing else to import."""
    bare = os.environ | {"PYTHONPATH": str(installed)}
    script = [sys.executable, "-S", str(installed / "bin/zeroth-checks"), *arguments]
    return subprocess.run(script, cwd=folder, env=bare, capture_output=True, text=True, check=False)


def test_the_installed_command_finds_what_is_wrong_without_any_other_package(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(BAD, encoding="utf-8")
    done = run(installed, tmp_path, "html", "a.html")
    assert done.returncode == 1 and "[flow-in-p]" in done.stdout, done.stderr
    for guard in ("a11y", "links", "csp", "budget", "noscript"):
        assert run(installed, tmp_path, guard, ".").returncode == 0


def test_the_installed_guard_of_datasets_says_which_package_it_lacks(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "data")
    assert done.returncode == 2 and 'pip install "zeroth[data]"' in done.stderr
    assert (installed / "provenance/block.schema.json").is_file()


def test_the_package_carries_every_module_of_the_guards_and_needs_nothing() -> None:
    packages = set(SETUP["tool"]["setuptools"]["packages"])
    found = {
        init.parent.relative_to(ROOT)
        for name in ("checks", "provenance")
        for init in (ROOT / name).rglob("__init__.py")
    }
    assert packages == {".".join(path.parts) for path in found}
    assert SETUP["project"]["dependencies"] == []
    assert SETUP["project"]["scripts"] == {"zeroth-checks": "checks.__main__:main"}


def test_every_hook_runs_a_command_that_there_is() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["zeroth-html", "zeroth-a11y", "zeroth-links"]
    for hook in hooks:
        script, command = hook["entry"].split()
        assert script in SETUP["project"]["scripts"] and command in COMMANDS and hook["language"] == "python"


def action(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The action as a workflow would run it in ``folder``."""
    told: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = told["runs"]["steps"]
    given = {name: inputs.get(name, entry.get("default", "")) for name, entry in told["inputs"].items()}
    values = {"${{ github.action_path }}": str(ROOT)} | {f"${{{{ inputs.{k} }}}}": v for k, v in given.items()}
    environment = {name: values.get(value, value) for name, value in step["env"].items()}
    tools = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(
        command, cwd=folder, env={"PATH": tools, **environment}, capture_output=True, text=True, check=False
    )


@needs_bash
def test_the_action_annotates_what_is_wrong_and_fails(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "checks.py").write_text("raise SystemExit('a module of the checked project')", encoding="utf-8")
    (site / "a.html").write_text("<p>x</p>", encoding="utf-8")
    assert action(tmp_path, path="site").returncode == 0
    (site / "a.html").write_text(BAD, encoding="utf-8")
    done = action(tmp_path, path="site", checks="html a11y")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=site/a.html,line=1,col=4,title=flow-in-p::")
    assert "1 error" in action(tmp_path, path="site", format="text").stdout


@needs_bash
@pytest.mark.parametrize("checks", ["", " \n"])
def test_the_action_annotates_nothing_and_fails_where_it_is_given_no_guard(tmp_path: Path, checks: str) -> None:
    done = action(tmp_path, path=".", checks=checks)
    assert (done.returncode, done.stdout) == (2, "") and "html a11y links csp budget noscript" in done.stderr


@needs_bash
@pytest.mark.parametrize("checks", ["none html", "html none"])
def test_the_action_annotates_and_ends_with_the_gravest_of_its_guards(tmp_path: Path, checks: str) -> None:
    (tmp_path / "a.html").write_text(BAD, encoding="utf-8")
    assert action(tmp_path, path="a.html", checks=checks).returncode == 2


@needs_bash
def test_the_action_annotates_the_folders_that_it_is_given_word_by_word(tmp_path: Path) -> None:
    for name in ("*", "-x", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_text(BAD if name == "other" else "<p>x</p>", encoding="utf-8")
    assert action(tmp_path, path="* -x").returncode == 0
    assert action(tmp_path, path="-x", checks="html links").returncode == 0
    assert action(tmp_path, path="* other").returncode == 1
    assert action(tmp_path, path="--rules").returncode == 2


def test_the_documented_rules_are_those_of_the_code() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import checks_doc
    finally:
        sys.path.pop(0)
    text = checks_doc.DOCUMENT.read_text(encoding="utf-8")
    assert checks_doc.rewritten(text) == text, "run: python tools/checks_doc.py"


def test_no_two_rules_of_the_guards_share_an_id_but_those_of_one_meaning() -> None:
    ids = [rule.id for section in sections() for rule in section.rules]
    assert {one for one in ids if ids.count(one) > 1} == {"duplicate-id", "unreadable-file"}


def constants(path: str, calls: dict[str, int]) -> set[str]:
    """The texts that stand at a given place in the calls of some functions in a file."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_bytes())):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = calls.get(called)
            value = node.args[place] if place is not None and len(node.args) > place else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.add(value.value)
    return found


def test_every_rule_of_the_build_is_documented() -> None:
    files = ["build.py", "checks/site.py", "checks/texts.py"]
    files += [file.relative_to(ROOT).as_posix() for file in sorted((ROOT / "render").rglob("*.py"))]
    found = {"role"}  # what a RoleError is unless it says otherwise
    for file in files:
        found |= constants(file, {"Problem": 3, "problem": 1, "DirectiveError": 2, "RoleError": 2})
        found |= {f"unknown-{what.replace(' ', '-')}" for what in constants(file, {"pick": 0, "UnknownName": 0})}
    assert found - {"duplicate-id"} == set(BUILD_RULES)


def test_every_rule_of_the_datasets_and_of_published_addresses_is_documented() -> None:
    data = constants("checks/data.py", {"problem": 1, "Problem": 3})
    assert data | constants("provenance/payload.py", {"Fault": 1}) == set(DATA_RULES)
    assert constants("checks/ids.py", {"Problem": 3}) - {"json"} == set(PUBLISHED_RULES)
    html = {rule.id for section in sections() if section.title == "HTML content model" for rule in section.rules}
    assert len(html) > 50
