"""End tags: which element they close, which are missing, which come too late.

Only end tags that the standard lets an author leave out are filled in; such a reading is taken back when the end tag
turns up after all (``Note``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .doctype import Doctype
from .elements import (
    HEADINGS,
    KEEPS_P_OPEN,
    OMITTED_AT_END,
    OMITTED_BEFORE,
    SCOPE_BOUNDS,
    TABLE_PARTS,
    VOID,
    is_custom,
    names,
)
from .findings import Findings
from .stack import Frame, Stack
from .states import DOCUMENT, POP
from .tokens import Tag

_TABLE_BOUNDS = names("template")


@dataclass(slots=True)
class Note:
    """An element closed without its end tag, until that end tag turns up or the document ends."""

    frame: Frame
    home: Frame
    closer: str
    closer_offset: int
    rule: str  # what it is when the end tag turns up
    omissible: bool


@dataclass(slots=True)
class Endings:
    """Closes elements and keeps notes of those without an end tag."""

    stack: Stack
    findings: Findings
    doctype: Doctype
    notes: list[Note] = field(default_factory=list)

    def close(self, start: int) -> None:
        """Close the innermost element at ``start``."""
        frame = self.stack.pop()
        if frame.raw_close not in (-1, start):
            self.findings.add("noscript-content", frame.offset, "<noscript>")
        if frame.family is not None and (broken := frame.family.end()):
            self.findings.add(broken.rule, frame.offset, frame.tag.shown, detail=broken.detail)

    def end(self, tag: Tag, start: int) -> None:
        """An end tag as written."""
        frames = self.stack.frames
        self.doctype.passed()
        while frames[-1].implied and frames[-1].tag.name != tag.name and self.stack.nearest((tag.name,)):
            self.close(start)
        top = frames[-1]
        if top.tag.name == tag.name and len(frames) > 1:
            if _plain_end(top):
                top.state.after[tag] = POP
            self.close(start)
        elif tag.name in VOID and top.state.ns == "html":
            self.findings.add("void-end-tag", start, tag.shown)
        elif index := self._reachable(tag.name):
            self._close_to(index, tag, start)
        elif tag.name in HEADINGS and top.tag.name in HEADINGS:
            self.findings.add("misnested-tags", start, tag.shown, top.tag.shown, top.offset)
            self.close(start)
        elif not self._late(tag, start):
            offset = top.offset if len(frames) > 1 else -1
            self.findings.add("stray-end-tag", start, tag.shown, top.tag.shown, offset)

    def omit(self, tag: Tag, start: int, rule: str) -> bool:
        """Close elements whose end tags may be left out before ``tag``; whether there were such."""
        frames = self.stack.frames
        outermost = -1
        for index in range(len(frames) - 1, 0, -1):
            frame = frames[index]
            name = frame.tag.name
            if frame.state.ns != "html" or (name not in OMITTED_AT_END and name not in ("thead", "head")):
                break
            if tag.name in OMITTED_BEFORE.get(name, ()):
                outermost = index
            if name in ("thead", "head"):
                break
        if outermost == -1:
            return False
        home = frames[outermost - 1]
        while len(frames) > outermost:
            self._close_noting(Note(frames[-1], home, tag.shown, start, rule, True))
        return True

    def finish(self, size: int, swallowed: bool) -> None:
        """The end of a text of ``size`` characters; ``swallowed``: a mistake already found took the rest of it."""
        frames = self.stack.frames
        if frames[0].state is DOCUMENT and len(frames) == 1:
            self.findings.add("implied-document-tag", 0, "the document", detail="<html><head><body>")
        omissible = True
        while len(frames) > 1:
            omissible = omissible and _may_omit_at_end(frames[-1], frames[-2])
            if swallowed:
                self.close(size)
            else:
                self._close_noting(Note(frames[-1], frames[0], "the end of the file", size, "", omissible))
        for note in self.notes:
            rule = "omitted-end-tag" if note.omissible else "unclosed-element"
            self.findings.add(rule, note.frame.offset, note.frame.tag.shown, note.closer, note.closer_offset)

    def _reachable(self, name: str) -> int:
        """Index of the open element that this end tag means, 0 when a scope boundary lies between."""
        bounds = _TABLE_BOUNDS if name in TABLE_PARTS or name == "table" else SCOPE_BOUNDS
        frames = self.stack.frames
        for index in range(len(frames) - 1, 0, -1):
            frame = frames[index]
            if frame.tag.name == name:
                return index
            if frame.state.ns == "html" and frame.tag.name in bounds and name not in ("body", "html"):
                return 0
        return 0

    def _close_to(self, index: int, tag: Tag, start: int) -> None:
        frames = self.stack.frames
        home = frames[index - 1]
        omissible = True
        while len(frames) > index + 1:
            if not frames[-1].implied:
                omissible = omissible and _may_omit_at_end(frames[-1], frames[-2])
            self._close_noting(Note(frames[-1], home, tag.shown, start, "misnested-tags", omissible))
        self.close(start)

    def _close_noting(self, note: Note) -> None:
        if not note.frame.implied:
            self.notes.append(note)
        self.close(note.closer_offset)

    def _late(self, tag: Tag, start: int) -> bool:
        """An end tag whose element was taken for closed: then it was meant to go on until here."""
        for number in range(len(self.notes) - 1, -1, -1):
            note = self.notes[number]
            opened = note.frame
            if opened.tag.name != tag.name or not any(frame is note.home for frame in self.stack.frames):
                continue
            del self.notes[number]
            note.home.family = None
            self.findings.retract(note.closer_offset)
            if note.rule == "misnested-tags":
                self.findings.add(note.rule, start, tag.shown, opened.tag.shown, opened.offset, detail=note.closer)
            else:
                self.findings.add(note.rule, note.closer_offset, note.closer, opened.tag.shown, opened.offset)
            return True
        return False


def _plain_end(frame: Frame) -> bool:
    """Whether this end tag needs nothing but a pop whenever it meets this state."""
    return frame.raw_close == -1 and frame.tag.name not in ("body", "frameset") and not frame.state.ordered


def _may_omit_at_end(frame: Frame, parent: Frame) -> bool:
    name = frame.tag.name
    if name not in OMITTED_AT_END or frame.state.ns != "html":
        return False
    return not (name == "p" and (parent.tag.name in KEEPS_P_OPEN or is_custom(parent.tag.name)))
