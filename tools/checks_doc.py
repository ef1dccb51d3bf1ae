"""Write the tables of rules in docs/checks.md from the code: ``python tools/checks_doc.py``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from checks.catalogue import sections  # noqa: E402

DOCUMENT = ROOT / "docs/checks.md"
BEGIN, END = "<!-- rules: written by tools/checks_doc.py -->\n", "<!-- end of rules -->\n"


def tables() -> str:
    """The sections of all guards as Markdown."""
    parts = []
    for section in sections():
        parts.append(
            f"### {section.title}\n\n`{section.command}` · {section.looks}\n\n| rule | level | says |\n|---|---|---|\n"
        )
        parts += [f"| `{rule.id}` | {rule.level} | {_cell(rule.explains)} |\n" for rule in section.rules]
        parts.append("\n")
    return "".join(parts)


def _cell(text: str) -> str:
    """Text that Markdown shows as it is: tags and bars escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")


def rewritten(text: str) -> str:
    """The document with its tables as the code has them."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{DOCUMENT.name}: the markers of the tables are missing")
    return f"{head}{BEGIN}\n{tables()}{END}{tail}"


if __name__ == "__main__":
    DOCUMENT.write_text(rewritten(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
