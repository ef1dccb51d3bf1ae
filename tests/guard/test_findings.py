"""What the guard says of random documents full of mistakes, finding by finding, against ``findings.txt``.

Whether documents are stable is held against other parsers elsewhere; here every place, limit and detail counts. After
a change that is meant: ``python -m tests.guard.test_findings`` writes the file again, and its difference is to be read.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checks.html.guard import Guard
from checks.html.states import DOCUMENT, FRAGMENT, state_of
from tests.guard.generator import Generator
from tests.guard.guard_cases import cases

RECORD = Path(__file__).parent / "findings.txt"
TELLING = Path(__file__).parent / "telling.txt"
"""Small documents, one a line as JSON strings: each tells the guard from one with some condition changed."""
SEEDS = (*range(0, 3000, 11), 287, 587, 992, 1125, 1446, 2359)
RATES = (0.03, 0.15, 0.3)
PARTS = 10


def findings(text: str) -> list[str]:
    """One line a finding: rule, offset, element, what limits it and where, what is between, detail."""
    lines = []
    for one in Guard(text).run():
        limit = f" < {one.other}@{one.other_offset}" if one.other else ""
        through = "".join(f" {name}@{offset}" for name, offset in one.through)
        lines.append(f"{one.offset} {one.rule} {one.element}{limit}{through}{f' ({one.detail})' if one.detail else ''}")
    return lines


def telling() -> list[str]:
    return [json.loads(line) for line in TELLING.read_text(encoding="utf-8").splitlines()]


def texts() -> dict[str, str]:
    """The documents by name: random ones, those of the case files, and small telling ones."""
    own = {str(case): case.html for case in cases() if case.rule != "nesting-too-deep"}
    small = {f"telling {json.dumps(text)}": text for text in telling()}
    return {**{f"seed {seed}": Generator(seed, RATES[seed % 3]).document() for seed in SEEDS}, **own, **small}


def forget() -> None:
    """Let the guard forget what it learnt from earlier texts: the outcome of a tag in a state."""
    state_of.cache_clear()
    for state in (DOCUMENT, FRAGMENT):
        state.after.clear()


def recorded() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in RECORD.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            lines.append(line.strip())
        else:
            lines = found[line] = []
    return found


def test_the_record_holds_every_document() -> None:
    assert list(recorded()) == list(texts())


@pytest.mark.parametrize("part", range(PARTS))
def test_every_finding_in_a_document_is_as_recorded_also_the_second_time(part: int) -> None:
    known = recorded()
    for name, text in list(texts().items())[part::PARTS]:
        forget()
        for _ in range(2):
            assert findings(text) == known[name], name


if __name__ == "__main__":
    told = (f"{name}\n" + "".join(f"  {line}\n" for line in findings(text)) for name, text in texts().items())
    RECORD.write_text("".join(told), encoding="utf-8")
