"""From the bytes of a file to its text, as a browser finds the encoding, with what is wrong on the way.

The order is that of the HTML standard (section 13.2.3.2): a byte-order mark, then a ``<meta>`` within the first 1,024
bytes, then UTF-8, in place of the reader's settings. No byte ever stops the reading: what cannot be decoded
is read as U+FFFD, as in a browser, and reported with its position.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from .tokens import TOKEN, read_attributes, read_tag

PRESCAN = 1024
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CONTENT = re.compile(r"charset[ \t\n\f\r]*=[ \t\n\f\r]*(?:\"([^\"]*)\"|'([^']*)'|([^ \t\n\f\r;\"']+))", re.IGNORECASE)
# What browsers read (Encoding Standard, section 4.2) by Python's names, where those differ from the key.
_CODECS = {
    **{name: name for name in ("utf-8", "cp866", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "gb18030", "euc_jp")},
    **{f"iso8859-{number}": f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"cp{number}": f"cp{number}" for number in (874, 932, 949, *range(1250, 1259))},
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "big5hkscs": "big5hkscs",
    "iso2022_jp": "iso2022_jp",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-16": "utf-8",  # a tag that can be read is not in UTF-16
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
}
# Labels of that standard that Python does not know, by its own names.
_LABELS = {
    "windows-874": "cp874",
    "dos-874": "cp874",
    "x-sjis": "cp932",
    "x-gbk": "gb18030",
    "x-x-big5": "big5hkscs",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-ukrainian": "mac-cyrillic",
    **{f"x-cp{number}": f"cp{number}" for number in range(1250, 1259)},
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file; ``flaws`` are (rule, offset, detail) of what its bytes have wrong."""

    text: str
    flaws: tuple[tuple[str, int, str], ...] = ()


def decode(content: bytes) -> Decoded:
    """The text of an HTML file, without a byte-order mark."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return _decoded(content[len(mark) :], name, 0, name.removesuffix("-le").removesuffix("-be"))
    label, offset = declared(content[:PRESCAN])
    codec = _codec(label)
    if codec is None:
        read = _decoded(content, "utf-8", 0, "utf-8")
        return Decoded(read.text, (("legacy-encoding", offset, f"the unknown encoding {label!r}"), *read.flaws))
    return _decoded(content, codec, offset, "utf-8" if codec == "utf-8" else label)


def declared(head: bytes) -> tuple[str, int]:
    """The encoding that a ``<meta>`` names in the first bytes, and its offset; "" where none does."""
    text = head.decode("latin-1")
    for match in TOKEN.finditer(text):
        source = match[0]
        if source[1:2].isalpha() and read_tag(source).tag.name == "meta":
            attributes = read_attributes(source, len("<meta"))[0]
            label = attributes.get("charset", "")
            if not label and attributes.get("http-equiv", "").lower() == "content-type":
                found = _CONTENT.search(attributes.get("content", ""))
                label = next(filter(None, found.groups()), "") if found else ""
            if label:
                return label.strip().lower(), match.start()
    return "", 0


def _codec(label: str) -> str | None:
    """Python's name of an encoding that a page names; None for one that no browser knows."""
    try:
        return _LABELS.get(label) or _CODECS.get(codecs.lookup(label or "utf-8").name)
    except (LookupError, ValueError):
        return None


def _decoded(content: bytes, codec: str, offset: int, shown: str) -> Decoded:
    """``offset`` is the place of what names the encoding; UTF-8 needs no word."""
    flaws = () if codec == "utf-8" else (("legacy-encoding", offset, f"the encoding {shown}"),)
    try:
        return Decoded(content.decode(codec, _CONTROL if codec.startswith("cp125") else "strict"), flaws)
    except UnicodeDecodeError as error:
        place = len(content[: error.start].decode(codec, "replace"))
        byte = f"the byte 0x{content[error.start]:02X} is not {shown.upper()}"
        return Decoded(content.decode(codec, "replace"), (*flaws, ("undecodable-bytes", place, byte)))


def _as_control(error: UnicodeError) -> tuple[str, int]:
    """What Windows' code pages leave open a browser reads as a control character."""
    assert isinstance(error, UnicodeDecodeError)
    return chr(error.object[error.start]), error.start + 1


_CONTROL = "checks.html.as-control"
codecs.register_error(_CONTROL, _as_control)
