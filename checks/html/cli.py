"""``python -m checks html``: the guard on any HTML."""

from __future__ import annotations

import argparse
import contextlib
import os.path
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from checks.problems import Problem

from . import is_stable, roundtrip
from .config import Config, ConfigError, read_table
from .encoding import Decoded, decode
from .files import html_files, inspect, read_html
from .messages import Located, Positions, locate
from .report import HTML, WRITERS, Tally
from .rules import RULES

_EXAMPLE = """examples:
  python -m checks html site/
  python -m checks html --rule implied-tbody=off --json site/ | jq .problems
  cat page.html | python -m checks html -
"""


def main(argv: Sequence[str], stdin: TextIO | None, stdout: TextIO, folder: Path | None = None) -> int:
    """Run the command; 0 without errors, 1 with errors, 2 when it was called wrongly.

    ``folder`` is where pyproject.toml is looked for (default: the current one).
    """
    parser = _parser()
    try:
        with contextlib.redirect_stdout(stdout):
            options = parser.parse_args(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    if options.rules:
        return _list_rules(stdout)
    try:
        config = _config(options, folder or Path.cwd())
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    wrong = _usage(options, stdin)
    if wrong:
        print(wrong, file=sys.stderr)
        return 2
    tally = Tally()
    WRITERS[options.format](_findings(options, config, stdin, tally), tally, stdout, HTML)
    return int(tally.errors > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m checks html",
        description="Find tags that browsers read otherwise than they are written, and broken content models.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="HTML file, folder, or - for standard input")
    parser.add_argument("--format", choices=sorted(WRITERS), default="text", help="output format (text)")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="same as --format json")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="TOML with [html.rules] and [html.paths.GLOB] (default: [tool.zeroth-checks.html] of pyproject.toml)",
    )
    parser.add_argument("--rule", action="append", default=[], metavar="ID=LEVEL", help="error, warning or off")
    parser.add_argument("--fragment", action="store_true", help="texts are pieces of pages (else decided by look)")
    parser.add_argument("--round-trip", action="store_true", help="parse with turbohtml as well and compare trees")
    parser.add_argument("--rules", action="store_true", help="list all rules and stop")
    return parser


def _list_rules(out: TextIO) -> int:
    for rule in RULES.values():
        out.write(f"{rule.id:28}{rule.verdict:16}{rule.level:9}{rule.explains}\n")
    return 0


def _usage(options: argparse.Namespace, stdin: TextIO | None) -> str:
    if not options.paths:
        return "nothing to check: give files, folders or - (python -m checks html --help)"
    if "-" in options.paths and (stdin is None or stdin.closed):
        return "standard input is closed: give files or folders, or pipe a page into it"
    missing = [path for path in options.paths if path != "-" and not os.path.exists(path)]
    if missing:
        return f"{missing[0]}: no such file or folder"
    if options.round_trip and not roundtrip.available():
        return "--round-trip needs turbohtml: pip install turbohtml"
    return ""


def _config(options: argparse.Namespace, folder: Path) -> Config:
    table = read_table(options.config, "html", folder)
    return Config.from_dict({**table, "fragment": True} if options.fragment else table).over(options.rule)


def _findings(options: argparse.Namespace, config: Config, stdin: TextIO | None, tally: Tally) -> Iterator[Located]:
    """The findings of one file after the other; no file is kept."""
    for given in options.paths:
        sources = [("-", _read(stdin))] if given == "-" else ((p.as_posix(), read_html(p)) for p in html_files([given]))
        for path, text in sources:
            tally.files += 1
            yield from _one(text, path, config, options.round_trip)


def _read(stdin: TextIO | None) -> Decoded:
    """Standard input: its bytes where it has them, so that they are read as those of a file are."""
    assert stdin is not None, "_usage has checked it"
    buffer = getattr(stdin, "buffer", None)
    return Decoded(stdin.read()) if buffer is None else decode(buffer.read())


def _one(text: Decoded | Problem, path: str, config: Config, round_trip: bool) -> list[Located]:
    if isinstance(text, Problem):
        return [Located(text, "unreadable")] if text.rule in config.levels(path) else []
    found = inspect(text, path, config)
    level = config.levels(path).get("round-trip") if round_trip else None
    if level and is_stable(text.text, config.fragment):
        positions = Positions(text.text)
        found += [locate(one, path, level, positions) for one in roundtrip.round_trip(text.text, config.fragment)]
    return found
