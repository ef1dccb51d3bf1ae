"""What a run has found, with offsets; lines and words come later (``messages.py``)."""

from __future__ import annotations

from dataclasses import dataclass

from .rule import Breach
from .stack import Stack


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule: the offender, and the open element that sets the limit (offset -1: none)."""

    offset: int
    rule: str
    element: str
    other: str = ""
    other_offset: int = -1
    through: tuple[tuple[str, int], ...] = ()
    detail: str = ""


class Findings:
    """The findings of one run; the limit that a breach speaks of is looked up among the open elements."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.made: list[Finding] = []

    def add(
        self, rule: str, offset: int, element: str, other: str = "", other_offset: int = -1, *, detail: str = ""
    ) -> None:
        """A finding whose limit is known."""
        self.made.append(Finding(offset, rule, element, other, other_offset, (), detail))

    def breach(self, breach: Breach, offset: int, element: str) -> None:
        """A finding that names the nearest open element that sets the limit, and what is in between."""
        frames, ancestors = self.stack.frames, breach.ancestors
        if breach.rule == "flow-in-phrasing":
            ancestors = frozenset({self.stack.phrasing_limit()})
        index = self.stack.nearest(ancestors)
        if not index:
            self.add(breach.rule, offset, element, detail=breach.detail)
            return
        limit = frames[index]
        through = tuple((frame.tag.shown, frame.offset) for frame in frames[index + 1 :] if not frame.implied)
        self.made.append(Finding(offset, breach.rule, element, limit.tag.shown, limit.offset, through, breach.detail))

    def retract(self, offset: int) -> None:
        """Take back what was found at ``offset``: the tag there has turned out to be innocent."""
        self.made = [one for one in self.made if one.offset != offset]
