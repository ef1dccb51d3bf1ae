"""Whether a text is a page or a piece of one."""

from __future__ import annotations

import re

from .tokens import RAW_TEXT, TOKEN, irregular, raw_end, read_tag

_DOCUMENT_TAG = r"!doctype|html|head|body|frameset"
_WHOLE = re.compile(rf"<(?:{_DOCUMENT_TAG})(?=[ \t\n\f\r/>])", re.IGNORECASE)
_NOTED = re.compile(
    rf"<(?:({_DOCUMENT_TAG})|/?(?:svg|math|{'|'.join(sorted(RAW_TEXT))}))(?=[ \t\n\f\r/>])", re.IGNORECASE
)
"""What decides whether a text is a page: its document tags, and what hides such from being tags."""


def is_fragment(text: str) -> bool:
    """Whether this is a piece of a page: neither doctype nor ``<html>``, ``<head>``, ``<body>`` among its tags."""
    return _WHOLE.search(text) is None or not _has_document_tag(text)


def _has_document_tag(text: str) -> bool:
    """Whether there is one outside of comments, attribute values and raw text."""
    position = foreign = 0
    while match := TOKEN.search(text, position):
        start, position, source = match.start(), match.end(), match[0]
        noted = _NOTED.match(text, start)
        if noted and noted[1]:
            if not foreign or noted[1].lower() in ("head", "body"):  # these two end a drawing
                return True
            noted = None
        if source == "<":
            position = irregular(text, start, foreign > 0).end
            source = text[start:position]
        if noted:
            tag = read_tag(source).tag
            if tag.name in ("svg", "math"):
                foreign = max(0, foreign + (-1 if tag.closing else not tag.slash))
            elif not tag.closing and not (foreign and tag.slash):
                position = raw_end(text, tag.name, position)
    return False
