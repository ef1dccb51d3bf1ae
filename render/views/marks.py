"""Marks: what a role (lexical, dense, fused, permitted, discarded, exact, approx) looks like and is called everywhere.

A role has one colour (a class of ``site.css``), one shape and one word. Never the colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from render.numbers import number_text
from render.views.figures import data_value

#: What a role is called where it is named alone.
ROLES: dict[str, str] = {
    "lexical": "lexical",
    "dense": "dense",
    "fused": "fused",
    "permitted": "permitted",
    "discarded": "discarded",
    "exact": "exact",
    "approx": "approximate",
}

#: The shape of a role in a 10 × 10 box; the stroked ones are lines, the others are filled.
SHAPES: dict[str, str] = {
    "lexical": '<rect x="1" y="1" width="8" height="8"></rect>',
    "dense": '<circle cx="5" cy="5" r="4.2"></circle>',
    "fused": '<path d="M5 0 10 5 5 10 0 5Z"></path>',
    "permitted": '<path class="stroke" d="M1 5.5 4 8.5 9 1.5"></path>',
    "discarded": '<path class="stroke" d="M1.5 1.5 8.5 8.5M8.5 1.5 1.5 8.5"></path>',
    "exact": '<path class="stroke" d="M5 0V10M0 5H10"></path>',
    "approx": '<path d="M5 .5 9.8 9.2H.2Z"></path>',
}


def data(value: int | float, digits: int | None = None, unit: str = "") -> Markup:
    """A number with its machine value: ``data(0.98512, 3)`` → ``<data value="0.98512">0.985</data>``."""
    tail = Markup(' <span class="unit">{}</span>').format(unit) if unit else Markup("")
    return data_value(value, number_text(value, digits)) + tail


def shape(role: str) -> Markup:
    """The shape of a role as a small SVG, hidden from readers of text (a word always stands beside it)."""
    return Markup(
        '<svg class="shape {}" viewBox="0 0 10 10" width="11" height="11" aria-hidden="true" focusable="false">{}</svg>'
    ).format(role, Markup(SHAPES[role]))


def mark(role: str, text: str = "") -> Markup:
    """A role in words with its shape and colour: ``mark("lexical")``, ``mark("discarded", "another tenant")``."""
    return Markup('<span class="mark {}">{}{}</span>').format(role, shape(role), text or ROLES[role])


def legend(roles: Sequence[str | tuple[str, str]]) -> Markup:
    """What the marks of a figure mean: ``legend(["lexical", ("dense", "dense (MiniLM)")])``."""
    pairs = [role if isinstance(role, tuple) else (role, ROLES[role]) for role in roles]
    entries = Markup("").join(Markup("<li>{}</li>").format(mark(role, text)) for role, text in pairs)
    return Markup('<ul class="legend" aria-label="Legend">{}</ul>').format(entries)


def caption(text: str | Markup) -> Markup:
    """A ``<figcaption>``, or nothing for an empty text."""
    return Markup("<figcaption>{}</figcaption>").format(text) if text else Markup("")


def class_attribute(cls: str) -> Markup:
    """`` class="…"``, or nothing."""
    return Markup(' class="{}"').format(cls) if cls else Markup("")
