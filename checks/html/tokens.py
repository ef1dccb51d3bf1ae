"""The token stream: one strict expression for markup, and a slower exact reading for what it does not match.

Follows the tokenizer of the HTML standard (section 13.2.5). ``TOKEN`` matches every well-written tag and
comment in one step; where it finds only ``<``, ``irregular`` reads what a browser would read there and says
what is wrong with it. Offsets are string indexes; nothing here knows lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from .elements import names

SPACE = " \t\n\f\r"
_S = r"[ \t\n\f\r]"
_NAME = r"[A-Za-z][^ \t\n\f\r/><\"'=\x00]*+"
_STRICT_ATTRIBUTE = rf"{_S}++[^ \t\n\f\r\"'<>/=\x00]++(?:{_S}*+={_S}*+(?:\"[^\"]*+\"|'[^']*+'|[^ \t\n\f\r\"'=<>`]++))?+"
_COMMENT = r"!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+--!?>)"

TOKEN = re.compile(
    rf"<(?:{_NAME}(?:{_STRICT_ATTRIBUTE})*+{_S}*+/?>|/{_NAME}{_S}*+>|{_COMMENT}|![Dd][Oo][Cc][Tt][Yy][Pp][Ee]{_S}[^>]*+>)?+"
)
"""Every tag, comment and doctype as it should be written; a bare ``<`` means anything else."""

# The standard's own reading of a tag, however badly written.
_LOOSE_ATTRIBUTE = (
    rf"[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"
    rf"(?:{_S}*+={_S}*+(?:\"[^\"]*+\"|'[^']*+'|[^ \t\n\f\r\"'>][^ \t\n\f\r>]*+|(?=>))|(?!{_S}*+=))"
)
_LOOSE_TAG = re.compile(rf"</?[A-Za-z][^ \t\n\f\r/>]*+(?:(?:{_S}|/(?!>))++|{_LOOSE_ATTRIBUTE})*+/?>")
_ATTRIBUTE = re.compile(
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:{_S}*+={_S}*+(?:\"([^\"]*+)\"|'([^']*+)'|([^ \t\n\f\r\"'>][^ \t\n\f\r>]*+))?+)?+"
)
_BOGUS = re.compile(r"<(?:[!?]|/(?!\Z))")
_TAG_NAME = re.compile(r"</?([A-Za-z][^ \t\n\f\r/>]*+)")

# What an attribute can change, as flags of a tag.
HREF, CONTROLS, USEMAP, TABINDEX, HIDDEN_INPUT, BODY_OK, FONT, HTML_POINT, SHADOW, SOURCE, HIDDEN = (
    1 << bit for bit in range(11)
)
_BODY_RELS = names("dns-prefetch modulepreload pingback preconnect prefetch preload prerender stylesheet")


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """A tag reduced to what decides about nesting; equal tags are the same object."""

    name: str
    closing: bool
    slash: bool
    flags: int

    @property
    def shown(self) -> str:
        """The tag without its attributes, as messages show it."""
        return f"</{self.name}>" if self.closing else f"<{self.name}>"


@dataclass(frozen=True, slots=True)
class Written:
    """One tag as found: its reduced form, and what is remarkable about this very occurrence."""

    tag: Tag
    id: str | None = None
    repeated: str | None = None
    malformed: bool = False

    @property
    def plain(self) -> bool:
        """Whether the same source text always means the same, so that it can be remembered."""
        return self.id is None and self.repeated is None and not self.malformed


_interned = cache(Tag)


def intern_tag(name: str, closing: bool = False, slash: bool = False, flags: int = 0) -> Tag:
    """The one ``Tag`` object with these properties."""
    return _interned(name, closing, slash, flags)


def _lower(name: str) -> str:
    """ASCII lower case: the tokenizer leaves other letters alone."""
    return name.lower() if name.isascii() else re.sub("[A-Z]+", lambda m: m[0].lower(), name)


def read_tag(source: str, malformed: bool = False) -> Written:
    """Read the full text of a tag, ``<…>`` included."""
    match = _TAG_NAME.match(source)
    assert match is not None
    name = _lower(match[1])
    closing = source[1] == "/"
    end = match.end()
    if end + 1 == len(source):
        return Written(intern_tag(name, closing), malformed=malformed)
    attributes, repeated, position = read_attributes(source, end)
    slash = source[-2] == "/" and position < len(source) - 1
    if closing:
        return Written(intern_tag(name, True), malformed=malformed)  # the strict expression allows it nothing else
    tag = intern_tag(name, False, slash, _flags(name, attributes))
    return Written(tag, attributes.get("id"), repeated, malformed)


def read_attributes(source: str, position: int) -> tuple[dict[str, str], str | None, int]:
    """The attributes of a tag's source from ``position`` on (of a repeated one the first; character references as
    written), the name of one that appears twice, and the offset after the last."""
    attributes: dict[str, str] = {}
    repeated: str | None = None
    found = _ATTRIBUTE.search(source, position, len(source) - 1)
    while found:
        key = _lower(found[1])
        position = found.end()
        if key in attributes:
            repeated = repeated or key
        else:
            attributes[key] = found[2] or found[3] or found[4] or ""
        found = _ATTRIBUTE.search(source, position, len(source) - 1)
    return attributes, repeated, position


def _flags(name: str, attributes: dict[str, str]) -> int:
    flags = TABINDEX * ("tabindex" in attributes) | HIDDEN * ("hidden" in attributes)
    if name == "a":
        flags |= HREF * ("href" in attributes)
    elif name == "input":
        flags |= HIDDEN_INPUT * (attributes.get("type", "").lower() == "hidden")
    elif name in ("video", "audio"):
        flags |= CONTROLS * ("controls" in attributes) | SOURCE * ("src" in attributes)
    elif name == "img":
        flags |= USEMAP * ("usemap" in attributes)
    elif name == "link":
        rels = set(attributes.get("rel", "").lower().split())
        flags |= BODY_OK * ("itemprop" in attributes or (bool(rels) and rels <= _BODY_RELS))
    elif name == "meta":
        flags |= BODY_OK * ("itemprop" in attributes or "property" in attributes)
    elif name == "font":
        flags |= FONT * bool(attributes.keys() & {"color", "face", "size"})
    elif name == "annotation-xml":
        flags |= HTML_POINT * (attributes.get("encoding", "").lower() in ("text/html", "application/xhtml+xml"))
    elif name == "template":
        flags |= SHADOW * (attributes.get("shadowrootmode", "").lower() in ("open", "closed"))
    return flags


@dataclass(frozen=True, slots=True)
class Irregular:
    """What is at a ``<`` that ``TOKEN`` does not match: ``kind`` and the offset after it."""

    kind: str  # "tag", "text", "comment", "cdata", "eof"
    end: int


def irregular(text: str, start: int, foreign: bool) -> Irregular:
    """Read at ``text[start] == "<"`` what a browser reads; ``foreign`` allows CDATA sections."""
    if _TAG_NAME.match(text, start):
        match = _LOOSE_TAG.match(text, start)
        return Irregular("tag", match.end()) if match else Irregular("eof", len(text))
    if text.startswith("<!--", start):
        return Irregular("eof", len(text))
    if foreign and text.startswith("<![CDATA[", start):
        close = text.find("]]>", start + 9)
        return Irregular("eof", len(text)) if close == -1 else Irregular("cdata", close + 3)
    if _BOGUS.match(text, start):
        return Irregular("comment", text.find(">", start) + 1 or len(text))
    return Irregular("text", start + 1)


RAW_TEXT = names("script style textarea title iframe noembed noframes xmp")
"""HTML elements whose content is text up to their own end tag."""

_SCRIPT = re.compile(r"<!--|-->|<(/?)script(?=[ \t\n\f\r/>])", re.IGNORECASE)


def raw_end(text: str, name: str, start: int) -> int:
    """Offset of the end tag that closes raw-text element ``name``, or ``len(text)`` when there is none."""
    if name == "script":
        return _script_end(text, start)
    match = _end_tag(name).search(text, start)
    return match.start() if match else len(text)


@cache
def _end_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE)


def _script_end(text: str, start: int) -> int:
    """Scripts may hide ``<script>…</script>`` inside ``<!-- -->`` (the "double escaped" states)."""
    escaped = double = False
    position = start
    while match := _SCRIPT.search(text, position):
        position = match.end()
        if match[0] == "<!--":
            if not escaped:
                position -= 2  # the dashes may already be those of "-->"
            escaped = True
        elif match[0] == "-->":
            escaped = double = False
        elif match[1]:
            if not double:
                return match.start()
            double = False
        elif escaped:
            double = True
    return len(text)
