"""What a browser's parser does at a start tag or text, carried out on the stack: tags that it would add are added, end
tags that may be left out are filled in, and what is then still not as written is reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .doctype import Doctype
from .elements import HEAD_CONTENT, TABLE_CONTEXT, TABLE_PARTS
from .endings import Endings
from .findings import Findings
from .parser import judge, judge_text
from .rule import Breach
from .siblings import Family
from .stack import Frame, Stack
from .states import FORM, IN_TEMPLATE, State, child_state
from .tokens import Tag, intern_tag

_EMPTY_FORM = re.compile(r"(?:[ \t\n\f\r]|<!--(?!-?>).*?-->)*</form[ \t\n\f\r]*>", re.DOTALL | re.IGNORECASE)
_DOCUMENT = ("html", "head", "body")


@dataclass(slots=True)
class Settling:
    """Brings the stack to where a start tag or text belongs."""

    source: str
    stack: Stack
    findings: Findings
    doctype: Doctype
    endings: Endings

    def tag(self, tag: Tag, start: int, end: int) -> bool:
        """Settle the start tag from ``start`` to ``end``. Whether the element opens where it is written."""
        implied_before = False
        while True:
            top = self.stack.top
            breach = judge(top.state, tag, self.doctype.quirks)
            if breach is None or self._empty_form(tag, top.state, end):
                return True
            if top.implied and not implied_before and top.tag.name in TABLE_PARTS | {"head"}:
                self.endings.close(start)
            elif not self.endings.omit(tag, start, breach.rule):
                if not breach.implies:
                    self.findings.breach(breach, start, tag.shown)
                    return False
                if not implied_before:
                    self.findings.breach(replace(breach, detail=_shown(_added(breach, tag))), start, tag.shown)
                implied_before = True
                self._imply(breach, tag, start)

    def text(self, offset: int) -> bool:
        """Settle text at ``offset``. Whether it stays where it is written."""
        breach = judge_text(self.stack.top.state)
        if breach is None:
            return True
        self.findings.breach(replace(breach, detail=_shown(breach.implies)), offset, "text")
        self._imply(breach, intern_tag("body"), offset)
        return False

    def _empty_form(self, tag: Tag, state: State, end: int) -> bool:
        """In a table a form is opened and closed at once: nothing changes when it is empty anyway."""
        if tag.name != "form" or state.name not in TABLE_CONTEXT or state.bits & (FORM | IN_TEMPLATE):
            return False
        return not tag.slash and _EMPTY_FORM.match(self.source, end) is not None

    def _imply(self, breach: Breach, tag: Tag, start: int) -> None:
        """Open what the browser would add, so that the rest is judged inside of it."""
        for name in breach.implies:
            top = self.stack.top
            if name == "head" and tag.name not in HEAD_CONTENT:
                top.state = top.state.changed(mode="after-head")
                continue
            added = intern_tag(name)
            child = child_state(top.state, added)
            family = None if child.inert else Family(added)
            self.stack.frames.append(Frame(start, added, child, implied=True, family=family))


def _added(breach: Breach, tag: Tag) -> tuple[str, ...]:
    """All tags that a browser adds before ``tag``, those of later steps included."""
    if breach.rule != "implied-document-tag":
        return breach.implies
    names = _DOCUMENT[_DOCUMENT.index(breach.implies[0]) :]
    if tag.name == "head":
        return tuple(name for name in names if name == "html")
    return tuple(name for name in names if name != "body") if tag.name in HEAD_CONTENT | {"body"} else names


def _shown(names: tuple[str, ...]) -> str:
    return "".join(f"<{name}>" for name in names)
