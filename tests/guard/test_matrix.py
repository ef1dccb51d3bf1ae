"""What the guard says of every known element in every other, by rule, against ``matrix.txt``.

Whether the trees are stable is held against turbohtml for nearly all pairs of the first family (test_round_trip.py);
here the content models count as well, and the record tells of changes only. After a change that is meant:
``python -m tests.guard.test_matrix`` writes the file again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.html.elements import KNOWN
from checks.html.guard import Guard
from tests.guard.guard_cases import around

RECORD = Path(__file__).parent / "matrix.txt"
NAMES = sorted(
    KNOWN | {"image", "plaintext", "svg", "math", "x-y", "foreignobject", "desc", "g", "mi", "mtext", "annotation-xml"}
)
FAMILIES = {
    "child": "{before}<{name}><{other}></{other}></{name}>{after}",
    "below": "{before}<{name}><div><i><{other}></{other}></i></div></{name}>{after}",
    "beside": "{before}<{name}>a<{other}>b</{other}>{after}",
    "end": "<{other}>{before}<{name}>a</{other}>",
    "again": "{before}<{name}><{other}><{name}></{name}></{other}></{name}>{after}",
}
SOME = {
    "end": ["a", "b", "dd", "li", "option", "p", "rb", "rt", "td"],
    "again": ["a", "b", "button", "dd", "form", "h1", "li", "nobr", "option", "p", "ruby", "select"],
}
"""The elements that a family is about, where not all are."""
PARTS = 16


def told(family: str, name: str) -> dict[str, str]:
    """For each other element the rules that are broken, in order, in one text."""
    before, after = around(name)
    found = {}
    for other in NAMES:
        text = FAMILIES[family].format(name=name, other=other, before=before, after=after)
        page = f"<!DOCTYPE html><html><head><title>t</title></head><body>{text}</body></html>"
        found[other] = " ".join(one.rule for one in Guard(page).run()) or "-"
    return found


def groups(family: str, name: str) -> tuple[str, ...]:
    """What is told of most other elements, then of the rest, alike ones together: a line each."""
    found: dict[str, list[str]] = {}
    for other, rules in told(family, name).items():
        found.setdefault(rules, []).append(other)
    first, *rest = sorted(found, key=lambda rules: (-len(found[rules]), rules))
    return first, *(f"  {' '.join(found[rules])}: {rules}" for rules in rest)


def record() -> dict[str, tuple[str, ...]]:
    """The recorded lines by family and name; names of which the same is told share a block."""
    found: dict[str, tuple[str, ...]] = {}
    for block in re.split(r"\n(?! )", RECORD.read_text(encoding="utf-8").rstrip("\n")):
        head, *rest = block.split("\n")
        names, _, first = head.partition(": ")
        family, *alike = names.split(" ")
        found |= {f"{family} {name}": (first, *rest) for name in alike}
    return found


def written() -> Iterator[str]:
    """The text of the record."""
    for family in FAMILIES:
        blocks: dict[tuple[str, ...], list[str]] = {}
        for name in SOME.get(family, NAMES):
            blocks.setdefault(groups(family, name), []).append(name)
        for (first, *rest), names in blocks.items():
            yield "".join(f"{line}\n" for line in (f"{family} {' '.join(names)}: {first}", *rest))


KEYS = [f"{family} {name}" for family in FAMILIES for name in SOME.get(family, NAMES)]


def test_the_record_holds_every_element_of_every_family() -> None:
    assert sorted(record()) == sorted(KEYS)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.sweep) for part in range(1, PARTS))])
def test_what_is_told_of_each_element_in_each_other_is_as_recorded(part: int) -> None:
    known = record()
    for key in KEYS[part::PARTS]:
        assert groups(*key.split(" ")) == known[key], key


if __name__ == "__main__":
    RECORD.write_text("".join(written()), encoding="utf-8")
