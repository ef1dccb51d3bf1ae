"""The HTML guard asked as anybody would ask it: a folder of pages on its command line, JSON back.

It is a program of the layer above, so it is run, not imported; its files are inputs of the capture.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.errors import HarnessError
from harness.paths import ROOT

COMMAND = ("-m", "checks", "html", "--json")
Verdict = Literal["unstable", "non-conforming", "clean"]


@dataclass(frozen=True)
class Answer:
    """What the guard says of one page: its gravest verdict, the ids of the broken rules, the first message and fix."""

    verdict: Verdict
    rules: tuple[str, ...]
    message: str
    fix: str


def ask(pages: Mapping[str, str]) -> dict[str, Answer]:
    """The guard's answer for every page, by the page's name; HarnessError when it does not end as it should."""
    with tempfile.TemporaryDirectory(prefix="zeroth-nesting-") as folder:
        for name, page in pages.items():
            (Path(folder) / f"{name}.html").write_text(page, "utf-8")
        command = [sys.executable, *COMMAND, folder]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False)
    said = f"python {' '.join(COMMAND)}"
    if done.returncode not in (0, 1):
        raise HarnessError(f"{said} ended with exit code {done.returncode}: {done.stderr.strip()[-200:]}")
    try:
        answer = json.loads(done.stdout)
    except ValueError as error:
        raise HarnessError(f"{said} gave no JSON: {done.stderr.strip()[-200:]}") from error
    if answer["files"] != len(pages):
        raise HarnessError(f"{said} read {answer['files']} pages, expected {len(pages)}")
    problems: dict[str, list[Mapping[str, Any]]] = {name: [] for name in pages}
    for problem in answer["problems"]:
        problems[Path(problem["path"]).stem].append(problem)
    return {name: _answer(found) for name, found in problems.items()}


def _answer(problems: Sequence[Mapping[str, Any]]) -> Answer:
    verdicts = {problem["verdict"] for problem in problems}
    gravest: Verdict = "unstable" if "unstable" in verdicts else "non-conforming" if verdicts else "clean"
    first = problems[0] if problems else {"message": "", "fix": ""}
    rules = tuple(dict.fromkeys(problem["rule"] for problem in problems))
    return Answer(gravest, rules, first["message"], first["fix"])


def files() -> list[Path]:
    """The guard's own files under the repository, in path order."""
    found = sorted((ROOT / "checks" / "html").glob("*.py"))
    return [path.relative_to(ROOT) for path in [*found, ROOT / "checks" / "problems.py"]]
