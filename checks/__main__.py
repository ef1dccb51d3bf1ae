"""``python -m checks``: the guards, each usable alone on any folder of HTML or any repository of datasets."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from checks.problems import errors

USAGE = """\
usage: python -m checks COMMAND …

commands:
  html PATH…   HTML content model and accessibility basics of files or folders
  links DIR    links, fragments and files of a folder of HTML
  data         datasets: provenance, staleness, figures, excerpts

examples:
  python -m checks html site
  python -m checks links site --json
  python -m checks data --explain rrf

Each command has --help. Exit codes: 0 fine, 1 problems found, 2 wrong usage.
"""


def _html(argv: Sequence[str]) -> int:
    from checks.html.cli import main as html_main

    return int(html_main(list(argv), sys.stdin, sys.stdout))


def _data(argv: Sequence[str]) -> int:
    from checks.data_cli import main as data_main

    return data_main(argv)


def _links(argv: Sequence[str]) -> int:
    from checks.links import check_folder

    made = argparse.ArgumentParser(
        prog="python -m checks links",
        description="Check that every link, fragment and file of a folder of HTML leads somewhere.",
        epilog="example: python -m checks links site",
    )
    made.add_argument("folder", type=Path, metavar="DIR")
    made.add_argument("--base", default="/", metavar="PATH", help="what links that begin with / are below (default /)")
    made.add_argument("--json", action="store_true", help="print problems as JSON")
    arguments = made.parse_args(argv)
    if not arguments.folder.is_dir():
        print(f"{arguments.folder}: no such folder", file=sys.stderr)
        return 2
    problems = check_folder(arguments.folder, arguments.base)
    if arguments.json:
        print(json.dumps([problem.as_dict() for problem in problems], indent=1, ensure_ascii=False))
    else:
        for problem in problems:
            print(problem)
    print(f"{len(errors(problems))} errors", file=sys.stderr)
    return 1 if errors(problems) else 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"html": _html, "links": _links, "data": _data}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one guard; exit codes 0 (fine), 1 (problems), 2 (wrong usage)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        found = f"unknown command {arguments[0]!r}\n\n" if arguments else ""
        print(f"{found}{USAGE}", end="", file=sys.stderr)
        return 2
    return COMMANDS[arguments[0]](arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
