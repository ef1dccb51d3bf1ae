"""Guard of prose: no typed digits, no comparison in words that nothing bears out, no role left unread.

A digit outside code, formulas and roles is an error unless a pattern of the allow-list (``content/numbers.yml``, each
with its reason) covers it. Captions may repeat the numbers that select a table's rows, claims those of their predicate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from checks.allowed import Allowed
from checks.problems import Problem
from checks.rule import Rule

# A number standing by itself: not the digits inside a name such as BM25, L2 or sha256.
NUMBER = re.compile(r"(?<![\w.,/])[-−+]?\d+(?:[.,\u202f\u2009]\d+)*(?![\w])|(?<![\w.,/])\d+(?=[a-zµ%])")
PROSE_DIRECTIVES = re.compile(r"\{(?:question|steps|predict)\}")
NESTED = re.compile(r"\{pair\}")
LABELS = frozenset(
    ("caption", "title", "desc", "x_label", "y_label", "label", "note", "remark", "place", "name", "working")
)
# What the front matter of a walkthrough says: its words but for their conditions, its options, dials and cells.
DECLARED: dict[str, frozenset[str] | None] = {
    "words": None,
    "defaults": frozenset(("note", "title")),
    "dials": frozenset(("name", "value")),
    "cells": frozenset(("says", "brief")),
}
# A comparison in words says a quantity as much as digits do. Only forms that state a result count: "half of the
# evidence" may be an example, and "twice the ceiling" arithmetic.
_FRACTION = r"(?:half|(?:a|one|two|three|four)\s+(?:third|quarter|fifth|tenth|hundredth)s?)"
_COUNTED = r"(?:results?|queries|questions|searches|passages|chunks|documents|rows|answers|runs|time)"
QUANTITY = re.compile(
    r"\b(?:(?:twice|(?:two|three|four|five|six|seven|eight|nine|ten|a\s+dozen|a\s+hundred|a\s+thousand)\s+times)"
    r"\s+(?:as|more|fewer|less|faster|slower|larger|smaller)"
    rf"|{_FRACTION}\s+(?:more|fewer|less|faster|slower|larger|smaller)"
    rf"|{_FRACTION}\s+of\s+(?:the|all|its|their)\s+{_COUNTED})\b",
    re.IGNORECASE,
)
UNBOUND = Rule(
    "unbound-number",
    "error",
    "Prose carries no typed numbers.",
    "bind it with {fig}, {param} or {calc}, write it in words, or allow its form in content/numbers.yml",
)
IN_WORDS = Rule(
    "unbound-quantity",
    "warning",
    "A comparison in words stands beside the figure, formula or claim that bears it out.",
    "print the figure or the arithmetic in the same paragraph, make it a {claim}, or list it under claims",
)
UNREAD = Rule(
    "unread-role",
    "error",
    "A role is read, not printed.",
    "close its backticks on the same line; in a table write \\| for a | inside it",
)
_ROLE = re.compile(r"\{(?:fig|param|concept|metric|cite|claim|calc|at)\}`?")
BOUND = "\ufffc"
"""Stands for a role, code or a formula in a stretch of prose."""


def check_prose(text: str, path: str, allowed: Sequence[Allowed]) -> list[Problem]:
    """Every unbound number in the prose of one Markdown file, every comparison in words that nothing bears out, and
    every role that is none for want of a backtick."""
    numbers, words = UNBOUND, IN_WORDS
    found = [
        Problem(
            path, line, column, numbers.id, f"the number {number!r} is typed, not measured", numbers.fix, numbers.level
        )
        for line, column, number in _unbound(text, allowed)
    ]
    found += [
        Problem(
            path,
            line,
            column,
            words.id,
            f"{phrase!r} states a quantity that nothing here bears out",
            words.fix,
            words.level,
        )
        for line, column, phrase in _in_words(text)
    ]
    found += [
        Problem(path, line, column, UNREAD.id, f"{role} stands in the text as it is written", UNREAD.fix, UNREAD.level)
        for line, column, role in _unread(text)
    ]
    return sorted(found)


def _unread(text: str) -> Iterator[tuple[int, int, str]]:
    lines = text.split("\n")
    for piece in _pieces(text):
        for match in _ROLE.finditer(piece.text):
            yield *_place(lines, piece, match), match[0].rstrip("`")


def _unbound(text: str, allowed: Sequence[Allowed]) -> Iterator[tuple[int, int, str]]:
    lines = text.split("\n")
    for piece in _pieces(text):
        covered = [match.span() for entry in allowed for match in entry.pattern.finditer(piece.text)]
        for match in NUMBER.finditer(piece.text):
            if any(begin <= match.start() and match.end() <= end for begin, end in covered):
                continue
            if not re.search(rf"(?<![\d.]){re.escape(match[0])}(?![\d.])", piece.borne_out):
                yield *_place(lines, piece, match), match[0]


def _in_words(text: str) -> Iterator[tuple[int, int, str]]:
    lines, pieces = text.split("\n"), _pieces(text)
    claims = " ".join(piece.text.lower() for piece in pieces if piece.kind == "claim")
    for piece in pieces:
        if piece.kind == "running" and BOUND not in piece.text:
            for match in QUANTITY.finditer(piece.text):
                if " ".join(match[0].lower().split()) not in claims:
                    yield *_place(lines, piece, match), " ".join(match[0].split())


def _place(lines: Sequence[str], piece: _Piece, match: re.Match[str]) -> tuple[int, int]:
    line = piece.line + piece.text.count("\n", 0, match.start())
    source = lines[line] if line < len(lines) else ""
    return line + 1, max(0, source.find(match[0].split("\n")[0])) + 1


@dataclass(frozen=True)
class _Piece:
    """A stretch of prose: its first line (from 0), its text with what is no prose blanked out, and of what kind it is.

    ``borne_out``: source beside it whose numbers it may repeat, as a caption does those of its table's rows.
    """

    line: int
    text: str
    kind: str = "running"  # or "claim", "words" (of a question, a step, a table, a caption, a description)
    borne_out: str = ""


@lru_cache(maxsize=2)
def _pieces(text: str) -> list[_Piece]:
    return list(_prose(_parser().parse(text)))


def _prose(tokens: Sequence[Token]) -> Iterator[_Piece]:
    start, kind = 0, "running"
    for token in tokens:
        if token.map:
            start = token.map[0]
        if token.type in ("table_open", "table_close"):
            kind = "words" if token.type == "table_open" else "running"
        elif token.type == "inline":
            yield _Piece(start, _inline_prose(token.children or []), kind)
            yield from _descriptions(start, token.children or [])
        elif token.type == "front_matter":
            yield from _front_matter(start, token.content)
        elif PROSE_DIRECTIVES.match(token.info):
            for number, line in enumerate(token.content.split("\n"), 1):
                plain = re.sub(r"^\s*(?:-|\d+\.)?\s*(?:(?:ask|text|why)\s*:\s*)?", "", line)
                inline = _parser().parseInline(plain)
                yield _Piece(start + number, "".join(_inline_prose(entry.children or []) for entry in inline), "words")
        elif NESTED.match(token.info):
            for piece in _prose(_parser().parse(token.content)):
                yield replace(piece, line=start + 1 + piece.line)
        elif token.info.startswith("{"):
            yield from _labels(start + 1, token.info, token.content)


def _labels(start: int, info: str, content: str) -> Iterator[_Piece]:
    """The texts of a view's options; they may repeat the numbers that select its records."""
    try:
        root = yaml.compose(content, Loader=yaml.SafeLoader)
    except yaml.YAMLError:  # reported by who reads the page
        return
    if root is None:
        return
    texts = list(_texts(root, LABELS))
    chosen = " ".join(node.value for node in (*_texts(root, None), *_numbers(root)) if node not in texts)
    for node in texts:
        yield _Piece(start + node.start_mark.line, _plain(node.value), "words", f"{info} {chosen}")


