"""End tags: which element they close, which are missing, which come too late.

Only end tags that the standard lets an author leave out are filled in; such a reading is taken back when the end tag
turns up after all (``Note``).
"""

from __future__ import annotations

from .elements import (
    HEADINGS,
    KEEPS_P_OPEN,
    OMITTED_AT_END,
    OMITTED_BEFORE,
    SCOPE_BOUNDS,
    TABLE_PARTS,
    VOID,
    is_custom,
)
from .parser import Verdict
from .run import Frame, Note, Run
from .states import (
    DOCUMENT,
    POP,
)
from .tokens import Tag


class Endings(Run):
    """A run that can close elements."""

    def _end(self, tag: Tag, start: int) -> None:
        stack = self.stack
        if not self.doctype:  # whatever stands first decides: a doctype after this tag is dropped
            self.doctype = self.quirks = True
        while stack[-1].implied and stack[-1].tag.name != tag.name and self._open_below(tag.name):
            self._pop(start)
        top = stack[-1]
        if top.tag.name == tag.name and len(stack) > 1:
            if self._plain_end(top):
                top.state.after[tag] = POP
            self._pop(start)
            return
        shown = f"</{tag.name}>"
        if tag.name in VOID and top.state.ns == "html":
            self._find("void-end-tag", start, shown)
            return
        index = self._reachable(tag.name)
        if index > 0:
            self._close_to(index, tag, start)
        elif tag.name in HEADINGS and top.tag.name in HEADINGS:
            self._find("misnested-tags", start, shown, f"<{top.tag.name}>", top.offset)
            self._pop(start)
        elif not self._late(tag, start):
            self._find("stray-end-tag", start, shown, f"<{top.tag.name}>", top.offset if len(stack) > 1 else -1)

    @staticmethod
    def _plain_end(frame: Frame) -> bool:
        """Whether this end tag needs nothing but a pop whenever it meets this state."""
        return frame.raw_close == -1 and frame.tag.name not in ("body", "frameset") and not frame.state.ordered

    def _open_below(self, name: str) -> bool:
        return any(frame.tag.name == name for frame in self.stack[1:])

    def _reachable(self, name: str) -> int:
        """Index of the open element that this end tag means, 0 when a scope boundary lies between."""
        bounds = frozenset(("template",)) if name in TABLE_PARTS or name == "table" else SCOPE_BOUNDS
        for index in range(len(self.stack) - 1, 0, -1):
            frame = self.stack[index]
            if frame.tag.name == name:
                return index
            if frame.state.ns == "html" and frame.tag.name in bounds and name not in ("body", "html"):
                return 0
        return 0

    def _close_to(self, index: int, tag: Tag, start: int) -> None:
        stack = self.stack
        home = stack[index - 1]
        omissible = True
        for inner in range(len(stack) - 1, index, -1):
            frame = stack[inner]
            if not frame.implied:
                omissible = omissible and self._may_omit_at_end(frame, stack[inner - 1])
                self.notes.append(Note(frame, home, f"</{tag.name}>", start, "misnested-tags", omissible))
            self._pop(start)
        self._pop(start)

    @staticmethod
    def _may_omit_at_end(frame: Frame, parent: Frame) -> bool:
        name = frame.tag.name
        if name not in OMITTED_AT_END or frame.state.ns != "html":
            return False
        return not (name == "p" and (parent.tag.name in KEEPS_P_OPEN or is_custom(parent.tag.name)))

    def _omit(self, tag: Tag, start: int, verdict: Verdict) -> bool:
        """Close elements whose end tags may be left out before ``tag``; whether there were such."""
        stack = self.stack
        outermost = -1
        for index in range(len(stack) - 1, 0, -1):
            frame = stack[index]
            if frame.state.ns != "html" or (
                frame.tag.name not in OMITTED_AT_END and frame.tag.name != "thead" and frame.tag.name != "head"
            ):
                break
            if tag.name in OMITTED_BEFORE.get(frame.tag.name, ()):
                outermost = index
            if frame.tag.name in ("thead", "head"):
                break
        if outermost == -1:
            return False
        home = stack[outermost - 1]
        while len(stack) > outermost:
            frame = stack[-1]
            if not frame.implied:
                self.notes.append(Note(frame, home, f"<{tag.name}>", start, verdict.rule, True))
            self._pop(start)
        return True

    def _late(self, tag: Tag, start: int) -> bool:
        """An end tag whose element was taken for closed: then it was meant to go on until here."""
        for number in range(len(self.notes) - 1, -1, -1):
            note = self.notes[number]
            if note.frame.tag.name != tag.name or not any(frame is note.home for frame in self.stack):
                continue
            del self.notes[number]
            note.home.family = None
            self.findings = [one for one in self.findings if one.offset != note.closer_offset]
            shown, opened = f"<{tag.name}>", note.frame.offset
            if note.rule == "misnested-tags":
                self._find(note.rule, start, f"</{tag.name}>", shown, opened, detail=note.closer)
            else:
                self._find(note.rule, note.closer_offset, note.closer, shown, opened)
            return True
        return False

    def _finish(self) -> None:
        size = len(self.text)
        if self.stack[0].state is DOCUMENT and len(self.stack) == 1:
            self._find("implied-document-tag", 0, "the document", detail="<html><head><body>")
        omissible = True
        while len(self.stack) > 1:
            frame = self.stack[-1]
            omissible = omissible and self._may_omit_at_end(frame, self.stack[-2])
            if not frame.implied and not self.swallowed:
                self.notes.append(Note(frame, self.stack[0], "the end of the file", size, "", omissible))
            self._pop(size)
        for note in self.notes:
            rule = "omitted-end-tag" if note.omissible else "unclosed-element"
            self._find(rule, note.frame.offset, f"<{note.frame.tag.name}>", note.closer, note.closer_offset)
