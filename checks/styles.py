"""What a style sheet names: the sheets it imports, and the fonts and pictures it loads (CSS Values 4, CSS Images 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_STRING = r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'"
# What begins inside a string, an escape or an address without quotation marks is no comment.
_COMMENT = re.compile(rf"(/\*.*?(?:\*/|\Z))|{_STRING}|\\.|\burl\(\s*[^\s\"'()]+", re.IGNORECASE | re.DOTALL)
_REFERENCE = re.compile(
    rf"@namespace\b[^;{{]*"
    rf"|@import\s*(?:url\(\s*)?(?:{_STRING}|([^\s\"')(;]+))"
    rf"|\b(?:url|src)\(\s*(?:{_STRING}|([^\s\"'()]+))\s*\)"
    rf"|\bimage-set\(|\btype\([^)]*\)|\)|[;{{}}]|\\.|{_STRING}",
    re.IGNORECASE | re.DOTALL,
)
_FACE = re.compile(r"@font-face\s*\{([^}]*)", re.IGNORECASE)
_SRC = re.compile(r"(?:^|[;\s])src\s*:([^;]*)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})\s?|(\n)|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reference:
    """An address in a style sheet: where it stands, what it is, and whether a browser that knows the first of several
    formats leaves it alone."""

    offset: int
    target: str
    spare: bool = False


def references(css: str) -> Iterator[Reference]:
    """Every address that the style sheet loads from; names of namespaces and comments are none."""
    if "(" not in css and "@" not in css:
        return
    text = _COMMENT.sub(_blank, css)
    spare = set(_spare(text))
    in_set = False
    for match in _REFERENCE.finditer(text):
        found = match[0].lower()
        if found.startswith("image-set("):
            in_set = True
        elif found[0] in ");{}":
            in_set = False
        elif found[0] not in "\"'" or in_set:
            target = next(filter(None, match.groups()), "")
            if target:
                yield Reference(match.start(), unescaped(target).strip(), match.start() in spare)


def unescaped(text: str) -> str:
    """The text with its escapes resolved: ``\\68`` is ``h``."""
    return _ESCAPE.sub(lambda m: _character(m[1]) if m[1] else m[3] or "", text)


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _spare(text: str) -> Iterator[int]:
    """Offsets of all but the first address of each ``src`` of a font: a browser takes the first format it knows."""
    for face in _FACE.finditer(text):
        for source in _SRC.finditer(face[1]):
            start = face.start(1) + source.start(1)
            found = [start + match.start() for match in re.finditer(r"\burl\(", source[1], re.IGNORECASE)]
            yield from found[1:]


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0]) if match[1] else match[0]
