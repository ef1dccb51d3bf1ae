"""The case files of the guard: HTML with the findings it has to give, one file a rule.

A case begins with ``=== fail`` or ``=== pass``; lines ``--- rule line:column [<limit> line:column]`` after the HTML
are all findings expected. ``{NUL}`` stands for U+0000 and ``{DEEP n}`` for n nested ``<div>``.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from checks.html.elements import PARENTS
from checks.html.fragment import is_fragment

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    rule: str
    number: int
    fails: bool
    html: str
    expected: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.rule} #{self.number}"


def cases(folder: Path = FOLDER) -> list[Case]:
    """All cases of all files of a folder."""
    return [case for path in sorted(folder.glob("*.txt")) for case in _read(path)]


def _read(path: Path) -> list[Case]:
    found = []
    blocks = re.split(r"^=== (fail|pass)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for number, (kind, block) in enumerate(zip(blocks[1::2], blocks[2::2], strict=True), 1):
        lines = block.rstrip("\n").split("\n")
        html = "\n".join(line for line in lines if not line.startswith("--- "))
        html = html.replace("{NUL}", "\x00")
        html = re.sub(r"\{DEEP (\d+)\}", lambda m: "<div>" * int(m[1]) + "</div>" * int(m[1]), html)
        expected = tuple(line[4:] for line in lines if line.startswith("--- "))
        found.append(Case(path.stem, number, kind == "fail", html, expected))
    return found


def around(name: str) -> tuple[str, str]:
    """The tags that bring an element into a place where it is at home."""
    before = after = ""
    while name in PARENTS and name not in ("html", "head", "body"):
        name = PARENTS[name][-1] if name in ("tr", "optgroup") else PARENTS[name][0]
        name = "tbody" if name == "tfoot" else name
        before, after = f"<{name}>{before}", f"{after}</{name}>"
    return before, after


def as_page(html: str) -> str:
    """A fragment inside a minimal page; pages as they are."""
    if not is_fragment(html):
        return html
    return f"<!DOCTYPE html><html><head></head><body>{html}</body></html>"


def shared(name: str) -> Path | None:
    """A file beside the repository (``ZEROTH_SHARED`` or ``../shared``), or None where there is none."""
    root = Path(os.environ.get("ZEROTH_SHARED") or Path(__file__).parents[3] / "shared")
    path = root / name
    return path if path.exists() else None
