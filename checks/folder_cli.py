"""The command line of the guards that read a folder of HTML as one site: options, settings, formats, exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from checks import a11y, budget, csp, links, noscript
from checks.html.config import Config, ConfigError, read_table, with_rules
from checks.html.messages import Located
from checks.html.report import WRITERS, Tally, Tool, described
from checks.pages import Page, read_folder
from checks.problems import Problem
from checks.rule import Rule


@dataclass(frozen=True)
class Request:
    """What a guard is asked: a folder with its pages, the path it is served under, the file that stands for a folder
    ("" for none), and the guard's own settings."""

    folder: Path
    pages: Sequence[Page]
    base: str
    index: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class FolderGuard:
    """A guard over a folder of HTML; ``own`` are its settings besides ``rules`` and ``paths``."""

    name: str
    describes: str
    rules: Mapping[str, Rule]
    check: Callable[[Request], Iterable[Problem]]
    own: tuple[str, ...] = ()


def _budget(asked: Request) -> Iterator[Problem]:
    return budget.check_pages(asked.folder, asked.pages, _read_budget(asked.settings), asked.base)


def _read_budget(settings: Mapping[str, Any]) -> budget.Budget:
    try:
        return budget.Budget.from_dict(settings)
    except ValueError as error:
        raise ConfigError(f"budget: {error}") from error


GUARDS = {
    guard.name: guard
    for guard in (
        FolderGuard(
            "links",
            "Check that every link, fragment and file of a folder of HTML leads somewhere.",
            links.RULES,
            lambda asked: links.check_folder(asked.folder, asked.base, list(asked.pages), asked.index),
        ),
        FolderGuard(
            "a11y",
            "Check what can be told of accessibility from tags: titles, headings, landmarks, names, labels.",
            a11y.RULES,
            lambda asked: a11y.check_pages(asked.pages),
        ),
        FolderGuard(
            "csp",
            "Check that every page has a strict Content-Security-Policy and keeps to it.",
            csp.RULES,
            lambda asked: csp.check_pages(asked.pages),
        ),
        FolderGuard(
            "budget",
            "Check what a first visit to each page transfers, and that nothing is asked of another host.",
            budget.RULES,
            _budget,
            ("page", "whole"),
        ),
        FolderGuard(
            "noscript",
            "Check that pages are complete and usable without script.",
            noscript.RULES,
            lambda asked: noscript.check_pages(asked.pages),
        ),
    )
}
"""The guards by name."""


def main(guard: FolderGuard, argv: Sequence[str], out: TextIO | None = None, cwd: Path | None = None) -> int:
    """Runs one guard: 0 without errors, 1 with errors, 2 when it was called wrongly.

    ``cwd`` is where pyproject.toml is looked for (default: the current folder).
    """
    out = out or sys.stdout
    options = _parser(guard).parse_args(argv)
    if options.rules:
        for rule in guard.rules.values():
            out.write(f"{rule.id:22}{rule.level:9}{rule.explains}\n")
        return 0
    if options.folder is None or not options.folder.is_dir():
        print(f"{options.folder}: no such folder" if options.folder else "give a folder of HTML", file=sys.stderr)
        return 2
    try:
        table = with_rules(read_table(options.config, guard.name, cwd or Path.cwd()), options.rule)
        own = {key: table.pop(key) for key in guard.own if key in table}
        config = Config.from_dict(table, guard.rules)
        _read_budget(own)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    pages, unreadable = read_folder(options.folder)
    asked = Request(options.folder, pages, options.base, options.index, own)
    tally = Tally(files=len(pages) + len(unreadable))
    placed = (replace(one, path=(options.folder / one.path).as_posix()) for one in guard.check(asked))
    found = [*unreadable, *_levelled(placed, config, guard.rules)]
    tool = Tool(f"zeroth-{guard.name}", tuple(_described(rule) for rule in guard.rules.values()))
    WRITERS[options.format]((Located(problem, guard.name) for problem in sorted(found)), tally, out, tool)
    return int(tally.errors > 0)


def _levelled(problems: Iterable[Problem], config: Config, rules: Mapping[str, Rule]) -> Iterator[Problem]:
    for problem in problems:
        level = config.levels(problem.path, rules).get(problem.rule)
        if level:
            yield replace(problem, level=level)


def _described(rule: Rule) -> dict[str, object]:
    return described(rule.id, rule.level, rule.explains, rule.fix, "site")


def _parser(guard: FolderGuard) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=f"python -m checks {guard.name}",
        description=guard.describes,
        epilog=f"example: python -m checks {guard.name} site\nexit codes: 0 fine, 1 problems, 2 wrong usage",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("folder", type=Path, nargs="?", metavar="DIR", help="folder of HTML, read as one site")
    made.add_argument("--base", default="/", metavar="PATH", help="what links that begin with / are below (default /)")
    if guard.name == "links":
        made.add_argument(
            "--index", default="", metavar="FILE", help="what the server sends for a folder (default: none)"
        )
    made.set_defaults(index="")
    made.add_argument("--format", choices=sorted(WRITERS), default="text", help="output format (text)")
    made.add_argument("--json", dest="format", action="store_const", const="json", help="same as --format json")
    told = f"TOML with [{guard.name}.rules] (default: [tool.zeroth-checks.{guard.name}] of pyproject.toml)"
    made.add_argument("--config", metavar="FILE", help=told)
    made.add_argument("--rule", action="append", default=[], metavar="ID=LEVEL", help="error, warning or off")
    made.add_argument("--rules", action="store_true", help="list all rules and stop")
    return made
