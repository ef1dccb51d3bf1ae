"""Mutation of the guards: ``python tools/mutate.py [checks/links.py …]`` runs the tests of a module once a mutant.

Every changed condition (tools/mutants.py) has to break a test, or stand in tools/equivalents.txt with the reason why no
test can tell the difference. Prints the survivors with file and line and ends with 1 if there are any, or if the list
names a mutant that is none or that a test breaks. ``--sample N --seed S`` takes N of all mutants by their hash.

Tests that start processes of their own do not see the change (tools/mutation.py) and are left out; so is what needs a
browser.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from mutants import Module, Mutant
from mutation import ROOT, Outcome, Runner

EQUIVALENTS = ROOT / "tools/equivalents.txt"
_OUTER = ("cli", "config", "encoding", "files", "messages", "rule")
TESTS = (
    ("checks/html/roundtrip.py", (), ("use", "round_trip", "cases")),
    ("checks/html/written.py", ("written", "use"), ("cases",)),
    ("checks/html/report.py", ("report", "use"), ("command", "folder_cli")),
    *(
        (f"checks/html/{name}", ("command", "encoding", "messages", "use"), ("folder_cli", "reuse", "cases"))
        for name in _OUTER
    ),
    (
        "checks/html/",
        ("findings", "cases", "fragment", "memory", "matrix", "messages", "command", "encoding", "use"),
        ("round_trip",),
    ),
    ("checks/a11y/", ("site_cases", "names"), ()),
    ("checks/csp.py", ("site_cases",), ()),
    ("checks/noscript.py", ("site_cases",), ("budget",)),
    ("checks/addresses.py", ("budget", "folder_cli"), ("tests/site/test_links.py",)),
    ("checks/links.py", ("tests/site/test_links.py", "folder_cli"), ()),
    ("checks/budget.py", ("budget", "folder_cli"), ()),
    ("checks/styles.py", ("budget",), ()),
    ("checks/pages.py", ("reading", "site_cases", "names"), ("tests/site/test_links.py", "budget")),
    ("checks/numbers.py", ("tests/site/test_numbers.py",), ()),
    ("checks/prose.py", ("tests/site/test_numbers.py",), ()),
    ("checks/allowed.py", ("tests/site/test_allowed.py",), ()),
    ("checks/settings.py", ("tests/site/test_allowed.py", "unused"), ()),
    ("checks/unused.py", ("unused",), ()),
    ("checks/ids.py", ("tests/site/test_published_ids.py",), ()),
    *((f"checks/{name}.py", ("facts", "site_guards"), ()) for name in ("facts", "site_files")),
    ("checks/data", ("tests/provenance/test_data_guard_words.py", "tests/provenance/test_data_guard.py"), ()),
    ("checks/", ("folder_cli", "site_guards", "use"), ("site_cases",)),
)
"""Tests of the modules whose path begins so, quick ones and, for what survives them, slow ones; the first line counts.
A bare name is that of tests/guard/test_NAME.py."""
SLOW = (
    "reader_that_stops_early or imports_nothing_but or imports_neither or two_thousand_files or ten_thousand"
    " or installed or the_action_annotates"
)
UNMUTATED = ("checks/html/unstable_rules.py", "checks/html/content_rules.py", "checks/catalogue.py")
"""Declarations of text: nothing in them is a condition."""


def modules(given: Sequence[str]) -> list[str]:
    """The modules to be mutated, by path from the root."""
    found = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "checks").rglob("*.py"))
    found = [path for path in found if path not in UNMUTATED and not path.endswith("__.py")]
    return [path for path in found if not given or any(path.startswith(one.removesuffix("/")) for one in given)]


def tests_of(path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The test files that are to notice a change of this module: the quick ones, and the rest."""
    quick, slow = next((quick, slow) for start, quick, slow in TESTS if path.startswith(start))
    return tuple(map(_file, quick)), tuple(map(_file, slow))


def _file(name: str) -> str:
    return name if "/" in name else f"tests/guard/test_{name}.py"


def sampled(mutants: Sequence[Mutant], count: int, seed: str) -> list[Mutant]:
    """``count`` of the mutants, chosen by the hash of seed and key: the same ones until they are edited."""
    return sorted(mutants, key=lambda one: hashlib.sha256(f"{seed} {one.key}".encode()).digest())[:count]


