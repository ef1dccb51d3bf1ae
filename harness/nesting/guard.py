"""The HTML guard asked as anybody would ask it: a page on standard input, JSON back.

It is a program of the layer above, so it is run, not imported; its files are inputs of the capture.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.errors import HarnessError
from harness.paths import ROOT

COMMAND = ("-m", "checks", "html", "--json", "-")
Verdict = Literal["unstable", "non-conforming", "clean"]


@dataclass(frozen=True)
class Answer:
    """What the guard says of one page: its gravest verdict, the ids of the broken rules, the first message and fix."""

    verdict: Verdict
    rules: tuple[str, ...]
    message: str
    fix: str


def ask(page: str) -> Answer:
    """The guard's answer for a whole page; HarnessError when it does not end as it should."""
    done = subprocess.run(
        [sys.executable, *COMMAND], input=page, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False
    )
    if done.returncode not in (0, 1):
        raise HarnessError(f"python {' '.join(COMMAND)} ended with exit code {done.returncode}: {done.stderr.strip()}")
    try:
        problems = json.loads(done.stdout)["problems"]
    except ValueError as error:
        raise HarnessError(f"python {' '.join(COMMAND)} gave no JSON: {done.stderr.strip()[-200:]}") from error
    verdicts = {problem["verdict"] for problem in problems}
    gravest: Verdict = "unstable" if "unstable" in verdicts else "non-conforming" if verdicts else "clean"
    first = problems[0] if problems else {"message": "", "fix": ""}
    rules = tuple(dict.fromkeys(problem["rule"] for problem in problems))
    return Answer(gravest, rules, first["message"], first["fix"])


def files() -> list[Path]:
    """The guard's own files under the repository, in path order."""
    found = sorted((ROOT / "checks" / "html").glob("*.py"))
    return [path.relative_to(ROOT) for path in [*found, ROOT / "checks" / "problems.py"]]
