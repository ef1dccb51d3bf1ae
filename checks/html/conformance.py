"""The content models applied to the open elements: what the pure rules say, and what counts elements."""

from __future__ import annotations

from dataclasses import dataclass

from .content import in_label, judge_content
from .elements import is_custom
from .findings import Findings
from .rule import Breach
from .stack import Stack
from .tokens import HIDDEN, Tag


@dataclass(slots=True)
class Conformance:
    """The rules about trees that are as written and not as the standard wants them."""

    stack: Stack
    findings: Findings
    main: int | None = None  # where the first visible one is

    def element(self, tag: Tag, start: int) -> bool:
        """Report what is wrong with an element that a browser puts where it is written. Whether nothing is."""
        top = self.stack.top
        broken = judge_content(top.state, tag)
        if top.family is not None and (family := top.family.child(tag.name)) and not broken:
            broken.append(family)
        if in_label(top.state, tag):
            self._label(tag, start)
        if tag.name == "main":
            self._main(tag, start)
        for breach in broken:
            self.findings.breach(breach, start, tag.shown)
        return not broken

    def text(self, offset: int) -> None:
        """Report what is wrong with text that stays where it is written."""
        top = self.stack.top
        if not top.state.model.text:
            self.findings.breach(Breach("text-not-allowed", frozenset({top.state.name})), offset, "text")
        if top.family is not None and (broken := top.family.text()):
            self.findings.breach(broken, offset, "text")

    def _label(self, tag: Tag, start: int) -> None:
        label = self.stack.frames[self.stack.nearest(("label",))]
        label.controls += 1
        if label.controls > 1:
            self.findings.add("label-controls", start, tag.shown, "<label>", label.offset)

    def _main(self, tag: Tag, start: int) -> None:
        for frame in reversed(self.stack.frames[1:]):
            name = frame.tag.name
            if name not in ("html", "body", "div", "form") and not is_custom(name):
                self.findings.add("main-ancestor", start, "<main>", frame.tag.shown, frame.offset)
                break
        if not tag.flags & HIDDEN:
            if self.main is not None:
                self.findings.add("duplicate-child", start, "<main>", "the first", self.main)
            else:
                self.main = start
