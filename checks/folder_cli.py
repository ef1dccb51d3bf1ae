"""The command line of the guards that read a folder of HTML as one site: options, settings, formats, exit codes."""

from __future__ import annotations

import argparse
import os.path
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from checks.budget import Budget
from checks.folder_guards import FolderGuard, Request
from checks.html.config import Config, ConfigError, levelled, read_table
from checks.html.messages import Located
from checks.html.report import WRITERS, Tally, Tool, described
from checks.pages import read_folder
from checks.rule import Rule
from checks.site_files import FolderFiles


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
    if options.folder is None or not os.path.isdir(options.folder):
        print(f"{options.folder}: no such folder" if options.folder else "give a folder of HTML", file=sys.stderr)
        return 2
    try:
        table = read_table(options.config, guard.name, cwd or Path.cwd())
        config = Config.from_dict(table, guard.rules, guard.own).over(options.rule, guard.rules)
        sizes = Budget.from_dict(table)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    pages, unreadable = read_folder(options.folder)
    asked = Request(FolderFiles(options.folder), options.base, options.index, sizes)
    tally = Tally(files=len(pages) + len(unreadable))
    facts = [guard.facts(page, options.base) for page in pages]
    found = levelled([*unreadable, *guard.check(facts, asked)], config, guard.rules, options.folder)
    placed = sorted(replace(one, path=(options.folder / one.path).as_posix()) for one in found)
    tool = Tool(f"zeroth-{guard.name}", tuple(_described(rule) for rule in guard.rules.values()))
    WRITERS[options.format]((Located(problem, guard.name) for problem in placed), tally, out, tool)
    return int(tally.errors > 0)


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
    if guard.name in ("links", "budget"):
        told = "what links that begin with / are below (default /)"
        made.add_argument("--base", default="/", metavar="PATH", help=told)
    if guard.name == "links":
        made.add_argument(
            "--index", default="", metavar="FILE", help="what the server sends for a folder (default: none)"
        )
    made.set_defaults(base="/", index="")
    made.add_argument("--format", choices=sorted(WRITERS), default="text", help="output format (text)")
    made.add_argument("--json", dest="format", action="store_const", const="json", help="same as --format json")
    told = f"TOML with [{guard.name}.rules] (default: [tool.zeroth-checks.{guard.name}] of pyproject.toml)"
    made.add_argument("--config", metavar="FILE", help=told)
    made.add_argument("--rule", action="append", default=[], metavar="ID=LEVEL", help="error, warning or off")
    made.add_argument("--rules", action="store_true", help="list all rules and stop")
    return made
