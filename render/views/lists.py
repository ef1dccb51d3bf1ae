"""Views of order: a ranking, a grid of values by two things, and the row and column of one of its cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from render.views import kit
from render.views.kinds import matrix
from render.views.option_forms import CONDITIONS, DIGITS, EACH, LABEL, LIST, ROLE, TEXT, TRUTH, VALUE, WORDS
from render.views.selecting import Node, SelectionError
from render.views.view import Asked, Row, View, as_number
from render.views.wording import Format, Teller, plain

_EACH = re.compile(r"([a-z_]\w*) in (.+)")
_AXIS = {"down": EACH, "across": EACH, "down_label": LABEL, "across_label": LABEL, "corner": TEXT}
_CELL = {"value": VALUE, "digits": DIGITS, "percent": TRUTH, "unit": TEXT, "words": WORDS}


def _ranks(asked: Asked) -> Markup:
    entries = [_rank(row) for row in asked.rows]
    if not entries:
        raise SelectionError(f"`{asked.selector}` has no rank to list")
    return kit.rank_list(entries, title=asked.plain("title"))


def _rank(row: Row) -> kit.Rank:
    given, bound = row.options, row.teller.bound
    move = bound.value(str(given["move"])) if "move" in given else None
    score = row.teller.told(str(given["score"]), Format(given.get("digits"))) if "score" in given else Markup("")
    note = row.teller.word(given["note"], None) if given.get("note") in bound.words else row.text("note")
    return kit.Rank(
        int(as_number(bound.value(str(given.get("rank", "rank"))), "rank")),
        row.label(),
        score,
        row.role(),
        note,
        None if move is None else int(as_number(move, str(given.get("move")))),
        bool(given.get("shade")) and bound.meets(str(given["shade"])),
    )


class Axis:
    """One axis of a grid, written ``name in selector``: its records, what binds them, and what they are called."""

    def __init__(self, asked: Asked, which: str) -> None:
        found = _EACH.fullmatch(str(asked.options[which]))
        if found is None:
            raise ValueError(f"`{which}` is {asked.options[which]!r}: expected `name in selector`")
        self.teller, self.name = asked.teller, found[1]
        self.nodes = asked.teller.bound.records(found[2])
        self.label = str(asked.options.get(f"{which}_label", f"{{at}}`{self.name}|plain`"))

    def at(self, teller: Teller, node: Node) -> Teller:
        """The names with this axis at one of its records."""
        return replace(teller, bound=teller.bound.bind(self.name, node))

    @property
    def words(self) -> list[str]:
        """What the records are called."""
        return [plain(self.at(self.teller, node).text(self.label)) for node in self.nodes]

    @property
    def here(self) -> int:
        """The position of the record that the name is bound to already, as a dial binds it."""
        pointer = self.teller.bound.node(self.name).pointer
        return [node.pointer for node in self.nodes].index(pointer)


def _values(asked: Asked, down: Axis, across: Axis) -> list[list[Teller]]:
    return [[across.at(down.at(asked.teller, row), column) for column in across.nodes] for row in down.nodes]


def _shown(asked: Asked, cells: Sequence[Sequence[Teller]]) -> list[list[Any]]:
    given = asked.options
    form = Format(given.get("digits"), bool(given.get("percent")), str(given.get("unit", "")), given.get("words", ""))
    return [[teller.key(str(given["value"]), form) for teller in line] for line in cells]


def _grid(asked: Asked) -> Markup:
    down, across = Axis(asked, "down"), Axis(asked, "across")
    cells = _values(asked, down, across)
    title, note = asked.plain("title"), asked.text("note")
    if asked.options.get("heat"):
        source = str(asked.options["value"])
        numbers = [[as_number(teller.bound.value(source), source) for teller in line] for line in cells]
        digits = asked.options.get("digits", 2)
        return kit.heat(down.words, across.words, numbers, title=title, digits=digits, note=note)
    lines = [[word, *line] for word, line in zip(down.words, _shown(asked, cells), strict=True)]
    numeric = all(cell.startswith("<data") for line in lines for cell in line[1:2])
    heads = [kit.Col(asked.plain("corner")), *(kit.Col(word, numeric=numeric) for word in across.words)]
    shade = str(asked.options.get("shade", ""))
    classes = ["is-on" if shade and line[0].bound.meets(shade) else "" for line in cells]
    return kit.table(heads, lines, title=title, note=note, row_classes=classes)


def _readout(asked: Asked) -> Markup:
    down, across = Axis(asked, "down"), Axis(asked, "across")
    shown = _shown(asked, _values(asked, down, across))
    names = [asked.plain(f"{which}_name") for which in ("down", "across")]
    place = (down.here, across.here)
    return matrix.readout((names[0], down.words), (names[1], across.words), shown, place, what=asked.plain("what"))


RANKS = View(
    "ranks", "A ranking: each result with its rank, its score and how far it moved.", "records",
    {"rows": LIST, "rank": VALUE, "label": LABEL, "words": WORDS, "score": VALUE, "digits": DIGITS,
     "role": ROLE, "note": TEXT, "move": VALUE, "shade": CONDITIONS, "title": TEXT},
    _ranks, ("title", "label"),
)  # fmt: skip
GRID = View(
    "grid", "One value for every pair of two things, as a table, shaded where `heat` is true.", "",
    {**_AXIS, **_CELL, "heat": TRUTH, "shade": CONDITIONS, "title": TEXT, "note": TEXT}, _grid,
    ("down", "across", "value", "title"),
)  # fmt: skip
READOUT = View(
    "readout", "The row and the column of the cell of a grid at which the dials are.", "",
    {**_AXIS, **_CELL, "down_name": TEXT, "across_name": TEXT, "what": TEXT}, _readout,
    ("down", "across", "value", "down_name", "across_name", "what"),
)  # fmt: skip
