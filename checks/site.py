"""All guards of a site at once: the prose it is written from, and the folder of HTML it becomes."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path, PurePath

import yaml

from checks.allowed import load_allowed
from checks.budget import Budget
from checks.facts import PageFacts, PageSettings, page_facts
from checks.folder_guards import GUARDS, FolderGuard, Request
from checks.html import RULES
from checks.html.config import PYPROJECT, Config, ConfigError, Levelled, levelled, read_table
from checks.ids import check_published
from checks.numbers import check_printed, check_prose
from checks.problems import Problem, Unreadable
from checks.site_files import FolderFiles, SiteFiles
from checks.texts import read_text
from checks.unused import check_unused
from checks.yaml_text import read_yaml

_HTML_SETTINGS = ("fragment",)


def check_content(root: Path) -> list[Problem]:
    """Unbound numbers in the Markdown below ``content/``, the headline and the glossary; what no page uses."""
    return check_texts(root) + check_unused(root)


def check_texts(root: Path, checked: Collection[str] = ()) -> list[Problem]:
    """Unbound numbers in the Markdown below ``content/``, the headline and the glossary.

    ``checked`` are paths of files whose prose has been checked where they were rendered.
    """
    found: list[Problem] = []
    allowed = load_allowed(root, found)
    headline = _headline(root / "content/site.yml")
    found += [replace(problem, line=0) for problem in check_prose(headline, "content/site.yml", allowed)]
    for says in _definitions(root / "content/glossary.yml"):
        found += [replace(problem, line=0) for problem in check_prose(says, "content/glossary.yml", allowed)]
    return found + [
        problem
        for file in sorted((root / "content").rglob("*.md"))
        if (path := file.relative_to(root).as_posix()) not in checked
        for problem in check_prose(read_text(file), path, allowed)
    ]


def _headline(config: Path) -> str:
    """The words of the home page's headline; none where the file is absent or odd, which is reported elsewhere."""
    try:
        values = read_yaml(read_text(config))
    except (Unreadable, yaml.YAMLError):
        return ""
    headline = values.get("headline") if isinstance(values, dict) else None
    return str(headline.get("text", "")) if isinstance(headline, dict) else ""


def _definitions(glossary: Path) -> list[str]:
    """The definitions of the glossary; none where it is absent or cannot be read, which is reported elsewhere."""
    try:
        entries = read_yaml(read_text(glossary))
    except (Unreadable, yaml.YAMLError):
        return []
    listed = entries if isinstance(entries, list) else []
    return [str(entry.get("says", "")) for entry in listed if isinstance(entry, dict)]


def check_site(folder: Path, base: str = "/", root: Path | None = None, place: Path | None = None) -> list[Problem]:
    """Everything the guards find in the HTML below ``folder``, served under the path ``base``.

    With the project's ``root``, also that everything it ever published is still there; its pyproject.toml may set
    what it sets for the commands: levels, by paths for which the folder stands at ``place``, and the budget of a page.
    """
    settings = page_settings(root, base)
    facts = [
        page_facts(file.read_text(encoding="utf-8"), file.relative_to(folder).as_posix(), settings)
        for file in sorted(folder.rglob("*.html"))
    ]
    return check_facts(facts, FolderFiles(folder), base, root, place or folder)


def page_settings(root: Path | None, base: str = "/") -> PageSettings:
    """What the facts of a page depend on, for a site served under ``base`` with the settings of the project at
    ``root``; settings that cannot be meant are as none, and ``check_facts`` reports them."""
    try:
        table = read_table(None, "html", root) if root else {}
        return PageSettings(base, Config.from_dict(table, RULES, _HTML_SETTINGS).fragment)
    except ConfigError:
        return PageSettings(base)


def check_facts(
    facts: Iterable[PageFacts],
    files: SiteFiles,
    base: str = "/",
    root: Path | None = None,
    place: str | Path = ".",
) -> list[Problem]:
    """Everything the guards find in a site, from the facts of its pages (made with ``page_settings(root, base)``) and
    its ``files``, the pages among them. The facts come in any order; ``place`` is where the site is put; the rest is as
    for ``check_site``."""
    facts = sorted(facts, key=lambda one: one.path.split("/"))
    settings = _Settings(root, PurePath(os.path.relpath(place, root)))
    found = settings.levelled("html", RULES, _HTML_SETTINGS, lambda *_: chain.from_iterable(one.html for one in facts))
    found += check_printed((one.figures for one in facts), files)
    found += check_published(root, [one.ids for one in facts]) if root else []
    for guard in GUARDS.values():
        found += settings.levelled(guard.name, guard.rules, guard.own, partial(_asked, guard, facts, files, base))
    return [*settings.faults, *found]


def _asked(
    guard: FolderGuard,
    facts: Sequence[PageFacts],
    files: SiteFiles,
    base: str,
    config: Config,
    table: Mapping[str, object],
) -> Iterable[Problem]:
    kept = [getattr(one, guard.name) for one in facts]
    return guard.check(kept, Request(files, base, "", Budget.from_dict(table)))


@dataclass(frozen=True)
class _Settings:
    """What pyproject.toml in ``root`` (None: no project) sets for the guards of a folder at ``where`` from there.

    ``faults``: what cannot be meant there, once: a file that cannot be read is met by every guard.
    """

    root: Path | None
    where: PurePath
    faults: list[Problem] = field(default_factory=list)

    def levelled(self, guard: str, rules: Mapping[str, Levelled], own: tuple[str, ...], ask: _Guard) -> list[Problem]:
        """The problems of a guard that count, at their levels; none where its settings cannot be meant."""
        try:
            table = read_table(None, guard, self.root) if self.root else {}
            config = Config.from_dict(table, rules, own)
            return list(levelled(ask(config, table), config, rules, self.where))
        except ConfigError as error:
            assert self.root is not None, "without a project nothing is set"
            says = str(error).removeprefix(f"{self.root / PYPROJECT}: ")
            place = f"[tool.zeroth-checks.{guard}]" if says == str(error) else "the file"
            fault = Problem(PYPROJECT, 0, 0, "settings", says, f"mend {place}; docs/checks.md shows its form")
            if fault not in self.faults:
                self.faults.append(fault)
            return []


_Guard = Callable[[Config, Mapping[str, object]], Iterable[Problem]]
"""A guard that is asked with its settings and the table they were read from."""
