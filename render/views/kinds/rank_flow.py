"""Rank flow: the same results in several rankings, each with its rank, its score and how far it moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.views.kinds.kind import Kind
from render.views.marks import ROLES, class_attribute, shape

KIND = Kind("rank-flow", "Rank flow", "How results move from one ranking to another.")


@dataclass(frozen=True)
class Rank:
    """One line of a ranking. ``move`` is places gained since the step before (positive is up, ``None`` unsaid)."""

    rank: int
    label: str | Markup
    score: str | Markup = ""
    role: str = ""
    note: str | Markup = ""
    move: int | None = None
    on: bool = False


def rank_list(entries: Sequence[Rank], *, title: str) -> Markup:
    """A ranking as an ordered list; a missing rank is left out of the list, never counted as 0.

    Example: ``rank_list([Rank(1, "RFC 8446 §4.2", data(0.0325, 4), "fused", move=2)], title="Fused list")``
    """
    lines = Markup("").join(_rank_line(entry) for entry in entries)
    return Markup(
        '<div class="rank-list"><p class="pair-title">{0}</p><ol class="ranks" aria-label="{0}">{1}</ol></div>'
    ).format(title, lines)


def _rank_line(entry: Rank) -> Markup:
    cls = " ".join(part for part in (entry.role, "is-on" if entry.on else "") if part)
    icon = shape(entry.role) + Markup(" ") if entry.role in ROLES else Markup("")
    note = Markup('<span class="rank-note">{}</span>').format(entry.note) if entry.note else Markup("")
    return Markup(
        '<li value="{0}"{1}><span class="rank-n">{0}</span><span class="rank-label">{2}{3}{4}</span>'
        '<span class="rank-score">{5}</span>{6}</li>'
    ).format(entry.rank, class_attribute(cls), icon, entry.label, _move(entry.move), entry.score, note)


def _move(move: int | None) -> Markup:
    if move is None:
        return Markup("")
    if move == 0:
        return Markup('<span class="move">unmoved</span>')
    arrow, word = ("▲", "up") if move > 0 else ("▼", "down")
    return Markup('<span class="move"><span aria-hidden="true">{}</span> {} {}</span>').format(arrow, word, abs(move))
