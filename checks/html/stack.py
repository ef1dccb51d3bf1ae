"""The open elements of one run, as the tags say: where a browser would do otherwise, a finding is made (by the rules)
and the written reading goes on, so that one mistake gives one finding.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from .elements import TRANSPARENT, is_custom
from .siblings import Family
from .states import State
from .tokens import Tag, intern_tag

_MODE_AFTER = {"head": "after-head", "body": "after-body", "html": "after-document", "frameset": "after-frameset"}


@dataclass(slots=True)
class Frame:
    """An open element: where, which, its state, and what only this occurrence knows."""

    offset: int
    tag: Tag
    state: State
    implied: bool = False
    family: Family | None = None
    controls: int = 0
    raw_close: int = -1


class Stack:
    """Frames from the outside in; the first is the document or the place of a fragment and never closes."""

    __slots__ = ("frames",)

    def __init__(self, root: State) -> None:
        self.frames = [Frame(0, intern_tag(root.name), root)]

    @property
    def top(self) -> Frame:
        """The innermost open element."""
        return self.frames[-1]

    def nearest(self, names: Container[str]) -> int:
        """The index of the innermost open element with one of these names; 0 when none is open."""
        frames = self.frames
        return next((index for index in range(len(frames) - 1, 0, -1) if frames[index].tag.name in names), 0)

    def phrasing_limit(self) -> str:
        """The name of the element that allows only phrasing content here, not of the transparent ones in it."""
        names = (frame.tag.name for frame in reversed(self.frames))
        return next(name for name in names if not (name in TRANSPARENT or is_custom(name)))

    def pop(self) -> Frame:
        """Take the innermost element off; after a document tag its parent is read by other rules."""
        frame = self.frames.pop()
        parent = self.frames[-1]
        if frame.tag.name in _MODE_AFTER and parent.state.name in ("html", "document"):
            parent.state = parent.state.changed(mode=_MODE_AFTER[frame.tag.name])
        return frame
