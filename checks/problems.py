"""One finding of a guard: where, which rule, what is wrong, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

Level = Literal["error", "warning"]
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, order=True)
class Problem:
    """A finding. ``line`` and ``column`` count from 1; ``line`` 0 means the file as a whole."""

    path: str
    line: int
    column: int
    rule: str
    message: str
    fix: str = ""
    level: Level = "error"

    def __str__(self) -> str:
        path = _on_one_line(self.path)
        place = path if self.line == 0 else f"{path}:{self.line}:{self.column}"
        fix = f"\n    fix: {_on_one_line(self.fix)}" if self.fix else ""
        return f"{place}: {self.level} [{self.rule}] {_on_one_line(self.message)}{fix}"

    def as_dict(self) -> dict[str, object]:
        """The finding as plain JSON-ready values."""
        return asdict(self)


def _on_one_line(text: str) -> str:
    # A page's own text must neither begin a line, which GitHub may take for a command, nor steer a terminal.
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


class Unreadable(Exception):
    """A file without which nothing can go on: it carries the finding that a caller reports in one line."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def errors(problems: Iterable[Problem]) -> list[Problem]:
    """Only the findings that must fail a run."""
    return [problem for problem in problems if problem.level == "error"]
