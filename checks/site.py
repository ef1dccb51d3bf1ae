"""All guards of a site at once: the prose it is written from, and the folder of HTML it becomes."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

import yaml

from checks import a11y, budget, csp, noscript
from checks.allowed import load_allowed
from checks.html import check
from checks.html.config import PYPROJECT, Config, ConfigError, levelled, read_table
from checks.ids import check_published
from checks.links import check_folder
from checks.numbers import check_figures, check_prose
from checks.pages import Page, read_page
from checks.problems import Problem
from checks.unused import check_unused


def check_content(root: Path) -> list[Problem]:
    """Unbound numbers in the Markdown below ``content/``, the headline and the glossary; what no page uses."""
    found: list[Problem] = []
    allowed = load_allowed(root, found)
    headline = _headline(root / "content/site.yml")
    found += [replace(problem, line=0) for problem in check_prose(headline, "content/site.yml", allowed)]
    for says in _definitions(root / "content/glossary.yml"):
        found += [replace(problem, line=0) for problem in check_prose(says, "content/glossary.yml", allowed)]
    found += check_unused(root)
    return found + [
        problem
        for file in sorted((root / "content").rglob("*.md"))
        for problem in check_prose(file.read_text(encoding="utf-8"), file.relative_to(root).as_posix(), allowed)
    ]


def _headline(config: Path) -> str:
    """The words of the home page's headline; none where the file is absent or odd, which is reported elsewhere."""
    try:
        values = yaml.safe_load(config.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError):
        return ""
    headline = values.get("headline") if isinstance(values, dict) else None
    return str(headline.get("text", "")) if isinstance(headline, dict) else ""


def _definitions(glossary: Path) -> list[str]:
    """The definitions of the glossary; none where it is absent or cannot be read, which is reported elsewhere."""
    try:
        entries = yaml.safe_load(glossary.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError):
        return []
    listed = entries if isinstance(entries, list) else []
    return [str(entry.get("says", "")) for entry in listed if isinstance(entry, dict)]


def check_site(folder: Path, base: str = "/", root: Path | None = None, place: Path | None = None) -> list[Problem]:
    """Everything the guards find in the HTML below ``folder``, served under the path ``base``.

    With the project's ``root``, also that everything it ever published is still there; its pyproject.toml may set
    the budget of a page, and levels by paths for which the folder stands at ``place``.
    """
    texts = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.html"))
    }
    pages = [read_page(text, path) for path, text in texts.items()]
    nesting = [problem for path, text in texts.items() for problem in check(text, path)]
    gone = check_published(root, pages) if root else []
    return [
        *nesting,
        *check_folder(folder, base, pages),
        *check_figures(folder, pages),
        *gone,
        *a11y.check_pages(pages),
        *csp.check_pages(pages),
        *noscript.check_pages(pages),
        *(_weigh(folder, pages, base, root, place or folder) if root else budget.check_pages(folder, pages, base=base)),
    ]


def _weigh(folder: Path, pages: Sequence[Page], base: str, root: Path, place: Path) -> Iterable[Problem]:
    """The guard of weight under the settings of the project."""
    try:
        table = read_table(None, "budget", root)
        config = Config.from_dict(table, budget.RULES, budget.SETTINGS)
        sizes = budget.Budget.from_dict(table)
    except ConfigError as error:
        says, fix = str(error).removeprefix(f"{root / PYPROJECT}: "), "docs/checks.md shows its form"
        return [Problem(PYPROJECT, 0, 0, "settings", says, f"mend [tool.zeroth-checks.budget]; {fix}")]
    found = budget.check_pages(folder, pages, sizes, base)
    return levelled(found, config, budget.RULES, PurePath(os.path.relpath(place, root)))
