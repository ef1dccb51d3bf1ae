"""What ``make test`` leaves to ``make test-all`` is written down: docs/tests.md names each such test, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def sweeps() -> Iterator[tuple[str, str]]:
    """File and name of each test with a decorator that says ``sweep``."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any("sweep" in ast.unparse(one) for one in node.decorator_list):
                yield path.relative_to(ROOT).as_posix(), node.name


def test_the_list_of_what_make_test_leaves_out_is_what_the_marker_says() -> None:
    text = (ROOT / "docs/tests.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- `(tests/[^`]+)::(test_\w+)`", text, re.MULTILINE)
    assert sorted(listed) == sorted(sweeps())


def test_make_test_leaves_out_the_sweeps_and_make_test_all_nothing() -> None:
    recipes = (ROOT / "Makefile").read_text(encoding="utf-8").split("\n\n")
    one, every = (next(text for text in recipes if text.startswith(f"{name}:")) for name in ("test", "test-all"))
    assert '$(PYTEST) -m "not sweep"' in one and every.endswith("\t$(PYTEST)")
