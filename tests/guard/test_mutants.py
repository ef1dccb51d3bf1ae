"""Changed conditions break tests: some of them, chosen by their hash. ``make mutants`` takes all."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def mutate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools/mutate.py"), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900)


@pytest.mark.sweep
def test_changed_conditions_of_the_guards_break_tests() -> None:
    done = mutate("--sample", "30", "--verbose")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "30 mutants: 30 broken by a test" in done.stdout
    assert len(re.findall("^broken .*::test_", done.stdout, re.MULTILINE)) > 20  # the others end the process


def test_a_change_that_no_test_notices_fails_the_run_and_is_told_with_its_place() -> None:
    done = mutate("--trust", "checks/csp.py", "--tests", "tests/test_layers.py", "--sample", "2")
    assert done.returncode == 1, done.stderr
    assert re.fullmatch(r"(survived: checks/csp\.py:\d+ in .*\n){2}2 mutants: .* 2 survived\n", done.stdout)
