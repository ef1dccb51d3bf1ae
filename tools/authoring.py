"""Write the author's reference in docs/authoring.md from the code: ``python tools/authoring.py``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from render.reading import expressions  # noqa: E402
from render.reading.walkthroughs import FIELDS  # noqa: E402
from render.text.directives import DIRECTIVES  # noqa: E402
from render.text.roles import ROLES  # noqa: E402
from render.views.kinds.kind import kinds  # noqa: E402
from render.views.option_forms import Form  # noqa: E402
from render.views.registry import VIEWS  # noqa: E402
from render.views.tables import COLUMN  # noqa: E402
from render.views.view import COMMON  # noqa: E402

DOCUMENT = ROOT / "docs/authoring.md"
BEGIN, END = "<!-- reference: written by tools/authoring.py -->\n", "<!-- end of reference -->\n"


def reference() -> str:
    """Roles, directives, views with their options, kinds and functions, as Markdown."""
    parts = ["## Reference\n\n### Roles\n\n| role | prints |\n| --- | --- |\n"]
    parts += [f"| `{name}` | {_says(draw)} |\n" for name, draw in ROLES.items()]
    parts.append("\n### Directives\n\n| directive | draws |\n| --- | --- |\n")
    parts += [f"| `{name}` | {_says(draw)} |\n" for name, draw in DIRECTIVES.items() if name not in VIEWS]
    parts.append("\n### Views\n\nEvery view takes " + _options(COMMON) + "\n")
    for view in VIEWS.values():
        takes = f" of {view.takes}" if view.takes else ""
        needs = f" Needs {', '.join(f'`{name}`' for name in view.needs)}." if view.needs else ""
        parts.append(f"\n#### `{view.name}`{takes}\n\n{view.says}{needs}\n\n{_options(view.forms)}\n")
    parts.append(f"\nA column of `table` takes {_options(COLUMN)}\n")
    parts.append("\n### Kinds of walkthrough\n\n| kind | shows | control | states |\n| --- | --- | --- | --- |\n")
    parts += [
        f"| `{one.id}` | {one.shows} | {one.control} | {one.states[0]} to {one.states[1]} |\n"
        for one in kinds().values()
    ]
    fields = ", ".join(f"`{field.name}`" + ("" if field.required else " (optional)") for field in FIELDS)
    parts.append(f"\nFront matter of a walkthrough: {fields}.\n\n### Functions of expressions\n\n")
    parts.append(f"Of numbers: {_names(expressions.FUNCTIONS)}. Of a quoted selector: {_names(expressions.OVER)}.\n\n")
    return "".join(parts)


def _says(draw: Callable[..., Any]) -> str:
    """The first sentence of what draws it."""
    return " ".join((inspect.getdoc(draw) or "").split("\n\n")[0].split()).replace("|", "\\|")


def _options(forms: Mapping[str, Form]) -> str:
    return "; ".join(f"`{name}` ({form.words})" for name, form in forms.items()) + "."


def _names(table: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in table)


def rewritten(text: str) -> str:
    """The document with its reference as the code has it."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{DOCUMENT.name}: the markers of the reference are missing")
    return f"{head}{BEGIN}\n{reference()}{END}{tail}"


if __name__ == "__main__":
    DOCUMENT.write_text(rewritten(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
