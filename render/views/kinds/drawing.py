"""What the drawings of all kinds share: an SVG with title and description, lettering, the frame of a figure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from render.views.marks import caption

WIDTH = 480

#: Width of a letter in drawing units at the larger lettering of narrow screens.
LETTER = 8.2


def drawing(width: float, height: float, *, title: str, desc: str, inner: Markup, cls: str = "") -> Markup:
    """An SVG of ``width`` × ``height`` units that scales with its column, named and described without ids."""
    return Markup(
        '<svg class="drawing{cls}" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
        'aria-label="{title}. {desc}"><title>{title}</title><desc>{desc}</desc>{inner}</svg>'
    ).format(cls=f" {cls}" if cls else "", w=number(width), h=number(height), title=title, desc=desc, inner=inner)


def number(value: float) -> str:
    """A coordinate with one decimal at most: 12.0 prints as 12."""
    return f"{round(value, 1):g}"


def text(x: float, y: float, words: str, *, anchor: str = "start", cls: str = "") -> Markup:
    """Lettering at (x, y)."""
    attributes = Markup(' class="{}"').format(cls) if cls else Markup("")
    return Markup('<text{} x="{}" y="{}" text-anchor="{}">{}</text>').format(
        attributes, number(x), number(y), anchor, words
    )


def path(d: str, cls: str) -> Markup:
    """A stroked path."""
    return Markup('<path class="{}" d="{}"></path>').format(cls, d)


def figure(kind: str, title: str, body: Sequence[Markup], *, note: str | Markup = "") -> Markup:
    """The figure around a drawing, its legend and its table; ``kind`` is its class."""
    return Markup('<figure class="chart {}"><p class="chart-title">{}</p>{}{}</figure>').format(
        kind, title, Markup("").join(body), caption(note)
    )


def folded(table: Markup, summary: str = "Data table") -> Markup:
    """A table behind a summary, as charts carry theirs."""
    return Markup('<details class="chart-data"><summary>{}</summary>{}</details>').format(summary, table)
