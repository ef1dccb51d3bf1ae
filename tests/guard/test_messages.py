"""The sentences of the findings, word for word, against ``messages.txt``: each rule with and without limit and detail.

After a change that is meant: ``python -m tests.guard.test_messages`` writes the file again.
"""

from __future__ import annotations

from pathlib import Path

from checks.html import inspect
from checks.html.findings import Finding
from checks.html.guard import Guard
from checks.html.messages import Positions, locate
from tests.guard.guard_cases import cases

RECORD = Path(__file__).parent / "messages.txt"


def messages() -> list[str]:
    """One finding a line for every rule and shape: rule, place, message, remedy, related elements."""
    seen, lines = set(), []
    for case in cases():
        findings, located = Guard(case.html).run(), inspect(case.html, "a.html")
        for finding, one in zip(findings, located, strict=True):
            shape = (finding.rule, bool(finding.other), finding.other_offset >= 0, len(finding.through) > 0)
            if (*shape, bool(finding.detail)) not in seen:
                seen.add((*shape, bool(finding.detail)))
                related = "".join(f" [{r.role} {r.element} {r.line}:{r.column}]" for r in one.related)
                lines.append(f"{one.problem} ({one.verdict}){related}".replace("\n", "\\n"))
    return sorted(lines)


def test_every_message_is_as_recorded() -> None:
    assert messages() == RECORD.read_text(encoding="utf-8").splitlines()


def test_a_sentence_about_an_element_that_is_not_found_has_words_in_its_place() -> None:
    problem = locate(Finding(0, "flow-in-p", "<div>"), "a.html", "error", Positions("<div>")).problem
    assert problem.message.startswith("<div> cannot be inside this element;")
    assert problem.fix.startswith("end the paragraph before <div>, or make the parent a <div>")


if __name__ == "__main__":
    RECORD.write_text("".join(f"{line}\n" for line in messages()), encoding="utf-8")