def equivalents() -> dict[str, str]:
    """The mutants that no test can tell from the original, each with the reason."""
    found: dict[str, str] = {}
    for line in EQUIVALENTS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            key, _, reason = line.partition(" || ")
            if not reason:
                raise SystemExit(f"{EQUIVALENTS}: no reason given ( || …): {line}")
            found[key] = reason
    return found


def run(
    mutants: Sequence[tuple[Module, Mutant]], tests: Sequence[str] = (), progress: bool = False, trust: bool = False
) -> Iterator[Outcome]:
    """The outcome of each mutant under its own tests, or under ``tests``.

    SystemExit when these fail without a mutant (``trust``: it is known that they do not).
    """
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[Module, Mutant]]] = {}
    for module, mutant in mutants:
        files = (tuple(tests), ()) if tests else tests_of(module.path)
        groups.setdefault(files, []).append((module, mutant))
    for files, group in groups.items():
        left = group
        for some in filter(None, files):
            outcomes = _under(some, left, progress, trust)
            yield from (one for one in outcomes if one.killed_by)
            alive = {one.mutant.key for one in outcomes if not one.killed_by}
            left = [one for one in left if one[1].key in alive]
            if not left:
                break
        yield from (Outcome(mutant, "") for _, mutant in left)


def _under(tests: Sequence[str], group: Sequence[tuple[Module, Mutant]], progress: bool, trust: bool) -> list[Outcome]:
    runner = Runner(group, progress, trust)
    options = ["-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:terminal", "-c", str(ROOT / "pyproject.toml")]
    options += ["-m", "not browser", "-k", f"not ({SLOW})", "--rootdir", str(ROOT)]
    pytest.main([*options, *(str(ROOT / test) for test in tests)], plugins=[runner])
    if runner.broken or len(runner.outcomes) < len(group):
        raise SystemExit(f"the tests fail without any change: {runner.broken or ', '.join(tests)}")
    return runner.outcomes


def main(argv: Sequence[str] | None = None) -> int:
    """The command; 1 with survivors or a wrong list, 0 without."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("modules", nargs="*", help="paths such as checks/links.py or checks/html (default: all)")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants, chosen by hash")
    parser.add_argument("--seed", default="", help="what else the choice hangs on")
    parser.add_argument("--tests", nargs="+", metavar="FILE", help="these tests instead of the module's own")
    parser.add_argument("--trust", action="store_true", help="do not run the tests without a change first")
    parser.add_argument("--verbose", action="store_true", help="print what became of every mutant as it goes")
    parser.add_argument("--list", action="store_true", help="list the mutants and stop")
    options = parser.parse_args(argv)
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    read = {path: Module(ROOT, path) for path in modules(options.modules)}
    known = equivalents()
    mutants = [one for module in read.values() for one in module.mutants]
    wrong = [f"{key}: no such mutant" for key in sorted(known.keys() - {one.key for one in mutants})]
    if options.sample:
        mutants = sampled([one for one in mutants if one.key not in known], options.sample, options.seed)
    if options.list:
        print("\n".join(map(str, mutants)))
        return 0
    chosen = [(read[one.path], one) for one in mutants]
    outcomes = list(run(chosen, options.tests or (), options.verbose, options.trust))
    survivors = [one.mutant for one in outcomes if not one.killed_by]
    wrong = [] if options.modules else wrong
    wrong += [
        f"{one.mutant}: broken by {one.killed_by}" for one in outcomes if one.mutant.key in known and one.killed_by
    ]
    for mutant in survivors:
        if mutant.key not in known:
            print(f"survived: {mutant}")
    for line in wrong:
        print(f"{EQUIVALENTS.name}: {line}")
    new = [one for one in survivors if one.key not in known]
    told = f"{len(outcomes) - len(survivors)} broken by a test, {len(survivors) - len(new)} equivalent"
    print(f"{len(outcomes)} mutants: {told}, {len(new)} survived")
    return int(bool(new or wrong))


if __name__ == "__main__":
    sys.exit(main())