def _numbers(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        if not node.tag.endswith(":str"):
            yield node
        return
    for item in node.value:
        for part in item if isinstance(item, tuple) else (item,):
            yield from _numbers(part)


def _texts(node: yaml.Node, keys: frozenset[str] | None, taken: bool = False) -> Iterator[yaml.ScalarNode]:
    """The texts under these keys (None: under every key) of a YAML tree, at any depth; numbers are no texts."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value not in ("when", "mark"):
                yield from _texts(value, keys, keys is None or key.value in keys)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _texts(item, keys, taken)
    elif isinstance(node, yaml.ScalarNode) and taken and node.tag.endswith(":str"):
        yield node


def _plain(text: str) -> str:
    """A text with its roles and code blanked out."""
    inline = _parser().parseInline(text)
    return "".join(_inline_prose(entry.children or []) for entry in inline)


def _front_matter(start: int, content: str) -> Iterator[_Piece]:
    """Title and summary, and what the claims say; a claim may repeat the numbers of its predicate."""
    try:
        root = yaml.compose(content, Loader=yaml.SafeLoader)
    except yaml.YAMLError:  # told by who reads the page
        return
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value in ("title", "summary") and isinstance(value, yaml.ScalarNode):
            yield _Piece(start + 1 + value.start_mark.line, value.value, "words")
        elif key.value in DECLARED:
            for node in _texts(value, DECLARED[key.value]):
                yield _Piece(start + 1 + node.start_mark.line, _plain(node.value), "words")
        elif key.value == "claims":
            for entry in value.value:
                fields = {str(k.value): v for k, v in entry.value} if isinstance(entry, yaml.MappingNode) else {}
                says, holds = fields.get("says"), fields.get("holds")
                if isinstance(says, yaml.ScalarNode):
                    names = re.sub(r"[A-Za-z_]+", " ", str(holds.value)) if holds else ""
                    yield _Piece(start + 1 + says.start_mark.line, says.value, "claim", names)


def _descriptions(start: int, children: Sequence[Token]) -> Iterator[_Piece]:
    """What stands in the attributes of images and links: alternative texts and titles."""
    for child in children:
        words = [child.content] if child.type == "image" else []
        yield from (_Piece(start, one, "words") for one in [*words, str(child.attrs.get("title", ""))])


def _inline_prose(children: Sequence[Token]) -> str:
    parts: list[str] = []
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "text":
            parts.append(child.content)
        elif child.type in ("myst_role", "code_inline", "math_inline", "math_inline_double"):
            parts.append(BOUND)
    return "".join(parts)


@cache
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False}).enable("table")
    md.use(front_matter_plugin).use(deflist_plugin).use(footnote_plugin).use(myst_role_plugin)
    return md.use(dollarmath_plugin, allow_labels=False, allow_digits=False, double_inline=True)
