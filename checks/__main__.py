"""``python -m checks`` (installed: ``zeroth-checks``): the guards, each usable alone on any folder of HTML or any
repository of datasets. All but ``data`` need nothing but the standard library."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence

USAGE = """\
usage: python -m checks COMMAND …

commands:
  html PATH…    content model of HTML files or folders: what browsers read otherwise than it is written
  a11y DIR      accessibility of a folder of HTML, as far as tags tell it
  links DIR     links, fragments and files
  csp DIR       Content-Security-Policy
  budget DIR    weight of a first visit, requests to other hosts
  noscript DIR  completeness without script
  data          datasets: provenance, staleness, figures, excerpts

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
    try:
        from checks.data_cli import main as data_main
    except ModuleNotFoundError as error:
        print(f'data needs the package {error.name}: pip install "zeroth[data]"', file=sys.stderr)
        return 2
    return data_main(argv)


def _folder(name: str) -> Callable[[Sequence[str]], int]:
    def run(argv: Sequence[str]) -> int:
        from checks.folder_cli import main as folder_main
        from checks.folder_guards import GUARDS

        return folder_main(GUARDS[name], argv)

    return run


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "html": _html,
    "data": _data,
    **{name: _folder(name) for name in ("links", "a11y", "csp", "budget", "noscript")},
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one guard; exit codes 0 (fine), 1 (problems), 2 (wrong usage)."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files may hold what its encoding cannot
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        found = f"unknown command {arguments[0]!r}\n\n" if arguments else ""
        print(f"{found}{USAGE}", end="", file=sys.stderr)
        return 2
    try:
        code = COMMANDS[arguments[0]](arguments[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough; not a finding, and not a success either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
