"""The command line of the dataset guard: ``python -m checks data``."""

from __future__ import annotations

import argparse
import json
import os.path
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from checks.data import check_datasets
from checks.data_explain import broken, explain
from checks.data_rules import DATA_RULES
from checks.html.messages import Located
from checks.html.report import WRITERS, Tally, Tool, described
from provenance.state import DATASETS

TOOL = Tool(
    "zeroth-data", tuple(described(rule, level, says, says, "data") for rule, (level, says) in DATA_RULES.items())
)
"""This guard as code scanning describes it."""


def parser() -> argparse.ArgumentParser:
    """The options of ``python -m checks data``."""
    made = argparse.ArgumentParser(
        prog="python -m checks data",
        description="Check every dataset of data/interactive/: block, code, inputs, figures, excerpts.",
        epilog="example: python -m checks data --explain rrf\nexit codes: 0 fine, 1 problems, 2 wrong usage",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--root", type=Path, default=Path.cwd(), help="the repository (default: the current folder)")
    made.add_argument("--explain", metavar="NAME", help="print the chain from a dataset's figures to its documents")
    made.add_argument("--format", choices=sorted(WRITERS), default="text", help="output format (text)")
    told = "same as --format json; with --explain the lines of the chain as a list"
    made.add_argument("--json", dest="format", action="store_const", const="json", help=told)
    made.add_argument("--rules", action="store_true", help="list all rules and stop")
    made.add_argument("--today", metavar="DATE", help="YYYY-MM-DD to hold stale_ok against (default: the tree's date)")
    return made


def main(argv: Sequence[str]) -> int:
    """Entry of the command; exit codes 0 (fine), 1 (problems), 2 (wrong usage)."""
    options = parser()
    arguments = options.parse_args(argv)
    if arguments.today is not None and not re.fullmatch(r"\d{4}-\d\d-\d\d", arguments.today):
        options.error(f"--today {arguments.today!r}: expected a date such as 2025-01-31")
    if arguments.explain is not None and arguments.format not in ("text", "json"):
        options.error(f"--explain goes with text and json, not with {arguments.format}")
    if arguments.rules:
        print("\n".join(f"{rule:16}{level:9}{says}" for rule, (level, says) in DATA_RULES.items()))
        return 0
    root = arguments.root.resolve()
    if arguments.explain is not None:
        return _explain(root, arguments.explain, arguments.format == "json")
    if not os.path.isdir(root / DATASETS):
        print(f"{root}: no folder {DATASETS}; name the repository with --root", file=sys.stderr)
        return 2
    tally = Tally(files=len(list((root / DATASETS).glob("*.json"))))
    found = (Located(problem, "data") for problem in check_datasets(root, arguments.today))
    WRITERS[arguments.format](found, tally, sys.stdout, TOOL)
    return int(tally.errors > 0)


def _explain(root: Path, name: str, as_json: bool) -> int:
    path = root / DATASETS / f"{name}.json"
    if not os.path.isfile(path) or path.parent != root / DATASETS:
        known = ", ".join(sorted(item.stem for item in (root / DATASETS).glob("*.json"))) or "none"
        print(f"{name}: no such dataset; known: {known}", file=sys.stderr)
        return 2
    faults = broken(root, name)
    for problem in faults:
        print(problem, file=sys.stderr)
    if faults:
        return 1
    lines = explain(root, name)
    print(json.dumps(lines, indent=1, ensure_ascii=False) if as_json else "\n".join(lines))
    return 0
